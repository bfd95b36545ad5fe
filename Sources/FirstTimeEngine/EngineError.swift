// EngineError: why something was not run, not answered or not recorded. The one error of this layer.

import FirstTimeStore
import KeyedArchive

package indirect enum EngineError: Error, Sendable {
    /// A wrong argument, in words.
    case argument(reason: StaticString)
    /// The text of a rule that is none: where, counted from 1 and in characters, and what is wrong.
    case ruleText(line: Int, column: Int, reason: StaticString)
    /// The store is NULL.
    case noStore
    /// The rule, or one of the rules, is NULL.
    case noRule(reason: StaticString)
    /// The file, a lock or the disk.
    case store(StoreError)
    /// A callback returned non-zero.
    case callback(Callback, status: Int32)
    /// `first` ran, but the run could not be recorded.
    case notRecorded(StoreError)
    /// `first` failed, but that it may run again could not be recorded.
    case notRestored(StoreError)
    /// The callback, or the claim, is the parent's of this forked child.
    case forked
    /// The store was closed while the claim was open.
    case detached
    /// A rule holds, but that it fires could not be recorded, so it didn't fire.
    case notClaimed(rule: Key, StoreError)
    /// Bytes that can't be decoded; the path is nil when they came from memory.
    case undecodable(path: [UInt8]?, DecodingError)
    /// An archive of a newer format, likewise.
    case newerFormat(path: [UInt8]?, version: Int128)

    package enum Callback: Sendable {
        case first, after, skipped, progress, writer, visitor
    }
}
