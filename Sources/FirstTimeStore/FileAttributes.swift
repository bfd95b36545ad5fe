// FileAttributes: whose a new file is and who may read it. A rewrite keeps what the old file had; it never widens.

import CSystem

/// The mode and owner for a file that is about to be written.
package struct FileAttributes: Sendable {
    let mode: UInt32
    /// Nil: whoever writes it.
    let owner: (user: UInt32, group: UInt32)?
    /// The user whose files beside the archive are the store's.
    private let user: UInt32?

    /// Those of the file that is there; for a new one 0600, and the directory's owner when root makes it, so that one run
    /// with sudo doesn't lock the user out.
    init(existing: csystem_status?, directory: FilePath) {
        if let existing {
            mode = existing.mode
            owner = (existing.user, existing.group)
            user = existing.user
            return
        }
        mode = 0o600
        let holder = Self.holder(of: directory)
        user = holder?.user
        owner = csystem_user() == 0 ? holder : nil
    }

    /// The owner that root gives what it makes in `directory`; nil for everyone else.
    static func owner(in directory: FilePath) -> (user: UInt32, group: UInt32)? {
        csystem_user() == 0 ? holder(of: directory) : nil
    }

    private static func holder(of directory: FilePath) -> (user: UInt32, group: UInt32)? {
        var status = csystem_status()
        guard directory.withCString({ csystem_status_at($0, true, &status) }) == 0 else { return nil }
        return (status.user, status.group)
    }

    /// Whether a file beside the archive is the store's, or may have been put there by someone else who may write to the
    /// directory: what it holds would be believed, and it would be written to.
    func trusts(_ status: csystem_status) -> Bool {
        status.user == user || status.user == csystem_user() || status.user == 0
    }

    /// Whether `apply` could keep the owner.
    var isAllowed: Bool {
        guard let owner, csystem_user() != 0 else { return true }
        return owner.user == csystem_user() && csystem_is_in_group(owner.group)
    }

    /// Owner first: changing it clears mode bits.
    func apply(to descriptor: Int32, _ path: FilePath) throws(StoreError) {
        var status = csystem_status()
        if let owner, csystem_status_of(descriptor, &status) == 0,
            status.user != owner.user || status.group != owner.group
        {
            let result = csystem_set_owner(descriptor, owner.user, owner.group)
            guard result == 0 else { throw .failed("fchown", path, result) }
        }
        let result = csystem_set_mode(descriptor, mode)
        guard result == 0 else { throw .failed("fchmod", path, result) }
    }

    /// Makes the directories on the way to `path` that are missing, for their owner alone (0700).
    static func makeDirectories(for path: FilePath) throws(StoreError) {
        var missing: [FilePath] = []
        var directory = path.directory
        var status = csystem_status()
        while true {
            let result = directory.withCString { csystem_status_at($0, true, &status) }
            if result == 0 { break }
            guard csystem_is_missing(-result), directory.bytes.count > 1 else {
                throw .failed("stat", directory, result)
            }
            missing.append(directory)
            directory = directory.directory
        }
        guard status.is_directory else {
            throw .system(call: "mkdir", path: directory.bytes, error: csystem_not_directory)
        }
        for directory in missing.reversed() {
            let owner = owner(in: directory.directory)
            let result = directory.withCString { csystem_make_directory($0, 0o700) }
            guard result == 0 || csystem_is_existing(-result) else { throw .failed("mkdir", directory, result) }
            if result == 0 {
                // An odd umask may have taken its owner's rights away.
                _ = directory.withCString { csystem_set_mode_at($0, 0o700) }
                if let owner { give(directory, to: owner) }
            }
        }
    }

    /// Puts the directories on the way to `path` on disk: what is synced in one is lost with it. All of them, because
    /// whoever made one may not have come to this. Those that may not be read can't be synced.
    static func syncDirectories(to path: FilePath) throws(StoreError) {
        var directory = path.directory
        while directory.bytes.count > 1 {
            directory = directory.directory
            let (call, synced) = directory.syncDirectory()
            guard synced == 0 || csystem_is_refused(-synced) else { throw .failed(call, directory, synced) }
        }
    }

    /// Gives a directory that was just made away. By its descriptor, and never through a link: the user whose directory
    /// it stands in could have put something else there. If that can't be done, it stays root's.
    private static func give(_ directory: FilePath, to owner: (user: UInt32, group: UInt32)) {
        let opened = directory.withCString { csystem_open_directory($0, false) }
        guard opened >= 0 else { return }
        let descriptor = Descriptor(opened)
        _ = withExtendedLifetime(descriptor) { csystem_set_owner(descriptor.number, owner.user, owner.group) }
    }
}

extension FilePath {
    /// Puts the entries of the directory at this path on disk: 0, or a negative errno and the call that gave it.
    func syncDirectory() -> (call: StaticString, result: Int32) {
        let opened = withCString { csystem_open_directory($0, true) }
        guard opened >= 0 else { return ("open", opened) }
        let descriptor = Descriptor(opened)
        return withExtendedLifetime(descriptor) { ("fsync", csystem_sync(descriptor.number)) }
    }
}
