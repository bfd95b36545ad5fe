// ArchiveGraph: what is not ours in an archive, as text. Two archives with the same lines hold the same foreign objects,
// joined in the same way. It reads the property list by itself, without the code that carries the objects.

import KeyedArchive

struct ArchiveGraph {
    private let list: PropertyList
    private var objects: Range<Int> = 0..<0
    private var names: [UInt64: String] = [0: "nil"]
    /// "where: key = value", each object written out where it is met first and named after that.
    private(set) var lines: [String] = []

    init(_ bytes: [UInt8]) throws {
        list = try BinaryPropertyList.read(bytes)
        guard let table = list.value(forKey: "$objects", in: list.root), case .array(let range) = list[table],
            let top = list.value(forKey: "$top", in: list.root), let root = list.value(forKey: "root", in: top),
            case .uid(let rootUID) = list[root]
        else { return }
        objects = range
        names[rootUID] = "<root>"
        let rootEntries = entries(rootUID)
        let group = rootEntries.first { isText($0.key, "sharedGroup") }
        if let group { names[group.value] = "<group>" }
        add("top", coded(top, except: ["root"]))
        add("list", coded(list.root, except: ["$top", "$objects", "$version", "$archiver", "FirstTime"]))
        if let ours = list.value(forKey: "FirstTime", in: list.root) {
            let own = ["formatVersion", "readableFrom", "sequence", "storeID", "events", "triggers"]
            add("FirstTime", coded(ours, except: own))
        }
        add("root coder", coded(object(rootUID), except: ["NS.keys", "NS.objects", "$class"]))
        for entry in rootEntries where entry.key != group?.key { add("root", entry) }
        guard let group else { return }
        add("group coder", coded(object(group.value), except: ["NS.keys", "NS.objects", "$class"]))
        let records = entries(group.value).filter { isRecord($0.value) && isKey($0.key) }
        for record in records.sorted(by: { key($0.key) < key($1.key) }) {
            let known = ["lastVersion", "lastTime", "count", "firstVersion", "firstTime", "$class"]
            add("record \(key(record.key))", coded(object(record.value), except: known))
        }
        for entry in entries(group.value) where !isRecord(entry.value) || !isKey(entry.key) { add("group", entry) }
    }

    // MARK: Looking

    private func object(_ uid: UInt64) -> PropertyList.Reference { list.reference(at: objects.lowerBound + Int(uid)) }

    private func entries(_ uid: UInt64) -> [(key: UInt64, value: UInt64)] {
        guard let keys = list.value(forKey: "NS.keys", in: object(uid)), case .array(let keyRange) = list[keys],
            let values = list.value(forKey: "NS.objects", in: object(uid)), case .array(let range) = list[values]
        else { return [] }
        return zip(keyRange, range).map { (self.uid(list.reference(at: $0)), self.uid(list.reference(at: $1))) }
    }

    private func uid(_ reference: PropertyList.Reference) -> UInt64 {
        if case .uid(let uid) = list[reference] { return uid }
        return 0
    }

    private func coded(
        _ dictionary: PropertyList.Reference, except: [String]
    ) -> [(PropertyList.Reference, PropertyList.Reference)] {
        guard case .dictionary(let keys, let values) = list[dictionary] else { return [] }
        return zip(keys, values).map { (list.reference(at: $0), list.reference(at: $1)) }.filter { pair in
            !except.contains { list.text(pair.0) == $0 }
        }
    }

    private func isText(_ uid: UInt64, _ text: StaticString) -> Bool { list.isString(object(uid), text) }
    private func key(_ uid: UInt64) -> String { list.text(object(uid)) ?? "" }

    private func isRecord(_ uid: UInt64) -> Bool {
        guard let value = list.value(forKey: "$class", in: object(uid)),
            let name = list.value(forKey: "$classname", in: object(self.uid(value)))
        else { return false }
        return list.isString(name, "YCFirstTimeObject")
    }

    /// Whether the API can say it: tests use ASCII for keys that it can.
    private func isKey(_ uid: UInt64) -> Bool {
        guard uid != 0, let text = list.text(object(uid)) else { return false }
        return !text.isEmpty && text.allSatisfy { $0.isASCII && $0 != "\0" }
    }

    // MARK: Writing out

    private mutating func add(_ place: String, _ pairs: [(PropertyList.Reference, PropertyList.Reference)]) {
        for pair in pairs { lines.append("\(place): \(text(pair.0)) = \(text(pair.1))") }
    }

    private mutating func add(_ place: String, _ entry: (key: UInt64, value: UInt64)) {
        lines.append("\(place): \(text(entry.key)) = \(text(entry.value))")
    }

    private mutating func text(_ uid: UInt64) -> String {
        if let name = names[uid] { return name }
        let name = "#\(names.count)"
        names[uid] = name
        return "\(name)=" + (uid < UInt64(objects.count) ? text(object(uid)) : "beyond")
    }

    private mutating func text(_ reference: PropertyList.Reference) -> String {
        func all(_ range: Range<Int>) -> String { range.map { text(list.reference(at: $0)) }.joined(separator: ",") }
        switch list[reference] {
        case .uid(let uid): return text(uid)
        case .string(let range): return "'\(hexadecimal(list.bytes(in: range)))'"
        case .data(let range): return "0x\(hexadecimal(list.bytes(in: range)))"
        case .real(let value): return "real \(value.bitPattern)"
        case .date(let value): return "date \(value.bitPattern)"
        case .array(let range): return "[\(all(range))]"
        case .set(let range): return "set[\(all(range))]"
        case .orderedSet(let range): return "ordered[\(all(range))]"
        case .dictionary(let keys, let values):
            return "{" + zip(keys, values).map { "\(all($0..<$0 + 1)):\(all($1..<$1 + 1))" }.joined(separator: ",")
                + "}"
        case .null, .boolean, .integer: return "\(list[reference])"
        }
    }
}

extension PropertyList {
    fileprivate func text(_ reference: Reference) -> String? {
        guard case .string(let range) = self[reference] else { return nil }
        return String(decoding: bytes(in: range), as: UTF8.self)
    }
}
