// RunPolicy: when a key is due again, for Swift callers. Its meaning is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// When a key is due again, and how it is run.
public struct RunPolicy: Hashable, Sendable {
    /// Due again when the app version differs from the recorded one, byte for byte.
    public var perVersion: Bool
    /// Due again when this has passed since the last run. With ``perVersion`` either suffices.
    public var interval: RunInterval?
    /// The run is recorded before it begins, with the time it begins, and taken back when it fails: a crash doesn't run
    /// it again. Where nothing can be recorded it never runs.
    public var atMostOnce = false
    /// Fails with `busy` at once when someone else is running the key.
    public var noWait = false
    /// A key that was never seen is recorded now, without running: "what's new" isn't for those who just came.
    public var baseline = false

    /// Without arguments: once per install.
    public init(
        perVersion: Bool = false, interval: RunInterval? = nil, atMostOnce: Bool = false, noWait: Bool = false,
        baseline: Bool = false
    ) {
        self.perVersion = perVersion
        self.interval = interval
        self.atMostOnce = atMostOnce
        self.noWait = noWait
        self.baseline = baseline
    }

    /// Once per install.
    public static let once = RunPolicy()
    /// Once per app version.
    public static let oncePerVersion = RunPolicy(perVersion: true)
    /// Once per interval.
    public static func oncePer(_ interval: RunInterval) -> RunPolicy { RunPolicy(interval: interval) }

    func checked() throws(EngineError) -> Policy {
        var policy = Policy(isPerVersion: perVersion, interval: try interval?.checked())
        policy.isAtMostOnce = atMostOnce
        policy.isHasty = noWait
        policy.hasBaseline = baseline
        return policy
    }
}
#endif
