// PropertyList+Bytes: which of the formats some bytes are. The reading itself is the formats' own.

extension PropertyList {
    /// Reads a property list of either format.
    package init(bytes: [UInt8]) throws(DecodingError) {
        if BinaryPropertyList.isBinary(bytes) {
            self = try BinaryPropertyList.read(bytes)
            return
        }
        if XMLPropertyList.looksLikeXML(bytes) {
            self = try XMLPropertyList.read(bytes)
            return
        }
        throw DecodingError(.byte(0), bytes.isEmpty ? "the file is empty" : "neither a binary nor an XML property list")
    }
}
