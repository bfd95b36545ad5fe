// Engine+Import: takes the records of old files into the store, all or none of them.

import FirstTimeStore
import KeyedArchive

extension Engine {
    package struct ImportOptions {
        package var format = ImportSource.Format.automatic
        /// YCFirstTime's own name.
        package var defaultsKey = [UInt8](staticString: "YCFirstTime")
        /// The interval keys that are taken from preferences, with the unit of each.
        package var intervals: [Key: Interval.Unit] = [:]
        package var isDryRun = false
        /// Told where an entry stands that is left out, and why; false stops the import.
        package var skipped: ((_ offset: UInt64, _ reason: StaticString) -> Bool)?
        /// Told how many of how many records are done; false stops the import.
        package var progress: ((_ done: UInt64, _ total: UInt64) -> Bool)?

        package init() {}
    }

    package struct ImportReport: Sendable {
        package var added: UInt64 = 0
        package var updated: UInt64 = 0
        package var kept: UInt64 = 0
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
            if !options.isDryRun, report.added + report.updated > 0 {
                report = try commit { transaction in
                    var report = ImportReport()
                    for key in source.archive.records.keys() {
                        if let record = Self.merge(key, from: source, with: transaction.records, &report) {
                            transaction.set(record, for: key)
                        }
                    }
                    return report
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
            let offset: Int
            switch problem.position {
            case .byte(let byte): offset = byte
            case .line(let line): offset = line
            }
            guard skipped(UInt64(clamping: offset), problem.reason) else { throw .callback(.skipped, status: 1) }
        }
    }

    /// What an import would do now.
    private func rehearse(_ source: ImportSource, _ options: ImportOptions) throws(EngineError) -> ImportReport {
        let records = try snapshot()
        let total = UInt64(source.archive.records.count)
        var report = ImportReport()
        var done: UInt64 = 0
        for key in source.archive.records.keys() {
            if done % Self.progressStep == 0, let progress = options.progress, !progress(done, total) {
                throw .callback(.progress, status: 1)
            }
            _ = Self.merge(key, from: source, with: records, &report)
            done += 1
        }
        if let progress = options.progress, !progress(done, total) { throw .callback(.progress, status: 1) }
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
            report.added += 1
            return record
        case .updated(let record):
            report.updated += 1
            return record
        case .kept:
            report.kept += 1
            return nil
        }
    }
}
