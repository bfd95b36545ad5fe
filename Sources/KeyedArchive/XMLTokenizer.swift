// XMLTokenizer: the tags of an XML text in UTF-8, one after another, and what stands between them skipped.
// Knows how XML is spelled; which element may stand where is the reader's business.
//
// Nothing is ever expanded but the five named characters and numeric references, and nothing outside the text is
// looked at: entities that a document type declares are skipped with it. So no text is worth more than its own length.

struct XMLTokenizer {
    struct Tag {
        let element: XMLElement
        /// `</name>`
        let isClosing: Bool
        /// `<name/>`
        let isEmpty: Bool
        /// Where its `<` stands.
        let start: Int
    }

    let text: [UInt8]
    var position: Int

    init(_ text: [UInt8], from start: Int) {
        self.text = text
        position = start
    }

    /// Lines are counted only when there is an error to report.
    func error(_ reason: StaticString, at offset: Int) -> DecodingError {
        DecodingError(.line(TextEncoding.line(of: offset, in: text)), reason)
    }

    func at(_ string: StaticString) -> Bool { matches(text, at: position, string) }

    // MARK: - Tags

    /// The next tag, past white space, comments and processing instructions; nil at the end of the text.
    mutating func nextTag() throws(DecodingError) -> Tag? {
        try skipMarkup()
        guard position < text.count else { return nil }
        guard text[position] == UInt8(ascii: "<") else { throw error("text where a tag belongs", at: position) }
        return try tag()
    }

    /// The tag whose `<` is at `position`. Attributes are skipped: no property list means anything by them.
    mutating func tag() throws(DecodingError) -> Tag {
        let start = position
        position += 1
        let isClosing = position < text.count && text[position] == UInt8(ascii: "/")
        if isClosing { position += 1 }
        let nameStart = position
        while position < text.count, isName(text[position]) { position += 1 }
        let name = nameStart..<position
        let isEmpty = try skipAttributes(from: start)
        guard !name.isEmpty else { throw error("a tag without a name", at: start) }
        guard let element = XMLElement(text, name) else { throw error("an unknown element", at: start) }
        guard !(isClosing && isEmpty) else { throw error("a closing tag that ends with \"/>\"", at: start) }
        return Tag(element: element, isClosing: isClosing, isEmpty: isEmpty, start: start)
    }

    /// Moves past the tag's `>`; true when a `/` stands before it.
    private mutating func skipAttributes(from start: Int) throws(DecodingError) -> Bool {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: ">"):
                position += 1
                return text[position - 2] == UInt8(ascii: "/") && position - 2 > start + 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                try skipQuoted()
            case UInt8(ascii: "<"):
                throw error("a tag that never ends", at: start)
            default:
                position += 1
            }
        }
        throw error("a tag that never ends", at: start)
    }

    /// Moves past the quoted text that starts at `position`; a `>` in it ends nothing.
    private mutating func skipQuoted() throws(DecodingError) {
        let start = position
        guard let end = text[(start + 1)...].firstIndex(of: text[start]) else {
            throw error("a quotation that never ends", at: start)
        }
        position = end + 1
    }

    // MARK: - What stands between

    /// Moves past white space, comments and processing instructions.
    mutating func skipMarkup() throws(DecodingError) {
        while position < text.count {
            if isSpace(text[position]) {
                position += 1
            } else if text[position] == UInt8(ascii: "<") {
                guard try skipRemark() else { return }
            } else {
                return
            }
        }
    }

    /// Moves past the comment or processing instruction at `position`; false when neither stands there.
    mutating func skipRemark() throws(DecodingError) -> Bool {
        if at("<!--") {
            try skip(4, through: "-->", "a comment that never ends")
        } else if at("<?") {
            try skip(2, through: "?>", "a processing instruction that never ends")
        } else {
            return false
        }
        return true
    }

    /// Moves past `count` bytes and from there through `end`.
    private mutating func skip(_ count: Int, through end: StaticString, _ reason: StaticString) throws(DecodingError) {
        let start = position
        position = try find(end, from: start + count, start, reason) + end.utf8CodeUnitCount
    }

    /// Where `end` next stands; an error about what begins at `start` when it doesn't.
    func find(
        _ end: StaticString, from offset: Int, _ start: Int, _ reason: StaticString
    ) throws(DecodingError) -> Int {
        let first = end.utf8Start[0]
        var index = offset
        while index < text.count {
            if text[index] == first, matches(text, at: index, end) { return index }
            index += 1
        }
        throw error(reason, at: start)
    }

    /// Moves past everything that may stand before the first element.
    mutating func skipProlog() throws(DecodingError) {
        try skipMarkup()
        while at("<!DOCTYPE") {
            try skipDocumentType()
            try skipMarkup()
        }
    }

    /// Moves past the document type and its internal subset, unread.
    private mutating func skipDocumentType() throws(DecodingError) {
        let start = position
        var isInSubset = false
        position += 9
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                try skipQuoted()
                continue
            case UInt8(ascii: "<"):
                if try skipRemark() { continue }
                guard isInSubset else { throw error("a document type that never ends", at: start) }
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset:
                position += 1
                return
            default: break
            }
            position += 1
        }
        throw error("a document type that never ends", at: start)
    }
}

/// Whether the byte can be part of an element's name here: it ends at white space, `/` and `>`.
private func isName(_ byte: UInt8) -> Bool {
    !isSpace(byte) && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "<")
}
