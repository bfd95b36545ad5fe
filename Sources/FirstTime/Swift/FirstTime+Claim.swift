// FirstTime+Claim: running a key without a closure: for work that ends later, or on another thread.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

extension FirstTime {
    /// A key that is yours to run, until ``commit()`` or ``abandon()``.
    ///
    /// While it is open nobody else runs the key, in this process or another. A claim that goes without `commit()` is
    /// abandoned; one whose process ends is not recorded. Closing the store detaches it: the key is free then, and
    /// `commit()` throws.
    public struct Claim: ~Copyable, Sendable {
        private let claim: FirstTimeEngine.Claim

        fileprivate init(_ claim: FirstTimeEngine.Claim) { self.claim = claim }

        deinit { claim.abandon() }

        /// Records the run, with the clock's time now. The claim is over in every case.
        ///
        /// - Throws: ``FirstTimeError``: `notRecorded` when the disk failed or the store was closed meanwhile; `forked`
        ///   in a child that was forked after the claim was made.
        public consuming func commit() throws {
            let claim = claim
            // What deinit does, abandoning, finds the claim over.
            do throws(EngineError) { try claim.commit() } catch { throw FirstTimeError(error) }
        }

        /// Gives the key back and records nothing: it stays due.
        public consuming func abandon() {}
    }

    /// Takes `key` when it is due: for work that ends later, or on another thread.
    ///
    /// ```swift
    /// if let claim = try firstTime.begin("migration.v2", .once) {
    ///     try await migrate()
    ///     try claim.commit()
    /// }
    /// ```
    ///
    /// - Returns: A claim; nil when the key isn't due, or was recorded just now as its ``RunPolicy/baseline``.
    /// - Throws: ``FirstTimeError``: `reentrant` also when this thread holds a claim on the key.
    public func begin(_ key: String, _ policy: RunPolicy = .once) throws -> Claim? {
        let beginning = try answer { () throws(EngineError) in try engine.begin(self.key(key), policy.checked()) }
        guard case .due(let claim) = beginning else { return nil }
        return Claim(claim)
    }
}
#endif
