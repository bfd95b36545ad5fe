import Foundation
import Testing

@testable import KeyedArchive

@Suite("Damaged XML")
struct XMLMutationTests {
    /// Reads, and when something was read writes it and reads it back: all of it within a second.
    private func survive(_ bytes: [UInt8]) {
        let start = ContinuousClock.now
        do {
            let list = try XMLPropertyList.read(bytes)
            if let written = try? XMLPropertyList.write(list) {
                let back = try XMLPropertyList.read(written)
                #expect(isSame(back, list))
            }
        } catch {
            guard case .line(let line) = error.position, line >= 1 else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(ContinuousClock.now - start < .seconds(1), "\(Data(bytes).base64EncodedString())")
    }

    @Test("Every beginning of every small file is an error, or a value that is written and read back")
    func truncations() throws {
        for sample in Samples.own {
            let bytes = try sample.bytes()
            guard bytes.count <= 1100 else { continue }
            for count in 0..<bytes.count { survive(Array(bytes[..<count])) }
        }
    }

    @Test("Nothing but white space may be missing at the end of a list that has a <plist>")
    func unterminated() throws {
        for sample in Samples.own where sample.isValid {
            let bytes = try sample.bytes()
            guard String(decoding: bytes, as: UTF8.self).contains("<plist"), bytes.count <= 1100 else { continue }
            guard let end = bytes.lastIndex(of: UInt8(ascii: ">")) else { continue }
            for count in stride(from: 0, through: end, by: 7) {
                #expect(throws: DecodingError.self, "\(sample.name) \(count)") {
                    try XMLPropertyList.read(Array(bytes[..<count]))
                }
            }
        }
    }

    @Test("Random damage is an error, or a value that is written and read back")
    func mutations() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["FIRSTTIME_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let count = environment["FIRSTTIME_MUTATIONS"].flatMap { Int($0) } ?? 5000
        print("XML mutations: FIRSTTIME_SEED=\(seed) FIRSTTIME_MUTATIONS=\(count)")
        var generator = SplitMix64(seed: seed)
        let corpus = try Samples.own.map { try $0.bytes() }.filter { !$0.isEmpty }
        let pieces = [
            "<", ">", "&", ";", "/", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "[", "]", "&#", "&#x",
            "'",
            "\"", "<array>", "</array>", "<dict>", "</dict>", "<key>", "</key>", "<plist>", "</plist>", "<true/>",
            "CF$UID",
            "\r", "\r\n", "\0", "<integer>", "</integer>", "-", "9999999999999999999", "0x", "nan", "<data>", "=",
        ].map { Array($0.utf8) }
        for _ in 0..<count {
            guard var bytes = corpus.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let at = Int.random(in: 0...bytes.count, using: &generator)
                let length = min(Int.random(in: 0...12, using: &generator), bytes.count - at)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: bytes.removeSubrange(at..<at + length)
                case 1: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: at)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
                case 3:
                    bytes.insert(
                        contentsOf: bytes[at..<at + length], at: Int.random(in: 0...bytes.count, using: &generator))
                case 4:
                    guard let other = corpus.randomElement(using: &generator) else { continue }
                    let start = Int.random(in: 0..<other.count, using: &generator)
                    bytes.insert(contentsOf: other[start...].prefix(200), at: at)
                default: if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
                }
            }
            survive(bytes)
        }
    }

    private static let nests = [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"), ("<plist>", "</plist>")]

    private func nested(_ count: Int, _ opening: String, _ closing: String) -> String {
        String(repeating: opening, count: count) + "<true/>" + String(repeating: closing, count: count)
    }

    @Test("A million levels are read", arguments: nests)
    func depth(opening: String, closing: String) throws {
        let list = try readXML(nested(1_000_000, opening, closing))
        #expect(list.count == (opening == "<plist>" ? 1 : opening == "<array>" ? 1_000_001 : 2_000_001))
    }

    @Test("Deep lists are written without growing by their depth squared, and read back", arguments: nests)
    func deepWriting(opening: String, closing: String) throws {
        let text = nested(50_000, opening, closing)
        let list = try readXML(text)
        let written = try XMLPropertyList.write(list)
        #expect(written.count < 50_000 * 130)
        #expect(try XMLPropertyList.read(written).count == list.count)
        expectError(Array(text.utf8.dropLast()), 1, "a tag that never ends")
        expectError(Array(String(repeating: "<array>\n", count: 50_000).utf8), 50_000, "an element that never ends")
    }

    @Test(
        "Time grows with the input and no faster",
        arguments: ["<array>", "<!--", "<?", "<![CDATA[", "<", "&", "'", "<!DOCTYPE [", "<string>&#65;", "<key>", " "])
    func linear(piece: String) {
        for start in ["", "<plist>", "<plist><string>", "<plist><dict><key>", "<!DOCTYPE plist ["] {
            let bytes = Array((start + String(repeating: piece, count: 1_000_000 / piece.utf8.count)).utf8)
            let before = ContinuousClock.now
            #expect(throws: DecodingError.self) { try XMLPropertyList.read(bytes) }
            #expect(ContinuousClock.now - before < .seconds(5))
        }
    }
}
