// FirstTimeError: the library's failures for Swift: a code to decide by and words to show. The words are those that C gets.

#if !hasFeature(Embedded)
import CFirstTime
import FirstTimeEngine

/// Why a call on a ``FirstTime`` failed.
///
/// What your own closures throw is never wrapped in this: it passes through as it is.
public struct FirstTimeError: Error, Hashable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Int32, Sendable {
        /// A wrong argument: an empty key, an interval of 0, no home directory. Nothing ran and nothing changed.
        case argument = -1
        /// A system call failed; nothing ran.
        case inputOutput = -2
        /// The bytes on disk can't be decoded. The file is left as it is.
        case corrupt = -3
        /// Written by a newer version of the format. The file is left as it is.
        case format = -4
        /// Someone else is running this key, and the wait limit passed.
        case busy = -5
        /// The call would wait for itself: a key inside its own closure, say.
        case reentrant = -6
        /// The store can't be written; nothing ran.
        case readOnly = -8
        /// The closure ran, but recording it failed, or a claim's store was closed. This process remembers it and tries again at the next recording.
        case notRecorded = -9
        /// The closure returned in a forked child, or the claim is its parent's: recording it is the parent's affair.
        case forked = -10
    }

    public let code: Code
    /// What failed, in words: the file, the call and the reason.
    public let description: String

    init(_ error: EngineError) {
        code = Code(rawValue: firsttime_result(error).rawValue) ?? .inputOutput
        description = String(decoding: ErrorText(error).bytes, as: UTF8.self)
    }
}
#endif
