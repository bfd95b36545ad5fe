// Engine+Import: takes the records, events and triggers of old files into the store, all or none of them.

import FirstTimeStore
import KeyedArchive

extension Engine {
    package struct ImportOptions {
        package var format = ImportSource.Format.automatic
        /// YCFirstTime's own name.
        package var defaultsKey = [UInt8](staticString: "YCFirstTime")
        /// The interval keys that are taken from preferences, with the unit of each.
        package var intervals: [(key: Key, unit: Interval.Unit)] = []
        package var isDryRun = false
        /// Told where an entry stands that is left out, and why; false stops the import.
        package var skipped: ((_ offset: UInt64, _ reason: StaticString) -> Bool)?
        /// Told how many of how many records are done; false stops the import.
        package var progress: ((_ done: UInt64, _ total: UInt64) -> Bool)?

        package init() {}
    }

    package struct ImportReport: Sendable {
        /// What became of entries of one kind.
        package struct Counts: Sendable {
            package var added: UInt64 = 0
            package var updated: UInt64 = 0
            package var kept: UInt64 = 0
            var changed: UInt64 { added + updated }
        }

        package var records = Counts()
        package var events = Counts()
        /// Not told of: they go with the events.
        var triggers = Counts()
        package var skipped: UInt64 = 0
        package var format = ImportSource.Format.automatic
    }

    /// How many records come between two calls of `progress`.
    private static let progressStep: UInt64 = 4096

    package func importFile(_ path: [UInt8], _ options: ImportOptions) throws(EngineError) -> ImportReport {
        try calls.inside { () throws(EngineError) -> ImportReport in
            let file = try Self.filePath(path)
            let bytes: [UInt8]
            do throws(StoreError) { bytes = try Store.contents(of: file) } catch { throw .store(error) }
            return try importBytes(bytes, path: path, options)
        }
    }

    package func importBytes(
        _ bytes: [UInt8], path: [UInt8]? = nil, _ options: ImportOptions
    ) throws(EngineError) -> ImportReport {
        try calls.inside { () throws(EngineError) -> ImportReport in
            var intervals: LegacyIntervals?
            if !options.intervals.isEmpty {
                intervals = LegacyIntervals(units: options.intervals, now: try now(), calendar: calendar)
            }
            let source = try ImportSource(
                bytes, format: options.format, defaultsKey: options.defaultsKey, intervals: intervals, path: path)
            try tellSkipped(source, options)
            // Everything that calls out comes before the commit: a commit holds the store's lock.
            var report = try rehearse(source, options)
            if !options.isDryRun, report.records.changed + report.events.changed + report.triggers.changed > 0 {
                try commit { transaction in
                    report = ImportReport()
                    for key in source.archive.records.keys() {
                        if let record = Self.merge(key, from: source, with: transaction.records, &report) {
                            transaction.set(record, for: key)
                        }
                    }
                    let (events, triggers) = Self.mergeTables(
                        from: source, with: transaction.events, transaction.triggers, &report)
                    for (name, donations) in events { transaction.set(donations: donations, of: name) }
                    for (name, record) in triggers { transaction.set(trigger: record, named: name) }
                }
            }
            report.skipped = UInt64(source.leftOut.count)
            report.format = source.format
            return report
        }
    }

    private func tellSkipped(_ source: ImportSource, _ options: ImportOptions) throws(EngineError) {
        guard let skipped = options.skipped else { return }
        for problem in source.leftOut {
            guard skipped(UInt64(clamping: problem.offset), problem.reason) else {
                throw .callback(.skipped, status: 1)
            }
        }
    }

    /// What an import would do now.
    private func rehearse(_ source: ImportSource, _ options: ImportOptions) throws(EngineError) -> ImportReport {
        let records = try snapshot()
        let tables = UInt64(source.archive.events.count + source.archive.triggers.count)
        let total = UInt64(source.archive.records.count) + tables
        var report = ImportReport()
        var done: UInt64 = 0
        for key in source.archive.records.keys() {
            if done % Self.progressStep == 0, let progress = options.progress, !progress(done, total) {
                throw .callback(.progress, status: 1)
            }
            _ = Self.merge(key, from: source, with: records, &report)
            done += 1
        }
        if let progress = options.progress, !progress(total, total) { throw .callback(.progress, status: 1) }
        let (events, triggers) = try read { ($0.events, $0.triggers) }
        _ = Self.mergeTables(from: source, with: events, triggers, &report)
        return report
    }

    /// The record that the import makes of a key; nil when the store's own stays.
    private static func merge(
        _ key: Key, from source: ImportSource, with records: RecordTable, _ report: inout ImportReport
    ) -> Record? {
        // What was started elsewhere, and whose end isn't known, is done here.
        guard let imported = source.archive.records[key]?.settled else { return nil }
        switch records.merged(imported, for: key) {
        case .added(let record):
            report.records.added += 1
            return record
        case .updated(let record):
            report.records.updated += 1
            return record
        case .kept:
            report.records.kept += 1
            return nil
        }
    }

    /// What the import changes of events and triggers. Counts aren't added up: the larger one wins, so that an import
    /// may be repeated.
    private static func mergeTables(
        from source: ImportSource, with events: [Key: Donations], _ triggers: [Key: TriggerRecord],
        _ report: inout ImportReport
    ) -> (events: [(Key, Donations)], triggers: [(Key, TriggerRecord)]) {
        (
            events: merge(source.archive.events, with: events, &report.events) { $0.merged(with: $1) },
            triggers: merge(source.archive.triggers, with: triggers, &report.triggers) { $0.merged(with: $1) }
        )
    }

    private static func merge<Value: Equatable>(
        _ imported: [Key: Value], with own: [Key: Value], _ counts: inout ImportReport.Counts,
        _ merged: (Value, Value) -> Value
    ) -> [(Key, Value)] {
        var changes: [(Key, Value)] = []
        for (name, value) in imported {
            guard let known = own[name] else {
                counts.added += 1
                changes.append((name, value))
                continue
            }
            let both = merged(known, value)
            if both == known {
                counts.kept += 1
            } else {
                counts.updated += 1
                changes.append((name, both))
            }
        }
        return changes
    }
}
