// Inspection: looking at the bytes of any property list, and repairing a store that can't be opened. None of it needs an open
// store, nor a clock.

import CSystem
import FirstTimeStore
import KeyedArchive

package enum Inspection {
    /// Shows a property list as text, or as JSON.
    package static func dump(
        _ bytes: [UInt8], isJSON: Bool, isRaw: Bool, to writer: @escaping ByteSink.Writer
    ) throws(EngineError) {
        let list: PropertyList
        do throws(DecodingError) { list = try PropertyList(bytes: bytes) } catch {
            throw .undecodable(path: nil, error)
        }
        let sink = ByteSink(writer)
        PropertyListDump(list, isJSON: isJSON, isRaw: isRaw, to: sink).write()
        if sink.isStopped { throw .callback(.writer, status: 1) }
    }

    /// Tells `visit` of everything that is wrong with the bytes, and throws the first of that. `visit` returns false for no
    /// more.
    package static func verify(
        _ bytes: [UInt8], _ visit: (_ offset: UInt64, _ reason: StaticString) -> Bool
    ) throws(EngineError) {
        let (problems, newerFormat) = problems(in: bytes)
        for problem in problems where !visit(UInt64(clamping: problem.offset), problem.reason) {
            throw .callback(.visitor, status: 1)
        }
        if let problem = problems.first { throw .undecodable(path: nil, problem) }
        if let newerFormat { throw .newerFormat(path: nil, version: newerFormat) }
    }

    private static func problems(in bytes: [UInt8]) -> ([DecodingError], newerFormat: Int128?) {
        let outer = ArchiveVerification(bytes)
        guard let list = outer.otherList else { return (outer.problems, outer.newerFormat) }
        if RuleKitEvents.isOne(list) {
            do throws(DecodingError) { return (try RuleKitEvents(list).leftOut, nil) } catch { return ([error], nil) }
        }
        // What isn't data there is another program's.
        guard let value = list.value(forKey: "YCFirstTime", in: list.root), case .data(let range) = list[value] else {
            return ([], nil)
        }
        let inner = ArchiveVerification(Array(list.bytes(in: range)))
        if inner.otherList != nil {
            return ([DecodingError(list.position(of: value), "the preferences' archive is no keyed archive")], nil)
        }
        // In a binary list the archive's bytes are the file's own; in XML they have no lines.
        let place = list.position(of: value)
        let problems = inner.problems.map { problem in
            if case .byte = place { return problem.moved(by: range.lowerBound) }
            return DecodingError(place, problem.reason)
        }
        return (problems, inner.newerFormat)
    }

    /// False: the store can be opened as it is.
    package static func repair(_ path: [UInt8], _ tell: (RepairNotice) -> Bool) throws(EngineError) -> Bool {
        if !csystem_is_renewed() { Store.renewAfterFork() }
        let path = try Engine.filePath(path)
        let isRepaired: Bool?
        do throws(StoreError) { isRepaired = try Store.repair(path, tell) } catch { throw .store(error) }
        guard let isRepaired else { throw .callback(.visitor, status: 1) }
        return isRepaired
    }
}
