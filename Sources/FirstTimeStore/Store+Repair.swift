// Store+Repair: what RECOVER does at open, for a store that nobody has open, and with somebody told before. What can be
// saved, and how, is Store+Recover's.

import CSystem
import KeyedArchive

/// What a repair has to tell before it changes anything.
package enum RepairNotice {
    case problem(path: [UInt8], DecodingError)
    /// The file is kept under another name.
    case setAside(path: [UInt8], newPath: [UInt8])
    case saved(records: Int, events: Int, triggers: Int)
}

extension Store {
    /// Repairs the store at `path`; false: it can be opened as it is. Nil: `tell` said no, and nothing was changed.
    ///
    /// No lock is held while `tell` is called, so it may do what it likes. Should that, or anybody, have changed the files or
    /// opened the store by the time that it has returned, nothing more is.
    package static func repair(_ path: FilePath, _ tell: (RepairNotice) -> Bool) throws(StoreError) -> Bool? {
        let (store, isOpen) = ProcessStores.aside(try StoreLocation.resolve(path))
        try store.lockFile.check()
        try store.checkAlone(isOpen)
        let damage: StoreError
        do throws(StoreError) {
            try store.readMemory { _ in }
            let (archive, journal) = try store.identities()
            if archive == nil, journal == nil { throw .missing(path: store.path.bytes) }
            return false
        } catch {
            guard case .corrupt = error else { throw error }
            damage = error
        }
        let plan = try store.planSalvage()
        try store.checkIsStore(plan, damage)
        guard try store.announce(plan, damage, tell) else { return nil }
        try store.withCheckpointLock(longestCommit) { () throws(StoreError) in
            try store.withAppendLock { () throws(StoreError) in
                try store.checkAlone(ProcessStores.aside(store.path).isOpen)
                let (archive, journal) = try store.identities()
                guard archive == plan.archiveIdentity, journal == plan.journalIdentity else {
                    throw .inUse(path: store.path.bytes)
                }
                try store.carryOut(plan)
            }
        }
        return true
    }

    private func identities() throws(StoreError) -> (archive: StoreFile.Identity?, journal: StoreFile.Identity?) {
        (try file.identity(), try journalFile.file.identity())
    }

    /// A handle of another process that only reads can't be seen; to it a repaired store is one that was replaced.
    private func checkAlone(_ isOpen: Bool) throws(StoreError) {
        if isOpen || lockFile.isLocked(LockFile.Byte.presence) { throw .inUse(path: path.bytes) }
    }

    /// Whoever names the wrong file shall not find it replaced by an empty store: where nothing can be saved, something
    /// has to say that it was one.
    private func checkIsStore(_ plan: SalvagePlan, _ damage: StoreError) throws(StoreError) {
        let archive = plan.archive
        guard archive.records.isEmpty, archive.events.isEmpty, archive.triggers.isEmpty, plan.archiveAside != nil,
            let content = try file.read()
        else { return }
        if !ArchiveVerification(content.bytes).problems.isEmpty {
            if try journalFile.file.identity() != nil { return }
            if try StoreFile(path: lockFile.path).identity() != nil { return }
        }
        guard case .corrupt(let path, let error) = damage else { return }
        throw .notAStore(path: path, error)
    }

    private func announce(
        _ plan: SalvagePlan, _ damage: StoreError, _ tell: (RepairNotice) -> Bool
    ) throws(StoreError) -> Bool {
        if plan.archiveAside != nil, let content = try file.read() {
            for problem in ArchiveVerification(content.bytes).problems where !tell(.problem(path: path.bytes, problem))
            {
                return false
            }
        } else if case .corrupt(let path, let error) = damage, !tell(.problem(path: path, error)) {
            return false
        }
        for (file, aside) in [(file, plan.archiveAside), (journalFile.file, plan.journalAside)] {
            if let aside, !tell(.setAside(path: file.path.bytes, newPath: aside.bytes)) { return false }
        }
        let archive = plan.archive
        return tell(
            .saved(records: archive.records.count, events: archive.events.count, triggers: archive.triggers.count))
    }
}
