// Store+Checkpoint: everything that is known -> a new archive, and a journal that goes on from it. Also the way to commit
// when the journal can't be gone on with.

import CSystem
import KeyedArchive

extension Store {
    /// A journal may grow to this, or to the archive's size, whichever is more, before a commit makes a checkpoint.
    private static let smallestCheckpoint: Int64 = 65536

    /// Makes the archive file complete by itself.
    package func flush() throws(StoreError) {
        if isInMemory { return }
        // A store that was never written has no lock file, and needs none to see that there is nothing to do.
        let isComplete = try readMemory { !$0.isAhead && $0.pending.isEmpty && !$0.isArchiveBehind }
        if !isComplete { try checkpoint(Self.longestCommit) }
    }

    /// After a commit, which is safe already: whatever goes wrong is for the next one to meet.
    func checkpointIfLarge() {
        let isDue = withAccess { () -> Bool in
            guard let journal = memory.journal else { return false }
            let limit = max(Self.smallestCheckpoint, memory.archiveFile?.identity.size ?? 0)
            return journal.end > max(Int(limit), nextCheckpoint)
        }
        guard isDue else { return }
        do {
            try checkpoint(.none)
            withAccess { nextCheckpoint = 0 }
        } catch {
            withAccess { nextCheckpoint = (memory.journal?.end ?? 0) + Int(Self.smallestCheckpoint) }
        }
    }

    /// Writes the archive, when it lacks something.
    func checkpoint(_ patience: Patience) throws(StoreError) {
        try withCheckpointLock(patience) { () throws(StoreError) in
            let isOnlyBehind = try readMemory { !$0.isAhead && $0.pending.isEmpty } && !groupCommit.hasFailed
            if isOnlyBehind {
                // The archive is complete, and goes with the old journal as well: a new one is only shorter.
                if case (let journal?, let sequence)? = try writeArchive() { try? shorten(journal, through: sequence) }
                return
            }
            try withAppendLock { () throws(StoreError) in try rewriteLocked { _ in } }
        }
    }

    /// Commits by writing everything anew.
    func rewrite(_ body: (inout Transaction) -> Void) throws(StoreError) {
        try withCheckpointLock(Self.longestCommit) { () throws(StoreError) in
            try withAppendLock { () throws(StoreError) in try rewriteLocked(body) }
        }
    }
}

// MARK: - With others going on

extension Store {
    /// Under the checkpoint lock, with commits going on: writes the archive as it is known. Gives the journal that the
    /// archive now makes too long, and the last commit that it has; nil: it lacked nothing.
    func writeArchive() throws(StoreError) -> (journal: OpenJournal?, sequence: UInt64)? {
        let (archive, journal, isNeeded) = try readMemory { ($0.archive, $0.journal, $0.isArchiveBehind) }
        guard isNeeded, let sequence = archive.sequence else { return nil }
        try checkFormat(archive)
        let content = try file.replace(with: archive.bytes(), file.attributes(), keeping: .inode)
        testPoint("point: archive was replaced, with others going on")
        withAccess {
            memory.archiveFile = content
            memory.archiveSequence = sequence
        }
        groupCommit.rewritten(through: sequence)
        tellOthers()
        return (journal, sequence)
    }

    /// Under the checkpoint lock: replaces the journal by one without the commits that the archive has. Those that came
    /// since are carried over.
    func shorten(_ old: OpenJournal, through sequence: UInt64) throws(StoreError) {
        guard old.sequence == sequence else { return }
        try withAppendLock { () throws(StoreError) in
            try refreshToAppend()
            let now = withAccess { memory.canAppend ? memory.journal : nil }
            guard let now, now.identity.isSameFile(as: old.identity) else { return }
            let later = try now.bytes(from: old.end)
            let header = JournalHeader(storeID: now.header.storeID, base: sequence)
            let new = try journalFile.create(header, records: later, sequence: now.sequence)
            withAccess { memory.journal = new }
            groupCommit.rewritten(through: new.sequence)
            tellOthers()
        }
    }
}

// MARK: - With everybody waiting

extension Store {
    /// Under both locks: commits the changes, and all that the files lack, by a new archive.
    private func rewriteLocked(_ body: (inout Transaction) -> Void) throws(StoreError) {
        try refreshToAppend()
        let (changes, isNeeded, archive, journal) = withAccess {
            (collect(body), memory.isAhead || !memory.pending.isEmpty, memory.archive, memory.journal)
        }
        // A journal that a sync failed for is not gone on with.
        guard isNeeded || groupCommit.hasFailed || !changes.isEmpty else { return }
        var next = archive
        for change in changes { next.apply(change) }
        // Above whatever any process has seen, so that none takes its own for later.
        let sequence = max(archive.sequence ?? 0, journal?.sequence ?? 0) + 1
        next.sequence = sequence
        if next.storeID == nil { next.storeID = csystem_random_number() }
        try replaceFiles(with: next)
    }

    /// Under both locks: puts an archive in place, and a journal that goes on from it; then this is what is known.
    func replaceFiles(with next: Archive) throws(StoreError) {
        let sequence = next.sequence ?? 0
        var failure: StoreError?
        var content: StoreFile.Content?
        if withAccess({ memory.archiveFile == nil }) { try FileAttributes.syncDirectories(to: path) }
        do { content = try file.replace(with: next.bytes(), file.attributes(), keeping: .inode) } catch {
            guard case .unconfirmed = error else { throw error }
            failure = error
        }
        testPoint("point: archive was replaced, with everybody waiting")
        // Without a new journal the old one is known to end before the archive, and the next commit makes one.
        let header = JournalHeader(storeID: next.storeID ?? 0, base: sequence)
        let new = try? journalFile.create(header, records: [], sequence: sequence)
        withAccess {
            memory.archive = next
            memory.archiveFile = content
            memory.archiveSequence = sequence
            memory.journal = new
            memory.pending = PendingChanges()
            memory.isAhead = failure != nil
            memory.isLoaded = true
            hasTornTail = false
        }
        tellOthers()
        if let failure { throw failure }
        groupCommit.rewritten(through: sequence)
    }
}
