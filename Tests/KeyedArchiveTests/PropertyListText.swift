// A property list as text, for tests to compare and to print. Recursive: only for lists that a test has built.

import KeyedArchive

extension PropertyList {
    /// For example `{"a": [1, true, 0x0aff, uid(3)]}`. Text beyond ASCII is shown as `text(bytes)`.
    var text: String { text(of: root) }

    private func text(of reference: Reference) -> String {
        func list(_ range: Range<Int>) -> String {
            "[" + range.map { text(of: self.reference(at: $0)) }.joined(separator: ", ") + "]"
        }
        switch self[reference] {
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .real(let value): return "real(\(value))"
        case .date(let value): return "date(\(value))"
        case .data(let range): return "0x" + hexadecimal(bytes(in: range))
        case .string(let range):
            let bytes = bytes(in: range)
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return "text(\(hexadecimal(bytes)))" }
            return "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .uid(let value): return "uid(\(value))"
        case .array(let range): return list(range)
        case .set(let range): return "set" + list(range)
        case .orderedSet(let range): return "ordered" + list(range)
        case .dictionary(let keys, let values):
            let entries = zip(keys, values).map {
                "\(text(of: self.reference(at: $0))): \(text(of: self.reference(at: $1)))"
            }
            return "{" + entries.joined(separator: ", ") + "}"
        }
    }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension DecodingError {
    /// Position and reason, to compare with: "12: objects overlap".
    var text: String {
        switch position {
        case .byte(let place), .line(let place): return "\(place): \(reason)"
        }
    }
}
