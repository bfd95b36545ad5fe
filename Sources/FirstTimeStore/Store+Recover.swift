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
        let attributes = try file.attributes()
        var (archive, isArchiveSound) = try salvageArchive()
        // Another handle of this process may have read it when it was sound, and all it knows has been committed.
        if let known = withAccess({ memory.isLoaded ? memory.archive : nil }) {
            if known.sequence ?? 0 >= archive.sequence ?? 0 {
                archive = known
            } else {
                archive.merge(known)
            }
        }
        let isJournalSound = try salvageJournal(into: &archive, isArchiveSound: isArchiveSound)
        // Under their own names, too, until the new ones take those: a crash here must not lose what is left.
        if !isArchiveSound { try file.keepAside(attributes) }
        if !isJournalSound { try journalFile.file.keepAside(attributes) }
        archive.sequence = (archive.sequence ?? 0) + 1
        if archive.storeID == nil { archive.storeID = csystem_random_number() }
        try replaceFiles(with: archive)
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

extension StoreFile {
    /// Gives the file a second name, `PATH.corrupt-<seconds since 1970>`, or copies it where a file can't have two.
    fileprivate func keepAside(_ attributes: FileAttributes) throws(StoreError) {
        let seconds = Int64(csystem_now())
        for number in 0..<100 {
            let aside = FilePath(path.bytes + Self.suffix(seconds, number))
            let result = path.withCString { from in aside.withCString { csystem_link(from, $0) } }
            if result == 0 || csystem_is_missing(-result) { return }
            if csystem_is_existing(-result) { continue }
            guard let content = try read() else { return }
            _ = try StoreFile(path: aside).replace(with: content.bytes, attributes, keeping: .inode)
            return
        }
        throw .system(call: "link", path: path.bytes, error: csystem_exists)
    }

    private static func suffix(_ seconds: Int64, _ number: Int) -> [UInt8] {
        let suffix = Array(staticString: ".corrupt-") + Array(decimal: seconds)
        if number == 0 { return suffix }
        return suffix + Array(staticString: number < 10 ? "-0" : "-") + Array(decimal: number)
    }
}
