// Store+Recover: files that can't be decoded -> the records that can be saved, in new files; the old ones are kept aside
// under another name.

import CSystem
import KeyedArchive

extension Store {
    /// Sets aside what can't be decoded, and starts from every record that could be saved. Nothing happens when another
    /// process has done so meanwhile.
    func recover() throws(StoreError) {
        try withCheckpointLock(Self.longestCommit) { () throws(StoreError) in
            try withAppendLock { () throws(StoreError) in
                do throws(StoreError) {
                    try refreshToAppend()
                } catch {
                    guard case .corrupt = error else { throw error }
                    try salvage()
                }
            }
        }
    }

    /// Under both locks.
    private func salvage() throws(StoreError) {
        // Another handle of this process may have read it when it was sound, and all it knows has been committed.
        try carryOut(try planSalvage(known: access.withLock { memory.isLoaded ? memory.archive : nil }))
    }

    /// What would be saved, and what set aside. It changes nothing.
    func planSalvage(known: Archive? = nil) throws(StoreError) -> SalvagePlan {
        let plan = SalvagePlan(try file.attributes())
        plan.archiveIdentity = try file.identity()
        plan.journalIdentity = try journalFile.file.identity()
        let isArchiveSound: Bool
        (plan.archive, isArchiveSound) = try salvageArchive()
        if let known {
            if known.sequence ?? 0 >= plan.archive.sequence ?? 0 {
                plan.archive = known
            } else {
                plan.archive.merge(known)
            }
        }
        let isJournalSound = try salvageJournal(into: &plan.archive, isArchiveSound: isArchiveSound)
        let seconds = Int64(csystem_now())
        if !isArchiveSound { plan.archiveAside = try file.asideName(seconds) }
        if !isJournalSound { plan.journalAside = try journalFile.file.asideName(seconds) }
        return plan
    }

    /// Under both locks.
    func carryOut(_ plan: SalvagePlan) throws(StoreError) {
        // Under their own names, too, until the new ones take those: a crash here must not lose what is left.
        if let aside = plan.archiveAside { try file.keep(as: aside, plan.attributes) }
        if let aside = plan.journalAside { try journalFile.file.keep(as: aside, plan.attributes) }
        plan.archive.sequence = (plan.archive.sequence ?? 0) + 1
        if plan.archive.storeID == nil { plan.archive.storeID = csystem_random_number() }
        try replaceFiles(with: plan.archive)
    }

    /// The archive, or what is left of it, and whether that is all. One that isn't there counts as sound.
    private func salvageArchive() throws(StoreError) -> (Archive, isSound: Bool) {
        guard let content = try file.read() else { return (Archive(), true) }
        do { return (try Archive(bytes: content.bytes), true) } catch {
            if case .newerFormat(let version) = error { throw .newerFormat(path: path.bytes, version: version) }
        }
        let archive = Archive(salvaging: content.bytes)
        if let version = archive.unreadableFormat { throw .newerFormat(path: path.bytes, version: version) }
        return (archive, false)
    }

    /// Adds the journal's commits, and says whether the journal was whole.
    private func salvageJournal(into archive: inout Archive, isArchiveSound: Bool) throws(StoreError) -> Bool {
        guard let bytes = try journalFile.bytes() else { return true }
        let header: JournalHeader?
        do { header = try JournalHeader(bytes) } catch {
            if case .newerFormat = error { throw StoreError(error, in: journalFile.path) }
            header = nil
        }
        let saved: (records: [JournalRecord], isWhole: Bool)
        do { saved = try JournalReader.salvage(bytes) } catch { throw StoreError(error, in: journalFile.path) }
        let known = archive.sequence ?? 0
        for record in saved.records {
            for change in record.changes {
                if record.sequence > known {
                    archive.apply(change)
                } else if !isArchiveSound, !change.isRemoval {
                    // The archive had it, or something newer, unless that is lost.
                    archive.merge(change)
                }
            }
            archive.sequence = max(archive.sequence ?? 0, record.sequence)
        }
        archive.sequence = max(archive.sequence ?? 0, header?.base ?? 0)
        archive.storeID = header?.storeID ?? archive.storeID
        return header != nil && saved.isWhole
    }
}

/// What is left of damaged files, and what to do with them. An object, which is handed on with little.
final class SalvagePlan {
    var archive = Archive()
    /// The names under which damaged files are kept; nil: it is sound.
    var archiveAside: FilePath?
    var journalAside: FilePath?
    /// The files that were looked at; nil: there was none.
    var archiveIdentity: StoreFile.Identity?
    var journalIdentity: StoreFile.Identity?
    let attributes: FileAttributes

    init(_ attributes: FileAttributes) { self.attributes = attributes }
}

extension StoreFile {
    /// The first name that is free for the file set aside: `PATH.corrupt-<seconds since 1970>`, or that and a number.
    fileprivate func asideName(_ seconds: Int64) throws(StoreError) -> FilePath {
        var status = csystem_status()
        for number in 0..<100 {
            let aside = FilePath(path.bytes + Self.suffix(seconds, number))
            if csystem_is_missing(-aside.withCString { csystem_status_at($0, false, &status) }) { return aside }
        }
        throw .system(call: "link", path: path.bytes, error: csystem_exists)
    }

    /// Gives the file a second name, or copies it where a file can't have two.
    fileprivate func keep(as aside: FilePath, _ attributes: FileAttributes) throws(StoreError) {
        let result = path.withCString { from in aside.withCString { csystem_link(from, $0) } }
        if result == 0 || csystem_is_missing(-result) { return }
        if csystem_is_existing(-result) { throw .system(call: "link", path: aside.bytes, error: csystem_exists) }
        guard let content = try read() else { return }
        _ = try StoreFile(path: aside).replace(with: content.bytes, attributes, keeping: .inode)
    }

    private static func suffix(_ seconds: Int64, _ number: Int) -> [UInt8] {
        let suffix = Array(staticString: ".corrupt-") + Array(decimal: seconds)
        if number == 0 { return suffix }
        return suffix + Array(staticString: number < 10 ? "-0" : "-") + Array(decimal: number)
    }
}
