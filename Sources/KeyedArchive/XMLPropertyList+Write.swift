// Writing a property list as XML, in Apple's layout. What can't be written has been refused before the first byte:
// see +Measure. With a stack of its own instead of recursion.

extension XMLPropertyList {
    /// Writes a property list.
    ///
    /// Refused are objects XML has no element for (null, sets), characters it has no place for (most control characters,
    /// U+FFFE, U+FFFF, lone surrogates), keys that aren't strings or stand twice, dates that aren't within 99 billion
    /// years, dictionaries that would read back as UIDs, and what would grow beyond 1 GiB: XML can't share, so an object
    /// in many places is written out in each.
    ///
    /// Two things don't survive, because XML has no text for them: fractions of a date's seconds, which are dropped
    /// downwards, and the bits of a NaN.
    package static func write(_ list: PropertyList) throws(EncodingError) -> [UInt8] {
        try write(list, limit: 1 << 30)
    }

    /// `limit`: the most bytes, counted as if every line were indented as deep as lines are.
    static func write(_ list: PropertyList, limit: Int) throws(EncodingError) -> [UInt8] {
        guard list.count > Int(list.root.index) else { throw EncodingError(list.root, "a table without a root") }
        let size = try measure(list, limit: limit)
        guard size <= limit else { throw EncodingError(list.root, "too large once every shared part is written out") }
        var writer = XMLWriter(list)
        writer.write()
        return writer.output
    }
}

private struct XMLWriter {
    /// A container that has begun.
    private struct Frame {
        /// Nil for an array.
        let keys: Range<Int>?
        let values: Range<Int>
        var written = 0
    }

    private let list: PropertyList
    private(set) var output: [UInt8] = []
    private var frames: [Frame] = []

    init(_ list: PropertyList) { self.list = list }

    mutating func write() {
        put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
        put(list.root)
        while var frame = frames.popLast() {
            guard frame.written < frame.values.count else {
                putLine(frame.keys == nil ? "</array>" : "</dict>")
                continue
            }
            let offset = frame.written
            frame.written += 1
            frames.append(frame)
            if let keys = frame.keys, case .string(let range) = list[list.reference(at: keys.lowerBound + offset)] {
                put(range, "<key>", "</key>\n")
            }
            put(list.reference(at: frame.values.lowerBound + offset))
        }
        put("</plist>\n")
    }

    private mutating func put(_ reference: PropertyList.Reference) {
        switch list[reference] {
        case .boolean(let value):
            putLine(value ? "<true/>" : "<false/>")
        case .integer(let value):
            putIndented("<integer>")
            XMLNumbers.append(value, to: &output)
            put("</integer>\n")
        case .real(let value):
            putIndented("<real>")
            XMLNumbers.append(value, to: &output)
            put("</real>\n")
        case .date(let seconds):
            putIndented("<date>")
            _ = ISO8601.append(seconds, to: &output)
            put("</date>\n")
        case .data(let range):
            put(data: list.bytes(in: range))
        case .string(let range):
            put(range, "<string>", "</string>\n")
        case .uid(let value):
            put(uid: value)
        case .array(let values):
            begin("<array", Frame(keys: nil, values: values))
        case .dictionary(let keys, let values):
            begin("<dict", Frame(keys: keys, values: values))
        case .null, .set, .orderedSet:
            // Measuring has refused these.
            break
        }
    }

    private mutating func begin(_ tag: StaticString, _ frame: Frame) {
        putIndented(tag)
        put(frame.values.isEmpty ? "/>\n" : ">\n")
        if !frame.values.isEmpty { frames.append(frame) }
    }

    private mutating func put(uid: UInt64) {
        putLine("<dict>")
        putIndented("\t<key>CF$UID</key>\n")
        putIndented("\t<integer>")
        appendDecimal(uid, width: 1, to: &output)
        put("</integer>\n")
        putLine("</dict>")
    }

    /// Lines of up to 76 columns, the tabs counting eight, and never shorter than twelve digits.
    private mutating func put(data: ArraySlice<UInt8>) {
        putLine("<data>")
        let tabs = min(frames.count, 8)
        let lineBytes = (76 - 8 * tabs) / 4 * 3
        var rest = data
        while !rest.isEmpty {
            for _ in 0..<tabs { output.append(UInt8(ascii: "\t")) }
            var line = rest.prefix(lineBytes)
            rest = rest.dropFirst(lineBytes)
            while !line.isEmpty {
                Base64.encode(line.prefix(3), to: &output)
                line = line.dropFirst(3)
            }
            output.append(UInt8(ascii: "\n"))
        }
        putLine("</data>")
    }

    private mutating func put(_ range: Range<Int>, _ opening: StaticString, _ closing: StaticString) {
        putIndented(opening)
        let text = list.bytes(in: range)
        var plainStart = text.startIndex
        for index in text.indices {
            let escape: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): escape = "&amp;"
            case UInt8(ascii: "<"): escape = "&lt;"
            case UInt8(ascii: ">"): escape = "&gt;"
            // As itself it would read back as a line feed.
            case 0x0D: escape = "&#13;"
            default: continue
            }
            output.append(contentsOf: text[plainStart..<index])
            put(escape)
            plainStart = index + 1
        }
        output.append(contentsOf: text[plainStart...])
        put(closing)
    }

    @inline(never)
    private mutating func putLine(_ text: StaticString) {
        putIndented(text)
        output.append(UInt8(ascii: "\n"))
    }

    @inline(never)
    private mutating func putIndented(_ text: StaticString) {
        for _ in 0..<min(frames.count, XMLPropertyList.deepestIndentation) { output.append(UInt8(ascii: "\t")) }
        put(text)
    }

    @inline(never)
    private mutating func put(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
