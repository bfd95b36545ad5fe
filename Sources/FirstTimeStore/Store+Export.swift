// Store+Export: everything that is kept, as one value, and files of other places that are written as safely as the store's
// own. It leaves the store as it is, and takes none of its locks but the one in memory.

import CSystem
import KeyedArchive

extension Store {
    /// All that is kept now, by any process, and what this one could not record yet.
    package func snapshot() throws(StoreError) -> Archive { try readMemory(.files) { $0.archive } }

    /// Whether a path leads to one of the store's own files, by name or because it is the same file; the path with its
    /// links followed. Nil: it does.
    package func placeForExport(_ path: FilePath) throws(StoreError) -> FilePath? {
        let place = try StoreLocation.resolve(path)
        let there = try StoreFile(path: place).identity()
        if isInMemory { return place }
        for suffix: StaticString in ["", "-journal", "-lock", "-new", "-journal-new"] {
            let own = self.path.appending(suffix)
            if own == place { return nil }
            if let there, let identity = try StoreFile(path: own).identity(), identity.isSameFile(as: there) {
                return nil
            }
        }
        return place
    }

    /// Puts `bytes` in the place of a file that isn't the store's, or of none: whole, and on disk, or not at all.
    package static func write(_ bytes: [UInt8], to place: FilePath) throws(StoreError) {
        let file = StoreFile(path: place)
        let existing = try file.status()
        if let existing, !existing.is_regular { throw .notAFile(path: place.bytes) }
        do throws(StoreError) {
            let attributes = FileAttributes(existing: existing, directory: place.directory)
            _ = try file.replace(with: bytes, attributes, keeping: .inode, isLocked: false)
        } catch {
            switch error {
            // It says that the store can't be written, which this isn't.
            case .readOnly(let path, .system(let call, let error)): throw .system(call: call, path: path, error: error)
            case .unconfirmed(let call, let path, let error):
                if existing == nil { _ = place.withCString { csystem_unlink($0) } }
                throw .system(call: call, path: path, error: error)
            default: throw error
            }
        }
    }
}
