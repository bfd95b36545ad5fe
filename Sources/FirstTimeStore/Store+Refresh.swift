// Store+Refresh: takes in what others did to the file since this process last looked.

import CSystem
import KeyedArchive

extension Store {
    /// Inside `access`: reads the file again if it isn't the one that was read or written last.
    func refresh() throws(StoreError) {
        guard let identity = try file.identity() else {
            // Deleted while it was open: it is written again, with what is in memory.
            if memory.content != nil {
                memory.content = nil
                memory.isAhead = true
            }
            return
        }
        guard identity != memory.content?.identity, let content = try file.read() else { return }
        let found: Archive
        do { found = try Archive(bytes: content.bytes) } catch {
            switch error {
            case .damaged(let error): throw .corrupt(path: path.bytes, error)
            case .newerFormat(let version): throw .newerFormat(path: path.bytes, version: version)
            }
        }
        take(found)
        memory.content = ArchiveFile.Content(bytes: [], identity: content.identity, descriptor: content.descriptor)
    }

    /// Makes `found`, the file's content, what this process knows. A commit of another process counts on from the last
    /// in the same store; anything else was put there by other hands, or after the file was deleted, and is merged: for
    /// each key the newest last time wins.
    private func take(_ found: Archive) {
        let known = memory.archive
        memory.archive = found
        memory.archive.sequence = max(found.sequence ?? 0, known.sequence ?? 0)
        memory.archive.storeID = found.storeID ?? known.storeID
        if known.sequence == nil, memory.pending.count == 0 { return }
        let isSameStore = known.storeID == nil || known.storeID == found.storeID
        if isSameStore, let sequence = found.sequence, sequence > known.sequence ?? 0 {
            memory.archive.records.merge(memory.pending)
            memory.isAhead = memory.pending.count > 0
        } else {
            memory.archive.records.merge(known.records)
            memory.isAhead = true
        }
    }
}
