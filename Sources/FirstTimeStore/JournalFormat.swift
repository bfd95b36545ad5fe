// JournalFormat: the bytes of a journal: its header and its records, to and from values. docs/FORMAT.md specifies them.
// No I/O. Integers are big-endian.

import CSystem
import KeyedArchive

/// The beginning of a journal.
package struct JournalHeader: Equatable, Sendable {
    package static let size = 40
    static let version: UInt32 = 1
    private static let magic = Array(staticString: "FirstTimeJournal")

    /// The store's, so that a journal is never taken for that of another archive.
    let storeID: UInt64
    /// The first record follows this sequence; an archive must have come as far.
    let base: UInt64

    package var bytes: [UInt8] {
        var bytes = ByteWriter(Self.magic)
        bytes.append(Self.version)
        bytes.append(storeID)
        bytes.append(base)
        bytes.append(crc32c(bytes.bytes))
        return bytes.bytes
    }

    package init(storeID: UInt64, base: UInt64) {
        self.storeID = storeID
        self.base = base
    }

    package init(_ bytes: [UInt8]) throws(JournalError) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else {
            throw .damaged(DecodingError(.byte(0), "not a journal of this library"))
        }
        var reader = ByteReader(bytes[Self.magic.count..<Self.size])
        let version = reader.integer(UInt32.self)
        // The rest is for the version that wrote it to say.
        if let version, version > Self.version { throw .newerFormat(Int128(version)) }
        guard version == Self.version, let storeID = reader.integer(UInt64.self),
            let base = reader.integer(UInt64.self), let checksum = reader.integer(UInt32.self),
            checksum == crc32c(bytes[..<(Self.size - 4)]), base <= Archive.largestSequence * 2
        else { throw .damaged(DecodingError(.byte(0), "the journal's header is damaged")) }
        self.init(storeID: storeID, base: base)
    }
}

/// Why a journal could not be read.
package enum JournalError: Error {
    case damaged(DecodingError)
    case newerFormat(Int128)
    /// A change of a type that must not be passed over.
    case newerChange
}

package func crc32c(_ bytes: some Collection<UInt8>, after crc: UInt32 = 0) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { bytes in
        bytes.baseAddress.map { csystem_crc32c(crc, $0, bytes.count) } ?? crc
    } ?? crc32c(Array(bytes), after: crc)
}

/// One commit.
package struct JournalRecord: Sendable {
    /// Before the changes: length, checksum, sequence, durable.
    package static let headSize = 24

    package let sequence: UInt64
    /// The highest sequence that was known to be on disk when this was written.
    let durable: UInt64
    package let changes: [Change]

    package var bytes: [UInt8] {
        var body = ByteWriter()
        for change in changes { body.append(change) }
        var head = ByteWriter()
        head.append(UInt32(truncatingIfNeeded: body.bytes.count))
        var rest = ByteWriter()
        rest.append(sequence)
        rest.append(durable)
        head.append(crc32c(body.bytes, after: crc32c(rest.bytes, after: crc32c(head.bytes))))
        return head.bytes + rest.bytes + body.bytes
    }
}

// MARK: - Changes

/// What a change's first byte says.
private enum ChangeType {
    static let set: UInt8 = 1
    static let remove: UInt8 = 2
    /// Set in types that an older reader may pass over.
    static let maySkip: UInt8 = 0x80
}

/// Which parts of a record follow.
private enum RecordPart {
    static let lastVersion: UInt8 = 1 << 0
    static let lastTime: UInt8 = 1 << 1
    static let firstVersion: UInt8 = 1 << 2
    static let firstTime: UInt8 = 1 << 3
    /// A run has begun: what was recorded before follows, if there was anything.
    static let started: UInt8 = 1 << 4
    static let hasFormer: UInt8 = 1 << 5
}

extension ByteWriter {
    /// Type, length of the rest, the rest.
    fileprivate mutating func append(_ change: Change) {
        var body = ByteWriter()
        body.append(text: change.key.bytes)
        if let record = change.record {
            body.append(record)
            append(ChangeType.set)
        } else {
            append(ChangeType.remove)
        }
        append(text: body.bytes)
    }

    private mutating func append(_ record: Record) {
        var parts: UInt8 = 0
        if record.lastVersion != nil { parts |= RecordPart.lastVersion }
        if record.lastTime != nil { parts |= RecordPart.lastTime }
        if record.firstVersion != nil { parts |= RecordPart.firstVersion }
        if record.firstTime != nil { parts |= RecordPart.firstTime }
        if record.former != nil { parts |= RecordPart.started }
        if record.former?.record != nil { parts |= RecordPart.hasFormer }
        append(parts)
        append(record.count)
        if let version = record.lastVersion { append(text: version) }
        if let time = record.lastTime { append(time.bitPattern) }
        if let version = record.firstVersion { append(text: version) }
        if let time = record.firstTime { append(time.bitPattern) }
        if let former = record.former?.record { append(former.settled) }
    }
}

extension ByteReader {
    /// Nil at the end, and for a type that may be passed over.
    mutating func change(at offset: Int) throws(JournalError) -> Change? {
        guard let type = integer(UInt8.self), let body = text() else {
            throw .damaged(DecodingError(.byte(offset), "a change that is cut off"))
        }
        var reader = ByteReader(body)
        switch type {
        case ChangeType.set:
            guard let key = reader.key(), let record = reader.record(mayBeStarted: true), reader.isAtEnd else { break }
            return .set(key, record)
        case ChangeType.remove:
            guard let key = reader.key(), reader.isAtEnd else { break }
            return .remove(key)
        default:
            if type & ChangeType.maySkip != 0 { return nil }
            throw .newerChange
        }
        throw .damaged(DecodingError(.byte(offset), "a change that is malformed"))
    }

    private mutating func key() -> Key? { text().flatMap { Key($0) } }

    private mutating func record(mayBeStarted: Bool) -> Record? {
        guard let parts = integer(UInt8.self), let count = integer(UInt64.self) else { return nil }
        var known = RecordPart.lastVersion | RecordPart.lastTime | RecordPart.firstVersion | RecordPart.firstTime
        if mayBeStarted { known |= RecordPart.started }
        if parts & RecordPart.started != 0 { known |= RecordPart.hasFormer }
        guard parts & ~known == 0 else { return nil }
        var record = Record()
        record.count = count
        if parts & RecordPart.lastVersion != 0 {
            guard let version = text() else { return nil }
            record.lastVersion = Array(version)
        }
        if parts & RecordPart.lastTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            record.lastTime = Double(bitPattern: bits)
        }
        if parts & RecordPart.firstVersion != 0 {
            guard let version = text() else { return nil }
            record.firstVersion = Array(version)
        }
        if parts & RecordPart.firstTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            record.firstTime = Double(bitPattern: bits)
        }
        guard parts & RecordPart.started != 0 else { return record }
        if parts & RecordPart.hasFormer != 0 {
            guard let former = self.record(mayBeStarted: false) else { return nil }
            record.former = FormerRecord(former)
        } else {
            record.former = FormerRecord(nil)
        }
        return record
    }
}
