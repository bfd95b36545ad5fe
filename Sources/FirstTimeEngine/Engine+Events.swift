// Engine+Events: donations: counting them, looking at them, forgetting them. What holds after one is Engine+Rules'.

import FirstTimeStore

extension Engine {
    /// Counts a donation, durably, and then asks the rules. A failure to count is thrown before anything was counted, but
    /// for one that says that it may not be on disk; after that rules may fail to fire, which `notClaimed` says.
    package func donate(_ event: Key) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            let moment = try moment()
            try commit { transaction in
                let known = transaction.events[event] ?? Donations()
                let time = moment.now - Record.epoch
                transaction.set(donations: known.donated(version: moment.version, time: time), of: event)
            }
            try askRules(at: moment)
        }
    }

    /// Shows an event's donations to `visit` with no lock held; false when nothing was ever donated.
    package func findDonations(_ event: Key, _ visit: (Donations) -> Void) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            guard let donations = try read({ $0.events[event] }) else { return false }
            visit(donations)
            return true
        }
    }

    /// Shows all events of one moment, in the order of their names, until `visit` returns false; true when it saw all.
    package func eachDonations(_ visit: (Key, Donations) -> Bool) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            let events = try read { $0.events }
            for event in events.keys() {
                if let donations = events[event], !visit(event, donations) { return false }
            }
            return true
        }
    }

    /// Forgets an event's donations; nil: all events'.
    package func resetDonations(_ event: Key?) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            // Nothing to forget is nothing to write: a store that can't be written says so only when it must.
            guard try read({ archive in event.map { archive.events[$0] != nil } ?? !archive.events.isEmpty }) else {
                return
            }
            try commit { transaction in
                for name in event.map({ [$0] }) ?? transaction.events.keys() {
                    transaction.set(donations: nil, of: name)
                }
            }
        }
    }

    /// Inside a call: what is kept now.
    func read<Result>(_ body: (Archive) -> Result) throws(EngineError) -> Result {
        do { return try store.read(body) } catch { throw .store(error) }
    }
}
