import Testing

@testable import FirstTimeStore

@Suite("Records")
struct RecordTests {
    @Test("A copy keeps what it says when the other one changes")
    func copies() {
        var record = Record.run(after: nil, version: [1], time: 5)
        record.former = FormerRecord(nil)
        record.extras = 3
        let before = record
        (record.lastVersion, record.lastTime) = ([2], 6)
        (record.firstVersion, record.firstTime) = (nil, nil)
        record.count += 1
        record.former = nil
        record.extras = 4
        #expect(before.lastVersion == [1] && before.lastTime == 5 && before.count == 1)
        #expect(before.firstVersion == [1] && before.firstTime == 5)
        #expect(before.former != nil && before.extras == 3)
        #expect(record.lastVersion == [2] && record.lastTime == 6 && record.count == 2 && record.extras == 4)
    }

    @Test("Records are equal that say the same, whatever unknown coder keys they have")
    func equality() {
        let record = Record.started(after: Record.run(after: nil, version: [1], time: 5), version: [2], time: 6)
        var other = Record.started(after: Record.run(after: nil, version: [1], time: 5), version: [2], time: 6)
        other.extras = 1
        #expect(record == other)
        #expect(record != record.settled && record != Record.started(after: nil, version: [2], time: 6))
        let changes: [(inout Record) -> Void] = [
            { $0.count += 1 }, { $0.lastTime = nil }, { $0.firstTime = 6 }, { $0.lastVersion = nil },
            { $0.firstVersion = [2] },
        ]
        for change in changes {
            var changed = record
            change(&changed)
            #expect(changed != record)
        }
    }
}
