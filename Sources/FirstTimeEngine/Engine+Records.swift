// Engine+Records: questions about records, and changes to them that run nothing.

import FirstTimeStore

extension Engine {
    package func wasExecuted(_ key: Key) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            try record(for: key) != nil
        }
    }

    /// The same of a key's bytes, where that can be told at once; nil where it can't.
    @inline(__always)
    package func wasExecuted(_ key: UnsafeRawBufferPointer) -> Bool? {
        Calls.isNothingLost ? store.hasRecord(key) : nil
    }

    package func isDue(_ key: Key, _ policy: Policy) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            let moment = try moment()
            return policy.isDue(try record(for: key), at: moment)
        }
    }

    package func nextDue(_ key: Key, _ policy: Policy) throws(EngineError) -> (isDue: Bool, time: Double) {
        try calls.inside { () throws(EngineError) -> (isDue: Bool, time: Double) in
            let moment = try moment()
            let record = try record(for: key)
            return (policy.isDue(record, at: moment), policy.nextDue(record, at: moment))
        }
    }

    /// Seconds since 1970; nil: no time is recorded.
    package func lastExecution(_ key: Key) throws(EngineError) -> Double? {
        try calls.inside { () throws(EngineError) -> Double? in
            guard let time = try record(for: key)?.lastTime, !time.isNaN else { return nil }
            return time + Record.epoch
        }
    }

    /// Shows the record to `visit` with no lock held; false when there is none.
    package func find(_ key: Key, _ visit: (Record) -> Void) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            guard let record = try record(for: key) else { return false }
            visit(record)
            return true
        }
    }

    /// Shows the records of one moment, in the order of their keys, until `visit` returns false; true when it saw all.
    package func each(prefix: [UInt8], _ visit: (Key, Record) -> Bool) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            let records = try snapshot()
            for key in records.keys(withPrefix: prefix) {
                if let record = records[key], !visit(key, record) { return false }
            }
            return true
        }
    }

    package func count(prefix: [UInt8]) throws(EngineError) -> Int {
        try calls.inside { () throws(EngineError) -> Int in
            try snapshot().count(withPrefix: prefix)
        }
    }

}

// MARK: - What others see

extension Engine {
    /// The freshest record of a key, as others see it: while AT_MOST_ONCE runs the key, the former one.
    func record(for key: Key) throws(EngineError) -> Record? {
        // The run may end between the two looks, at the record and at the lock; so look again until nothing has.
        var seen: Record?
        while true {
            let record: Record?
            do { record = try store.record(for: key) } catch { throw .store(error) }
            guard let record, let former = record.former else { return record }
            if store.isTaken(key) { return former.record }
            if let seen, seen.lastTime == record.lastTime, seen.count == record.count { return record.settled }
            seen = record
        }
    }

    /// All records as they are now, as others see them.
    func snapshot() throws(EngineError) -> RecordTable {
        var records: RecordTable
        do { records = try store.read { $0.records } } catch { throw .store(error) }
        for key in records.started { records[key] = try record(for: key) }
        return records
    }
}

// MARK: - Changes

extension Engine {
    package func mark(_ key: Key) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            let moment = try moment()
            try commit { transaction in
                let known = transaction.records[key]
                let run = Record.run(after: known, version: moment.version, time: moment.now - Record.epoch)
                transaction.set(run, for: key)
            }
        }
    }

    /// Whether there was a record.
    package func reset(_ key: Key) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            // Nothing to forget is nothing to write: a store that can't be written says so only when it must.
            guard try record(for: key) != nil else { return false }
            var wasThere = false
            try commit { wasThere = forget(key, in: &$0) }
            return wasThere
        }
    }

    package func reset(prefix: [UInt8]) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            guard try snapshot().count(withPrefix: prefix) > 0 else { return }
            try commit { transaction in
                // Once more: others may have recorded some meanwhile.
                for key in transaction.records.keys(withPrefix: prefix) { _ = forget(key, in: &transaction) }
            }
        }
    }

    /// Whether there was a record. Of a key that AT_MOST_ONCE runs just now the former one is forgotten: that it was
    /// started must stay, since a crash may not run it again.
    private func forget(_ key: Key, in transaction: inout Transaction) -> Bool {
        guard let record = transaction.records[key], let former = record.former, store.isTaken(key) else {
            return transaction.remove(key)
        }
        guard former.record != nil else { return false }
        let time = record.lastTime ?? 0
        transaction.set(.started(after: nil, version: record.lastVersion, time: time), for: key)
        return true
    }

    /// Inside a call.
    func commit(_ body: (inout Transaction) -> Void) throws(EngineError) {
        do throws(StoreError) {
            if isReadOnly { throw readOnlyRefusal }
            try store.commit(isRelaxed: isRelaxed, body)
        } catch { throw .store(error) }
    }
}
