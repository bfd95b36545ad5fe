// StoreError: everything that can go wrong between memory and disk. The one error of this layer.

import CSystem
import KeyedArchive

package indirect enum StoreError: Error, Sendable {
    /// A system call failed.
    case system(call: StaticString, path: [UInt8], error: Int32)
    /// A file that must be there isn't.
    case missing(path: [UInt8])
    /// A directory, a FIFO, a device or a socket stands where a file should be.
    case notAFile(path: [UInt8])
    /// More bytes than any archive has: 4 GiB.
    case tooLarge(path: [UInt8])
    /// Not a lock file of this library.
    case foreignLock(path: [UInt8])
    /// A file beside the archive that belongs to another user than the archive does: it is not the store's.
    case foreignOwner(path: [UInt8], user: UInt32)
    /// Writing is not allowed: the call that showed it, and why.
    case readOnly(path: [UInt8], Refusal)
    /// The bytes of a file can't be decoded.
    case corrupt(path: [UInt8], DecodingError)
    /// The same, and nothing says that it ever was a store.
    case notAStore(path: [UInt8], DecodingError)
    /// A newer version of the format, which this version can't read.
    case newerFormat(path: [UInt8], version: Int128)
    /// A journal with a change that only a newer version knows.
    case newerChange(path: [UInt8])
    /// Nobody can tell where the file should be.
    case noLocation(reason: StaticString)
    /// The process and the thread that have the key that was waited for. No thread: another process, or a claim that
    /// no thread of this one holds any more. No process: it could not be told which.
    case busy(process: Int32?, thread: Int32?)
    /// Another process is in the middle of a write, for longer than any takes.
    case locked(path: [UInt8])
    /// A program has the store open, or has just changed it, so that it can't be repaired.
    case inUse(path: [UInt8])
    /// The caller would wait for itself.
    case reentrant(reason: StaticString)
    /// Written and in place, but the directory could not be synced: a loss of power may undo it.
    case unconfirmed(call: StaticString, path: [UInt8], error: Int32)

    /// Whether it says nothing of the store, only that another has the key.
    package var isAboutWaiting: Bool {
        switch self {
        case .busy, .locked, .inUse, .reentrant: true
        default: false
        }
    }

    /// Whether what it refuses is the writing, so that something may run unrecorded: not when the archive, or who else
    /// runs a key, can't be known.
    package var isAboutWriting: Bool {
        switch self {
        case .system, .missing, .notAFile, .foreignOwner, .readOnly, .noLocation: true
        default: false
        }
    }

    /// Why a store can't be written.
    package enum Refusal: Sendable {
        case system(call: StaticString, error: Int32)
        /// The file is another user's, and a rewrite would change its owner.
        case owner(user: UInt32, group: UInt32)
        /// The handle was opened so.
        case flag
        /// Written by a newer version that lets this one read it.
        case newerFormat(version: Int128)
    }

    /// A call that failed while something was about to be written, with nothing done yet: no permission is told apart.
    static func failed(_ call: StaticString, _ path: FilePath, _ result: Int32) -> StoreError {
        if csystem_is_no_file(-result) { return .notAFile(path: path.bytes) }
        if csystem_is_refused(-result) { return .readOnly(path: path.bytes, .system(call: call, error: -result)) }
        return .system(call: call, path: path.bytes, error: -result)
    }
}
