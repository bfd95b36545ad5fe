// PropertyListDump: a property list as text for people, or as JSON for scripts. In a keyed archive the objects stand where
// UIDs lead. docs/FORMAT.md describes both outputs. The walk is here: every object is shown once, with a stack of its own
// instead of recursion; how a value is spelled is in +Values.

/// One dump.
package final class PropertyListDump {
    /// A container that has begun. An object that holds the one around it, so that no array of them is needed.
    final class Frame {
        let parent: Frame?
        let depth: Int
        /// Its members; those before `next` are written.
        var next: Int
        let start: Int
        let end: Int
        /// From a value's position to its key's.
        let toKey: Int
        let hasKeys: Bool
        /// Whether places are shown: a set has none.
        let isList: Bool
        /// Whether entries are written as pairs, because JSON couldn't have them otherwise.
        let isPairs: Bool
        /// The key of an entry that is left out.
        let hidden: StaticString?
        var closing: StaticString
        var isKeyWritten = false
        var isEmpty = true

        /// `view`: the container.
        init(_ view: ObjectView, in parent: Frame?, isPairs: Bool) {
            self.parent = parent
            depth = (parent?.depth ?? 0) + 1
            (next, start, end) = (view.values.lowerBound, view.values.lowerBound, view.values.upperBound)
            toKey = view.keys.lowerBound - view.values.lowerBound
            hasKeys = view.kind == .dictionary
            isList = view.kind == .list
            self.isPairs = isPairs
            hidden = view.hidden
            closing = hasKeys ? "}" : "]"
        }
    }

    let list: PropertyList
    let view: ObjectView
    let sink: ByteSink
    let isJSON: Bool
    var frame: Frame?
    /// For each object: how many refer to it, up to `shared`; above that, its number and `shared`.
    var marks: [UInt32]
    private var lastNumber: UInt32 = 0
    static let shared: UInt32 = 2

    /// `isRaw`: UIDs as they stand, also in a keyed archive.
    package init(_ list: PropertyList, isJSON: Bool, isRaw: Bool, to sink: ByteSink) {
        self.list = list
        self.sink = sink
        self.isJSON = isJSON
        var archive: KeyedArchive?
        if !isRaw, KeyedArchive.isArchive(list) { archive = try? KeyedArchive(list) }
        view = ObjectView(list, archive)
        marks = Array(repeating: 0, count: list.count)
    }

    package func write() {
        countReferences()
        show(list.root)
        // Those that are left when it is stopped are let go one by one, too: not each inside the next.
        while let frame {
            if sink.isStopped { self.frame = frame.parent } else { advance(frame) }
            sink.spill()
        }
        sink.put("\n")
        sink.flush()
    }

    /// Finds out what several refer to. Of leaves, only for those that are long: short ones are repeated.
    private func countReferences() {
        var pending = [list.root]
        while let reference = pending.popLast() {
            view.look(at: reference)
            let index = Int(view.subject.index)
            if view.kind == .leaf, !view.isLong { continue }
            marks[index] += marks[index] < Self.shared ? 1 : 0
            guard marks[index] == 1 else { continue }
            for position in view.values {
                if !view.keys.isEmpty {
                    let key = list.reference(at: view.keys.lowerBound + position - view.values.lowerBound)
                    if let hidden = view.hidden, list.isString(key, hidden) { continue }
                    pending.append(key)
                }
                pending.append(list.reference(at: position))
            }
        }
    }

    // MARK: - Containers

    /// Writes the next part of a container.
    private func advance(_ frame: Frame) {
        if let hidden = frame.hidden {
            while frame.next < frame.end, list.isString(list.reference(at: frame.next + frame.toKey), hidden) {
                frame.next += 1
            }
        }
        guard frame.next < frame.end else { return close(frame) }
        if !frame.isKeyWritten {
            if !frame.isEmpty { sink.put(!isJSON ? "" : frame.isPairs ? "]," : ",") }
            frame.isEmpty = false
            breakLine(frame.depth)
            if frame.isPairs { sink.put("[") }
            if frame.hasKeys {
                frame.isKeyWritten = true
                return show(list.reference(at: frame.next + frame.toKey))
            }
            if !isJSON, frame.isList {
                sink.put(integer: Int128(frame.next - frame.start))
                sink.put(" => ")
            }
        } else {
            sink.put(!isJSON ? " => " : frame.isPairs ? ", " : ": ")
        }
        frame.isKeyWritten = false
        frame.next += 1
        show(list.reference(at: frame.next - 1))
    }

    private func close(_ frame: Frame) {
        if !frame.isEmpty {
            if frame.isPairs { sink.put("]") }
            breakLine(frame.depth - 1)
        }
        sink.put(frame.closing)
        self.frame = frame.parent
    }

    private func breakLine(_ depth: Int) {
        sink.put("\n")
        for _ in 0..<min(depth, XMLPropertyList.deepestIndentation) { sink.put("  ") }
    }

    /// Writes a leaf, the beginning of a container, or the number of what was shown before.
    private func show(_ reference: PropertyList.Reference) {
        view.look(at: reference)
        let index = Int(view.subject.index)
        if marks[index] > Self.shared { return put(reference: marks[index] - Self.shared) }
        var number: UInt32 = 0
        if marks[index] == Self.shared {
            lastNumber += 1
            number = lastNumber
            marks[index] += number
        }
        if view.kind == .leaf { put(leaf: number) } else { begin(number) }
    }
}
