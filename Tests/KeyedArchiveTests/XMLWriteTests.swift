import Foundation
import Testing

@testable import KeyedArchive

@Suite("Writing XML property lists")
struct XMLWriteTests {
    /// A table of one object.
    private func list(_ append: (inout PropertyList) -> PropertyList.Reference) -> PropertyList {
        var list = PropertyList()
        list.root = append(&list)
        return list
    }

    private func body(_ list: PropertyList) throws -> String {
        let text = try writtenXML(list)
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        #expect(text.hasPrefix(head) && text.hasSuffix("</plist>\n"))
        return String(text.dropFirst(head.count).dropLast(9))
    }

    @Test("The layout is Apple's, tab for tab")
    func layout() throws {
        let source = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>array</key>
            \t<array>
            \t\t<integer>-170141183460469231731687303715884105728</integer>
            \t\t<array/>
            \t\t<dict/>
            \t\t<dict>
            \t\t\t<key>CF$UID</key>
            \t\t\t<integer>18446744073709551615</integer>
            \t\t</dict>
            \t</array>
            \t<key>data</key>
            \t<data>
            \tQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB
            \tQUFBQQ==
            \t</data>
            \t<key>date</key>
            \t<date>2001-01-01T00:00:00Z</date>
            \t<key>empty</key>
            \t<data>
            \t</data>
            \t<key>real</key>
            \t<real>0.1</real>
            \t<key>string &lt;&amp;&gt; "'</key>
            \t<string>a&#13;
            b\t&lt;&amp;&gt; "' é🤖</string>
            \t<key>true</key>
            \t<true/>
            \t<key>false</key>
            \t<false/>
            \t<key>empty string</key>
            \t<string></string>
            </dict>
            </plist>

            """
        #expect(try writtenXML(readXML(source)) == source)
    }

    @Test("Data is written in lines that Foundation's writer would make, at every depth and length")
    func data() throws {
        for depth in [0, 1, 7, 8, 9, 20] {
            for count in [0, 1, 2, 3, 4, 8, 9, 10, 57, 58, 200] {
                var list = PropertyList()
                list.root = list.append(data: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
                for _ in 0..<depth { list.root = list.append(array: [list.root]) }
                let text = try writtenXML(list)
                #expect(isSame(try readXML(text), list))
                let value = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
                let foundation = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
                #expect(String(decoding: foundation, as: UTF8.self) == text)
            }
        }
    }

    @Test("Reals are the shortest text that reads back to the same bits")
    func reals() throws {
        let named: [(Double, String)] = [
            (0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (1.5, "1.5"), (100_000, "100000"), (.nan, "nan"),
            (.infinity, "+infinity"), (-.infinity, "-infinity"), (.leastNonzeroMagnitude, "5e-324"), (1e300, "1e+300"),
            (1.0 / 3, "0.3333333333333333"), (0.1 + 0.2, "0.30000000000000004"), (0x1p-44, "5.684341886080802e-14"),
            (3 * .leastNonzeroMagnitude, "1.5e-323"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ]
        for (value, expected) in named {
            #expect(try body(list { $0.append(real: value) }) == "<real>\(expected)</real>\n")
        }
        var generator = SplitMix64(seed: 1)
        let powers = (-1074...1023).map { Double(sign: .plus, exponent: $0, significand: 1) }
        for value in powers + (0..<20_000).map({ _ in Double(bitPattern: generator.next()) }) where value.isFinite {
            var text: [UInt8] = []
            XMLNumbers.append(value, to: &text)
            #expect(XMLNumbers.real(from: text[...])?.bitPattern == value.bitPattern)
            // Swift's own description is the shortest, too: no text may have more digits.
            #expect(digits(text) == digits(Array(value.description.utf8)), "\(value)")
        }
    }

    /// How many digits there are between the first and the last that isn't zero.
    private func digits(_ text: [UInt8]) -> Int {
        let digits = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
        let zero = UInt8(ascii: "0")
        return digits.drop { $0 == zero }.reversed().drop { $0 == zero }.count
    }

    @Test(
        "Dates are whole seconds, in years of any length",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.999, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
            (63_113_904_000, "4001-01-01T00:00:00Z"), (-63_177_062_400, "-001-01-01T00:00:00Z"),
            (1e12, "33689-09-27T01:46:40Z"), (-1e12, "-29688-04-06T22:13:20Z"), (1e15, "31690739-07-06T01:46:40Z"),
            (94_607_999, "2003-12-31T23:59:59Z"), (94_608_000 + 59 * 86_400, "2004-02-29T00:00:00Z"),
        ] as [(Double, String)])
    func dates(seconds: Double, expected: String) throws {
        let written = try writtenXML(list { $0.append(date: seconds) })
        #expect(written.contains("<date>\(expected)</date>"))
        let read = try readXML(written)
        #expect(read[read.root] == .date(seconds.rounded(.down)))
    }

    @Test("Any day of any year is read back, and as libc counts it")
    func days() throws {
        var generator = SplitMix64(seed: 2)
        for round in 0..<20_000 {
            let range: Int64 = round < 10_000 ? 400_000_000_000 : 3_000_000_000_000_000_000
            let seconds = Int64.random(in: -range...range, using: &generator)
            // Further off a double holds no single seconds.
            let date = Double(seconds)
            var text: [UInt8] = []
            #expect(ISO8601.append(date, to: &text))
            #expect(ISO8601.seconds(from: text[...]).map { Double($0) } == date)
            guard round < 10_000 else { continue }
            var time = Int(seconds) + 978_307_200
            var fields = tm()
            gmtime_r(&time, &fields)
            let year = Int(fields.tm_year) + 1900
            let expected =
                (year < 0 ? "-" + String(format: "%03d", -year) : String(format: "%04d", year))
                + String(
                    format: "-%02d-%02dT%02d:%02d:%02dZ", fields.tm_mon + 1, fields.tm_mday, fields.tm_hour,
                    fields.tm_min,
                    fields.tm_sec)
            #expect(String(decoding: text, as: UTF8.self) == expected)
        }
    }

    @Test(
        "Years of one digit and more are read",
        arguments: [
            ("1-01-01T00:00:00Z", -63_113_904_000), ("0-01-01T00:00:00Z", -63_145_526_400),
            ("-1-01-01T00:00:00Z", -63_177_062_400), ("2008-02-29T00:00:00Z", 225_936_000),
            ("2000-02-29T23:59:60Z", -26_438_400), (" 2001-01-01T00:00:01Z\n", 1),
            ("12001-01-01T00:00:00Z", 315_569_520_000), ("99999999999-12-31T23:59:59Z", 3_155_695_136_854_473_599),
            ("-99999999999-01-01T00:00:00Z", -3_155_695_263_113_904_000),
        ] as [(String, Int64)])
    func years(text: String, seconds: Int64) throws {
        let list = try readXML(plist("<date>\(text)</date>"))
        #expect(list[list.root] == .date(Double(seconds)))
    }

    @Test("Every object that XML can't hold is refused with a reason")
    func refused() {
        func expect(_ reason: String, _ append: (inout PropertyList) -> PropertyList.Reference) {
            let list = list(append)
            do {
                let text = try writtenXML(list)
                Issue.record("written as \(text)")
            } catch {
                #expect((error as? EncodingError)?.reason.description == reason)
            }
        }
        expect("XML property lists have no null") { $0.appendNull() }
        expect("XML property lists have no sets") { $0.append(set: []) }
        expect("XML property lists have no sets") { $0.append(orderedSet: []) }
        expect("XML property lists have no sets") { list in
            let set = list.append(set: [])
            let array = list.append(array: [set])
            return list.append(array: [array, array])
        }
        for character in Array(0..<0x20) where ![9, 10, 13].contains(character) {
            expect("a control character, which XML can't hold") { $0.append(string: [0x61, UInt8(character), 0x62]) }
        }
        expect("a lone surrogate, which XML can't hold") { $0.append(string: [0xED, 0xA0, 0x80] as [UInt8]) }
        expect("a lone surrogate, which XML can't hold") { $0.append(string: [0x61, 0xED, 0xBF, 0xBF] as [UInt8]) }
        expect("U+FFFE or U+FFFF, which XML can't hold") { $0.append(string: Array("a\u{FFFE}b".utf8)) }
        expect("U+FFFE or U+FFFF, which XML can't hold") { $0.append(string: Array("\u{FFFF}".utf8)) }
        for date in [Double.nan, .infinity, -.infinity, 1e19, -1e19, 3.17e18] {
            expect("a date that is not a number, or too far off") { $0.append(date: date) }
        }
        expect("a key that is not a string") { list in
            let key = list.append(integer: 1)
            return list.append(dictionaryKeys: [key], values: [key])
        }
        expect("a key that stands twice, of which readers would keep one") { list in
            let keys = [list.append(string: "a"), list.append(string: "a")]
            return list.append(dictionaryKeys: keys, values: keys)
        }
        expect("a dictionary that would read back as a UID") { list in
            let key = list.append(string: "CF$UID")
            let value = list.append(integer: 1)
            return list.append(dictionaryKeys: [key], values: [value])
        }
        #expect(throws: EncodingError.self) { try XMLPropertyList.write(PropertyList()) }
    }

    @Test(
        "Characters near those that XML can't hold are written",
        arguments: ["\u{FFFD}", "\u{7F}\u{85}", "\u{FFBF}", "🤖"])
    func allowed(text: String) throws {
        let list = list { $0.append(string: Array(text.utf8)) }
        #expect(isSame(try readXML(try writtenXML(list)), list))
    }

    @Test("What the root doesn't reach is neither written nor refused")
    func unreachable() throws {
        let list = list { list in
            _ = list.appendNull()
            let string = list.append(string: "a")
            _ = list.append(array: [string])
            return string
        }
        #expect(try body(list) == "<string>a</string>\n")
    }

    @Test("Shared objects are written out in each place")
    func shared() throws {
        let list = list { list in
            let string = list.append(string: "a")
            let array = list.append(array: [string, string])
            return list.append(array: [array, array])
        }
        #expect(canonical(try readXML(try writtenXML(list))) == #"[["a", "a"], ["a", "a"]]"#)
    }

    @Test("Arrays that double a hundred times over are refused at once, and in time at any limit")
    func doubling() throws {
        for levels in [20, 64, 100, 10_000] {
            var list = PropertyList()
            list.root = list.append(string: "a")
            for _ in 0..<levels { list.root = list.append(array: [list.root, list.root]) }
            for limit in [0, 1 << 20, 1 << 30, Int.max] where levels > 20 || limit < 1 << 24 {
                #expect(throws: EncodingError.self) { try XMLPropertyList.write(list, limit: min(limit, 1 << 30)) }
                if limit == .max { #expect(try XMLPropertyList.measure(list, limit: limit) > 1 << 60 || levels < 64) }
            }
        }
    }

    @Test("The measure is never below what is written")
    func measure() throws {
        for sample in Samples.own where sample.isValid {
            let list = try XMLPropertyList.read(try sample.bytes())
            let size = try XMLPropertyList.write(list).count
            #expect(try XMLPropertyList.measure(list, limit: 1 << 30) >= size)
            #expect(throws: EncodingError.self) { try XMLPropertyList.write(list, limit: size - 1) }
        }
    }
}
