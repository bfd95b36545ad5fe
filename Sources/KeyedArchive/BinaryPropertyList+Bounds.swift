// BinaryPropertyList+Bounds: how far an object reaches, from its marker and the count that may follow. Reading and salvaging
// both ask here, so that they agree on where objects end. It must not look into a body.

extension BinaryPropertyList {
    /// Tells the extent of objects in a file that may be anything.
    struct Bounds {
        let bytes: UnsafeBufferPointer<UInt8>
        /// Objects end before this byte, which `bytes` has or ends with.
        let end: Int
        let referenceSize: Int

        /// The kind of the object at a byte before `end`.
        @inline(__always)
        func kind(of object: Int) throws(DecodingError) -> Kind {
            guard let kind = Kind(rawValue: bytes[object] >> 4) else {
                throw DecodingError(.byte(object), "unknown kind of object")
            }
            return kind
        }

        /// The bytes after the object's marker and count. All of them exist.
        @inline(__always)
        func body(of object: Int, _ kind: Kind) throws(DecodingError) -> Range<Int> {
            switch kind {
            case .asciiString, .utf8String, .data: return try counted(object, unit: 1)
            case .utf16String: return try counted(object, unit: 2)
            case .array, .set, .orderedSet: return try counted(object, unit: referenceSize)
            case .dictionary: return try counted(object, unit: 2 * referenceSize)
            default: return try body(of: object, from: object + 1, size: try fixedSize(object, kind))
            }
        }

        /// Where the object ends; nil when there is no such object at that byte.
        func end(of object: Int) -> Int? {
            guard object < end, let kind = try? kind(of: object) else { return nil }
            return (try? body(of: object, kind))?.upperBound
        }

        /// The size of a body that the marker alone says.
        private func fixedSize(_ object: Int, _ kind: Kind) throws(DecodingError) -> UInt64 {
            let low = bytes[object] & 0xF
            switch kind {
            case .integer:
                guard low <= 4 else { throw DecodingError(.byte(object), "an integer is wider than 16 bytes") }
                return 1 << UInt64(low)
            case .real:
                guard 2...3 ~= low else { throw DecodingError(.byte(object), "a real is not 4 or 8 bytes wide") }
                return 1 << UInt64(low)
            case .date:
                guard low == 3 else { throw DecodingError(.byte(object), "a date is not 8 bytes wide") }
                return 8
            case .uid: return UInt64(low) + 1
            default:
                guard low == nullMarker || low == falseMarker || low == trueMarker else {
                    throw DecodingError(.byte(object), "unknown kind of object")
                }
                return 0
            }
        }

        /// The body of an object that consists of so many units as its marker, or the integer after it, says.
        @inline(__always)
        private func counted(_ object: Int, unit: Int) throws(DecodingError) -> Range<Int> {
            let inline = bytes[object] & 0xF
            if inline != countFollows {
                return try body(of: object, from: object + 1, size: UInt64(inline) * UInt64(unit))
            }
            var start = object + 1
            guard start < end else { throw DecodingError(.byte(object), "an object is cut off") }
            let marker = bytes[start]
            guard marker >> 4 == Kind.integer.rawValue, marker & 0xF <= 4 else {
                throw DecodingError(.byte(start), "a count is not an integer")
            }
            let width = 1 << Int(marker & 0xF)
            start += 1
            guard width <= end - start else { throw DecodingError(.byte(object), "an object is cut off") }
            // A count that needs more than 64 bits is a count past the end like any other.
            let count = unsigned(in: start..<start + width) ?? .max
            let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(unit))
            return try body(of: object, from: start + width, size: overflow ? .max : size)
        }

        @inline(__always)
        private func body(of object: Int, from start: Int, size: UInt64) throws(DecodingError) -> Range<Int> {
            guard size <= UInt64(end - start) else { throw DecodingError(.byte(object), "an object is cut off") }
            return start..<start + Int(size)
        }

        /// The big-endian number in `range`; nil when it needs more than 64 bits.
        func unsigned(in range: Range<Int>) -> UInt64? {
            if range.count <= 8, range.lowerBound <= bytes.count - 8 {
                return BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: range.count)
            }
            var value: UInt64 = 0
            for position in range {
                guard value >> 56 == 0 else { return nil }
                value = value << 8 | UInt64(bytes[position])
            }
            return value
        }
    }
}
