// VersionBudget: how many bytes the versions of a file's records may take together. A file of a few megabytes could name one large
// text a hundred thousand times, and each record gets its own.

/// What versions may still take.
package struct VersionBudget {
    /// What is said where there is no more.
    package static let reason: StaticString = "a version so large that it can't be that of so many records"

    private var rest: Int

    /// Longer ones are not shared in what this library writes, so that no budget refuses its own files: a record takes more
    /// than half as many bytes.
    static let longestShared = 64

    package init(fileSize: Int) { rest = 4 * fileSize + (1 << 24) }

    /// Whether versions of so many bytes fit. Asked before they are copied.
    package mutating func allow(_ count: Int) -> Bool {
        guard count <= rest else { return false }
        rest -= count
        return true
    }

    /// Whether a record's versions fit, but for its former one's.
    package mutating func allow(_ record: Record) -> Bool {
        allow((record.lastVersion?.count ?? 0) + (record.firstVersion?.count ?? 0))
    }
}
