// What the XML tests share: text for looking at a table, and where the sample files are.

import Foundation
import Testing

@testable import KeyedArchive

/// Reads a property list from text.
func readXML(_ text: String) throws -> PropertyList { try XMLPropertyList.read(Array(text.utf8)) }

/// A body inside `<plist>`, on line 1.
func plist(_ body: String) -> String { "<plist version=\"1.0\">\(body)</plist>" }

func writtenXML(_ list: PropertyList) throws -> String {
    String(decoding: try XMLPropertyList.write(list), as: UTF8.self)
}

/// One line of text that is equal for equal lists and no others, however their tables are laid out.
func canonical(_ list: PropertyList) -> String { canonical(list, list.root) }

private func canonical(_ list: PropertyList, _ reference: PropertyList.Reference) -> String {
    func member(_ position: Int) -> String { canonical(list, list.reference(at: position)) }
    switch list[reference] {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .real(let value): return "real(\(value.isNaN ? "nan" : "\(value)"))"
    case .date(let value): return "date(\(value))"
    case .data(let range): return "data(\(list.bytes(in: range).map { String(format: "%02x", $0) }.joined()))"
    case .string(let range):
        // Character by character: as Strings, different spellings of one letter are equal.
        return String(decoding: list.bytes(in: range), as: UTF8.self).debugDescription
    case .uid(let value): return "uid(\(value))"
    case .array(let values): return "[\(values.map(member).joined(separator: ", "))]"
    case .set(let values): return "set[\(values.map(member).joined(separator: ", "))]"
    case .orderedSet(let values): return "orderedSet[\(values.map(member).joined(separator: ", "))]"
    case .dictionary(let keys, let values):
        return "{\(zip(keys, values).map { "\(member($0)): \(member($1))" }.joined(separator: ", "))}"
    }
}

/// Byte for byte: `==` on strings takes canonically equivalent ones for equal.
func isSame(_ left: PropertyList, _ right: PropertyList) -> Bool {
    canonical(left).utf8.elementsEqual(canonical(right).utf8)
}

/// A sample file, by its path below the folder that its manifest is in.
struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let url: URL
    /// Whether every reader that was asked takes it.
    let isValid: Bool

    var testDescription: String { name }
    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}

enum Samples {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// A larger collection, which lies beside some working copies.
    static let shared = repository.deletingLastPathComponent().appendingPathComponent("shared/fixtures")

    /// XML files with the repository.
    static let own: [Sample] = {
        let folder = repository.appendingPathComponent("Tests/Fixtures/public-xml")
        return rows(folder.appendingPathComponent("MANIFEST.tsv")).compactMap { row in
            guard let name = row["file"] else { return nil }
            return Sample(
                name: name, url: folder.appendingPathComponent(name), isValid: row["expected"] == "value")
        }
    }()

    /// XML files of the larger collection; none where it isn't.
    static let collected: [Sample] = {
        let folder = shared.appendingPathComponent("public")
        return rows(folder.appendingPathComponent("MANIFEST.tsv")).compactMap { row in
            guard let name = row["file"] else { return nil }
            let url = folder.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: url), XMLPropertyList.looksLikeXML([UInt8](data)) else { return nil }
            let isValid = row["plistlib"] == "ok" && row["corelibs_PropertyListSerialization"] == "OK"
            return Sample(name: name, url: url, isValid: isValid)
        }
    }()

    /// XML archives that apps wrote.
    static let legacy: [Sample] = {
        let folder = shared.appendingPathComponent("legacy")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.lastPathComponent.hasSuffix(".xml.plist") }
            .map { Sample(name: $0.lastPathComponent, url: $0, isValid: true) }
            .sorted { $0.url.path < $1.url.path }
    }()

    private static func rows(_ manifest: URL) -> [[String: String]] {
        guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let header = lines.first else { return [] }
        return lines.dropFirst().map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }
    }
}

/// Runs `python3` with a program and its arguments; the exit status and what it printed. Nil without a python3.
func python(_ program: String, _ arguments: [String] = []) throws -> (status: Int32, output: String)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == 127 { return nil }
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
