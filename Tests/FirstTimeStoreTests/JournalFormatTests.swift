// The journal's bytes: what is written is read again, what is cut off is not there yet, what is damaged is noticed.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("The journal's format")
struct JournalFormatTests {
    private static func key(_ text: String) -> Key { Key(Array(text.utf8))! }

    private static func record(_ sequence: UInt64, durable: UInt64? = nil, _ changes: [Change] = []) -> JournalRecord {
        var full = Record.run(after: nil, version: Array("1.0 \u{E9}".utf8), time: 5.25 + Double(sequence))
        full.count = 7
        let some: [Change] = [
            .set(key("all"), full), .set(key("empty"), Record()), .remove(key("gone")),
            .set(key(String(repeating: "k", count: 300)), full),
        ]
        return JournalRecord(
            sequence: sequence, durable: durable ?? sequence - 1, changes: changes.isEmpty ? some : changes)
    }

    private func describe(_ record: JournalRecord) -> String { "\(record)" }

    private func read(_ bytes: [UInt8], after sequence: UInt64 = 4) throws -> (JournalReader, [JournalRecord]) {
        var reader = JournalReader(bytes, from: JournalHeader.size, after: sequence)
        var records: [JournalRecord] = []
        while let record = try reader.next() { records.append(record) }
        return (reader, records)
    }

