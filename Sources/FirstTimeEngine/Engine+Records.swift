// Engine+Records: questions about records, and changes to them that run nothing.

import FirstTimeStore

extension Engine {
    /// The freshest record of a key. `closely`: as Store has it.
    package func record(for key: Key, closely: Bool = false) throws(EngineError) -> Record? {
        do { return try store.record(for: key, closely: closely) } catch { throw .store(error) }
    }

    package func wasExecuted(_ key: Key) throws(EngineError) -> Bool {
        calls.enter()
        defer { calls.leave() }
        return try record(for: key) != nil
    }

    package func isDue(_ key: Key, _ policy: Policy) throws(EngineError) -> Bool {
        calls.enter()
        defer { calls.leave() }
        let moment = try moment()
        return policy.isDue(try record(for: key), at: moment)
    }

    package func nextDue(_ key: Key, _ policy: Policy) throws(EngineError) -> (isDue: Bool, time: Double) {
        calls.enter()
        defer { calls.leave() }
        let moment = try moment()
        let record = try record(for: key)
        return (policy.isDue(record, at: moment), policy.nextDue(record, at: moment))
    }

    /// Seconds since 1970; nil: no time is recorded.
    package func lastExecution(_ key: Key) throws(EngineError) -> Double? {
        calls.enter()
        defer { calls.leave() }
        guard let time = try record(for: key)?.lastTime, !time.isNaN else { return nil }
        return time + Record.epoch
    }

    /// Shows the record to `visit` with no lock held; false when there is none.
    package func find(_ key: Key, _ visit: (Record) -> Void) throws(EngineError) -> Bool {
        calls.enter()
        defer { calls.leave() }
        guard let record = try record(for: key) else { return false }
        visit(record)
        return true
    }

    /// Shows the records of one moment, in the order of their keys, until `visit` returns false; true when it saw all.
    package func each(prefix: [UInt8], _ visit: (Key, Record) -> Bool) throws(EngineError) -> Bool {
        calls.enter()
        defer { calls.leave() }
        let records = try snapshot()
        for key in records.keys(withPrefix: prefix) {
            if let record = records[key], !visit(key, record) { return false }
        }
        return true
    }

    package func count(prefix: [UInt8]) throws(EngineError) -> Int {
        calls.enter()
        defer { calls.leave() }
        return try snapshot().count(withPrefix: prefix)
    }

    /// All records as they are now.
    func snapshot() throws(EngineError) -> RecordTable {
        do { return try store.read { $0 } } catch { throw .store(error) }
    }
}

// MARK: - Changes

extension Engine {
    package func mark(_ key: Key) throws(EngineError) {
        calls.enter()
        defer { calls.leave() }
        let moment = try moment()
        try commit { transaction in
            let known = transaction.records[key]
            let run = Record.run(after: known, version: moment.version, time: moment.now - Record.epoch)
            transaction.set(run, for: key)
        }
    }

    /// Whether there was a record.
    package func reset(_ key: Key) throws(EngineError) -> Bool {
        calls.enter()
        defer { calls.leave() }
        // Nothing to forget is nothing to write: a store that can't be written says so only when it must.
        guard try record(for: key) != nil else { return false }
        return try commit { $0.remove(key) }
    }

    package func reset(prefix: [UInt8]) throws(EngineError) {
        calls.enter()
        defer { calls.leave() }
        guard try snapshot().count(withPrefix: prefix) > 0 else { return }
        try commit { transaction in
            // Once more: others may have recorded some meanwhile.
            for key in transaction.records.keys(withPrefix: prefix) { _ = transaction.remove(key) }
        }
    }

    /// Inside a call.
    func commit<Result>(_ body: (inout Transaction) -> Result) throws(EngineError) -> Result {
        do { return try store.commit(body) } catch { throw .store(error) }
    }
}
