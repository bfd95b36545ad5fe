// Store+Commit: changes -> the journal: one record, one write, one sync. What can't go there, because the files are
// others' or damaged by a failing disk, goes into a new archive, by Store+Checkpoint.

import CSystem
import KeyedArchive

extension Store {
    /// Commits the changes that `body` makes. When it returns, they survive a loss of power, or with `isRelaxed` the end
    /// of this process. When it throws, nothing has changed, but for `.unconfirmed`.
    ///
    /// With `remembering`, this process keeps the changes when the disk fails, and commits them later. `body` may be
    /// called more than once, with newer records.
    package func commit(
        remembering: Bool = false, isRelaxed: Bool = false, _ body: (inout Transaction) -> Void
    ) throws(StoreError) {
        do throws(StoreError) { try commitOnDisk(isRelaxed: isRelaxed, body) } catch {
            // What is unconfirmed is in place already, and remembered with it.
            if case .unconfirmed = error { throw error }
            if remembering { remember(body) }
            throw error
        }
    }

    /// Makes the changes in this process alone, to be committed later.
    package func remember(_ body: (inout Transaction) -> Void) {
        withAccess {
            for change in collect(body) {
                memory.archive.apply(change)
                memory.pending.remember(change)
            }
        }
    }

    /// Inside `access`. The transaction is gone when this returns: its tables would have to be copied for the
    /// changes otherwise.
    func collect(_ body: (inout Transaction) -> Void) -> [Change] {
        var transaction = Transaction(memory.archive)
        body(&transaction)
        return transaction.changes
    }

    private func commitOnDisk(isRelaxed: Bool, _ body: (inout Transaction) -> Void) throws(StoreError) {
        if isInMemory { return withAccess { commitInMemory(body) } }
        let sequence: UInt64
        switch try append(body) {
        case .unchanged: return
        case .unable: return try rewrite(body)
        case .written(let last): sequence = last
        }
        if !isRelaxed { try makeDurable(sequence) }
        testPoint("point: commit is durable")
        checkpointIfLarge()
    }

    /// Makes other processes look at the files with their next question. This one needn't, if nobody else has changed
    /// them since it looked.
    func tellOthers() {
        guard let page = lockFile.known?.page else { return }
        let before = page.raiseGeneration()
        withAccess {
            if seen.page === page, seen.generation == before { seen.generation = before &+ 1 }
        }
    }

    private func commitInMemory(_ body: (inout Transaction) -> Void) {
        for change in collect(body) { memory.archive.apply(change) }
    }
}

// MARK: - Appending

extension Store {
    /// How long a commit waits for one of another process, which takes milliseconds, unless its process was stopped.
    static let longestCommit = Patience.milliseconds(60_000)

    private enum Appended {
        /// By a record with this sequence.
        case written(UInt64)
        /// There were no changes.
        case unchanged
        /// They can't go there.
        case unable
    }

    /// Writes the changes to the journal.
    private func append(_ body: (inout Transaction) -> Void) throws(StoreError) -> Appended {
        try withAppendLock { () throws(StoreError) -> Appended in
            try refreshToAppend()
            let changes = withAccess { memory.canAppend ? memory.pending.all + collect(body) : nil }
            guard let changes else { return .unable }
            return changes.isEmpty ? .unchanged : .written(try append(changes))
        }
    }

    /// Under the append lock: reads what others wrote, and cuts off what they began and never acknowledged.
    func refreshToAppend() throws(StoreError) {
        try withAccess { () throws(StoreError) in
            _ = try refresh(.locked)
            // Another process may have put a newer file there since it was looked at.
            try checkFormat(memory.archive)
            if hasTornTail, memory.canAppend, let journal = memory.journal {
                try journal.cut()
                hasTornTail = false
            }
        }
    }

    /// Under the append lock, with nothing behind the journal's last record.
    private func append(_ changes: [Change]) throws(StoreError) -> UInt64 {
        var journal = try usableJournal()
        let record = JournalRecord(
            sequence: journal.sequence + 1,
            durable: min(max(groupCommit.durable, journal.header.base), journal.sequence), changes: changes)
        try journal.append(record)
        testPoint("point: record was written")
        withAccess {
            for change in changes { memory.archive.apply(change) }
            memory.archive.sequence = record.sequence
            memory.archive.storeID = journal.header.storeID
            memory.journal = journal
            hasCommitted = true
            memory.pending = PendingChanges()
        }
        testPoint("point: memory was changed")
        // It is there for all to see, whatever becomes of it.
        tellOthers()
        return record.sequence
    }

    /// Under the append lock, when `memory.canAppend`: the journal, which is made when there is none.
    func usableJournal() throws(StoreError) -> OpenJournal {
        let (known, sequence, id) = withAccess { (memory.journal, memory.sequence, memory.archive.storeID) }
        if let known {
            guard known.isWritable else {
                throw .readOnly(path: known.path.bytes, .system(call: "open", error: csystem_no_permission))
            }
            return try anchored(known)
        }
        if id == nil { try FileAttributes.syncDirectories(to: path) }
        let header = JournalHeader(storeID: id ?? csystem_random_number(), base: sequence)
        let journal = try journalFile.create(header, records: [], sequence: sequence)
        withAccess {
            memory.journal = journal
            memory.archive.storeID = header.storeID
        }
        return journal
    }
}

extension Store {
    /// Makes sure that a journal's name is on disk before anything is acknowledged in it. When that fails, the kernel may
    /// have forgotten the name: the files are then written anew.
    private func anchored(_ journal: OpenJournal) throws(StoreError) -> OpenJournal {
        if journal.isAnchored { return journal }
        let (call, result) = path.directory.syncDirectory()
        guard result == 0 || csystem_is_refused(-result) else {
            withAccess { memory.isAhead = true }
            throw .system(call: call, path: path.directory.bytes, error: -result)
        }
        var anchored = journal
        anchored.isAnchored = true
        withAccess { memory.journal = anchored }
        return anchored
    }
}

// MARK: - Syncing

extension Store {
    /// Makes sure that a commit that was written is on disk.
    private func makeDurable(_ sequence: UInt64) throws(StoreError) {
        while true {
            switch groupCommit.part(for: sequence) {
            case .done: return
            case .sync:
                guard let journal = withAccess({ memory.journal }), journal.sequence >= sequence,
                    journal.descriptor.isOurs
                else {
                    // Others' hands took the journal away: an archive is what is left to write.
                    groupCommit.end(through: 0)
                    return try rewriteAfter(.missing(path: journalFile.path.bytes), through: sequence)
                }
                do {
                    try journal.descriptor.syncData(journal.path)
                    testPoint("point: journal was synced")
                    groupCommit.end(through: journal.sequence)
                } catch {
                    groupCommit.end(through: 0, failure: error)
                }
            case .rewrite(let failure): return try rewriteAfter(failure, through: sequence)
            }
        }
    }

    /// What could not be synced is written anew: the archive is complete by itself, and its own sync tells the truth.
    private func rewriteAfter(_ failure: StoreError, through sequence: UInt64) throws(StoreError) {
        do { try checkpoint(Self.longestCommit) } catch {
            switch failure {
            case .system(let call, let path, let error): throw .unconfirmed(call: call, path: path, error: error)
            default: throw error
            }
        }
        groupCommit.rewritten(through: sequence)
    }
}
