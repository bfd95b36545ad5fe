// StoreLocation: where an app's archive is, by the XDG Base Directory Specification, and which file a path really means.
// It only looks; it makes nothing.

import CSystem

package enum StoreLocation {
    /// The longest path that Linux takes.
    private static let longestPath = 4096
    /// What a file system takes, without "-journal-new".
    private static let longestName = 255 - 12
    /// Links followed before it must be a loop; the kernel's own limit.
    private static let mostLinks = 40

    /// `$XDG_STATE_HOME/<app_id>/firsttime.archive`; nil for `appID`: the name of the running program's file.
    package static func defaultPath(appID: [UInt8]?) throws(StoreError) -> FilePath {
        let name: [UInt8]
        if let appID { name = appID } else { name = try programName() }
        return try stateDirectory().appending(component: name).appending("/firsttime.archive")
    }

    /// Whether a name can be a directory's: not empty, ".", "..", without "/" and control characters.
    package static func isValid(appID: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        guard !appID.isEmpty, appID != [dot], appID != [dot, dot], appID.count <= 255, Text.isValid(appID) else {
            return false
        }
        var previous: UInt8 = 0
        for byte in appID {
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") { return false }
            // U+0080 to U+009F are control characters, too.
            if previous == 0xC2, byte < 0xA0 { return false }
            previous = byte
        }
        return true
    }

    private static func programName() throws(StoreError) -> [UInt8] {
        let link = FilePath(Array(staticString: "/proc/self/exe"))
        guard let target = try? readLink(link) else {
            throw .noLocation(reason: "the program's own name can't be found (/proc/self/exe): set app_id or path")
        }
        var name = Array(target.lastComponent)
        // The kernel adds this when the program's file was replaced while it runs: the app is the same.
        let deleted = Array(staticString: " (deleted)")
        if name.count > deleted.count, name.suffix(deleted.count).elementsEqual(deleted) {
            name.removeLast(deleted.count)
        }
        guard isValid(appID: name) else {
            throw .noLocation(reason: "the program's name can't name a directory: set app_id or path")
        }
        return name
    }

    private static func stateDirectory() throws(StoreError) -> FilePath {
        if let state = environment("XDG_STATE_HOME"), state.isAbsolute { return state }
        if let home = environment("HOME"), home.isAbsolute { return home.appending("/.local/state") }
        let (home, _) = filled { csystem_passwd_home($0, $1) }
        if let home, home.isAbsolute { return home.appending("/.local/state") }
        throw .noLocation(
            reason: "no home directory: XDG_STATE_HOME and HOME are unset or relative, and the user has no passwd entry"
        )
    }

    private static func environment(_ name: StaticString) -> FilePath? {
        let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let value = csystem_environment(name) else { return nil }
        let path = FilePath(Text.bytes(of: value))
        return path.bytes.isEmpty ? nil : path
    }
}

// MARK: - Links

extension StoreLocation {
    /// The absolute path that `path` means, with all links followed, whether or not the last of its components exist;
    /// nothing can be said of what comes by ".." out of a missing one.
    package static func resolve(_ path: FilePath) throws(StoreError) -> FilePath {
        var rest = Array(try absolute(path).bytes.split(separator: UInt8(ascii: "/")).reversed())
        guard path.bytes.last != UInt8(ascii: "/"), !rest.isEmpty else { throw .notAFile(path: path.bytes) }
        var resolved = FilePath([UInt8(ascii: "/")])
        var links = 0
        while let component = rest.popLast() {
            if component.elementsEqual(Array(staticString: ".")) {
                try checkDirectory(resolved, mayBeMissing: true)
                continue
            }
            if component.elementsEqual(Array(staticString: "..")) {
                try checkDirectory(resolved, mayBeMissing: false)
                resolved = resolved.directory
                continue
            }
            let next = resolved.appending(component: component)
            guard let link = try readLink(next) else {
                resolved = next
                continue
            }
            try checkPlanted(next)
            links += 1
            guard links <= mostLinks else {
                throw .system(call: "readlink", path: path.bytes, error: csystem_too_many_links)
            }
            if link.isAbsolute { resolved = FilePath([UInt8(ascii: "/")]) }
            rest.append(contentsOf: link.bytes.split(separator: UInt8(ascii: "/")).reversed())
        }
        // The longest of the names beside it must fit, too.
        guard resolved.lastComponent.count <= longestName else {
            throw .system(call: "open", path: resolved.bytes, error: csystem_name_too_long)
        }
        return resolved
    }

    /// In a directory that all may write to, such as /tmp, a link may be another user's, who says with it where we shall
    /// write. The kernel follows only the directory's owner's and our own there (fs.protected_symlinks).
    private static func checkPlanted(_ link: FilePath) throws(StoreError) {
        var status = csystem_status()
        var directory = csystem_status()
        guard link.withCString({ csystem_status_at($0, false, &status) }) == 0,
            link.directory.withCString({ csystem_status_at($0, true, &directory) }) == 0
        else { return }
        let isShared = directory.mode & 0o1002 == 0o1002
        guard !isShared || status.user == csystem_user() || status.user == directory.user else {
            throw .foreignOwner(path: link.bytes, user: status.user)
        }
    }

    /// "." and ".." are entries of a directory: only in one do they mean anything. One that is missing can be made, but
    /// where ".." in it would lead can't be known before.
    private static func checkDirectory(_ path: FilePath, mayBeMissing: Bool) throws(StoreError) {
        var status = csystem_status()
        let result = path.withCString { csystem_status_at($0, true, &status) }
        if mayBeMissing, csystem_is_missing(-result) { return }
        guard result == 0 else { throw .system(call: "stat", path: path.bytes, error: -result) }
        guard status.is_directory else {
            throw .system(call: "stat", path: path.bytes, error: csystem_not_directory)
        }
    }

    private static func absolute(_ path: FilePath) throws(StoreError) -> FilePath {
        if path.isAbsolute { return path }
        let (directory, error) = filled { csystem_working_directory($0, $1) }
        guard let directory else { throw .system(call: "getcwd", path: path.bytes, error: error) }
        return directory.appending(component: path.bytes)
    }

    /// What a symbolic link says; nil when `path` is none, or isn't there.
    private static func readLink(_ path: FilePath) throws(StoreError) -> FilePath? {
        let (target, error) = filled { buffer, capacity in
            path.withCString { csystem_read_link($0, buffer, capacity) }
        }
        if let target { return target }
        // A link that can't be read must not be taken for a file: it would be replaced by one.
        guard csystem_is_no_link(error) else { throw .system(call: "readlink", path: path.bytes, error: error) }
        return nil
    }

    /// The path that a call writes to a buffer, of which it returns the length; or the call's errno.
    private static func filled(
        _ call: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> (path: FilePath?, error: Int32) {
        var buffer = [CChar](repeating: 0, count: longestPath)
        let length = buffer.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { call($0, buffer.count) } ?? 0
        }
        guard length > 0 else { return (nil, Int32(truncatingIfNeeded: -length)) }
        return (FilePath(buffer.prefix(length).map { UInt8(bitPattern: $0) }), 0)
    }
}
