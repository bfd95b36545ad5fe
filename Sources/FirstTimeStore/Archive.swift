// Archive: what an archive file holds, in memory: records, events and triggers, and everything else in it, which is
// carried through. Values only; it does not know where the file is.

import KeyedArchive

/// The content of an archive file.
package struct Archive: Sendable {
    package var records = RecordTable()
    package var events = RecordTable()
    package var triggers = RecordTable()
    /// Counts the commits. A file without one was written by other software.
    package var sequence: UInt64?
    /// Drawn by whoever makes the file: two files with one were one file once. Nil as for `sequence`.
    package var storeID: UInt64?
    /// What else the file holds.
    var foreign = ForeignContent()

    /// The version that this library writes, and the oldest that can read what it writes.
    static let currentFormat: Int128 = 1
    static let readableFrom: Int128 = 1
    /// More than a file's own: no process counts so far, and some way beyond it there is still room.
    static let largestSequence: UInt64 = 1 << 62

    package init() {}

    /// The version of the format the file has.
    package var formatVersion: Int128 { foreign.formatVersion }
    /// Where and what the entries are that the API can't show: they are carried, but not counted. Of an archive that was
    /// salvaged: what is lost.
    package var leftOut: [DecodingError] { foreign.leftOut }
    /// Of an archive that was salvaged: the file's format version, when that says this version can't read it. Then
    /// nothing was taken out of the file, and it must stay as it is: what looks like damage may be none.
    package var unreadableFormat: Int128? { foreign.unreadableFormat }
}

/// The parts of an archive that are not ours, kept in a small archive of their own, and what is said of the file that it
/// came from. Nothing changes it once it is collected; an object, so that an archive in memory is copied with little.
final class ForeignContent: @unchecked Sendable {
    typealias Entry = (key: UInt64, value: UInt64)
    typealias Coded = (key: PropertyList.Reference, value: PropertyList.Reference)

    /// Holds all that the lists below refer to; nil when they are empty.
    var archive: KeyedArchive?
    /// Entries of the root and group dictionaries, as UIDs.
    var rootEntries: [Entry] = []
    var groupEntries: [Entry] = []
    /// Coder keys of the root and group dictionary objects.
    var rootCoded: [Coded] = []
    var groupCoded: [Coded] = []
    /// Entries of `$top`, of the property list's top level and of `FirstTime`.
    var top: [Coded] = []
    var topLevel: [Coded] = []
    var firstTime: [Coded] = []
    /// Entries of its events and triggers whose names the API can't say.
    var events: [Coded] = []
    var triggers: [Coded] = []
    /// Unknown coder keys of records; `Record.extras` is an index here plus 1.
    var records: [[Coded]] = []

    // The archive's own names say what these are.
    var formatVersion = Archive.currentFormat
    var leftOut: [DecodingError] = []
    var unreadableFormat: Int128?

    @inline(never)
    init() {}
}

/// Why an archive could not be decoded.
package indirect enum ArchiveError: Error, Sendable {
    case damaged(DecodingError)
    /// A format version that says this one can't read it.
    case newerFormat(Int128)
}
