// Fixtures: files that others wrote. Small ones are in Tests/Fixtures, each with its source and licence in MANIFEST.tsv; a
// larger collection may lie in `shared/fixtures` beside the repository, and is used when it does.

import Foundation
import Testing

struct Fixture: CustomTestStringConvertible, Sendable {
    /// Relative to its collection: `project/file`.
    let name: String
    let url: URL
    /// "binary", "XML" or another word of the manifest's.
    let form: String
    /// What Python's plistlib says to it: "ok", or the name of its exception. Empty where the manifest doesn't say.
    let plistlib: String
    /// What PropertyListSerialization of swift-corelibs-foundation says to it: "OK", "ERR" or "CRASH-…".
    let foundation: String
    /// The records in it, as JSON, where the manifest says.
    let expected: String

    var testDescription: String { name }
    var isBinary: Bool { form.hasSuffix("binary") }

    var size: Int { (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0 }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }
}

enum Fixtures {
    /// The root of the repository.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let shared = root.deletingLastPathComponent().appendingPathComponent("shared/fixtures")

    /// From the tests of other projects, sound and malformed.
    static let published: [Fixture] = {
        let own = load(root.appendingPathComponent("Tests/Fixtures/public"))
        let all = load(shared.appendingPathComponent("public"))
        let names = Set(all.map(\.name))
        return all + own.filter { !names.contains($0.name) }
    }()

    /// Archives and other files as YCFirstTime, UserDefaults and RuleKit leave them.
    static let legacy = {
        let own = load(root.appendingPathComponent("Tests/Fixtures/legacy"))
        let all = load(shared.appendingPathComponent("legacy"))
        let names = Set(all.map(\.name))
        return all + own.filter { !names.contains($0.name) }
    }()

    static let all = published + legacy

    /// The files that a directory's MANIFEST.tsv lists; none when there is no such file.
    private static func load(_ directory: URL) -> [Fixture] {
        let manifest = directory.appendingPathComponent("MANIFEST.tsv")
        guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return [] }
        var lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard !lines.isEmpty else { return [] }
        let header = lines.removeFirst()
        return lines.compactMap { line in
            func column(_ name: String) -> String {
                guard let index = header.firstIndex(of: Substring(name)), index < line.count else { return "" }
                return String(line[index])
            }
            let name = column("file")
            guard !name.isEmpty else { return nil }
            return Fixture(
                name: name, url: directory.appendingPathComponent(name), form: column("form"),
                plistlib: column("plistlib"), foundation: column("corelibs_PropertyListSerialization"),
                expected: column("expected"))
        }
    }
}
