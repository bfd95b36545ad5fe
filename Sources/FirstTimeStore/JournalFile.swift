// JournalFile: the journal on disk: finding, reading, appending, cutting. Which records belong in it, and when it may be
// changed, is Store's to say; all changes happen under the append lock.

import CSystem
import KeyedArchive

/// The file `PATH-journal`.
struct JournalFile: Sendable {
    let file: StoreFile
    private let archive: StoreFile

    init(archive: StoreFile) {
        self.archive = archive
        file = StoreFile(path: archive.path.appending("-journal"))
    }

    var path: FilePath { file.path }

    /// All bytes of the journal, whatever they are; nil when it isn't there.
    func bytes() throws(StoreError) -> [UInt8]? { try read()?.bytes }

    /// Opens the journal and reads all of it; nil when it isn't there.
    func open() throws(StoreError) -> (journal: OpenJournal, bytes: [UInt8])? {
        guard let (bytes, descriptor, status, isWritable) = try read() else { return nil }
        let header: JournalHeader
        do { header = try JournalHeader(bytes) } catch { throw StoreError(error, in: path) }
        let journal = OpenJournal(
            path: path, descriptor: descriptor, isWritable: isWritable, identity: StoreFile.Identity(status),
            header: header, sequence: header.base, end: JournalHeader.size, isAnchored: false)
        return (journal, Array(bytes[JournalHeader.size...]))
    }

    private typealias Content = (bytes: [UInt8], descriptor: Descriptor, status: csystem_status, isWritable: Bool)

    private func read() throws(StoreError) -> Content? {
        var opened = path.withCString { csystem_open_to_update($0) }
        let isWritable = opened >= 0
        if csystem_is_refused(-opened) { opened = path.withCString { csystem_open_to_lock($0) } }
        guard let (descriptor, status) = try Descriptor.regular(opened, path) else { return nil }
        guard try archive.attributes().trusts(status) else { throw .foreignOwner(path: path.bytes, user: status.user) }
        return (try descriptor.read(from: 0, expecting: status.size, path), descriptor, status, isWritable)
    }

    /// Puts a new journal in place: a header, and `records`, the last of which is `sequence`. On disk when it returns.
    func create(
        _ header: JournalHeader, records: [UInt8], sequence: UInt64
    ) throws(StoreError) -> OpenJournal {
        let content: StoreFile.Content
        let attributes = try archive.attributes()
        do { content = try file.replace(with: header.bytes + records, attributes, keeping: .content) } catch {
            guard case .unconfirmed(let call, let path, let number) = error else { throw error }
            // Nothing is committed in it that isn't elsewhere, and nothing must be before its name is on disk.
            throw .system(call: call, path: path, error: number)
        }
        return OpenJournal(
            path: path, descriptor: content.descriptor, isWritable: true, identity: content.identity, header: header,
            sequence: sequence, end: JournalHeader.size + records.count, isAnchored: true)
    }
}

/// A journal that is open, as far as this process has read it.
struct OpenJournal: Sendable {
    /// What doesn't change while it is open: an object, since journals are handed on in many places.
    private final class Constants: Sendable {
        let path: FilePath
        let descriptor: Descriptor
        let isWritable: Bool
        let identity: StoreFile.Identity
        let header: JournalHeader

        init(
            _ path: FilePath, _ descriptor: Descriptor, _ isWritable: Bool, _ identity: StoreFile.Identity,
            _ header: JournalHeader
        ) {
            self.path = path
            self.descriptor = descriptor
            self.isWritable = isWritable
            self.identity = identity
            self.header = header
        }
    }

    private let constants: Constants
    var path: FilePath { constants.path }
    var descriptor: Descriptor { constants.descriptor }
    var isWritable: Bool { constants.isWritable }
    /// Of which only device and inode last.
    var identity: StoreFile.Identity { constants.identity }
    var header: JournalHeader { constants.header }
    /// The last record that was read or written; before the first, the header's base.
    var sequence: UInt64
    /// Where in the file it ends.
    var end: Int
    /// Whether its name is known to be on disk: whoever made it may have died before.
    var isAnchored: Bool

    init(
        path: FilePath, descriptor: Descriptor, isWritable: Bool, identity: StoreFile.Identity, header: JournalHeader,
        sequence: UInt64, end: Int, isAnchored: Bool
    ) {
        constants = Constants(path, descriptor, isWritable, identity, header)
        self.sequence = sequence
        self.end = end
        self.isAnchored = isAnchored
    }

    func size() throws(StoreError) -> Int64 { try descriptor.status(path).size }

    /// The records from `offset` to the last known one.
    func bytes(from offset: Int) throws(StoreError) -> [UInt8] {
        let bytes = try descriptor.read(from: Int64(offset), expecting: Int64(end), path)
        guard bytes.count >= end - offset else {
            throw .system(call: "read", path: path.bytes, error: csystem_io_error)
        }
        return Array(bytes.prefix(end - offset))
    }

    /// What follows the records that are known.
    func rest(_ size: Int64) throws(StoreError) -> [UInt8] {
        try descriptor.read(from: Int64(end), expecting: size, path)
    }

    /// Writes a record behind the last one, with one write. When that fails, what got there is taken away again, or left
    /// to the next holder of the lock.
    mutating func append(_ record: JournalRecord) throws(StoreError) {
        let bytes = record.bytes
        do throws(StoreError) {
            // A record's length is 32 bits wide, and no journal needs to be longer than an archive can be.
            guard bytes.count < Int(UInt32.max) - end else { throw StoreError.tooLarge(path: path.bytes) }
            try descriptor.write(bytes, at: Int64(end), path)
        } catch {
            if let size = try? size(), size > end { try? cut() }
            throw error
        }
        end += bytes.count
        sequence = record.sequence
    }

    /// Takes away what follows the last record.
    func cut() throws(StoreError) {
        let result = withExtendedLifetime(descriptor) { csystem_cut(descriptor.number, Int64(end)) }
        guard result == 0 else { throw .system(call: "ftruncate", path: path.bytes, error: -result) }
    }
}

extension StoreError {
    init(_ error: JournalError, in path: FilePath) {
        switch error {
        case .damaged(let error): self = .corrupt(path: path.bytes, error)
        case .newerFormat(let version): self = .newerFormat(path: path.bytes, version: version)
        case .newerChange: self = .newerChange(path: path.bytes)
        }
    }
}
