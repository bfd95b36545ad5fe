// Foundation's way, for benchmarks/peers/foundation.c: a dictionary of records in a keyed archive, written whole after
// each change. Reads a line, does what it says, answers with the seconds that it took.
import Foundation

final class Record: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let lastVersion: NSString?
    let lastTime: NSDate?

    init(time: Date) {
        lastVersion = nil
        lastTime = time as NSDate
    }

    required init?(coder: NSCoder) {
        lastVersion = coder.decodeObject(of: NSString.self, forKey: "lastVersion")
        lastTime = coder.decodeObject(of: NSDate.self, forKey: "lastTime")
    }

    func encode(with coder: NSCoder) {
        coder.encode(lastVersion, forKey: "lastVersion")
        coder.encode(lastTime, forKey: "lastTime")
    }
}

var url = URL(fileURLWithPath: "/dev/null")
var records = NSMutableDictionary()

func load() throws {
    guard let data = try? Data(contentsOf: url) else { return }
    let classes: [AnyClass] = [NSMutableDictionary.self, NSDictionary.self, NSString.self, NSDate.self, Record.self]
    records = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as! NSMutableDictionary
}

// The new file and its name are synced, so that the row may stand beside the other durable ones.
func save() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: records, requiringSecureCoding: true)
    let new = url.path + "-new"
    FileManager.default.createFile(atPath: new, contents: nil)
    let file = FileHandle(forWritingAtPath: new)!
    try file.write(contentsOf: data)
    try file.synchronize()
    try file.close()
    guard rename(new, url.path) == 0 else { fatalError("rename") }
    let directory = open(url.deletingLastPathComponent().path, O_RDONLY)
    fsync(directory)
    close(directory)
}

func name(_ number: Int) -> String {
    let digits = String(number)
    return "feature." + String(repeating: "0", count: 8 - digits.count) + digits
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
}

setvbuf(stdout, nil, _IOLBF, 0)
while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    var number = 0
    var text = ""
    var time = 0.0
    switch words.first {
    case "open":
        url = URL(fileURLWithPath: rest)
        time = try seconds { try load() }
    case "ask":
        let keys = (0..<Int(rest)!).map { _ in readLine()! }
        time = seconds { for key in keys where records[key] != nil { number += 1 } }
    case "record":
        time = try seconds {
            records[rest] = Record(time: Date())
            try save()
        }
    case "fill":
        for index in 0..<Int(rest)! { records[name(index)] = Record(time: Date(timeIntervalSince1970: Double(index))) }
        try save()
    case "decode":
        let data = try Data(contentsOf: URL(fileURLWithPath: rest))
        time = try seconds {
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            number = (list as! [String: Any]).count
        }
    case "settings":
        text = "Swift on Linux; NSKeyedArchiver of an NSMutableDictionary; fsync(), rename(), fsync() of the directory"
    default: fatalError("what is \(line)?")
    }
    print(time, number, text)
}
