// JournalFormat: the bytes of a journal: its header and its records, to and from values; what is in a record is
// JournalFormat+Changes'. docs/FORMAT.md specifies them. No I/O. Integers are big-endian.

import CSystem
import KeyedArchive

/// The beginning of a journal.
package struct JournalHeader: Equatable, Sendable {
    package static let size = 40
    static let version: UInt32 = 1
    // Computed: a fork would stop a thread that makes a lazy one, and the child would wait for it for ever.
    private static var magic: [UInt8] { Array(staticString: "FirstTimeJournal") }

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
package indirect enum JournalError: Error {
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
