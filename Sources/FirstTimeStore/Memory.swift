// Memory: what this process knows of a store: what it read from the files, and what it has that they don't. How they
// are read and written is Store's.

/// A store as this process sees it. An object, which is shown to those who look without moving all its parts.
final class Memory {
    /// The archive with the journal's commits and with `pending`; its sequence is the last commit's.
    var archive = Archive()
    /// Whether anything was read yet.
    var isLoaded = false
    /// The archive's file that was read or written last; nil: there is none, or it is gone.
    var archiveFile: StoreFile.Content?
    /// The last commit that the archive's file has by itself.
    var archiveSequence: UInt64 = 0
    /// Nil: there is none, or none that could be gone on with.
    var journal: OpenJournal?
    /// Changes whose commit failed. They go with the next one.
    var pending = PendingChanges()
    /// Whether it holds what no file does, or no file in the right order: both are then written anew.
    var isAhead = false

    var sequence: UInt64 { archive.sequence ?? 0 }

    /// Whether the next commit can be a record of the journal: after the last one there, or in a new journal behind the
    /// archive. Not behind one of other software, which has no id that a journal could name.
    var canAppend: Bool {
        if isAhead || archive.formatVersion > Archive.currentFormat { return false }
        if let journal { return journal.sequence == sequence && journal.header.storeID == archive.storeID }
        return archiveFile == nil && archive.sequence == nil || archive.storeID != nil && archiveSequence == sequence
    }

    /// Whether the archive's file lacks something that was committed.
    var isArchiveBehind: Bool { archiveSequence < sequence || archiveFile == nil && sequence > 0 }

    func applyPending() { pending.apply(to: &archive) }
}

/// Changes that were made, but could not be committed: to records, and to triggers whose fires are taken back. Of events
/// there are none: who donates learns that it failed.
struct PendingChanges {
    private var records: [Key: Change] = .init()
    private var triggers: [Key: Change] = .init()

    var isEmpty: Bool { records.isEmpty && triggers.isEmpty }
    var all: [Change] { Array(records.values) + Array(triggers.values) }

    mutating func remember(_ change: Change) {
        switch change.table {
        case .records: records[change.key] = change
        case .triggers: triggers[change.key] = change
        case .events: break
        }
    }

    /// Others have committed `change` since: what they did to the key or the trigger later stands.
    mutating func giveWay(to change: Change) {
        if change.table == .triggers { triggers[change.key] = nil }
        guard change.table == .records, let own = records[change.key] else { return }
        if let record = own.record, let theirs = change.record, !record.isOlder(than: theirs) { return }
        records[change.key] = nil
    }

    /// Makes the changes to what was read from files, but for those that newer runs, or other fires, have overtaken.
    mutating func apply(to archive: inout Archive) {
        for change in Array(records.values) {
            if let record = change.record, let theirs = archive.records[change.key], record.isOlder(than: theirs) {
                records[change.key] = nil
            } else {
                archive.apply(change)
            }
        }
        for change in Array(triggers.values) {
            let found = archive.triggers[change.key]
            if found == change.takenBack {
                archive.apply(change)
            } else if found != change.record {
                triggers[change.key] = nil
            }
        }
    }
}
