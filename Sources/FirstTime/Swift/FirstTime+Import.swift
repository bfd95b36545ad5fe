// FirstTime+Import: taking in old state.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// What an import did, or would do.
public struct ImportReport: Hashable, Sendable {
    /// Keys that the store had no record of.
    public let added: Int
    /// Keys whose imported record was newer.
    public let updated: Int
    /// Keys whose record in the store was as new or newer.
    public let kept: Int
    /// Events of which the store knew nothing.
    public let eventsAdded: Int
    /// Events of which the file knew more: a larger count, an earlier first or a later last donation.
    public let eventsUpdated: Int
    /// Events of which it didn't.
    public let eventsKept: Int
    /// Entries that were left out.
    public let skipped: Int

    init(_ report: Engine.ImportReport) {
        added = Int(clamping: report.records.added)
        updated = Int(clamping: report.records.updated)
        kept = Int(clamping: report.records.kept)
        eventsAdded = Int(clamping: report.events.added)
        eventsUpdated = Int(clamping: report.events.updated)
        eventsKept = Int(clamping: report.events.kept)
        skipped = Int(clamping: report.skipped)
    }
}

extension FirstTime {
    /// Takes the records of an old file into the store: an archive of YCFirstTime 1.x or 2.x or of this library (binary
    /// or XML), a preferences property list that holds one, or RuleKit's `RuleKitEvents.plist`. For each key the newest
    /// last time wins; of an event, and of a rule's fires, the larger count, the first and the last time of both. All or
    /// nothing; importing twice does no harm.
    ///
    /// - Parameters:
    ///   - path: The file, which is only read.
    ///   - defaultsKey: Where a preferences property list holds the archive.
    ///   - intervals: The interval keys to take from preferences too, where IntervalClient kept the bare second, hour,
    ///     day, week, month or year of the last run: its last time becomes the beginning of the latest such period that
    ///     isn't in the future. What is no such number is left out.
    ///   - isDryRun: Report what would change, and change nothing.
    /// - Throws: ``FirstTimeError``: `corrupt` says where in the file the fault is.
    @discardableResult
    public func importArchive(
        at path: String, defaultsKey: String = "YCFirstTime", intervals: [IntervalKey] = [], isDryRun: Bool = false
    ) throws -> ImportReport {
        try answer { () throws(EngineError) in
            ImportReport(try engine.importFile(Array(path.utf8), Self.options(defaultsKey, intervals, isDryRun)))
        }
    }

    /// The same from memory.
    @discardableResult
    public func importArchive(
        _ bytes: some Sequence<UInt8>, defaultsKey: String = "YCFirstTime", intervals: [IntervalKey] = [],
        isDryRun: Bool = false
    ) throws -> ImportReport {
        let bytes = Array(bytes)
        return try answer { () throws(EngineError) in
            ImportReport(try engine.importBytes(bytes, Self.options(defaultsKey, intervals, isDryRun)))
        }
    }

    private static func options(
        _ defaultsKey: String, _ intervals: [IntervalKey], _ isDryRun: Bool
    ) throws(EngineError) -> Engine.ImportOptions {
        var options = Engine.ImportOptions()
        options.defaultsKey = Array(defaultsKey.utf8)
        for key in intervals {
            let (key, interval) = try key.checked()
            options.intervals.append((key, interval.unit))
        }
        options.isDryRun = isDryRun
        return options
    }
}
#endif
