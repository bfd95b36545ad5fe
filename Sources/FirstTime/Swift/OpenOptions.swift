// OpenOptions: how a store is opened, for Swift callers. What each means is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// How a ``FirstTime`` is opened.
public struct OpenOptions: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Never writes and never creates: what would have to throws `readOnly`, and a due closure doesn't run.
    public static let readOnly = OpenOptions(rawValue: 1 << 0)
    /// No file at all, for tests and throw-away state: path and app id are ignored, and what was recorded goes with the
    /// store.
    public static let inMemory = OpenOptions(rawValue: 1 << 1)
    /// Recording doesn't wait for the disk: a record survives the end of the program, but perhaps not a loss of power.
    public static let relaxed = OpenOptions(rawValue: 1 << 2)
    /// Files that can't be decoded are kept aside under another name, and the store starts from every record that could
    /// be saved.
    public static let recover = OpenOptions(rawValue: 1 << 3)
    /// Due closures run even when nothing can be recorded: the call then throws `notRecorded`, and this process remembers
    /// the run.
    public static let runIfUnwritable = OpenOptions(rawValue: 1 << 4)

    var engine: Engine.Options {
        var options = Engine.Options()
        options.isReadOnly = contains(.readOnly)
        options.isInMemory = contains(.inMemory)
        options.isRelaxed = contains(.relaxed)
        options.recovers = contains(.recover)
        options.runsIfUnwritable = contains(.runIfUnwritable)
        return options
    }
}
#endif
