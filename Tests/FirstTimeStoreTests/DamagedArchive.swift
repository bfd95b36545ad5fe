// DamagedArchive: a sound archive of which damaged copies are salvaged. It knows which of the bytes each record is made of, from
// a walk of its own, so that tests can say what damage to a byte may cost.

import KeyedArchive
import Testing

@testable import FirstTimeStore

struct DamagedArchive: CustomTestStringConvertible, Sendable {
    let name: String
    var testDescription: String { name }
    let bytes: [UInt8]
    let records: [Key: Record]
    /// For each byte: the keys whose record is made of it. Empty for XML.
    private(set) var owners: [[Key]] = []
    /// Bytes on the only way to the records: the objects that hold them all, without the arrays' members.
    private(set) var spine: Set<Int> = []
    private var ends: [Key: Int] = [:]

    init?(_ name: String, _ bytes: [UInt8]) {
        guard let archive = try? Archive(bytes: bytes), archive.records.count > 0 else { return nil }
        self.name = name
        self.bytes = bytes
        var records: [Key: Record] = [:]
        for key in archive.records.keys() { records[key] = archive.records[key] }
        self.records = records
        if BinaryPropertyList.isBinary(bytes), let file = BinaryFile(parsing: bytes) { findOwners(file) }
    }

    /// What salvaging a damaged copy gave.
    struct Outcome {
        var intact: Set<Key> = []
        /// Records that the original doesn't have.
        var other: [Key] = []
        var archive: Archive
    }

    func salvage(_ damaged: [UInt8]) -> Outcome {
        var outcome = Outcome(archive: Archive(salvaging: damaged))
        for key in outcome.archive.records.keys() {
            if let record = outcome.archive.records[key], let original = records[key], record.isSame(as: original) {
                outcome.intact.insert(key)
            } else {
                outcome.other.append(key)
            }
        }
        return outcome
    }

    /// The records of which all is in the first bytes, and all that leads to them.
    func whole(before length: Int) -> Set<Key> {
        Set(records.keys.filter { (ends[$0] ?? .max) < length })
    }

    // MARK: - Which bytes are whose

    private mutating func findOwners(_ file: BinaryFile) {
        owners = Array(repeating: [], count: bytes.count)
        let walk = Walk(file)
        guard let objects = walk.value("$objects", of: file.top), let top = walk.value("$top", of: file.top),
            let root = walk.value("root", of: top), let rootObject = walk.object(root, in: objects),
            let group = walk.group(in: rootObject, objects),
            let keys = walk.value("NS.keys", of: group), let values = walk.value("NS.objects", of: group)
        else { return }
        for entry in [file.top, objects, group, keys, values] {
            spine.formUnion(walk.extent(entry).prefix(walk.isArray(entry) ? 6 : .max))
        }
        for (name, entry) in [("$objects", file.top), ("NS.keys", group), ("NS.objects", group)] {
            if let string = walk.key(name, of: entry) { spine.formUnion(walk.extent(string)) }
        }
        for (index, (key, value)) in zip(walk.members(keys), walk.members(values)).enumerated() {
            guard let keyObject = walk.object(key, in: objects), let text = walk.text(keyObject, in: objects),
                let name = Key(text)
            else { continue }
            var own = walk.reference(index, of: keys).union(walk.reference(index, of: values))
            walk.add(key, objects, to: &own)
            walk.add(value, objects, to: &own)
            for byte in own { owners[byte].append(name) }
            ends[name] = own.union(spine).max()
        }
    }
}

/// Looks at the objects of a sound file one by one.
private struct Walk {
    let file: BinaryFile
    private var starts: [Int] = []

    init(_ file: BinaryFile) {
        self.file = file
        var start = file.header.count
        for object in file.objects {
            starts.append(start)
            start += object.count
        }
    }

    func extent(_ entry: Int) -> Range<Int> { starts[entry]..<starts[entry] + file.objects[entry].count }
    func isArray(_ entry: Int) -> Bool { file.objects[entry][0] >> 4 == 0xA }

    /// Counts here are below 65536.
    private func body(_ object: [UInt8]) -> ArraySlice<UInt8> {
        guard object[0] & 0xF == 0xF else { return object.dropFirst() }
        return object.dropFirst(object[1] == 0x10 ? 3 : 4)
    }

    func members(_ entry: Int) -> [Int] {
        guard [0xA, 0xD].contains(file.objects[entry][0] >> 4) else { return [] }
        let size = file.referenceSize
        let body = Array(body(file.objects[entry]))
        return stride(from: 0, to: body.count / size * size, by: size).map { start in
            body[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    func value(_ name: String, of entry: Int) -> Int? {
        let members = members(entry)
        let count = members.count / 2
        return (0..<count).first { string(members[$0]) == name }.map { members[count + $0] }
    }

    func key(_ name: String, of entry: Int) -> Int? {
        let members = members(entry)
        return members.prefix(members.count / 2).first { string($0) == name }
    }

    private func string(_ entry: Int) -> String? {
        guard file.objects[entry][0] >> 4 == 5 else { return nil }
        return String(decoding: body(file.objects[entry]), as: UTF8.self)
    }

    private func uid(_ entry: Int) -> Int? {
        guard file.objects[entry][0] >> 4 == 8 else { return nil }
        return file.objects[entry].dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }

    func object(_ entry: Int, in objects: Int) -> Int? {
        let members = members(objects)
        guard let uid = uid(entry), uid < members.count else { return nil }
        return members[uid]
    }

    func group(in root: Int, _ objects: Int) -> Int? {
        guard let keys = value("NS.keys", of: root), let values = value("NS.objects", of: root) else { return nil }
        for (key, value) in zip(members(keys), members(values)) {
            if let object = object(key, in: objects), string(object) == "sharedGroup" {
                return self.object(value, in: objects)
            }
        }
        return nil
    }

    func text(_ entry: Int, in objects: Int) -> [UInt8]? {
        let body = body(file.objects[entry])
        switch file.objects[entry][0] >> 4 {
        case 5: return Array(body)
        case 6:
            let bytes = Array(body)
            let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default:
            guard let inner = value("NS.string", of: entry) ?? value("NS.bytes", of: entry) else { return nil }
            return file.objects[inner][0] >> 4 == 4 ? Array(self.body(file.objects[inner])) : text(inner, in: objects)
        }
    }

    /// Where the reference to a member stands.
    func reference(_ index: Int, of entry: Int) -> Set<Int> {
        let start = extent(entry).upperBound - (members(entry).count - index) * file.referenceSize
        return Set(start..<start + file.referenceSize)
    }

    /// The bytes of the object, of all that it holds or names, and of what names it in `$objects`.
    func add(_ entry: Int, _ objects: Int, to own: inout Set<Int>) {
        own.formUnion(extent(entry))
        for member in members(entry) { add(member, objects, to: &own) }
        guard let uid = uid(entry), let object = object(entry, in: objects) else { return }
        own.formUnion(reference(uid, of: objects))
        add(object, objects, to: &own)
    }
}

extension Record {
    /// Whether all that the file holds of both is the same to the bit.
    func isSame(as other: Record) -> Bool {
        lastVersion == other.lastVersion && firstVersion == other.firstVersion && count == other.count
            && lastTime?.bitPattern == other.lastTime?.bitPattern
            && firstTime?.bitPattern == other.firstTime?.bitPattern
    }
}
