// What a Swift program pays that keeps such state in a file of its own, with Foundation.
import Foundation

let url = URL(fileURLWithPath: "start-up.plist")
if let data = try? Data(contentsOf: url),
    let keys = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Date]
{
    exit(keys["key.050"] == nil ? 1 : 0)
}
let keys = Dictionary(uniqueKeysWithValues: (0..<100).map { (String(format: "key.%03d", $0), Date()) })
let data = try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
try data.write(to: url)
