// Reads a YCFirstTime archive with Foundation's NSKeyedUnarchiver, as YCFirstTime 2.x does: secure coding and a list
// of classes. Prints the records as JSON. Depends on nothing of ours.
import Foundation

/// The 2.x record. Its Swift name has a module in front, so the archive's plain name is mapped to it below.
final class YCFirstTimeObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let lastVersion: String?
    let lastTime: Date?

    init?(coder: NSCoder) {
        lastVersion = coder.decodeObject(of: NSString.self, forKey: "lastVersion") as String?
        lastTime = coder.decodeObject(of: NSDate.self, forKey: "lastTime") as Date?
    }

    func encode(with coder: NSCoder) { fatalError("this program only reads") }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

/// A JSON string, everything beyond ASCII as UTF-16 escapes.
func json(_ text: String) -> String {
    let units = text.utf16.map { unit -> String in
        switch unit {
        case 0x20...0x7e where unit != 0x22 && unit != 0x5c: String(UnicodeScalar(UInt8(unit)))
        default: "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
        }
    }
    return "\"" + units.joined() + "\""
}

guard CommandLine.arguments.count == 2, let data = FileManager.default.contents(atPath: CommandLine.arguments[1])
else { fail("usage: read FILE") }

NSKeyedUnarchiver.setClass(YCFirstTimeObject.self, forClassName: "YCFirstTimeObject")
let classes: [AnyClass] = [
    NSDictionary.self, NSMutableDictionary.self, NSString.self, NSDate.self, NSNumber.self, YCFirstTimeObject.self,
]
let root: NSDictionary
do {
    guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSDictionary
    else { fail("the root is not a dictionary") }
    root = object
} catch {
    fail("\(error)")
}

var entries: [String] = []
if let group = root.object(forKey: "sharedGroup") {
    guard let group = group as? NSDictionary else { fail("sharedGroup is not a dictionary") }
    for case let key as String in group.allKeys {
        guard let record = group.object(forKey: key) as? YCFirstTimeObject else { fail("not a record: \(key)") }
        let version = record.lastVersion.map(json) ?? "null"
        let time = record.lastTime.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "null"
        entries.append("\(json(key)): {\"lastVersion\": \(version), \"lastTime\": \(time)}")
    }
}
print("{" + entries.joined(separator: ", ") + "}")
