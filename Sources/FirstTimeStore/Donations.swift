// Donations: what the archive remembers of one event. Values only; rules over them are the engine's.

/// One event's donations: how many, and the first and the last. Times are NSDate's, seconds since 2001.
package struct Donations: Equatable, Sendable {
    package var count: UInt64 = 0
    /// Nil: none, or none that is known.
    package var firstTime: Double?
    package var firstVersion: [UInt8]?
    package var lastTime: Double?
    package var lastVersion: [UInt8]?

    package init() {}
}
