// Where the archive is when nobody says: the environment's and the passwd entry's part.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("The default path", .serialized)
struct StoreLocationTests {
    /// Runs `body` in an environment of its own. Other suites must not ask for it meanwhile.
    private func with(state: String?, home: String?, _ body: () throws -> Void) rethrows {
        func set(_ name: String, _ value: String?) {
            if let value { setenv(name, value, 1) } else { unsetenv(name) }
        }
        let names: [String] = ["XDG_STATE_HOME", "HOME"]
        let old = names.map { name in getenv(name).map { String(cString: $0) } }
        defer { for (name, value) in zip(names, old) { set(name, value) } }
        set("XDG_STATE_HOME", state)
        set("HOME", home)
        try body()
    }

    private static let passwd: String = {
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "" }
        return String(cString: home)
    }()

    @Test(
        "XDG_STATE_HOME counts when it is absolute, then HOME, then the passwd entry",
        arguments: [
            ("/s", "/h", "/s/app/firsttime.archive"), ("/s", nil, "/s/app/firsttime.archive"),
            ("/s/", "/h", "/s/app/firsttime.archive"), ("relative", "/h", "/h/.local/state/app/firsttime.archive"),
            ("./s", "/h", "/h/.local/state/app/firsttime.archive"), ("", "/h", "/h/.local/state/app/firsttime.archive"),
            (nil, "/h", "/h/.local/state/app/firsttime.archive"),
            ("~/s", "/h", "/h/.local/state/app/firsttime.archive"),
            (nil, nil, passwd + "/.local/state/app/firsttime.archive"),
            (nil, "", passwd + "/.local/state/app/firsttime.archive"),
            ("s", "relative", passwd + "/.local/state/app/firsttime.archive"),
        ] as [(String?, String?, String)])
    func defaults(state: String?, home: String?, path: String) throws {
        try with(state: state, home: home) { () throws in
            #expect(try StoreLocation.defaultPath(appID: Array("app".utf8)) == FilePath(path))
        }
    }

    @Test("Without an app_id the program's name is taken")
    func programName() throws {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let program = FilePath(buffer.prefix(length).map { UInt8(bitPattern: $0) }).lastComponent
        try with(state: "/s", home: nil) { () throws in
            let path = try StoreLocation.defaultPath(appID: nil)
            #expect(path == FilePath(Array("/s/".utf8) + program + Array("/firsttime.archive".utf8)))
        }
    }

    @Test(
        "An app_id is the name of a directory",
        arguments: [
            ("org.example.app", true), ("a", true), ("...", true), (" ", true), ("ü", true), ("", false), (".", false),
            ("..", false), ("a/b", false), ("/", false), ("a\0", false), ("a\n", false), ("\u{7F}", false),
            (String(repeating: "x", count: 255), true), (String(repeating: "x", count: 256), false),
        ])
    func appID(name: String, isValid: Bool) {
        #expect(StoreLocation.isValid(appID: Array(name.utf8)) == isValid)
    }

    @Test("Bytes that are no UTF-8 are no app_id") func notUTF8() {
        #expect(!StoreLocation.isValid(appID: [0xFF]))
        #expect(!StoreLocation.isValid(appID: [0xED, 0xA0, 0x80]))
    }

    @Test(
        "A path ends at its first NUL, and has a directory and a last component",
        arguments: [("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b\0/c", "a", "b"), ("/", "/", "")])
    func paths(path: String, directory: String, last: String) {
        #expect(FilePath(path).directory == FilePath(directory))
        #expect(Array(FilePath(path).lastComponent) == Array(last.utf8))
    }
}
