// Reading an XML property list: elements into the table, with a stack of its own instead of recursion.
// How XML is spelled is the tokenizer's business.

extension XMLPropertyList {
    /// Reads a property list, in time and memory linear in its size.
    ///
    /// Takes what Foundation, GNUstep, libplist and plistlib write, in UTF-8, UTF-16, UTF-32, ASCII or ISO 8859-1, with or
    /// without the `<plist>` around it. Of entries with the same key the last one counts, as for Foundation; a dictionary
    /// with `CF$UID` and nothing else is a UID.
    package static func read(_ bytes: [UInt8]) throws(DecodingError) -> PropertyList {
        guard bytes.count < sizeLimit else { throw DecodingError(.line(1), "4 GiB or more") }
        let (text, start) = try TextEncoding.utf8(from: bytes)
        guard text.count < sizeLimit else { throw DecodingError(.line(1), "4 GiB or more") }
        return try XMLReader(text, from: start).read()
    }
}

/// One reading. An object, which is handed on with little code.
final class XMLReader {
    /// An element that has begun: `plist`, `array` or `dict`. Its members are on the two piles from here on.
    struct Frame {
        let tag: XMLTokenizer.Tag
        let firstKey: Int
        let firstValue: Int
        let line: Int
    }

    private var tokenizer: XMLTokenizer
    var list: PropertyList
    var frames: [Frame] = []
    var keys: [PropertyList.Reference] = []
    var values: [PropertyList.Reference] = []
    private var scratch: [UInt8] = []
    /// The line of the tag that was read last, and how far lines have been counted.
    private var line = 1
    private var countedTo = 0

    init(_ text: [UInt8], from start: Int) {
        tokenizer = XMLTokenizer(text, from: start)
        list = PropertyList(over: text)
    }

    func read() throws(DecodingError) -> PropertyList {
        try tokenizer.skipProlog()
        repeat {
            guard let tag = try tokenizer.nextTag() else {
                guard let frame = frames.last else { throw error("no element at all", at: tokenizer.position) }
                throw error("an element that never ends", at: frame.tag.start)
            }
            countLines(upTo: tag.start)
            list.position = .line(line)
            if tag.isClosing { try close(tag) } else { try open(tag) }
        } while !frames.isEmpty
        try expectEnd()
        guard let root = values.first else { throw error("no element at all", at: tokenizer.position) }
        list.root = root
        return list
    }

    /// After the outermost element only remarks may stand, and zeros: the first Mac OS X wrote one.
    private func expectEnd() throws(DecodingError) {
        try tokenizer.skipMarkup()
        while tokenizer.at("\0") { tokenizer.position += 1 }
        guard tokenizer.position == tokenizer.text.count else {
            throw error("something after the property list's end", at: tokenizer.position)
        }
    }

    private func countLines(upTo offset: Int) {
        line += TextEncoding.lineEnds(in: tokenizer.text, from: countedTo, to: offset)
        countedTo = offset
    }

    private func error(_ reason: StaticString, at offset: Int) -> DecodingError { tokenizer.error(reason, at: offset) }

    // MARK: - Containers

    private func open(_ tag: XMLTokenizer.Tag) throws(DecodingError) {
        if let frame = frames.last {
            let count = values.count - frame.firstValue
            switch frame.tag.element {
            case .dict where keys.count - frame.firstKey == count:
                guard tag.element == .key else { throw error("a value without a key", at: tag.start) }
                keys.append(try string(tag))
                return
            case .plist where count > 0:
                throw error("more than one value in a <plist>", at: tag.start)
            default:
                break
            }
        }
        switch tag.element {
        case .plist, .array, .dict:
            frames.append(Frame(tag: tag, firstKey: keys.count, firstValue: values.count, line: line))
            if tag.isEmpty { try close(tag) }
        default:
            values.append(try value(tag))
        }
    }

