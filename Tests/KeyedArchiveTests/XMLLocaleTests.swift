import Foundation
import Testing

@testable import KeyedArchive

@Suite("Numbers in XML, whatever the process's locale")
struct XMLLocaleTests {
    /// A locale with a decimal comma: an installed one, or one built for the test.
    private func useDecimalComma(in folder: URL) throws -> Bool {
        for name in ["de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"]
        where setlocale(LC_NUMERIC, name) != nil {
            return true
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "localedef", "-i", "de_DE", "-f", "UTF-8", folder.appendingPathComponent("de_DE.utf8").path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        setenv("LOCPATH", folder.path, 1)
        defer { unsetenv("LOCPATH") }
        return setlocale(LC_NUMERIC, "de_DE.utf8") != nil
    }

    @Test("Doubles have a point where the locale has a comma")
    func decimalComma() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locale-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard try useDecimalComma(in: folder) else {
            print("SKIPPED: no locale with a decimal comma is installed, and localedef couldn't build one")
            return
        }
        defer { setlocale(LC_NUMERIC, "C") }
        #expect(localeconv().pointee.decimal_point.pointee == CChar(UInt8(ascii: ",")))

        let list = try readXML(plist("<array><real>1.5</real><real>-2.5e-7</real></array>"))
        #expect(canonical(list) == "[real(1.5), real(-2.5e-07)]")
        let text = try writtenXML(list)
        #expect(text.contains("<real>1.5</real>") && text.contains("<real>-2.5e-07</real>"))
        #expect(throws: DecodingError.self) { try readXML(plist("<real>1,5</real>")) }
        // The thread's locale is as it was.
        #expect(localeconv().pointee.decimal_point.pointee == CChar(UInt8(ascii: ",")))
    }
}
