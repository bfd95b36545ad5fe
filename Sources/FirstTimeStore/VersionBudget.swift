// VersionBudget: how many bytes the versions of a file's records may take together. A file of a few megabytes could name one large
// text a hundred thousand times, and each record gets its own.

/// What versions may still take.
package struct VersionBudget {
    /// What is said where there is no more.
    package static let reason: StaticString = "a version so large that it can't be that of so many records"

    private var rest: Int

    package init(fileSize: Int) { rest = 4 * fileSize + (1 << 24) }

    /// Whether a record's versions fit.
    package mutating func allow(_ record: Record) -> Bool {
        rest -= (record.lastVersion?.count ?? 0) + (record.firstVersion?.count ?? 0)
        if let before = record.former?.record {
            rest -= (before.lastVersion?.count ?? 0) + (before.firstVersion?.count ?? 0)
        }
        return rest >= 0
    }
}
