import Testing

@testable import KeyedArchive

@Suite("Refusing XML that is not a property list")
struct XMLErrorTests {
    @Test(
        "Every fault has its line and its reason",
        arguments: [
            ("", 1, "no element at all"),
            (" \n\n", 3, "no element at all"),
            ("<!-- only -->", 1, "no element at all"),
            ("junk", 1, "text where a tag belongs"),
            ("<plist>\n\nx<true/></plist>", 3, "text where a tag belongs"),
            ("<plist>\r\r<true/>x</plist>", 3, "text where a tag belongs"),
            ("<dict>\r\n<key>a</key>\r\nx<true/></dict>", 3, "text where a tag belongs"),
            ("<true/>\n\njunk", 3, "something after the property list's end"),
            ("<true/>\n<false/>", 2, "something after the property list's end"),
            ("<plist><true/></plist>\n</plist>", 2, "something after the property list's end"),
            ("<true/>\0\n", 1, "something after the property list's end"),
            ("<plist>\n< string/></plist>", 2, "a tag without a name"),
            ("<plist>\n</></plist>", 2, "a tag without a name"),
            ("<plist>\n<>", 2, "a tag without a name"),
            ("<array>\n<null/></array>", 2, "an unknown element"),
            ("<array>\n<set/></array>", 2, "an unknown element"),
            ("<array>\n<String/></array>", 2, "an unknown element"),
            ("<array>\n<!ELEMENT></array>", 2, "an unknown element"),
            ("<array><true/>\n<!DOCTYPE plist></array>", 2, "an unknown element"),
            ("<array>\n<![CDATA[]]></array>", 2, "an unknown element"),
            ("<array>\n</array/>", 2, "a closing tag that ends with \"/>\""),
            ("<array>\n<true", 2, "a tag that never ends"),
            ("<array>\n<true<", 2, "a tag that never ends"),
            ("<array\n<true/></array>", 1, "a tag that never ends"),
            ("<", 1, "a tag that never ends"),
            ("<plist\nversion=\"1.0>\n<true/>", 2, "a quotation that never ends"),
            ("<!DOCTYPE test\n\">\n<true/>", 2, "a quotation that never ends"),
            ("\n<!-- \n\n", 2, "a comment that never ends"),
            ("\n<!--->", 2, "a comment that never ends"),
            ("<array>\n<?x\n>", 2, "a processing instruction that never ends"),
            ("<?>", 1, "a processing instruction that never ends"),
            ("\n<!DOCTYPE plist [\n>", 2, "a document type that never ends"),
            ("\n<!DOCTYPE plist <true/>", 2, "a document type that never ends"),
            ("<string>\n<![CDATA[\n]]</string>", 2, "a CDATA section that never ends"),
            ("<string>\n<b>x</b></string>", 2, "an element inside a value"),
            ("<true>\n<true/></true>", 2, "an element inside a value"),
            ("<string>a<!x></string>", 1, "an element inside a value"),
            ("<plist>\n<string>\n\n", 2, "an element that never ends"),
            ("<plist>\n<dict>\n<key>a</key>\n", 2, "an element that never ends"),
            ("<plist>\n<string>a</key></plist>", 2, "a closing tag that doesn't match"),
            ("<plist>\n</array></plist>", 2, "a closing tag that doesn't match"),
            ("\n</array>", 2, "a closing tag that doesn't match"),
            ("<array>\n</true></array>", 2, "a closing tag that doesn't match"),
            ("<dict>\n<true/></dict>", 2, "a value without a key"),
            ("<dict>\n<string>a</string><string>b</string></dict>", 2, "a value without a key"),
            ("<dict>\n<plist><key>a</key></plist><true/></dict>", 2, "a value without a key"),
            ("<dict>\n<key>a</key>\n</dict>", 3, "a key without a value"),
            ("<plist>\n<true/>\n<true/></plist>", 3, "more than one value in a <plist>"),
            ("\n<plist/>", 2, "a <plist> without a value"),
            ("<array><true/>\n<plist></plist></array>", 2, "a <plist> without a value"),
            ("<plist>\n\n</plist>", 3, "a <plist> without a value"),
            ("\n<true>x</true>", 2, "text inside a <true> or <false>"),
            ("\n<false>&#65;</false>", 2, "text inside a <true> or <false>"),
            ("<string>\na&foo;b</string>", 2, "an unknown entity, or a bare \"&\""),
            ("<string>\na & b</string>", 2, "an unknown entity, or a bare \"&\""),
            ("<!DOCTYPE x [<!ENTITY a \"b\">]>\n<string>&a;</string>", 2, "an unknown entity, or a bare \"&\""),
            ("<string>&amp", 1, "an unknown entity, or a bare \"&\""),
            ("<string>\n&#x;</string>", 2, "a character reference that is not one"),
            ("<string>\n&#;</string>", 2, "a character reference that is not one"),
            ("<string>\n&#X41;</string>", 2, "a character reference that is not one"),
            ("<string>\n&#A;</string>", 2, "a character reference that is not one"),
            ("<string>\n&#65</string>", 2, "a character reference that is not one"),
            ("<string>\n&#x110000;</string>", 2, "a reference past the last character"),
            ("<string>\n&#99999999999999999999;</string>", 2, "a reference past the last character"),
            ("<string>\n&#xD800;</string>", 2, "a reference to half a character"),
            ("<string>\n&#xD800;&#65;</string>", 2, "a reference to half a character"),
            ("<string>\n&#xDC00;&#xD800;</string>", 2, "a reference to half a character"),
            ("<plist>\n<string>\u{0}", 2, "an element that never ends"),
        ] as [(String, Int, String)])
    func faults(text: String, line: Int, reason: String) {
        expectError(Array(text.utf8), line, reason)
    }

