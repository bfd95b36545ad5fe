import Testing

@testable import KeyedArchive

/// Text in one of the encodings that `XMLPropertyList` reads, by a second road.
enum TestEncoding: String, CaseIterable, Sendable {
    case utf8, utf8Mark, utf16le, utf16be, utf16leMark, utf16beMark, utf32le, utf32be, utf32leMark, utf32beMark

    func bytes(_ text: String) -> [UInt8] {
        let utf16 = Array(text.utf16)
        let utf32 = text.unicodeScalars.map(\.value)
        switch self {
        case .utf8: return Array(text.utf8)
        case .utf8Mark: return [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        case .utf16le: return utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case .utf16be: return utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case .utf16leMark: return [0xFF, 0xFE] + TestEncoding.utf16le.bytes(text)
        case .utf16beMark: return [0xFE, 0xFF] + TestEncoding.utf16be.bytes(text)
        case .utf32le: return utf32.flatMap { value in [0, 8, 16, 24].map { UInt8(value >> $0 & 0xFF) } }
        case .utf32be: return utf32.flatMap { value in [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
        case .utf32leMark: return [0xFF, 0xFE, 0, 0] + TestEncoding.utf32le.bytes(text)
        case .utf32beMark: return [0, 0, 0xFE, 0xFF] + TestEncoding.utf32be.bytes(text)
        }
    }
}

@Suite("Text encodings of XML property lists")
struct XMLEncodingTests {
    @Test("Every encoding is recognized and read alike", arguments: TestEncoding.allCases)
    func recognized(encoding: TestEncoding) throws {
        let body = "\n<plist><dict><key>a÷Ω＋✅🤖\u{10FFFF}</key><string>&amp;é\u{FFFD}</string></dict></plist>"
        // The declaration says something else on purpose, but for UTF-8 without a mark: the bytes decide.
        for declaration in encoding == .utf8 ? [""] : ["", "<?xml version='1.0' encoding='UTF-8'?>"] {
            let bytes = encoding.bytes(declaration + body)
            #expect(XMLPropertyList.looksLikeXML(bytes))
            #expect(canonical(try XMLPropertyList.read(bytes)) == canonical(try readXML(body)))
        }
    }

    @Test("Lines are counted right in every encoding", arguments: TestEncoding.allCases)
    func lines(encoding: TestEncoding) {
        expectError(encoding.bytes("<array>\n\r\n\r<!-- ÷🤖\u{10FFFF}\n-->\n<nothing/>"), 6, "an unknown element")
    }

    @Test(
        "A declared encoding counts, in either kind of quotes and letters of either case",
        arguments: [
            ("ISO-8859-1", [0xE9] as [UInt8], "é"), ("iso-8859-1", [0xFF, 0x80], "ÿ\u{80}"), ("Latin1", [0xE9], "é"),
            ("US-ASCII", [0x41], "A"), ("ascii", [0x41], "A"), ("UTF-8", [0xC3, 0xA9], "é"),
            ("utf8", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func declared(name: String, bytes: [UInt8], expected: String) throws {
        for quote in ["\"", "'"] {
            let start = "<?xml version=\"1.0\" encoding = \(quote)\(name)\(quote) ?><string>"
            let list = try XMLPropertyList.read(Array(start.utf8) + bytes + Array("</string>".utf8))
            #expect(canonical(list) == expected.debugDescription)
        }
    }

    @Test(
        "An encoding that isn't known, or isn't the text's, is refused", arguments: ["foobar", "UTF-7", "UTF-16", ""])
    func unknown(name: String) {
        expectError(
            Array("<?xml version='1.0' encoding='\(name)'?>\n<true/>".utf8), 1,
            "the declared encoding is not known, or not the text's")
    }

    @Test(
        "A declaration that breaks off names no encoding",
        arguments: ["encoding", "encoding=", "encoding=x", "encoding='x"])
    func brokenDeclaration(text: String) {
        #expect(throws: DecodingError.self) { try readXML("<?xml version='1.0' \(text)") }
    }

    @Test("Text that isn't what it starts as is refused with its line")
    func malformed() {
        expectError(Array("<?xml encoding='ascii'?>\n\n<string>é".utf8), 3, "not ASCII, as it declares")
        for encoding in [TestEncoding.utf16le, .utf16leMark, .utf16be, .utf32le, .utf32be] {
            expectError(encoding.bytes("<string>\n") + [0x20], 2, "the last character is cut off")
        }
        // High without low, low alone, high at the end; in UTF-32 also what is past the last character.
        expectError(TestEncoding.utf16le.bytes("<\n") + [0, 0xD8, 0x41, 0], 2, "half a character, or none at all")
        expectError(TestEncoding.utf16be.bytes("<\n") + [0xDC, 0], 2, "half a character, or none at all")
        expectError(TestEncoding.utf16be.bytes("<\n") + [0xD8, 0], 2, "half a character, or none at all")
        expectError(TestEncoding.utf32be.bytes("<\n") + [0, 0, 0xD8, 0], 2, "half a character, or none at all")
        expectError(TestEncoding.utf32le.bytes("<\n") + [0, 0, 0x11, 0], 2, "half a character, or none at all")
    }

    @Test(
        "Only text that starts like XML looks like XML",
        arguments: [
            ("<", true), (" \r\n\t<plist>", true), ("bplist00", false), ("{a=b;}", false), ("", false), ("   ", false),
            ("x<", false),
        ] as [(String, Bool)])
    func looksLikeXML(text: String, expected: Bool) {
        for encoding in TestEncoding.allCases {
            #expect(XMLPropertyList.looksLikeXML(encoding.bytes(text)) == expected, "\(encoding)")
        }
    }
}