    @Test("Records are read as they were written, times to the bit")
    func roundTrip() throws {
        var odd = Record()
        odd.lastTime = Double(bitPattern: 0x7FF8_0000_0000_1234)
        odd.firstTime = -0.0
        odd.lastVersion = []
        odd.count = .max
        let written = [Self.record(5), Self.record(6), Self.record(7, [.set(Self.key("odd"), odd)])]
        let (reader, records) = try read(written.flatMap(\.bytes))
        #expect(reader.isAtEnd && reader.sequence == 7)
        #expect(records.map(describe) == written.map(describe))
        guard let back = records[2].changes[0].record else { return #expect(Bool(false)) }
        #expect(back.lastTime?.bitPattern == 0x7FF8_0000_0000_1234 && back.firstTime?.sign == .minus)
        #expect(back.lastVersion == [] && back.count == .max)
    }

    @Test("A header is read as it was written; any damage to it is noticed")
    func header() throws {
        let header = JournalHeader(storeID: 1 << 61, base: 12345)
        let bytes = header.bytes
        #expect(bytes.count == JournalHeader.size)
        #expect(try JournalHeader(bytes + [1, 2]) == header)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(throws: JournalError.self) { try JournalHeader(damaged) }
            #expect(throws: JournalError.self) { try JournalHeader(Array(bytes.prefix(index))) }
        }
        var newer = bytes
        newer[19] = 2
        #expect(throws: JournalError.self) { try JournalHeader(newer) }
        do { _ = try JournalHeader(newer) } catch {
            guard case .newerFormat(2) = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test("Cut off anywhere, all that is whole before the cut is read, and nothing is missed")
    func cutOff() throws {
        let first = Self.record(5).bytes
        let bytes = first + Self.record(6, durable: 4).bytes
        for count in 0..<bytes.count {
            let (reader, records) = try read(Array(bytes.prefix(count)))
            #expect(records.count == (count < first.count ? 0 : 1))
            #expect(reader.isAtEnd == (count == 0 || count == first.count))
            #expect(!reader.isNextAcknowledged())
            #expect(reader.end == JournalHeader.size + (records.isEmpty ? 0 : first.count))
        }
    }

    @Test("Damage before a record that says it was on disk is damage; otherwise it was never acknowledged")
    func damage() throws {
        let first = Self.record(5).bytes
        for (durable, isAcknowledged) in [(UInt64(5), true), (4, false)] {
            let bytes = first + Self.record(6, durable: durable).bytes
            // All of the head, and some of the rest.
            for index in first.indices where index < JournalRecord.headSize || index % 13 == 0 {
                var damaged = bytes
                damaged[index] ^= index % 2 == 0 ? 0x01 : 0x80
                let (reader, records) = try read(damaged)
                #expect(records.isEmpty)
                #expect(reader.isNextAcknowledged() == isAcknowledged, "byte \(index)")
            }
        }
    }

    @Test("A long record cut off anywhere is never taken for damage, whatever its bytes look like")
    func cutOffLong() throws {
        var changes: [Change] = []
        for number in 0..<200 {
            changes.append(.set(Self.key("old.\(number)"), .run(after: nil, version: [49], time: Double(number))))
        }
        let bytes = Self.record(5, changes).bytes
        for count in stride(from: 1, to: bytes.count, by: 97) {
            #expect(!(try read(Array(bytes.prefix(count))).0.isNextAcknowledged()))
        }
    }

    @Test("A record that doesn't follow the last one isn't read")
    func order() throws {
        for sequence: UInt64 in [3, 4, 6, 9, 1 << 63] {
            let (reader, records) = try read(Self.record(sequence).bytes)
            #expect(records.isEmpty && !reader.isAtEnd)
            // One that lies further ahead than there is room for can't be a record.
            #expect(reader.isNextAcknowledged() == (sequence == 6 || sequence == 9))
        }
        #expect(try read(Self.record(.max, durable: 3).bytes, after: .max).1.isEmpty)
    }

    /// A record with a body of any bytes.
    private func sealed(_ body: [UInt8]) -> [UInt8] {
        var head = ByteWriter()
        head.append(UInt32(body.count))
        var rest = ByteWriter()
        rest.append(UInt64(5))
        rest.append(UInt64(4))
        head.append(crc32c(body, after: crc32c(rest.bytes, after: crc32c(head.bytes))))
        return head.bytes + rest.bytes + body
    }

    @Test("Types that may be skipped are, others are of a newer version, and what is malformed is damage")
    func types() throws {
        let skipped: [UInt8] = [0x83, 0, 0, 0, 2, 9, 9]
        let (reader, records) = try read(sealed(skipped + skipped))
        #expect(reader.isAtEnd && records.map(\.changes.count) == [0])
        let cases: [([UInt8], String)] = [
            ([7, 0, 0, 0, 0], "newerChange"), ([0, 0, 0, 0, 0], "newerChange"), ([1], "cut off"),
            ([1, 0, 0, 0, 9, 1], "cut off"),
            ([2, 0, 0, 0, 4, 0, 0, 0, 0], "malformed"), ([2, 0, 0, 0, 5, 0, 0, 0, 1, 0], "malformed"),
            ([2, 0, 0, 0, 6, 0, 0, 0, 1, 65, 66], "malformed"), ([2, 0, 0, 0, 5, 0, 0, 0, 1, 0xFF], "malformed"),
            ([1, 0, 0, 0, 5, 0, 0, 0, 1, 65], "malformed"),
            ([1, 0, 0, 0, 14, 0, 0, 0, 1, 65, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1], "malformed"),
            ([1, 0, 0, 0, 14, 0, 0, 0, 1, 65, 0x01, 0, 0, 0, 0, 0, 0, 0, 1], "malformed"),
            ([1, 0, 0, 0, 14, 0, 0, 0, 1, 65, 0x20, 0, 0, 0, 0, 0, 0, 0, 1], "malformed"),
            ([3, 0, 0, 0, 14, 0, 0, 0, 1, 65, 0x10, 0, 0, 0, 0, 0, 0, 0, 1], "malformed"),
            ([4, 0, 0, 0, 4, 0, 0, 0, 0], "malformed"),
            ([5, 0, 0, 0, 14, 0, 0, 0, 1, 65, 0x01, 0, 0, 0, 0, 0, 0, 0, 1], "malformed"),
            ([6, 0, 0, 0, 6, 0, 0, 0, 1, 65, 66], "malformed"),
        ]
        for (body, words) in cases {
            do {
                _ = try read(sealed(body))
                #expect(Bool(false), "\(body) was read")
            } catch {
                var text = "\(error)"
                if case JournalError.damaged(let error) = error { text = error.text }
                #expect(text.contains(words), "\(body): \(text)")
            }
        }
    }

    @Test("Hostile bytes are read in time linear in their number", .timeLimit(.minutes(1)))
    func hostile() throws {
        // Each byte looks like the beginning of a record that reaches to the end.
        var bytes = [UInt8](repeating: 0, count: 100_000)
        for index in stride(from: 0, to: bytes.count - 24, by: 24) {
            let length = UInt32(bytes.count - index - 24)
            var head = ByteWriter()
            head.append(length)
            head.append(UInt32(7))
            head.append(UInt64(100))
            head.append(UInt64(50))
            bytes.replaceSubrange(index..<(index + 24), with: head.bytes)
        }
        let (reader, records) = try read(bytes)
        #expect(records.isEmpty)
        // Too dear to find out: nothing is cut.
        #expect(reader.isNextAcknowledged())
    }

    @Test("Any bytes are read without a trap", arguments: [20_150_907 as UInt64])
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sound = (5...9).map { Self.record($0).bytes }.flatMap { $0 }
        for _ in 0..<1000 {
            var bytes = sound
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            var reader = JournalReader(bytes, from: 0, after: 4)
            var count = 0
            while let record = try? reader.next() {
                #expect(record.sequence == UInt64(5 + count))
                count += 1
            }
            _ = reader.isNextAcknowledged()
        }
    }
}
