// ExportAPI: the functions that write: firsttime_export() and firsttime_dump_bytes().

import CFirstTime
import FirstTimeEngine
import FirstTimeStore
import KeyedArchive

@_cdecl("firsttime_export") @implementation
public func firsttime_export(
    _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ format: Int32
) -> firsttime_result {
    answer { () throws(EngineError) in
        let engine = try engine(store)
        try engine.export(try exportFormat(format), path: try cPath(path))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_export_to") @implementation
public func firsttime_export_to(
    _ store: OpaquePointer?, _ format: Int32, _ writer: firsttime_writer?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let engine = try engine(store)
        try engine.export(try exportFormat(format), to: try cWriter(writer, context))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_dump_bytes") @implementation
public func firsttime_dump_bytes(
    _ bytes: UnsafeRawPointer?, _ length: Int, _ flags: UInt32, _ writer: firsttime_writer?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let (json, raw) = (UInt32(FIRSTTIME_DUMP_JSON), UInt32(FIRSTTIME_DUMP_RAW))
        guard flags & ~(json | raw) == 0 else {
            throw .argument(reason: "a dump flag that this version of the library doesn't know")
        }
        let writer = try cWriter(writer, context)
        try Inspection.dump(
            try cBytes(bytes, length), isJSON: flags & json != 0, isRaw: flags & raw != 0, to: writer)
        return FIRSTTIME_OK
    }
}

private func exportFormat(_ format: Int32) throws(EngineError) -> ImportSource.Format {
    guard let format = ImportSource.Format(rawValue: format) else {
        throw .argument(reason: "the export format is unknown")
    }
    return format
}

private func cWriter(
    _ writer: firsttime_writer?, _ context: UnsafeMutableRawPointer?
) throws(EngineError) -> ByteSink.Writer {
    guard let writer else { throw .argument(reason: "the writer is NULL") }
    return { piece in
        guard let start = piece.baseAddress else { return true }
        return writer(start, piece.count, context) == 0
    }
}
