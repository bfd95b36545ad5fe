// ImportSource: which of the formats some bytes are, and the archive in them. It reads; merging is Engine+Import's.

import FirstTimeStore
import KeyedArchive

/// What was found in the bytes of an old file.
package struct ImportSource: Sendable {
    /// In the order of `firsttime_format`.
    package enum Format: Int32, Sendable {
        case automatic, archive, archiveXML, defaults, ruleKit, json
    }

    package let format: Format
    package let archive: Archive
    /// Where and what the entries are that are left out.
    package let leftOut: [DecodingError]

    /// Decodes `bytes`. `format`: what they must be, or `.automatic`; `defaultsKey`: where a preferences list holds the
    /// archive; `intervals`: what else is taken from one; `path`: for the errors.
    package init(
        _ bytes: [UInt8], format: Format, defaultsKey: [UInt8], intervals: LegacyIntervals? = nil, path: [UInt8]?
    ) throws(EngineError) {
        guard format != .json else { throw .argument(reason: "this format can't be imported") }
        let list: PropertyList
        var (archive, base): (Archive, Int)
        var leftOut: [DecodingError] = []
        let found: Format
        do throws(ArchiveError) {
            do { list = try PropertyList(bytes: bytes) } catch { throw .damaged(error) }
            found = Self.format(of: list, isBinary: BinaryPropertyList.isBinary(bytes))
            guard format == .automatic || format == found else {
                throw .damaged(DecodingError(.byte(0), "a property list of another format than the one asked for"))
            }
            switch found {
            case .defaults: (archive, base) = try Self.archive(in: list, defaultsKey)
            case .ruleKit:
                let events = try Self.events(in: list)
                (archive, base) = (events.archive, 0)
                leftOut = events.leftOut
            default: (archive, base) = (try Archive(list), 0)
            }
        } catch {
            switch error {
            case .damaged(let error): throw .undecodable(path: path, error)
            case .newerFormat(let version): throw .newerFormat(path: path, version: version)
            }
        }
        for problem in archive.leftOut { leftOut.append(problem.moved(by: base)) }
        if found == .defaults, let intervals {
            let taken = intervals.records(in: list) { leftOut.append(DecodingError(list.position(of: $0), $1)) }
            for (key, record) in taken {
                // The archive in the same preferences may know the key, too.
                switch archive.records.merged(record, for: key) {
                case .added(let record), .updated(let record): archive.records[key] = record
                case .kept: break
                }
            }
        }
        self.format = found
        self.archive = archive
        self.leftOut = leftOut
    }

    private static func format(of list: PropertyList, isBinary: Bool) -> Format {
        if KeyedArchive.isArchive(list) { return isBinary ? .archive : .archiveXML }
        return RuleKitEvents.isOne(list) ? .ruleKit : .defaults
    }

    private static func events(in list: PropertyList) throws(ArchiveError) -> RuleKitEvents {
        do { return try RuleKitEvents(list) } catch { throw .damaged(error) }
    }

    /// The archive that a preferences list holds as data, and what is added to its byte offsets. No entry of that name:
    /// nothing was ever recorded.
    private static func archive(in list: PropertyList, _ key: [UInt8]) throws(ArchiveError) -> (Archive, Int) {
        guard case .dictionary(let keys, let values) = list[list.root] else {
            throw .damaged(
                DecodingError(list.position(of: list.root), "neither a keyed archive nor a preferences property list"))
        }
        for (keyPosition, valuePosition) in zip(keys, values) {
            guard case .string(let name) = list[list.reference(at: keyPosition)],
                list.bytes(in: name).elementsEqual(key)
            else { continue }
            let value = list.reference(at: valuePosition)
            guard case .data(let range) = list[value] else {
                throw .damaged(DecodingError(list.position(of: value), "the preferences' archive is no data"))
            }
            return try archive(in: list, value, range)
        }
        return (Archive(), 0)
    }

    private static func archive(
        in list: PropertyList, _ value: PropertyList.Reference, _ range: Range<Int>
    ) throws(ArchiveError) -> (Archive, Int) {
        let outer = list.position(of: value)
        var base = 0
        // In a binary list the archive's bytes are the file's own, so its offsets can be the file's too.
        if case .byte = outer { base = range.lowerBound }
        do throws(ArchiveError) {
            return (try Archive(bytes: Array(list.bytes(in: range))), base)
        } catch {
            guard case .damaged(let inner) = error else { throw error }
            switch (outer, inner.position) {
            case (.byte, .byte(let offset)): throw .damaged(DecodingError(.byte(base + offset), inner.reason))
            default: throw .damaged(DecodingError(outer, inner.reason))
            }
        }
    }
}