    func close(_ tag: XMLTokenizer.Tag) throws(DecodingError) {
        guard let frame = frames.last, frame.tag.element == tag.element else {
            throw error("a closing tag that doesn't match", at: tag.start)
        }
        list.position = .line(frame.line)
        let container: PropertyList.Reference
        switch tag.element {
        case .array:
            container = list.append(array: values[frame.firstValue...])
        case .dict:
            guard keys.count - frame.firstKey == values.count - frame.firstValue else {
                throw error("a key without a value", at: tag.start)
            }
            container = dictionary(frame)
            keys.removeSubrange(frame.firstKey...)
        default:
            // The value inside simply stays: a <plist> is only a wrapper, also around one that is further in.
            guard values.count > frame.firstValue else { throw error("a <plist> without a value", at: tag.start) }
            frames.removeLast()
            return
        }
        frames.removeLast()
        values.removeSubrange(frame.firstValue...)
        values.append(container)
    }

    private func dictionary(_ frame: Frame) -> PropertyList.Reference {
        if let uid = uid(frame) { return list.append(uid: uid) }
        let superseded = list.supersededEntries(of: keys[frame.firstKey...])
        if !superseded.isEmpty {
            remove(superseded, from: &keys, startingAt: frame.firstKey)
            remove(superseded, from: &values, startingAt: frame.firstValue)
        }
        return list.append(dictionaryKeys: keys[frame.firstKey...], values: values[frame.firstValue...])
    }

    private func remove(_ offsets: [Int], from pile: inout [PropertyList.Reference], startingAt start: Int) {
        var kept = start
        var next = 0
        for index in start..<pile.count {
            if next < offsets.count, offsets[next] == index - start {
                next += 1
            } else {
                pile[kept] = pile[index]
                kept += 1
            }
        }
        pile.removeSubrange(kept...)
    }

    private func uid(_ frame: Frame) -> UInt64? {
        guard keys.count - frame.firstKey == 1, let key = keys.last, let value = values.last,
            list.isString(key, "CF$UID"), case .integer(let number) = list[value]
        else { return nil }
        return UInt64(exactly: number)
    }

    // MARK: - Values

    private func value(_ tag: XMLTokenizer.Tag) throws(DecodingError) -> PropertyList.Reference {
        switch tag.element {
        case .string, .key:
            return try string(tag)
        case .true, .false:
            guard trimmed(try content(tag)).isEmpty else {
                throw error("text inside a <true> or <false>", at: tag.start)
            }
            return list.append(boolean: tag.element == .true)
        case .integer:
            guard let integer = XMLNumbers.integer(from: try content(tag)) else {
                throw error("an <integer> that is not one, or is over 128 bits", at: tag.start)
            }
            return list.append(integer: integer)
        case .real:
            guard let real = XMLNumbers.real(from: try content(tag)) else {
                throw error("a <real> that is not a number", at: tag.start)
            }
            return list.append(real: real)
        case .date:
            guard let seconds = ISO8601.seconds(from: trimmed(try content(tag))) else {
                throw error("a <date> that is not one", at: tag.start)
            }
            return list.append(date: Double(seconds))
        default:
            var bytes: [UInt8] = []
            guard Base64.decode(try content(tag), to: &bytes) else {
                throw error("<data> that is not base64", at: tag.start)
            }
            return list.append(data: bytes)
        }
    }

    private func string(_ tag: XMLTokenizer.Tag) throws(DecodingError) -> PropertyList.Reference {
        if tag.isEmpty { return list.append(stringAt: tag.start..<tag.start) }
        switch try tokenizer.text(of: tag, scratch: &scratch) {
        case .plain(let range): return list.append(stringAt: range)
        case .decoded: return list.append(string: scratch)
        }
    }

    private func content(_ tag: XMLTokenizer.Tag) throws(DecodingError) -> ArraySlice<UInt8> {
        if tag.isEmpty { return [] }
        switch try tokenizer.text(of: tag, scratch: &scratch) {
        case .plain(let range): return tokenizer.text[range]
        case .decoded: return scratch[...]
        }
    }
}
