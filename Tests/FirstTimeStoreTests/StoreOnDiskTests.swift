// The store's files: links, modes, owners, and what may stand where a file should.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("The store on disk", .serialized)
struct StoreOnDiskTests {
    private func record(_ path: String) -> String {
        failure {
            let store = try Store.open(path)
            defer { try? store.close() }
            try store.record("k")
        }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    @Test(
        "Opening makes nothing; recording makes directories, archive and lock for their owner alone",
        arguments: [0o022, 0o077, 0])
    func creation(umask mask: Int) throws {
        let directory = try TemporaryDirectory()
        let old = umask(mode_t(mask))
        defer { umask(old) }
        let store = try Store.open(directory("a/b/c/firsttime.archive"))
        defer { try? store.close() }
        #expect(mode(directory("a")) == 0)
        try store.flush()
        #expect(mode(directory("a")) == 0)
        try store.record("k")
        #expect(FileState(directory("a/b/c/firsttime.archive-journal"))?.mode == 0o600)
        try store.flush()
        for made in ["a", "a/b", "a/b/c"] { #expect(mode(directory(made)) == 0o700) }
        #expect(FileState(directory("a/b/c/firsttime.archive"))?.mode == 0o600)
        #expect(FileState(directory("a/b/c/firsttime.archive-lock"))?.mode == 0o600)
        #expect(FileState(directory("a/b/c/firsttime.archive-new")) == nil)
    }

    @Test("An archive's mode is kept, and its lock takes it", arguments: [0o600, 0o640, 0o644, 0o666] as [mode_t])
    func modes(mode: mode_t) throws {
        let directory = try TemporaryDirectory()
        try put(PlainArchive().bytes, at: directory("f"), mode: mode)
        let inode = FileState(directory("f"))?.inode
        #expect(record(directory("f")).isEmpty)
        #expect(FileState(directory("f"))?.mode == mode)
        #expect(FileState(directory("f"))?.inode != inode)
        for beside in ["f-lock", "f-journal"] { #expect(FileState(directory(beside))?.mode == mode) }
    }

    @Test("Root keeps an archive's owner, and gives what it makes to the directory's", .enabled(if: getuid() == 0))
    func owners() throws {
        let directory = try TemporaryDirectory()
        try put(PlainArchive().bytes, at: directory("f"), mode: 0o640)
        #expect(chown(directory("f"), 12345, 12345) == 0)
        #expect(record(directory("f")).isEmpty)
        #expect(FileState(directory("f"))?.owner == [12345, 12345])
        #expect(FileState(directory("f"))?.mode == 0o640)
        for beside in ["f-lock", "f-journal"] { #expect(FileState(directory(beside))?.owner == [12345, 12345]) }
        #expect(mkdir(directory("theirs"), 0o700) == 0 && chown(directory("theirs"), 12345, 54321) == 0)
        #expect(record(directory("theirs/deeper/f")).isEmpty)
        for made in ["theirs/deeper/f", "theirs/deeper/f-lock", "theirs/deeper/f-journal"] {
            #expect(FileState(directory(made))?.owner == [12345, 54321])
        }
        var status = stat()
        #expect(stat(directory("theirs/deeper"), &status) == 0 && status.st_uid == 12345 && status.st_gid == 54321)
    }

    @Test("A link stays a link, and everything is beside its target", arguments: ["real/f", "missing/f"])
    func links(target: String) throws {
        let directory = try TemporaryDirectory()
        #expect(mkdir(directory("real"), 0o700) == 0)
        if target == "real/f" { try put(PlainArchive().bytes, at: directory(target)) }
        #expect(symlink(target, directory("link")) == 0)
        #expect(symlink(directory("link"), directory("chain")) == 0)
        let store = try Store.open(directory("chain"))
        defer { try? store.close() }
        #expect(store.path == FilePath(try StoreLocation.resolve(FilePath(directory(target))).bytes))
        try store.record("k")
        try store.flush()
        #expect(isLink(directory("link")) && isLink(directory("chain")))
        #expect(FileState(directory(target)) != nil && FileState(directory(target + "-lock")) != nil)
        for beside in ["link-lock", "chain-lock", "link-new"] { #expect(FileState(directory(beside)) == nil) }
    }

    @Test(
        "Whatever the path's spelling, it is one store",
        arguments: [
            "x/f", "./x/f", "x/./f", "x/../x/f", "x//f", "x/y/../f", "link/f", "link/../x/f", "link/y/../f",
        ])
    func spellings(path: String) throws {
        let directory = try TemporaryDirectory()
        #expect(mkdir(directory("x"), 0o700) == 0 && mkdir(directory("x/y"), 0o700) == 0)
        #expect(symlink("x", directory("link")) == 0)
        let (one, other) = (try Store.open(directory("x/f")), try Store.open(directory(path)))
        #expect(one === other)
        try? one.close()
        try? other.close()
        var buffer = [CChar](repeating: 0, count: 4096)
        try #require(getcwd(&buffer, buffer.count) != nil)
        try #require(chdir(directory.path) == 0)
        defer { chdir(buffer) }
        let relative = try Store.open(path)
        defer { try? relative.close() }
        #expect(relative.path == one.path)
    }

    @Test("Loops and paths that name no file are errors")
    func unusable() throws {
        let directory = try TemporaryDirectory()
        #expect(symlink("b", directory("a")) == 0 && symlink("a", directory("b")) == 0)
        #expect(symlink(directory("self") + "/x", directory("self")) == 0)
        try put([], at: directory("file"))
        #expect(record(directory("a")) == "readlink: Too many levels of symbolic links")
        #expect(record(directory("self")) == "readlink: Too many levels of symbolic links")
        #expect(record(directory("dir/")) == "not a file")
        #expect(record("/") == "not a file")
        #expect(record(directory("dir/.")).isEmpty == false || FileState(directory("dir")) != nil)
        #expect(record(directory("file/under")) == "stat: Not a directory")
        #expect(record(directory("file/.")) == "stat: Not a directory")
        #expect(record(directory("file/../f")) == "stat: Not a directory")
        #expect(record(directory("missing/../f")) == "stat: No such file or directory")
        #expect(symlink("missing/../f", directory("astray")) == 0)
        #expect(record(directory("astray")) == "stat: No such file or directory")
        #expect(FileState(directory("f")) == nil)
        #expect(record(directory("missing/./f")).isEmpty)
        #expect(record(directory(String(repeating: "n", count: 256))) == "readlink: File name too long")
    }

    /// Puts something that is no regular file at `path`.
    private func place(_ kind: String, at path: String) throws -> Int32 {
        switch kind {
        case "directory": return mkdir(path, 0o700)
        case "FIFO": return mkfifo(path, 0o600)
        case "device": return mknod(path, S_IFCHR | 0o600, dev_t(0x103))
        case "terminal": return symlink("/dev/ptmx", path)
        default:
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    @Test(
        "What is no regular file is an error, and nothing waits for it", .timeLimit(.minutes(1)),
        arguments: ["directory", "FIFO", "socket", "device", "terminal"], ["", "-lock", "-journal"])
    func kinds(kind: String, suffix: String) throws {
        let directory = try TemporaryDirectory()
        guard try place(kind, at: directory("f" + suffix)) == 0 else { return }  // no right to make devices
        let words = record(directory("f"))
        let known = ["not a file", "open: No such device or address", "open: Is a directory"]
        #expect(known.contains(words) || kind == "terminal" && words.hasPrefix("open: "), "\(words)")
        #expect(FileState(directory("f" + suffix)) == nil)
        if suffix != "" { #expect(FileState(directory("f")) == nil) }
    }

    @Test("A lock file of others is an error, a newer one too, and one cut short is mended")
    func foreignLocks() throws {
        let directory = try TemporaryDirectory()
        let header = Array("FirstTimeLock\0".utf8)
        let cases: [([UInt8], String)] = [
            ([], ""), (Array(header.prefix(5)), ""), (header + [0, 1], ""), (header + [0, 1, 9, 9], ""),
            (Array(repeating: 0, count: 16), ""),
            (Array(repeating: 0, count: 100), ""), (Array("F\0\0s".utf8) + Array(repeating: 0, count: 4092), ""),
            (Array("hello".utf8), "foreign lock"), (Array(repeating: 0, count: 5000), "foreign lock"),
            (header + [0, 2], "newer format 2"), (header + [1, 0], "newer format 256"),
        ]
        for (bytes, words) in cases {
            try put(bytes, at: directory("f-lock"))
            #expect(record(directory("f")) == words)
            let now = contents(directory("f-lock"))
            #expect(words.isEmpty ? now.starts(with: header + [0, 1]) : now == bytes)
        }
    }

    @Test("A temporary file that was left behind is replaced, be it a link", arguments: [true, false])
    func stale(isLink: Bool) throws {
        let directory = try TemporaryDirectory()
        try put([1, 2, 3], at: directory("other"), mode: 0o644)
        if isLink {
            #expect(symlink("other", directory("f-new")) == 0)
        } else {
            try put([4], at: directory("f-new"), mode: 0o444)
        }
        let store = try Store.open(directory("f"))
        try store.record("k")
        try store.close()
        #expect(contents(directory("other")) == [1, 2, 3])
        #expect(mode(directory("f-new")) == 0)
        // Before anything is recorded: the journal can't be made.
        #expect(mkdir(directory("g-journal-new"), 0o700) == 0)
        #expect(record(directory("g")) == "not a file")
    }

    @Test("A directory that may not be written is told before anything runs", .enabled(if: getuid() == 0))
    func refusals() throws {
        let directory = try TemporaryDirectory()
        try put(PlainArchive().bytes, at: directory("f"), mode: 0o644)
        try #require(chmod(directory.path, 0o755) == 0)
        let store = try Store.open(directory("f"))
        defer { try? store.close() }
        // It is this thread's alone, and with it goes root's right to write everywhere. Swift's Glibc lacks it.
        typealias SetUser = @convention(c) (uid_t) -> CInt
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setFileUser = unsafeBitCast(symbol, to: SetUser.self)
        _ = setFileUser(12345)
        let refusals = [
            failure { try store.prepareToWrite() }, failure { try store.record("k") }, failure { _ = try store.keys() },
            failure { try store.flush() },
        ]
        _ = setFileUser(0)
        #expect(refusals == ["read-only", "read-only", "", ""])
        #expect(contents(directory("f")) == PlainArchive().bytes)
    }
}
