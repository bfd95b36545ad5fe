// Plain: property lists and keyed archives spelled out in a test, sound or not. It uses the table and the writer of binary
// lists, and nothing of the archiver that it tests.

import KeyedArchive

/// A value of a property list.
indirect enum Plain: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable
{
    case text([UInt8])
    case data([UInt8])
    case integer(Int128)
    case real(Double)
    case date(Double)
    case boolean(Bool)
    case uid(UInt64)
    case array([Plain])
    case set([Plain])
    case dictionary([(Plain, Plain)])

    init(stringLiteral text: String) { self = .text(Array(text.utf8)) }
    init(integerLiteral value: Int) { self = .integer(Int128(value)) }
    init(floatLiteral value: Double) { self = .real(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral values: Plain...) { self = .array(values) }
    init(dictionaryLiteral entries: (Plain, Plain)...) { self = .dictionary(entries) }

    func append(to list: inout PropertyList) -> PropertyList.Reference {
        switch self {
        case .text(let bytes): return list.append(string: bytes)
        case .data(let bytes): return list.append(data: bytes)
        case .integer(let value): return list.append(integer: value)
        case .real(let value): return list.append(real: value)
        case .date(let value): return list.append(date: value)
        case .boolean(let value): return list.append(boolean: value)
        case .uid(let value): return list.append(uid: value)
        case .array(let values):
            let members = values.map { $0.append(to: &list) }
            return list.append(array: members)
        case .set(let values):
            let members = values.map { $0.append(to: &list) }
            return list.append(set: members)
        case .dictionary(let entries):
            let keys = entries.map { $0.0.append(to: &list) }
            let values = entries.map { $0.1.append(to: &list) }
            return list.append(dictionaryKeys: keys, values: values)
        }
    }

    var list: PropertyList {
        var list = PropertyList()
        list.root = append(to: &list)
        return list
    }

    /// As a binary property list.
    var bytes: [UInt8] { BinaryPropertyList.write(list) }

    /// This dictionary with entries more.
    func adding(_ more: [(Plain, Plain)]) -> Plain {
        guard case .dictionary(let entries) = self else { return self }
        return .dictionary(entries + more)
    }
}

/// The parts of a keyed archive of YCFirstTime: the root is object 1, sharedGroup 2.
struct PlainArchive: Sendable {
    /// Where the objects that `init` makes end: a test's own begin here.
    static let own: UInt64 = 15
    private static let dictionaryClass: UInt64 = 9
    private static let recordClass: UInt64 = 10
    private static let dateClass: UInt64 = 11
    static let immutableClass: UInt64 = 13

    /// Two records: "a", version "1.0" at 100.25, and "b" of neither version nor time.
    var objects: [Plain] = [
        "$null", Self.dictionary([(3, 2)]), Self.dictionary([(4, 5), (8, 12)]), "sharedGroup", "a",
        Self.record(version: 6, time: 7), "1.0",
        ["NS.time": 100.25, "$class": .uid(dateClass)], "b",
        ["$classname": "NSMutableDictionary", "$classes": ["NSMutableDictionary", "NSDictionary", "NSObject"]],
        ["$classname": "YCFirstTimeObject", "$classes": ["YCFirstTimeObject", "NSObject"]],
        ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]], Self.record(version: 0, time: 0),
        ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]], "spare",
    ]
    var top: [(Plain, Plain)] = [("root", .uid(1))]
    var extra: [(Plain, Plain)] = []

    static func dictionary(
        _ entries: [(UInt64, UInt64)], class uid: UInt64 = dictionaryClass, extra: [(Plain, Plain)] = []
    ) -> Plain {
        .dictionary(
            extra + [
                ("NS.keys", .array(entries.map { .uid($0.0) })), ("NS.objects", .array(entries.map { .uid($0.1) })),
                ("$class", .uid(uid)),
            ])
    }

    static func record(version: UInt64, time: UInt64, extra: [(Plain, Plain)] = []) -> Plain {
        .dictionary(
            extra + [("lastVersion", .uid(version)), ("lastTime", .uid(time)), ("$class", .uid(recordClass))])
    }

    var plain: Plain {
        .dictionary(
            [
                ("$version", 100_000), ("$archiver", "NSKeyedArchiver"), ("$top", .dictionary(top)),
                ("$objects", .array(objects)),
            ] + extra)
    }

    var bytes: [UInt8] { plain.bytes }
}
