// Store+Refresh: takes in what others committed since this process last looked, and what they did to the files.

import CSystem
import KeyedArchive

extension Store {
    /// How long the shared page is believed without a look at the files: other hands than ours don't count in it.
    static let longestTrust: Int64 = 1000

    /// How closely to look.
    enum Look {
        /// At the shared page; at the files when that says so, or hasn't been compared with them for a while.
        case page
        /// At the files.
        case files
        /// At the files, while nobody can append: what is wrong with them is wrong.
        case locked
    }

    /// Inside `access`: brings `memory` up to date. False: the files don't belong together for now; see `settle`.
    func refresh(_ look: Look) throws(StoreError) -> Bool {
        if isInMemory { return true }
        let page = lockFile.known?.page
        let generation = page?.generation
        let now = csystem_coarse_milliseconds()
        let isTrusted = now - seen.time < Self.longestTrust
        let isUnchanged = generation != nil && page === seen.page && generation == seen.generation
        if case .page = look, isTrusted, isUnchanged { return true }
        let isLocked = if case .locked = look { true } else { false }
        // Should the look fail, the next question looks again.
        seen = (nil, nil, 0)
        let archiveIdentity = try file.identity()
        let journalIdentity = try journalFile.file.identity()
        if page == nil || !isTrusted, archiveIdentity != nil || journalIdentity != nil {
            // Who only asks is present, too, and sees others' commits in the page.
            lockFile.find()
        }
        if memory.isLoaded, archiveIdentity == memory.archiveFile?.identity,
            isKnownJournal(journalIdentity, isUsed: isLocked)
        {
            guard try readTail(journalIdentity?.size, isLocked: isLocked) else { return false }
        } else {
            guard let found = try load(known: memory, isLocked: isLocked) else { return false }
            take(found)
        }
        // Another lock file was found: the one before is believed no longer.
        if page === lockFile.known?.page { seen = (page, generation, now) }
        return true
    }

    /// Whether the file at the journal's path is the one that is open. `isUsed`: it may be written to next.
    private func isKnownJournal(_ identity: StoreFile.Identity?, isUsed: Bool) -> Bool {
        guard let identity else { return memory.journal == nil }
        guard let journal = memory.journal else { return false }
        guard identity.isSameFile(as: journal.identity), identity.size >= journal.end else { return false }
        return !isUsed && identity.size == journal.end || journal.descriptor.isOurs
    }

    /// Reads what was appended to the journal that is open. False as for `load`.
    private func readTail(_ size: Int64?, isLocked: Bool) throws(StoreError) -> Bool {
        guard var journal = memory.journal, let size, size > journal.end else {
            hasTornTail = false
            return true
        }
        var reader = JournalReader(try journal.rest(size), from: journal.end, after: journal.sequence)
        while let record = try next(&reader, in: journal.path) {
            for change in record.changes {
                memory.archive.apply(change)
                memory.pending.giveWay(to: change)
            }
        }
        memory.applyPending()
        // What is missing before the archive's own sequence, the archive has.
        if !reader.isAtEnd, reader.sequence >= memory.archiveSequence, reader.isNextAcknowledged() {
            guard isLocked else { return false }
            throw .corrupt(path: journal.path.bytes, reader.missing)
        }
        hasTornTail = !reader.isAtEnd
        journal.sequence = reader.sequence
        journal.end = reader.end
        memory.journal = journal
        memory.archive.sequence = max(memory.sequence, reader.sequence)
        return true
    }

    /// Makes `found` what this process knows. Commits of other processes count on from the last that is known in the same
    /// store; anything else was put there by other hands, or after the files were deleted, and is merged: for each key
    /// the newest last time wins.
    private func take(_ found: DiskState) {
        let known = memory
        memory = Memory()
        memory.pending = known.pending
        memory.archive = found.archive
        memory.archiveFile = found.archiveFile
        memory.archiveSequence = found.archiveSequence
        memory.journal = found.journal
        memory.isAhead = found.isMerged || found.isBuiltOnKnown
        memory.isLoaded = true
        hasTornTail = found.hasTornTail
        let isFirst = !known.isLoaded || known.archive.records.count == 0 && known.archive.sequence == nil
        let isSameStore =
            found.archive.storeID != nil
            && (known.archive.storeID == nil || known.archive.storeID == found.archive.storeID)
        let isLater = isSameStore && !found.isMerged && memory.sequence > known.sequence
        if !isFirst, !isLater {
            // No further on, it should be the same: if it is, there is nothing to write.
            let isSame = isSameStore && !found.isMerged && !found.isBuiltOnKnown && memory.sequence == known.sequence
            keep(known, isSame: isSame)
        }
        memory.applyPending()
    }

    /// Keeps what was known when the files hold something else. `isSame`: unless they do.
    private func keep(_ known: Memory, isSame: Bool) {
        if memory.archiveFile == nil {
            // Deleted: with it went what isn't ours, which only memory has.
            let found = memory.archive
            memory.archive = known.archive
            memory.archive.merge(found)
            memory.archive.sequence = max(found.sequence ?? 0, known.sequence)
            memory.archive.storeID = found.storeID ?? known.archive.storeID
        } else {
            let isChanged = memory.archive.merge(known.archive)
            if isSame, !isChanged { return }
            memory.archive.sequence = max(memory.sequence, known.sequence)
            if memory.archive.storeID == nil { memory.archive.storeID = known.archive.storeID }
        }
        memory.isAhead = true
    }

    /// Looks again under the append lock, where nobody writes: files that still don't belong together are damaged, or
    /// somebody else's. Without a right to lock, or for handles that never write, a little later is all there is.
    func settle() throws(StoreError) {
        do throws(StoreError) {
            guard lockFile.hasWriters else { throw .readOnly(path: path.bytes, .flag) }
            try withAppendLock { () throws(StoreError) in
                _ = try withAccess { () throws(StoreError) -> Bool in try refresh(.locked) }
            }
        } catch {
            guard case .readOnly = error else { throw error }
            for _ in 0..<20 {
                csystem_sleep_milliseconds(5)
                if try withAccess({ () throws(StoreError) -> Bool in try refresh(.files) }) { return }
            }
            _ = try withAccess { () throws(StoreError) -> Bool in try refresh(.locked) }
        }
    }
}
