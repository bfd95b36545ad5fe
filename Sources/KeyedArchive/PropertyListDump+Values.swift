// PropertyListDump+Values: how leaves, and the beginnings of containers, are spelled in either output.

extension PropertyListDump {
    /// Names what was shown before.
    func put(reference number: UInt32) {
        sink.put(isJSON ? "{\"$ref\": " : "#")
        sink.put(integer: Int128(number))
        if isJSON { sink.put("}") }
    }

    // MARK: - Containers

    /// Begins the container that is looked at. `number`: its own; 0: it needs none.
    func begin(_ number: UInt32) {
        let container = view.subject
        let isPairs = isJSON && needsPairs(view.keys, view.hidden)
        view.look(at: container)
        let frame = Frame(view, in: frame, isPairs: isPairs)
        self.frame = frame
        if isJSON { return beginJSON(frame, number) }
        if number > 0 {
            put(reference: number)
            sink.put(" ")
        }
        if let name = view.className {
            list.withBytes(in: name) { sink.put(escaped: $0) }
            sink.put(" ")
        } else if !frame.hasKeys, !frame.isList {
            sink.put(view.kind == .set ? "set " : "ordered set ")
        }
        sink.put(frame.hasKeys ? "{" : "[")
    }

    private func beginJSON(_ frame: Frame, _ number: UInt32) {
        let name = view.className
        if frame.isList, number == 0, name == nil { return sink.put("[") }
        sink.put("{")
        var separator: StaticString = ""
        if number > 0 {
            putNumber(number)
            separator = ", "
        }
        if let name {
            sink.put(separator)
            sink.put("\"$class\": ")
            list.withBytes(in: name) { sink.put(quoted: $0) }
            separator = ", "
        }
        if frame.hasKeys, !frame.isPairs {
            // What comes first in it is not what comes first in JSON.
            frame.isEmpty = separator.utf8CodeUnitCount == 0
            return
        }
        sink.put(separator)
        switch view.kind {
        case .set: sink.put("\"$set\": [")
        case .orderedSet: sink.put("\"$orderedSet\": [")
        case .dictionary: sink.put("\"$entries\": [")
        default: sink.put("\"$list\": [")
        }
        frame.closing = "]}"
    }

    private func putNumber(_ number: UInt32) {
        sink.put("\"$id\": ")
        sink.put(integer: Int128(number))
    }

    /// Whether a JSON object can't hold the entries: keys that are no strings, that stand twice, that are numbered, or
    /// that mean something here.
    private func needsPairs(_ keys: Range<Int>, _ hidden: StaticString?) -> Bool {
        var strings: [PropertyList.Reference] = []
        for position in keys {
            let key = list.reference(at: position)
            if let hidden, list.isString(key, hidden) { continue }
            view.look(at: key)
            guard !view.isNil, case .string(let text) = list[view.subject] else { return true }
            if marks[Int(view.subject.index)] >= Self.shared || isOurs(text) { return true }
            strings.append(view.subject)
        }
        return !list.supersededEntries(of: strings[...]).isEmpty
    }

    /// Whether a key is one of those that only this output has.
    private func isOurs(_ text: Range<Int>) -> Bool {
        let key = list.bytes(in: text)
        // UIDs as they stand have no classes beside them.
        if view.archive != nil, list.bytes(in: text, equal: "$class") { return true }
        // One text with a `$` before and after each: a list of texts takes more code.
        let names: StaticString = "$id$ref$uid$data$date$real$string$list$set$orderedSet$entries$"
        guard key.first == UInt8(ascii: "$"), key.count < 12 else { return false }
        for start in 0..<names.utf8CodeUnitCount - key.count {
            var isSame = names.utf8Start[start + key.count] == UInt8(ascii: "$")
            for (offset, byte) in key.enumerated() {
                if names.utf8Start[start + offset] != byte || offset > 0 && byte == UInt8(ascii: "$") { isSame = false }
            }
            if isSame { return true }
        }
        return false
    }

    // MARK: - Leaves

    /// Writes the leaf that is looked at. `number` as for containers.
    func put(leaf number: UInt32) {
        if number > 0 {
            if isJSON { sink.put("{") }
            if isJSON { putNumber(number) } else { put(reference: number) }
            sink.put(isJSON ? ", " : " ")
        }
        let object = list[view.subject]
        switch object {
        case _ where view.isNil, .null: sink.put("null")
        case .boolean(let value): sink.put(value ? "true" : "false")
        case .integer(let value):
            if view.isDate { put(date: Double(value)) } else { sink.put(integer: value) }
        case .real(let value):
            if view.isDate { put(date: value) } else { put(real: value) }
        case .date(let value): put(date: value)
        case .string(let text): put(text, isNumbered: number > 0)
        case .data(let range):
            if view.isText { put(range, isNumbered: number > 0) } else { put(data: range, isNumbered: number > 0) }
        case .uid(let uid):
            sink.put(isJSON ? "{\"$uid\": " : "UID ")
            sink.put(integer: Int128(uid))
            if isJSON { sink.put("}") }
        default: break
        }
        if number > 0, isJSON { sink.put("}") }
    }

    private func put(_ text: Range<Int>, isNumbered: Bool) {
        if isJSON, isNumbered { sink.put("\"$string\": ") }
        list.withBytes(in: text) { sink.put(quoted: $0) }
    }

    private func put(real value: Double) {
        if isJSON, !value.isFinite {
            sink.put("{\"$real\": \"")
            sink.put(real: value)
            sink.put("\"}")
        } else {
            sink.put(real: value)
        }
    }

    /// Where the calendar has no such date: seconds since 2001.
    private func put(date value: Double) {
        sink.put(isJSON ? "{\"$date\": " : "")
        let start = sink.bytes.count
        sink.put(isJSON ? "\"" : "")
        if sink.put(date: value) {
            sink.put(isJSON ? "\"" : "")
        } else {
            sink.bytes.removeSubrange(start...)
            sink.put(isJSON ? "" : "date ")
            put(real: value)
        }
        sink.put(isJSON ? "}" : "")
    }

    private func put(data range: Range<Int>, isNumbered: Bool) {
        let data = list.bytes(in: range)
        if isJSON {
            sink.put(isNumbered ? "\"$data\": \"" : "{\"$data\": \"")
            sink.put(base64: data)
            sink.put(isNumbered ? "\"" : "\"}")
            return
        }
        sink.put("data of ")
        sink.put(integer: Int128(data.count))
        sink.put(data.isEmpty ? " bytes" : " bytes: ")
        for byte in data.prefix(Self.shownData) { sink.put(hexadecimal: byte) }
        if data.count > Self.shownData { sink.put("...") }
    }

    /// Of data, text shows the beginning.
    private static var shownData: Int { 32 }
}
