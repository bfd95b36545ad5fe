// Archive+DecodeAlike: records that have the same coder keys as the one before, as nearly all have. It decodes nothing that
// Archive+DecodeRecords would decode otherwise: where a part isn't what the last one's was, it leaves the record to that.

import KeyedArchive

/// Where the parts of a record are, and what two of them were.
struct LastRecord {
    fileprivate let shape: ObjectShape
    fileprivate let lastVersion, lastTime: Int
    fileprivate let count, firstVersion, firstTime: Int?
    fileprivate let dateShape: ObjectShape
    fileprivate let time: Int
    /// The versions that were seen last, and where: by UID, and by their bytes.
    fileprivate var version: (uid: UInt64, text: [UInt8]?)?
    fileprivate var beginning: (text: Range<Int>, version: [UInt8])?

    /// Nil when it has other parts than these, or they are no plain ones.
    init?(_ object: PropertyList.Reference, in source: KeyedArchive) {
        let list = source.list
        guard let shape = ObjectShape(object, in: list), let values = shape.values(of: object, in: list) else {
            return nil
        }
        count = shape.position(of: "count", in: list)
        firstVersion = shape.position(of: "firstVersion", in: list)
        firstTime = shape.position(of: "firstTime", in: list)
        // The class is one more, and a key twice is one that isn't known.
        var known = 3
        for position in [count, firstVersion, firstTime] where position != nil { known += 1 }
        guard known == shape.count, let lastVersion = shape.position(of: "lastVersion", in: list),
            let lastTime = shape.position(of: "lastTime", in: list),
            let uid = list.uid(list.reference(at: values + lastTime)), let date = source.object(uid),
            let dateShape = ObjectShape(date, in: list), let time = dateShape.position(of: "NS.time", in: list)
        else { return nil }
        (self.lastVersion, self.lastTime) = (lastVersion, lastTime)
        self.shape = shape
        self.dateShape = dateShape
        self.time = time
    }
}

extension ArchiveDecoder {
    /// The record that `object` is, if it is like the last one.
    func recordLikeLast(_ object: Reference) -> Record? {
        let list = source.list
        guard let last, let values = last.shape.values(of: object, in: list) else { return nil }
        var record = Record()
        guard let uid = list.uid(list.reference(at: values + last.lastVersion)), readVersion(uid),
            let time = list.uid(list.reference(at: values + last.lastTime)), let date = source.object(time),
            let dateValues = last.dateShape.values(of: date, in: list),
            let seconds = list.real(list.reference(at: dateValues + last.time))
        else { return nil }
        record.lastVersion = self.last?.version?.text
        record.lastTime = seconds
        if let position = last.count {
            guard case .integer(let count) = list[list.reference(at: values + position)] else { return nil }
            record.count = UInt64(clamping: count)
        }
        if let position = last.firstTime {
            guard let seconds = list.real(list.reference(at: values + position)) else { return nil }
            record.firstTime = seconds
        }
        if let position = last.firstVersion {
            guard case .string(let text) = list[list.reference(at: values + position)] else { return nil }
            if last.beginning?.text != text { self.last?.beginning = (text, Array(list.bytes(in: text))) }
            record.firstVersion = self.last?.beginning?.version
        }
        // That they don't fit, the other way says.
        return versions.allow(record) ? record : nil
    }

    /// Makes the version with that UID the one that was seen last; false when it is no plain string.
    private func readVersion(_ uid: UInt64) -> Bool {
        if last?.version?.uid == uid { return true }
        guard let object = source.object(uid), case .string(let text) = source[object] else { return false }
        let isNil = source.list.bytes(in: text, equal: "$null")
        last?.version = (uid, isNil ? nil : Array(source.list.bytes(in: text)))
        return true
    }
}
