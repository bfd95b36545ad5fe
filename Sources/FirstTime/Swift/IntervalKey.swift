// IntervalKey: what an app calls the things that it does once per interval.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

/// What runs once per interval, and how long that is. An app declares its keys in one place:
///
/// ```swift
/// extension IntervalKey {
///     static let reviewPrompt = IntervalKey("reviewPrompt", .monthly)
///     static let cleanUp = IntervalKey("cleanUp", .custom(.day, 3))
/// }
/// ```
public struct IntervalKey: Hashable, Sendable {
    /// 1 to 65526 bytes of UTF-8. The store's key is "interval." and this.
    public let name: String
    public let interval: RunInterval

    public init(_ name: String, _ interval: RunInterval) {
        self.name = name
        self.interval = interval
    }

    func checked() throws(EngineError) -> (key: Key, interval: Interval) {
        guard let key = Key(interval: name.utf8) else {
            throw .argument(reason: "the name is empty, longer than 65526 bytes, or has U+0000 in it")
        }
        return (key, try interval.checked())
    }
}
#endif
