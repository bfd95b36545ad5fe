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
    private let forks = csystem_fork_generation()

    private init(_ page: UnsafeMutableRawPointer, isWritable: Bool) {
        self.page = page
        self.isWritable = isWritable
    }

    /// In a forked child it isn't mapped, and something else may be by now.
    deinit { if forks == csystem_fork_generation() { csystem_unmap_page(page) } }

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
    var generation: UInt64 { Self.generation(in: memory) }

    static func generation(in page: UnsafeRawPointer) -> UInt64 { csystem_page_load(page, generationOffset) }

    /// The page, as long as this object is there.
    var memory: UnsafeRawPointer { UnsafeRawPointer(page) }

    /// Returns what it was before.
    func raiseGeneration() -> UInt64 {
        testPoint("point: counter is to be raised")
        defer { testPoint("point: counter was raised") }
        return isWritable ? csystem_page_add(page, Self.generationOffset, 1) : generation
    }
}

// MARK: - Who runs what

extension SharedPage {
    /// From here on the page is a table of who runs which key, two words each, for error texts alone: of two keys with
    /// the same place, the later one is there.
    private static let runners = 128
    private static let runnerSize = 16

    private static func place(of byte: Int64) -> Int {
        runners + Int(byte.magnitude % UInt64((size - runners) / runnerSize)) * runnerSize
    }

    /// Says that a thread runs the key that a byte stands for.
    func note(_ byte: Int64, process: Int32, thread: Int32) {
        guard isWritable else { return }
        let place = Self.place(of: byte)
        let name = UInt64(UInt32(bitPattern: process)) << 32 | UInt64(UInt32(bitPattern: thread))
        csystem_page_store(page, place, 0)
        csystem_page_store(page, place + 8, name)
        csystem_page_store(page, place, UInt64(bitPattern: byte))
    }

    func forget(_ byte: Int64) {
        let place = Self.place(of: byte)
        guard isWritable, csystem_page_load(page, place) == UInt64(bitPattern: byte) else { return }
        csystem_page_store(page, place, 0)
    }

    /// Who said so last; nil: nobody, or another key's runner took the place.
    func runner(of byte: Int64) -> (process: Int32, thread: Int32)? {
        let place = Self.place(of: byte)
        guard csystem_page_load(page, place) == UInt64(bitPattern: byte) else { return nil }
        let name = csystem_page_load(page, place + 8)
        guard csystem_page_load(page, place) == UInt64(bitPattern: byte) else { return nil }
        return (Int32(bitPattern: UInt32(name >> 32)), Int32(bitPattern: UInt32(truncatingIfNeeded: name)))
    }
}
