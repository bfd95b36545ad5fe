// SharedPage: the lock file's first page, mapped, so that a question needs no system call to see that nothing changed.
// What it says is a hint: under a lock the files decide.

import CSystem

/// The mapped page of an open lock file.
final class SharedPage: @unchecked Sendable {
    static let size = Int(CSYSTEM_PAGE)
    /// Where the counter is that each commit and checkpoint raises.
    private static let generationOffset = 16

    private let page: UnsafeMutableRawPointer
    private let isWritable: Bool

    private init(_ page: UnsafeMutableRawPointer, isWritable: Bool) {
        self.page = page
        self.isWritable = isWritable
    }

    deinit { csystem_unmap_page(page) }

    /// Maps the file at `path` when it is the one that `status` describes and was written as far as a page goes. By a
    /// descriptor of its own: a mapping keeps its open file, and the locks in that, alive.
    static func map(_ path: FilePath, _ status: csystem_status, isWritable: Bool) -> SharedPage? {
        guard status.size >= size else { return nil }
        let opened = path.withCString { isWritable ? csystem_open_to_update($0) : csystem_open_to_lock($0) }
        guard opened >= 0 else { return nil }
        let descriptor = Descriptor(opened)
        return withExtendedLifetime(descriptor) {
            var own = csystem_status()
            guard csystem_status_of(opened, &own) == 0, own.device == status.device, own.inode == status.inode,
                own.size >= size, let page = csystem_map_page(opened, isWritable)
            else { return nil }
            return SharedPage(page, isWritable: isWritable)
        }
    }

    /// Changes whenever a process has changed a file of the store.
    var generation: UInt64 { csystem_page_load(page, Self.generationOffset) }

    func raiseGeneration() {
        if isWritable { _ = csystem_page_add(page, Self.generationOffset, 1) }
    }
}
