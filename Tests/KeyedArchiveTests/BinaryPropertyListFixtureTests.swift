// Binary property lists that other programs wrote, read and written again; Python's plistlib must see no difference either.

import Foundation
import KeyedArchive
import Testing

@Suite("Binary property lists of others")
struct BinaryPropertyListFixtureTests {
    static let binary = Fixtures.all.filter { $0.isBinary && ($0.size < 1 << 20 || isOptimised) }

    /// In a debug build the largest file alone would take as long as all the others.
    private static var isOptimised: Bool {
        #if DEBUG
        false
        #else
        true
        #endif
    }

    /// Read by Foundation, but no binary property list in spite of what the manifest says.
    static let notBinary: Set = [
        // Seven bytes, "bplistl": Foundation takes them for an unquoted string of the OpenStep format.
        "3breadt__dd-plist/test-files__github-issue73-3.plist"
    ]

    /// Read by plistlib, refused by Foundation and by us.
    static let lenient: [String: String] = [
        // plistlib reads the offsets that are there, and returns a list that holds itself.
        "ebarnard__rust-plist/tests__data__binary_circular_array.plist": "the offset table runs past the trailer",
        // plistlib returns a list that holds itself.
        "hqtsm__plist/spec__fixtures__plist__binary-edge__infinite-recursion-array.plist":
            "a container is inside itself",
        // The byte 0x0F pads files; plistlib returns b"" for it.
        "hqtsm__plist/spec__fixtures__plist__binary-edge__fill.plist": "unknown kind of object",
    ]

    private static func mustBeRead(_ fixture: Fixture) -> Bool {
        if notBinary.contains(fixture.name) { return false }
        // The manifest of legacy files has no such columns: all of them are sound. Where Foundation crashes, on sets with
        // members, the files are sound, too.
        let isSound = fixture.foundation == "OK" || fixture.foundation.isEmpty || fixture.foundation.hasPrefix("CRASH")
        return isSound || fixture.plistlib == "ok" && lenient[fixture.name] == nil && !brokenSizes(fixture)
    }

    /// Each trailer promises less than the file needs, and a part of the file is read as another: plistlib takes it,
    /// Foundation does not, and either answer is right.
    private static func brokenSizes(_ fixture: Fixture) -> Bool {
        fixture.name.hasPrefix("wooster__biplist/tests__data__invalid_object_")
    }

    @Test("There are fixtures") func present() { #expect(Self.binary.count >= 224) }

    @Test("What Foundation reads is read, and written again to an equal value", arguments: binary.filter(mustBeRead))
    func roundTrip(_ fixture: Fixture) throws {
        let list = try BinaryPropertyList.read(try fixture.bytes())
        let written = BinaryPropertyList.write(list)
        let again = try BinaryPropertyList.read(written)
        #expect(again.isEqual(to: list))
        // What is written is a fixed point: nothing is lost or reordered.
        #expect(BinaryPropertyList.write(again) == written)
    }

    @Test("A malformed file is an error or a value", arguments: binary.filter { !mustBeRead($0) })
    func malformed(_ fixture: Fixture) throws {
        do {
            let list = try BinaryPropertyList.read(try fixture.bytes())
            #expect(try BinaryPropertyList.read(BinaryPropertyList.write(list)).isEqual(to: list))
            #expect(Self.lenient[fixture.name] == nil)
        } catch let error as DecodingError {
            if let reason = Self.lenient[fixture.name] { #expect("\(error.reason)" == reason) }
        }
    }

    private static let python = "/usr/bin/python3"

    @Test(
        "Python's plistlib reads the same from the original and from what is written",
        .enabled(if: access(python, X_OK) == 0, "needs python3"))
    func plistlib() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("firsttime-\(getpid())-plistlib")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var compared = 0
        for fixture in Self.binary where Self.mustBeRead(fixture) {
            // plistlib has no sets, no UTF-8 marked as ASCII and no dates beyond year 9999: it is asked only where it is ok.
            guard fixture.plistlib == "ok" || fixture.plistlib.isEmpty else { continue }
            let original = try fixture.bytes()
            let written = BinaryPropertyList.write(try BinaryPropertyList.read(original))
            try Data(original).write(to: directory.appendingPathComponent("\(compared).original"))
            try Data(written).write(to: directory.appendingPathComponent("\(compared).written"))
            try Data(fixture.name.utf8).write(to: directory.appendingPathComponent("\(compared).name"))
            compared += 1
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        let script = Fixtures.root.appendingPathComponent("Tests/crosscheck/compare_with_plistlib.py")
        process.arguments = [script.path, directory.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(compared >= 170)
    }
}
