import Testing

@testable import KeyedArchive

@Suite("Reading XML property lists")
struct XMLReadTests {
    @Test(
        "Every element is read",
        arguments: [
            ("<dict/>", "{}"), ("<dict></dict>", "{}"), ("<array/>", "[]"), ("<array> </array>", "[]"),
            ("<string/>", "\"\""), ("<string></string>", "\"\""), ("<string> a </string>", "\" a \""),
            ("<true/>", "true"), ("<false/>", "false"), ("<true></true>", "true"), ("<false>\n</false>", "false"),
            (
                "<dict><key>a</key><true/><key>b</key><array><string>c</string></array></dict>",
                #"{"a": true, "b": ["c"]}"#
            ),
            ("<dict><key/><integer>1</integer></dict>", #"{"": 1}"#),
            ("<dict><key>a</key><dict><key>b</key><dict/></dict></dict>", #"{"a": {"b": {}}}"#),
            ("<array><key>a</key></array>", #"["a"]"#), ("<dict><key>a</key><key>b</key></dict>", #"{"a": "b"}"#),
            ("<data/>", "data()"), ("<data></data>", "data()"), ("<plist><array/></plist>", "[]"),
            ("<array><plist><true/></plist><plist><plist><false/></plist></plist></array>", "[true, false]"),
            ("<array ccc=333 dddd><true/></array>", "[true]"), ("<string a='>' b=\"</x>\">c</string>", "\"c\""),
            ("<true attribute=\"x\"/>", "true"), ("<string\n>a</string\n>", "\"a\""), ("<true />", "true"),
        ] as [(String, String)])
    func elements(body: String, expected: String) throws {
        #expect(canonical(try readXML(plist(body))) == expected)
    }

    @Test(
        "Integers are decimal or hexadecimal, with a sign, up to 128 bits",
        arguments: [
            ("0", "0"), ("-0", "0"), ("007", "7"), ("+1", "1"), ("- 1", "-1"), (" 1\n", "1"), ("0x1F", "31"),
            ("0XfF", "255"), ("-0x10", "-16"), ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9223372036854775808"), ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775809", "-9223372036854775809"),
            ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
            ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
            ("<!-- one -->1<![CDATA[2]]>&#51;", "123"),
        ] as [(String, String)])
    func integers(text: String, expected: String) throws {
        #expect(canonical(try readXML(plist("<integer>\(text)</integer>"))) == expected)
    }

    @Test(
        "Reals are read to the bit",
        arguments: [
            ("0", 0.0), ("1.5", 1.5), (" 1.5\n", 1.5), ("1.", 1), (".5", 0.5), ("+1e3", 1000), ("1E-3", 0.001),
            ("0.10000000000000001", 0.1), ("5e-324", .leastNonzeroMagnitude), ("1e999", .infinity),
            ("-1e999", -.infinity),
            ("1e-999", 0), ("inf", .infinity), ("+inf", .infinity), ("-inf", -.infinity), ("INF", .infinity),
            ("infinity", .infinity), ("+infinity", .infinity), ("-infinity", -.infinity), ("Infinity", .infinity),
            ("nan", .nan), ("NaN", .nan), ("-nan", .nan), ("-0.0", -0.0),
            ("0." + String(repeating: "0", count: 5000) + "1e5001", 1),

            ("1" + String(repeating: "0", count: 300), 1e300),
            (
                "2.00000000000000022204460492503130808472633361816406250" + String(repeating: "0", count: 900) + "1",
                2.0000000000000004
            ),
        ] as [(String, Double)])
    func reals(text: String, expected: Double) throws {
        let list = try readXML(plist("<real>\(text)</real>"))
        #expect(list[list.root] == .real(expected) || expected.isNaN)
        guard case .real(let value) = list[list.root] else { return }
        #expect(value.bitPattern == expected.bitPattern)
    }

    @Test(
        "Data is base64 with white space anywhere, padded or not",
        arguments: [
            ("QQ==", "41"), ("QUE=", "4141"), ("QUFB", "414141"), ("\n\tQ U\tF\nB\r\n", "414141"), ("Q Q = =", "41"),
            ("QQ", "41"), ("QUE", "4141"), ("QUFBQQ", "41414141"), ("QQ==QUE=QUFB", "414141414141"), ("+/+/", "fbffbf"),
            ("<!--x-->QQ<!--y-->==", "41"), ("QR==", "41"),
        ] as [(String, String)])
    func data(text: String, expected: String) throws {
        #expect(canonical(try readXML(plist("<data>\(text)</data>"))) == "data(\(expected))")
    }

    @Test(
        "Text has its references, CDATA sections, remarks and line ends resolved",
        arguments: [
            ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&amp;lt;", "&lt;"), ("&#65;&#x42;&#x1F600;", "AB😀"),
            ("&#xD83D;&#xDE00;", "😀"), ("&#55357;&#56832;", "😀"), ("a<![CDATA[<&amp;>]]>b", "a<&amp;>b"),
            ("<![CDATA[]]>", ""), ("<![CDATA[]]]]><![CDATA[>]]>", "]]>"), ("a<!-- <b> -->b", "ab"),
            ("a<?pi <b> ?>b", "ab"),
            ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("<![CDATA[a\r\nb\rc]]>", "a\nb\nc"), ("a&#13;\nb", "a\r\nb"),
            ("a&#xD;", "a\r"),
            ("]]>", "]]>"), ("\\UD83D\\UDE00", "\\UD83D\\UDE00"), ("e\u{301}", "e\u{301}"), ("é", "\u{E9}"),
            ("a\u{1}b", "a\u{1}b"), ("&#1;", "\u{1}"), ("&#0;", "\0"), ("&#xFFFF;", "\u{FFFF}"),
            ("&#x10FFFF;", "\u{10FFFF}"),
            ("\t \n", "\t \n"), ("&#000000000000065;", "A"),
        ] as [(String, String)])
    func text(text: String, expected: String) throws {
        let list = try readXML(plist("<string>\(text)</string>"))
        guard case .string(let range) = list[list.root] else {
            Issue.record("not a string")
            return
        }
        #expect(Array(list.bytes(in: range)) == Array(expected.utf8))
        let asKey = try readXML(plist("<dict><key>\(text)</key><true/></dict>"))
        #expect(canonical(asKey).utf8.elementsEqual("{\(expected.debugDescription): true}".utf8))
    }

    @Test(
        "A dictionary of CF$UID and a whole number is a UID, and nothing else is",
        arguments: [
            ("<key>CF$UID</key><integer>0</integer>", "uid(0)"),
            ("<key>CF$UID</key><integer>4294967296</integer>", "uid(4294967296)"),
            ("<key>CF$UID</key><integer>18446744073709551615</integer>", "uid(18446744073709551615)"),
            ("<key>CF$UID</key><integer>18446744073709551616</integer>", "{\"CF$UID\": 18446744073709551616}"),
            ("<key>CF$UID</key><integer>-1</integer>", "{\"CF$UID\": -1}"),
            ("<key>CF$UID</key><real>1</real>", "{\"CF$UID\": real(1.0)}"),
            ("<key>CF$UID</key><string>1</string>", "{\"CF$UID\": \"1\"}"),
            ("<key>CF$UID</key><integer>1</integer><key>a</key><true/>", "{\"CF$UID\": 1, \"a\": true}"),
            ("<key>CF$UID</key><plist><integer>42</integer></plist>", "uid(42)"),
        ] as [(String, String)])
    func uids(entries: String, expected: String) throws {
        #expect(canonical(try readXML(plist("<dict>\(entries)</dict>"))) == expected)
    }

    @Test("Of entries with one key the last counts, however many there are")
    func repeatedKeys() throws {
        let two = try readXML(plist("<dict><key>a</key><true/><key>b</key><true/><key>a</key><false/></dict>"))
        #expect(canonical(two) == #"{"b": true, "a": false}"#)
        let entries = (0..<20_000).map { "<key>\($0 % 100)</key><integer>\($0)</integer>" }.joined()
        let many = try readXML(plist("<dict>\(entries)</dict>"))
        guard case .dictionary(let keys, _) = many[many.root] else {
            Issue.record("not a dictionary")
            return
        }
        #expect(keys.count == 100)
        #expect(many.value(forKey: "7", in: many.root).map { many[$0] } == .integer(19_907))
    }

    @Test(
        "What stands around the root is skipped",
        arguments: [
            "<true/>", " \r\n\t<true/>\n", "<plist><true/></plist>", "<?xml version='1.0'?><plist><true/></plist>",
            "<!-- a -- b --><plist><!-- c --><true/><?x?></plist><!-- d --> <?y z?>\n",
            "<!-- first --><?xml version=\"1.0\" encoding=\"UTF-8\"?><true/>",
            "<!DOCTYPE plist SYSTEM 'a>b'><true/>",
            "<!DOCTYPE plist [<!ENTITY a \"b>]>\"> <!ELEMENT x (#PCDATA)><!-- ]> ' --><?pi ]> ' ?> %external; ]><true/>",
            "<!DOCTYPE plist PUBLIC \"-//GNUstep//DTD plist 0.9//EN\" \"http://www.gnustep.org/plist-0_9.xml\"><true/>",
            "<plist version=\"0.9\"><true/></plist>\n\0",
        ])
    func surroundings(text: String) throws {
        #expect(canonical(try readXML(text)) == "true")
    }
}
