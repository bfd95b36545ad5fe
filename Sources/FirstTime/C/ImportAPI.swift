// ImportAPI: the functions that take old state in: firsttime_import() and firsttime_import_bytes().

import CFirstTime
import FirstTimeEngine
import FirstTimeStore

@_cdecl("firsttime_import") @implementation
public func firsttime_import(
    _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<firsttime_import_options>?,
    _ report_out: UnsafeMutablePointer<firsttime_import_report>?
) -> firsttime_result {
    answer { () throws(EngineError) in
        try importing(to: report_out) { () throws(EngineError) in
            let engine = try engine(store)
            return try engine.importFile(try cPath(path), importOptions(options))
        }
    }
}

@_cdecl("firsttime_import_bytes") @implementation
public func firsttime_import_bytes(
    _ store: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ length: Int,
    _ options: UnsafePointer<firsttime_import_options>?, _ report_out: UnsafeMutablePointer<firsttime_import_report>?
) -> firsttime_result {
    answer { () throws(EngineError) in
        try importing(to: report_out) { () throws(EngineError) in
            let engine = try engine(store)
            return try engine.importBytes(try cBytes(bytes, length), importOptions(options))
        }
    }
}

private func importing(
    to report_out: UnsafeMutablePointer<firsttime_import_report>?,
    _ body: () throws(EngineError) -> Engine.ImportReport
) throws(EngineError) -> firsttime_result {
    if let report_out { try write(firsttime_import_report(), to: report_out) }
    let report = try body()
    guard let report_out else { return FIRSTTIME_OK }
    var result = firsttime_import_report()
    result.records_added = report.records.added
    result.records_updated = report.records.updated
    result.records_kept = report.records.kept
    result.events_added = report.events.added
    result.events_updated = report.events.updated
    result.events_kept = report.events.kept
    result.skipped = report.skipped
    result.format = report.format.rawValue
    try write(result, to: report_out)
    return FIRSTTIME_OK
}

private func importOptions(
    _ pointer: UnsafePointer<firsttime_import_options>?
) throws(EngineError) -> Engine.ImportOptions {
    var result = Engine.ImportOptions()
    guard let pointer else { return result }
    let options = try load(pointer, firsttime_import_options())
    guard options.flags & ~UInt32(FIRSTTIME_IMPORT_DRY_RUN) == 0 else {
        throw .argument(reason: "an import flag that this version of the library doesn't know")
    }
    guard let format = ImportSource.Format(rawValue: options.format) else {
        throw .argument(reason: "the import format is unknown")
    }
    result.format = format
    result.intervals = try intervals(options)
    result.isDryRun = options.flags & UInt32(FIRSTTIME_IMPORT_DRY_RUN) != 0
    if let name = options.defaults_key { result.defaultsKey = Text.bytes(of: name, limit: 65536) }
    let context = options.context
    if let skipped = options.skipped {
        result.skipped = { offset, reason in tell(skipped, context, offset, literal(reason)) }
    }
    if let progress = options.progress { result.progress = { done, total in progress(done, total, context) == 0 } }
    return result
}

private func intervals(_ options: firsttime_import_options) throws(EngineError) -> [(key: Key, unit: Interval.Unit)] {
    guard options.interval_count != 0 else { return [] }
    // A size_t above Int's range arrives below zero.
    guard options.interval_count > 0, let names = options.interval_names, let intervals = options.intervals else {
        throw .argument(reason: "interval_names or intervals is NULL, or interval_count more than there can be")
    }
    var units: [(key: Key, unit: Interval.Unit)] = []
    for index in 0..<options.interval_count {
        units.append((try cIntervalKey(names[index]), try cInterval(intervals[index]).unit))
    }
    return units
}
