// docs/RULES.md and the example files: what they show is so.

import Foundation
import Testing

@testable import FirstTimeEngine

@Suite("docs/RULES.md")
struct RuleDocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The cells of a table's rows below a line that begins so; without the code's marks.
    private func rows(below head: String) throws -> [[String]] {
        let lines = try text("docs/RULES.md").components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix(head) })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.replacingOccurrences(of: "\\|", with: "\u{0}").components(separatedBy: "|").dropFirst().dropLast().map
            {
                let cell = $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
                return cell.hasPrefix("`") ? String(cell.dropFirst().dropLast()) : cell
            }
        }
    }

    @Test("The rules that it shows can be read, and are printed as they stand")
    func terms() throws {
        let rows = try rows(below: "| text | true when")
        #expect(rows.count == 14)
        for row in rows {
            // Single letters stand for any rule.
            let text = row[0].replacing(/\b[abc]\b/) { _ in "never" }
            let printed = try Rule.parse(text).words
            #expect(printed == text || text.hasPrefix("a"), "\(text)")
        }
        let blocks = try self.text("docs/RULES.md").components(separatedBy: "```rule\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks { _ = try Rule.parse(#require(block.components(separatedBy: "```").first)) }
    }

    @Test("The errors that it shows are those that are made")
    func errors() throws {
        let rows = try rows(below: "| text | error")
        #expect(rows.count > 5)
        for row in rows {
            do {
                Issue.record("\(row[0]) is \(try Rule.parse(row[0]).words)")
            } catch {
                guard case .ruleText(let line, let column, let reason) = error else { throw error }
                #expect(row[1] == "line \(line), column \(column): \(reason)")
            }
        }
    }

    @Test("The example files are rules")
    func files() throws {
        for name in ["review-prompt", "every-term", "deep", "wide", "odd-names"] {
            let rule = try Rule.parse(text("Tests/Fixtures/rules/\(name).rule"))
            #expect(try Rule.parse(rule.words) == rule)
        }
        for name in ["unfinished", "callback"] {
            #expect(throws: EngineError.self) { try Rule.parse(text("Tests/Fixtures/rules/\(name).rule")) }
        }
    }
}
