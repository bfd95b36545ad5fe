// JournalReader: the bytes of a journal, or of its end, -> commits, as far as they follow one another; and whether what
// comes after that was ever acknowledged. Values only.

import KeyedArchive

/// Reads records one after another.
package struct JournalReader {
    private let bytes: [UInt8]
    /// Where `bytes` begin in the file.
    private let start: Int
    private var position: Int
    /// The last record's; before the first, the journal's base.
    private(set) var sequence: UInt64

    /// Of bytes that begin at `start` in the file, right after the record with `sequence`.
    package init(_ bytes: [UInt8], from start: Int, after sequence: UInt64) {
        self.bytes = bytes
        self.start = start
        self.sequence = sequence
        position = 0
    }

    /// Where in the file the records that were read end.
    var end: Int { start + position }
    package var isAtEnd: Bool { position == bytes.count }

    /// What is wrong when the next record is acknowledged and not there.
    var missing: DecodingError { DecodingError(.byte(end), "a commit that was acknowledged is missing or damaged") }

    /// The next record; nil when the bytes there are none: the end, one that is not all there yet, or damage.
    package mutating func next() throws(JournalError) -> JournalRecord? {
        guard sequence < .max, let head = head(at: position), head.sequence == sequence + 1, isSound(head) else {
            return nil
        }
        var reader = ByteReader(bytes[(head.position + JournalRecord.headSize)..<head.end])
        var changes: [Change] = []
        while !reader.isAtEnd {
            if let change = try reader.change(at: start + head.end - reader.rest.count) { changes.append(change) }
        }
        position = head.end
        sequence = head.sequence
        return JournalRecord(sequence: head.sequence, durable: head.durable, changes: changes)
    }

    /// Whether a complete record further on says that the next one had got to disk: then the bytes here were a commit
    /// that somebody relied on. Otherwise they are one that was never acknowledged.
    ///
    /// Whatever looks like a record has its checksum computed, which hostile bytes could make expensive: what that may
    /// cost is limited, and beyond it the answer is yes, since then nothing is cut.
    package func isNextAcknowledged() -> Bool {
        guard sequence < .max, position < bytes.count else { return false }
        // No more records than this can lie between: bytes that aren't one seldom say so.
        let most = UInt64((bytes.count - position) / JournalRecord.headSize)
        var budget = bytes.count.multipliedReportingOverflow(by: 8).partialValue
        for candidate in position..<bytes.count {
            guard let head = head(at: candidate), head.sequence > sequence, head.sequence - sequence <= most,
                head.durable > sequence, head.durable < head.sequence
            else { continue }
            budget -= head.end - candidate
            if budget < 0 || isSound(head) { return true }
        }
        return false
    }
}

// MARK: - Salvaging

extension JournalReader {
    /// All records that are whole, in the order of the bytes, wherever in them they begin; and whether there was nothing
    /// else but a header. What it may cost is limited as above; beyond that the rest is lost.
    package static func salvage(_ bytes: [UInt8]) throws(JournalError) -> (records: [JournalRecord], isWhole: Bool) {
        var records: [JournalRecord] = []
        var budget = bytes.count.multipliedReportingOverflow(by: 8).partialValue
        var isWhole = true
        var position = min(JournalHeader.size, bytes.count)
        var reader = JournalReader(bytes, from: 0, after: 0)
        while position < bytes.count, budget > 0 {
            guard let head = reader.head(at: position), head.sequence > 0, head.durable < head.sequence else {
                isWhole = false
                position += 1
                continue
            }
            budget -= head.end - position
            reader.position = position
            reader.sequence = head.sequence - 1
            do {
                if let record = try reader.next() {
                    records.append(record)
                    position = head.end
                    continue
                }
            } catch {
                // What a newer version wrote is no damage.
                guard case .damaged = error else { throw error }
            }
            isWhole = false
            position += 1
        }
        return (records, isWhole && position == bytes.count)
    }
}

// MARK: - Heads

extension JournalReader {
    private struct Head {
        let position: Int
        let end: Int
        let checksum: UInt32
        let sequence: UInt64
        let durable: UInt64
    }

    /// What stands at a place, if it were a record that is all there.
    private func head(at position: Int) -> Head? {
        guard bytes.count - position >= JournalRecord.headSize else { return nil }
        var reader = ByteReader(bytes[position..<(position + JournalRecord.headSize)])
        guard let length = reader.integer(UInt32.self), let checksum = reader.integer(UInt32.self),
            let sequence = reader.integer(UInt64.self), let durable = reader.integer(UInt64.self),
            Int(length) <= bytes.count - position - JournalRecord.headSize
        else { return nil }
        let end = position + JournalRecord.headSize + Int(length)
        return Head(position: position, end: end, checksum: checksum, sequence: sequence, durable: durable)
    }

    /// Whether the checksum is that of the length and of all that follows the checksum.
    private func isSound(_ head: Head) -> Bool {
        let length = crc32c(bytes[head.position..<(head.position + 4)])
        return head.checksum == crc32c(bytes[(head.position + 8)..<head.end], after: length)
    }
}