    @Test(
        "Values that are none are refused with their line",
        arguments: [
            ("integer", ["", " ", "x", "0x", "-", "12a", "1.0", "1 2", "--1", "0x1G", "1_000", "1e3"]),
            ("integer", ["170141183460469231731687303715884105728", "-170141183460469231731687303715884105729"]),
            ("integer", [String(repeating: "9", count: 100_000), "0x" + String(repeating: "F", count: 33)]),
            (
                "real",
                ["", " ", "x", "1,5", "0x1p3", "1d3", "nan(1)", "1 2", "1e", "e5", "in", "infinit", "--1", "1\0"]
            ),
            ("date", ["", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00.5Z", "2001-01-01T00:00:00+01:00"]),
            ("date", ["2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z"]),
            ("date", ["2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2001-04-31T00:00:00Z", "2001-1-1T0:0:0Z"]),
            ("date", ["2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:61Z", "--01-01T00:00:00Z"]),
            (
                "date",
                ["+2001-01-01T00:00:00Z", "2001-01-01t00:00:00z", "100000000000-01-01T00:00:00Z", "x-01-01T00:00:00Z"]
            ),
            ("data", ["Q", "QUFBQ", "Q=", "=", "QQ=", "QQ=Q", "QUFB=", "QQ===", "Q!Q=", "QQ-_", "QUFBQ===", "é"]),
        ] as [(String, [String])])
    func values(element: String, texts: [String]) {
        let reasons = [
            "integer": "an <integer> that is not one, or is over 128 bits", "real": "a <real> that is not a number",
            "date": "a <date> that is not one", "data": "<data> that is not base64",
        ]
        for text in texts {
            expectError(Array("<plist>\n<\(element)>\(text)</\(element)></plist>".utf8), 2, reasons[element] ?? "")
        }
    }

    @Test("Empty elements that need a value are refused", arguments: ["integer", "real", "date"])
    func emptyValues(element: String) {
        #expect(throws: DecodingError.self) { try readXML(plist("<\(element)/>")) }
    }

    @Test(
        "Bytes that are no text are refused with their line",
        arguments: [
            ([0xFF] as [UInt8], "not UTF-8"), ([0xC3], "not UTF-8"), ([0xC0, 0x80], "not UTF-8"),
            ([0xED, 0xA0, 0x80], "not UTF-8"), ([0xE0, 0x80, 0x80], "not UTF-8"),
            ([0xF4, 0x90, 0x80, 0x80], "not UTF-8"),
            ([0xF0, 0x80, 0x80, 0x80], "not UTF-8"), ([0x80], "not UTF-8"), ([0xF8, 0x88, 0x80, 0x80], "not UTF-8"),
        ] as [([UInt8], String)])
    func encoding(bytes: [UInt8], reason: String) {
        expectError(Array("<string>\r\nabcdefgh".utf8) + bytes + Array("</string>".utf8), 2, reason)
        expectError(Array("<string>\r\n".utf8) + bytes, 2, reason)
    }

    @Test("An input of 4 GiB is refused unread")
    func tooLarge() {
        #expect(XMLPropertyList.sizeLimit == 4_294_967_296)
    }
}

/// Expects a fault at a line for a reason.
func expectError(
    _ bytes: [UInt8], _ line: Int, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    do {
        let list = try XMLPropertyList.read(bytes)
        Issue.record("read as \(canonical(list))", sourceLocation: sourceLocation)
    } catch {
        #expect(
            error.position == .line(line), "\(String(decoding: bytes, as: UTF8.self))", sourceLocation: sourceLocation)
        #expect(
            error.reason.description == reason, "\(String(decoding: bytes, as: UTF8.self))",
            sourceLocation: sourceLocation)
    }
}
