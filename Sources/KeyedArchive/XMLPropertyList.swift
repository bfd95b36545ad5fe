// XMLPropertyList: property lists as XML, what Apple calls format 1.0.
// The two ways in are in +Read and +Write; here is what both agree on.

package enum XMLPropertyList {
    /// Input and output stay below this many bytes: the table counts in 32 bits.
    static let sizeLimit = 1 << 32

    /// Past this depth lines are indented no further, or a list nested a million deep would be mostly tabs.
    static let deepestIndentation = 32

    /// Whether the text starts with `<`, after a byte-order mark and white space, in an encoding that `read` takes.
    ///
    /// Old-style text property lists that are nothing but data start like that too.
    package static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let (encoding, start) = TextEncoding.detected(in: bytes) ?? (.latin1, 0)
        var offset = start
        while let unit = encoding.unit(of: bytes, at: offset) {
            if unit == 0x3C { return true }
            guard let byte = UInt8(exactly: unit), isSpace(byte) else { return false }
            offset += encoding.width
        }
        return false
    }
}
