// StoreError: everything that can go wrong between memory and disk. The one error of this layer.

import CSystem
import KeyedArchive

package enum StoreError: Error, Sendable {
    /// A system call failed.
    case system(call: StaticString, path: [UInt8], error: Int32)
    /// Writing is not allowed: the call that showed it, and why.
    case readOnly(path: [UInt8], Refusal)
    /// The bytes of a file can't be decoded.
    case corrupt(path: [UInt8], DecodingError)
    /// A newer version of the format, which this version can't read.
    case newerFormat(path: [UInt8], version: Int128)
    /// Nobody can tell where the file should be.
    case noLocation(reason: StaticString)
    /// Another thread or process holds the key.
    case busy(path: [UInt8])
    /// The caller would wait for itself.
    case reentrant(reason: StaticString)
    /// Written and in place, but the directory could not be synced: a loss of power may undo it.
    case unconfirmed(path: [UInt8], error: Int32)

    /// Why a store can't be written.
    package enum Refusal: Sendable {
        case system(call: StaticString, error: Int32)
        /// The file is another user's, and a rewrite would change its owner.
        case owner(user: UInt32, group: UInt32)
        /// Written by a newer version that lets this one read it.
        case newerFormat(version: Int128)
    }

    /// A failed call on `path`; refused ones are told apart, since nothing was tried after them.
    static func failed(_ call: StaticString, _ path: [UInt8], _ result: Int) -> StoreError {
        let error = Int32(truncatingIfNeeded: -result)
        if csystem_is_refused(error) { return .readOnly(path: path, .system(call: call, error: error)) }
        return .system(call: call, path: path, error: error)
    }
}
