import Foundation
import Testing

@testable import KeyedArchive

@Suite("XML files of other writers")
struct XMLFixtureTests {
    @Test("The repository's samples are all there")
    func present() {
        #expect(Samples.own.count > 100)
        if Samples.collected.isEmpty {
            print("note: no larger collection beside the repository; its tests have nothing to do")
        }
    }

    @Test(
        "Valid files are read, written and read back equal",
        arguments: (Samples.own + Samples.collected).filter(\.isValid))
    func roundTrip(sample: Sample) throws {
        let list = try XMLPropertyList.read(try sample.bytes())
        let written = try XMLPropertyList.write(list)
        #expect(isSame(try XMLPropertyList.read(written), list))
        #expect(try XMLPropertyList.write(try XMLPropertyList.read(written)) == written)
    }

    @Test(
        "Other files are an error with a line, or a value",
        arguments: (Samples.own + Samples.collected).filter { !$0.isValid })
    func malformed(sample: Sample) throws {
        let bytes = try sample.bytes()
        do {
            _ = try XMLPropertyList.read(bytes)
        } catch {
            guard case .line(let line) = error.position else {
                Issue.record("not a line")
                return
            }
            #expect(line >= 1 && line <= bytes.count { $0 == 10 || $0 == 13 } + 1)
        }
    }

    /// Where plistlib reads something else than Foundation, whose reading is ours.
    static let readOtherwiseByPython = [
        // Several padded pieces: Python stops at the first padding, Foundation reads on.
        "hqtsm__plist/spec__fixtures__plist__xml-edge__data-chunks.plist"
    ]

    @Test("Python's plistlib reads the same from what was read and written again")
    func python() throws {
        let samples = (Samples.own + Samples.collected + Samples.legacy).filter {
            $0.isValid && !Self.readOtherwiseByPython.contains($0.name)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("xml-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var pairs: [String] = []
        for (index, sample) in samples.enumerated() {
            let rewritten = folder.appendingPathComponent("\(index).plist")
            try Data(try XMLPropertyList.write(try XMLPropertyList.read(try sample.bytes()))).write(to: rewritten)
            pairs += ["\(sample.url.path)\t\(rewritten.path)"]
        }
        let index = folder.appendingPathComponent("index")
        try pairs.joined(separator: "\n").write(to: index, atomically: false, encoding: .utf8)
        let program = """
            import plistlib, struct, sys
            def shape(value):
                # Types as well as values: 1 == 1.0 == True in Python, and NaN is unlike itself.
                if isinstance(value, dict): return {key: shape(member) for key, member in value.items()}
                if isinstance(value, list): return [shape(member) for member in value]
                if isinstance(value, float) and value != value: return 'nan'
                if isinstance(value, float): return ('real', struct.pack('>d', value))
                return (type(value).__name__, value)
            count = 0
            for line in open(sys.argv[1]):
                original, rewritten = line.rstrip('\\n').split('\\t')
                left = shape(plistlib.load(open(original, 'rb')))
                right = shape(plistlib.load(open(rewritten, 'rb')))
                if left != right: print('differs:', original, str(left)[:300], str(right)[:300])
                count += 1
            print('compared', count)
            """
        guard let result = try KeyedArchiveTests.python(program, [index.path]) else {
            print("SKIPPED: there is no python3 to compare with")
            return
        }
        #expect(result.status == 0 && result.output == "compared \(samples.count)\n", "\(result.output)")
    }

    @Test("Every real of the legacy archives is the double that Python reads")
    func legacyReals() throws {
        let files = Samples.legacy
        guard !files.isEmpty else { return }
        var count = 0
        var texts: [String] = []
        var values: [Double] = []
        for sample in files {
            let bytes = try sample.bytes()
            let list = try XMLPropertyList.read(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let reals = text.matches(of: /<real>([^<]*)<\/real>/).map { String($0.1) }
            count += 1
            texts += reals
            // The reader appends objects in the order in which they end, so the reals come in the file's order.
            for index in 0..<list.count {
                let reference = PropertyList.Reference(index: UInt32(index))
                if case .real(let value) = list[reference] { values.append(value) }
            }
            #expect(texts.count == values.count, "\(sample.name)")
        }
        #expect(count >= 50 && texts.count > 500)
        let program = "import struct, sys\nfor line in sys.stdin: print(struct.pack('>d', float(line)).hex())"
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("reals-\(UUID().uuidString)")
        try texts.joined(separator: "\n").write(to: input, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: input) }
        guard
            let result = try KeyedArchiveTests.python(
                "import sys\nsys.stdin = open(sys.argv[1])\nexec(sys.argv[2])", [input.path, program])
        else { return }
        let expected = result.output.split(separator: "\n").map(String.init)
        #expect(expected == values.map { String(format: "%016lx", $0.bitPattern) })
    }

    @Test("Foundation on this system reads what is written as what was read", arguments: Samples.own.filter(\.isValid))
    func foundation(sample: Sample) throws {
        let original = try sample.bytes()
        let rewritten = try XMLPropertyList.write(try XMLPropertyList.read(original))
        // UIDs are private objects there that don't compare.
        guard !String(decoding: rewritten, as: UTF8.self).contains("CF$UID") else { return }
        // Foundation doesn't know that an attribute may hold a ">".
        guard !sample.name.hasSuffix("s11.plist") else { return }
        let left = try PropertyListSerialization.propertyList(from: Data(original), format: nil) as? NSObject
        let right = try PropertyListSerialization.propertyList(from: Data(rewritten), format: nil) as? NSObject
        #expect(left == right)
    }
}
