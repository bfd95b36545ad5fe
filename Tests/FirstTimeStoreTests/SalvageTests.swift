// Salvaging: what is saved of a damaged archive is what was in it, and whatever the damage doesn't touch is saved.
//
// A record is made of the bytes of its key, its object, and all that these refer to, its class too; and of the references to
// them in the arrays that hold all. Where one of those is changed, nobody can tell: a version may have lost a letter, say.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Salvaging damaged archives")
struct SalvageTests {
    /// Written by this library.
    static let own = [3, 80, 300].compactMap { DamagedArchive("\($0) keys", written($0)) }
    /// Others', in binary: all of them with FIRSTTIME_LONG, else enough to meet each writer.
    static let legacy: [DamagedArchive] = {
        let small = Fixtures.legacy.filter { $0.isBinary && $0.size <= 4096 }
        return stride(from: 0, to: small.count, by: isLong ? 1 : 5).compactMap { number in
            guard let bytes = try? small[number].bytes() else { return nil }
            return DamagedArchive(small[number].name, bytes).flatMap { $0.owners.isEmpty ? nil : $0 }
        }
    }()
    static let isLong = setting("FIRSTTIME_LONG", default: 0) == 1

    static func written(_ count: Int) -> [UInt8] {
        var archive = Archive()
        archive.sequence = 42
        archive.storeID = 0x0123_4567_89AB_CDEF
        for number in 0..<count {
            let version = Array("\(number % 3).\(number % 2)".utf8)
            var record = Record.run(after: nil, version: version, time: 700_000_000 + Double(number) / 7)
            record.lastTime = 710_000_000 + Double(number) / 3
            record.count = UInt64(number % 5 + 1)
            if let key = Key(Array("org.example.key\(number)".utf8)) { archive.records[key] = record }
        }
        return archive.bytes()
    }

    // MARK: - Cut off

    private func checkCut(_ archive: DamagedArchive, step: Int, _ each: (Int, DamagedArchive.Outcome) -> Void) {
        let lengths = stride(from: 0, to: archive.bytes.count, by: step)
        for length in lengths {
            let outcome = archive.salvage(Array(archive.bytes.prefix(length)))
            #expect(outcome.other.isEmpty, "\(archive.name), the first \(length)")
            let missing = archive.whole(before: length).subtracting(outcome.intact).map(\.bytes)
            #expect(missing.isEmpty, "\(archive.name), the first \(length)")
            each(length, outcome)
        }
    }

    @Test("Cut off anywhere, an archive of this library keeps each record in front of the cut", arguments: own)
    func cut(archive: DamagedArchive) {
        // Each length of a small one; of others enough to meet every kind of object.
        checkCut(archive, step: archive.bytes.count <= 1000 ? 1 : archive.bytes.count / (Self.isLong ? 5000 : 250)) {
            length, outcome in
            guard !outcome.intact.isEmpty else { return }
            #expect(outcome.archive.leftOut.count == archive.records.count - outcome.intact.count)
            #expect(outcome.archive.sequence == 42 && outcome.archive.storeID == 0x0123_4567_89AB_CDEF)
        }
    }

    @Test("So does one of another writer", arguments: legacy)
    func cutLegacy(archive: DamagedArchive) {
        checkCut(archive, step: max(1, archive.bytes.count / (Self.isLong ? 5000 : 150))) { _, _ in }
    }

    // MARK: - One byte

    private func checkFlips(_ archive: DamagedArchive, step: Int) -> (tried: Int, dearly: Int) {
        var (tried, dearly) = (0, 0)
        for byte in stride(from: 0, to: archive.bytes.count, by: step) {
            for mask: UInt8 in Self.isLong ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1, 16, 128, 255] {
                var damaged = archive.bytes
                damaged[byte] ^= mask
                guard isDamaged(damaged) else { continue }
                tried += 1
                let outcome = archive.salvage(damaged)
                let owners = Set(archive.owners[byte])
                #expect(outcome.other.count <= owners.count, "\(archive.name), byte \(byte) with \(mask)")
                let isSaved = outcome.intact.union(owners).isSuperset(of: archive.records.keys)
                if !isSaved, !archive.spine.contains(byte) { dearly += 1 }
            }
        }
        return (tried, dearly)
    }

    /// What still can be read is nobody's to salvage, and what is too new is not damaged.
    private func isDamaged(_ bytes: [UInt8]) -> Bool {
        do { _ = try Archive(bytes: bytes) } catch {
            if case .damaged = error { return true }
        }
        return false
    }

    @Test("One wrong byte costs the records that are made of it", arguments: own.prefix(2) + legacy)
    func flips(archive: DamagedArchive) {
        let (tried, dearly) = checkFlips(archive, step: max(1, archive.bytes.count / (Self.isLong ? 1000 : 40)))
        // Where an object and the offset table disagree on where the next object begins, and either could be right,
        // both objects are lost: rather that than a record that never was.
        #expect(dearly * 50 <= tried, "\(dearly) of \(tried) cost a record that isn't made of the wrong byte")
    }

    // MARK: - Blocks

    @Test("A block of zeros costs the records that are made of it", arguments: own, [64, 512])
    func zeros(archive: DamagedArchive, size: Int) {
        var (blocks, fatal, kept, touched) = (0, 0, 0, 0)
        for start in stride(from: 0, to: archive.bytes.count, by: archive.bytes.count > 20_000 ? 7 * size : size) {
            let block = start..<min(start + size, archive.bytes.count)
            var damaged = archive.bytes
            for byte in block { damaged[byte] = 0 }
            let outcome = archive.salvage(damaged)
            let owners = Set(block.flatMap { archive.owners[$0] })
            #expect(outcome.other.count <= owners.count, "\(archive.name), \(size) zeros at \(start)")
            blocks += 1
            fatal += outcome.intact.isEmpty ? 1 : 0
            kept += outcome.intact.count
            touched += owners.count
            if archive.spine.isDisjoint(with: block) {
                // The doubt at each end of the block may cost one record more.
                #expect(outcome.intact.union(owners).count >= archive.records.count - 2, "zeros at \(start)")
            }
        }
        print(
            "salvage: \(archive.name), \(size) zeros: \(kept) of \(blocks * archive.records.count) kept,",
            "\(touched) touched; nothing left after \(fatal) of \(blocks) blocks")
    }

    @Test("Neither junk in front nor behind costs anything", arguments: own + legacy)
    func junk(archive: DamagedArchive) {
        for junk in [[0], Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 100)] {
            #expect(archive.salvage(junk + archive.bytes).intact.count == archive.records.count)
            #expect(archive.salvage(archive.bytes + junk).intact.count == archive.records.count)
        }
    }

    @Test("What can't be found by way of the root is found by its shape", arguments: own + legacy)
    func shape(archive: DamagedArchive) {
        for name in ["$top", "root", "sharedGroup", "$objects", "bplist00"] {
            var damaged = archive.bytes
            guard let start = damaged.firstIndex(of: Array(name.utf8)) else { continue }
            // Some archives have a key of that name, held once.
            guard archive.owners[start].isEmpty else { continue }
            damaged[start] ^= 1
            let outcome = archive.salvage(damaged)
            #expect(outcome.intact.count == archive.records.count && outcome.other.isEmpty, "\(archive.name), \(name)")
        }
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of text: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: text) }
    }
}
