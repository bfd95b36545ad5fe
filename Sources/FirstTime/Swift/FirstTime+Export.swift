// FirstTime+Export: giving a copy of all state away, and looking at the bytes of property lists and keyed archives.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore
import KeyedArchive

/// What an export is written as.
public enum ExportFormat: Hashable, Sendable {
    /// A keyed archive as a binary property list: what the store's own file is.
    case archive
    /// A keyed archive as an XML property list.
    case archiveXML
    /// An XML property list with the binary archive as data under `YCFirstTime`, for `defaults import` on a Mac.
    case defaults
    /// Records, events and triggers as JSON, for people and scripts.
    case json

    var engine: ImportSource.Format {
        switch self {
        case .archive: .archive
        case .archiveXML: .archiveXML
        case .defaults: .defaults
        case .json: .json
        }
    }
}

/// Something that is wrong with bytes, or that a repair does about it.
public struct ArchiveProblem: Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start; for XML the line.
    public let offset: Int
    /// In words.
    public let description: String

    init(_ offset: UInt64, _ description: String) {
        self.offset = Int(clamping: offset)
        self.description = description
    }
}

extension FirstTime {
    /// Writes a copy of everything the store holds to a file of its own, which is there when it is complete, or not at all.
    /// The store itself isn't touched, nor flushed.
    ///
    /// - Parameters:
    ///   - path: Where to: no file yet, whose mode becomes 0600, or one that is replaced and keeps its mode and owner. The
    ///     store's own files are refused.
    ///   - format: What is written.
    /// - Throws: ``FirstTimeError``: `inputOutput`, `corrupt`, `format`, `busy`, or `argument`, also when XML has no way to
    ///   say something the store holds.
    public func export(to path: String, format: ExportFormat = .archive) throws {
        try answer { () throws(EngineError) in try engine.export(format.engine, path: Array(path.utf8)) }
    }

    /// The same as bytes.
    public func exportBytes(format: ExportFormat = .archive) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try answer { () throws(EngineError) in
            try engine.export(format.engine) { piece in
                bytes.append(contentsOf: piece)
                return true
            }
        }
        return bytes
    }

    /// Shows any property list as text for people, or as JSON for scripts. The objects of a keyed archive stand where their
    /// UIDs lead.
    ///
    /// - Parameters:
    ///   - bytes: A binary or XML property list, whosever it is.
    ///   - asJSON: JSON instead of text.
    ///   - isRaw: UIDs as they stand, also in a keyed archive.
    /// - Throws: ``FirstTimeError``: `corrupt` says where the fault is.
    public static func dump(
        _ bytes: some Sequence<UInt8>, asJSON: Bool = false, isRaw: Bool = false
    ) throws -> String {
        var text: [UInt8] = []
        do throws(EngineError) {
            try Inspection.dump(Array(bytes), isJSON: asJSON, isRaw: isRaw) { piece in
                text.append(contentsOf: piece)
                return true
            }
        } catch { throw FirstTimeError(error) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Everything that is wrong with a property list, a keyed archive, or one of this library's: what can't be decoded, leads
    /// nowhere, or would be refused or left out. None: it is sound.
    ///
    /// - Throws: ``FirstTimeError``: `format`, when it is sound, but a newer version's.
    public static func verify(_ bytes: some Sequence<UInt8>) throws -> [ArchiveProblem] {
        var problems: [ArchiveProblem] = []
        do throws(EngineError) {
            try Inspection.verify(Array(bytes)) { offset, reason in
                problems.append(ArchiveProblem(offset, reason.description))
                return true
            }
        } catch {
            guard case .undecodable = error else { throw FirstTimeError(error) }
        }
        return problems
    }

    /// Repairs a store that can't be opened, as ``OpenOptions/recover`` does, while no program has it open: what can't be
    /// decoded is kept beside it under another name, and the store starts from every record that could be saved.
    ///
    /// - Parameters:
    ///   - path: The archive file.
    ///   - visit: Told, before anything is changed, of what is wrong and what will be done about it. False: nothing is
    ///     changed.
    /// - Returns: Whether it was repaired; false: it can be opened as it is, or `visit` said no.
    /// - Throws: ``FirstTimeError``: `busy` when a program has it open.
    @discardableResult
    public static func repair(path: String, _ visit: (ArchiveProblem) -> Bool = { _ in true }) throws -> Bool {
        do throws(EngineError) {
            return try Inspection.repair(Array(path.utf8)) { notice in
                var offset: UInt64 = 0
                if case .problem(_, let problem) = notice { offset = UInt64(clamping: problem.offset) }
                return visit(ArchiveProblem(offset, String(decoding: ErrorText(notice).bytes, as: UTF8.self)))
            }
        } catch {
            if case .callback = error { return false }
            throw FirstTimeError(error)
        }
    }
}
#endif
