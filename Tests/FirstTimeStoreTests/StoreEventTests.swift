// Events and triggers on disk: in the journal, in the archive, after others' hands and after damage.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Events and triggers in a store")
struct StoreEventTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("firsttime.archive")
    }

    /// A store that shares nothing with others on the same file, as another process has it.
    private func process() -> Store { Store(path: FilePath(path), running: RunningKeys()) }

    private func key(_ name: String) throws -> Key { try #require(Key(Array(name.utf8))) }

    private func donate(_ name: String, at time: Double, _ version: String? = nil, in store: Store) throws {
        let event = try key(name)
        try store.commit { transaction in
            let donations = transaction.events[event] ?? Donations()
            transaction.set(
                donations: donations.donated(version: version.map { Array($0.utf8) }, time: time), of: event)
        }
    }

    private func fire(_ name: String, at time: Double, in store: Store) throws {
        let name = try key(name)
        try store.commit { transaction in
            transaction.set(trigger: (transaction.triggers[name] ?? TriggerRecord()).fired(at: time), named: name)
        }
    }

    private func fill(_ store: Store) throws {
        try donate("open", at: 1.25, "1.0", in: store)
        try donate("open", at: 7.5, "2.0", in: store)
        try donate("\u{E9}v\u{E9}nement", at: -0.5, in: store)
        try fire("review", at: 8.5, in: store)
        try fire("review", at: 9.5, in: store)
        try store.record("key", at: 3)
    }

    private func check(_ store: Store, _ comment: Comment) throws {
        let (events, triggers) = try store.readMemory(.files) { ($0.archive.events, $0.archive.triggers) }
        #expect(events.count == 2 && triggers.count == 1, comment)
        let open = try #require(events[key("open")])
        #expect(open.count == 2 && open.firstTime == 1.25 && open.lastTime == 7.5, comment)
        #expect(open.firstVersion == Array("1.0".utf8) && open.lastVersion == Array("2.0".utf8), comment)
        let other = try #require(events[key("\u{E9}v\u{E9}nement")])
        #expect(other.count == 1 && other.firstTime == -0.5 && other.lastTime == -0.5, comment)
        #expect(other.firstVersion == nil && other.lastVersion == nil, comment)
        let review = try #require(triggers[key("review")])
        #expect(review.count == 2 && review.lastTime == 9.5, comment)
    }

    @Test("They are read from the journal and from the archive as they were written")
    func roundTrip() throws {
        let store = process()
        try fill(store)
        try check(store, "memory")
        try check(process(), "journal")
        try store.flush()
        try check(process(), "archive")
        #expect(try Archive(bytes: contents(path)).leftOut.isEmpty)
    }

    @Test("An event, a trigger and a key may have one name, of any length", arguments: [1, 700, 65535])
    func sharedNames(length: Int) throws {
        let store = process()
        let name = String(repeating: "z", count: length)
        try donate(name, at: 1, "1.0", in: store)
        try fire(name, at: 2, in: store)
        try store.record(name, at: 3)
        try store.flush()
        let found = try process().readMemory { ($0.archive.events.count, $0.archive.triggers.count) }
        #expect(found == (1, 1))
        #expect(try process().keys() == [name])
    }

    @Test("What is removed is gone, from the journal and from the archive")
    func removing() throws {
        let store = process()
        try fill(store)
        let (open, review) = try (key("open"), key("review"))
        try store.commit {
            $0.set(donations: nil, of: open)
            $0.set(trigger: nil, named: review)
        }
        for flushes in [false, true] {
            if flushes { try store.flush() }
            let (events, triggers) = try process().readMemory { ($0.archive.events, $0.archive.triggers) }
            #expect(events.count == 1 && triggers.isEmpty)
        }
        // Once more is no change.
        let before = contents(path + "-journal").count
        try store.commit { $0.set(donations: nil, of: open) }
        #expect(contents(path + "-journal").count == before)
    }

    @Test("An archive of other software, put in place, keeps what this process knows of them")
    func replaced() throws {
        let store = process()
        try fill(store)
        try store.flush()
        try put(PlainArchive().bytes, at: path)
        try store.record("later", at: 100)
        try store.flush()
        try check(process(), "after a merge")
        #expect(try process().keys() == ["a", "b", "key", "later"])
    }

    @Test("Two archives of one store are merged: counts never fall, the first and last are those of all")
    func merging() throws {
        let store = process()
        try fill(store)
        try store.flush()
        let older = contents(path)
        try donate("open", at: 20, "3.0", in: store)
        try fire("review", at: 21, in: store)
        try store.flush()
        try put(older, at: path)
        try store.record("later", at: 100)
        let (events, triggers) = try process().readMemory { ($0.archive.events, $0.archive.triggers) }
        let open = try #require(events[key("open")])
        #expect(open.count == 3 && open.firstTime == 1.25 && open.lastTime == 20)
        #expect(try triggers[key("review")]?.count == 3 && triggers[key("review")]?.lastTime == 21)
    }

    @Test("Recovering keeps those that are whole", arguments: ["trailer", "records"])
    func recovering(damage: String) throws {
        let store = process()
        try fill(store)
        try store.flush()
        var bytes = contents(path)
        if damage == "trailer" {
            bytes.removeLast(32)
        } else {
            guard let start = bytes.firstRange(of: Array("sharedGroup".utf8)) else { return #expect(Bool(false)) }
            bytes.replaceSubrange(start, with: Array("sharedGrouq".utf8))
        }
        try put(bytes, at: path)
        #expect(throws: StoreError.self) { try process().keys() }
        let recovered = try Store.open(FilePath(path), recovers: true)
        defer { try? recovered.close() }
        try check(recovered, "recovered")
    }

    private static let malformed: [(Plain, String)] = [
        (5, "is no dictionary"), (["open": 5], "no small dictionary"), (["open": [:]], "without a count"),
        (["open": ["count": "3"]], "count that is no integer"),
        (["open": ["count": 3, "lastTime": "today"]], "time that is no number"),
        (["open": ["count": 3, "firstVersion": 1]], "version that is no string"),
    ]

    @Test("Malformed ones are refused, not counted anew", arguments: ["events", "triggers"], malformed)
    func refused(table: String, malformed: (Plain, String)) throws {
        var archive = PlainArchive()
        let table = (Plain.text(Array(table.utf8)), malformed.0)
        archive.extra = [
            ("FirstTime", .dictionary([("formatVersion", 1), ("readableFrom", 1), ("sequence", 4), table]))
        ]
        let reason = failure { _ = try Archive(bytes: archive.bytes) }
        #expect(reason.contains(malformed.1), "\(reason)")
    }

    @Test("Counts and times as other writers may put them")
    func lenient() throws {
        var archive = PlainArchive()
        archive.extra = [
            (
                "FirstTime",
                [
                    "formatVersion": 1, "readableFrom": 1, "sequence": 4,
                    "events": ["a": ["count": -3, "lastTime": 5], "b": ["count": 2, "note": "x"]],
                ]
            )
        ]
        let events = try Archive(bytes: archive.bytes).events
        #expect(try events[key("a")]?.count == 0 && events[key("a")]?.lastTime == 5)
        #expect(try events[key("b")]?.count == 2)
    }
}
