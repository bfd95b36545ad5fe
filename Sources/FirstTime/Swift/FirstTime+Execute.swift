// FirstTime+Execute: running closures. An error of the closure's own gets past the engine, which knows only "it failed".

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

extension FirstTime {
    /// What a call did.
    public enum Outcome: Sendable {
        /// The closure ran, and the run is recorded: on disk, safe from a loss of power.
        case ran
        /// It wasn't due, and `after` ran.
        case ranAfter
        /// It wasn't due, and there was no `after`.
        case notDue
        /// The key was never seen, and is recorded now without having run: see ``RunPolicy/baseline``.
        case baselined
    }

    /// Runs `first` if `key` has never run on this install, and records it when it returns; otherwise runs `after`.
    ///
    /// - Parameters:
    ///   - key: What it is called: "onboarding.v1".
    ///   - first: Runs on this thread. When it throws, nothing is recorded, and it runs again next time.
    ///   - after: What to do every later time; nil: nothing. It is never recorded.
    /// - Returns: What ran.
    /// - Throws: What the closures throw, or ``FirstTimeError``.
    @discardableResult
    public func executeOnce(
        forKey key: String, _ first: () throws -> Void, after: (() throws -> Void)? = nil
    ) throws -> Outcome {
        try execute(forKey: key, .once, first, after: after)
    }

    /// Runs `first` once per app version: if `key` never ran, or last ran in another version.
    ///
    /// Parameters, result and errors as ``executeOnce(forKey:_:after:)``.
    @discardableResult
    public func executeOncePerVersion(
        forKey key: String, _ first: () throws -> Void, after: (() throws -> Void)? = nil
    ) throws -> Outcome {
        try execute(forKey: key, .oncePerVersion, first, after: after)
    }

    /// Runs `first` once per interval: if `key` never ran, or last ran at least `interval` ago.
    ///
    /// Parameters, result and errors as ``executeOnce(forKey:_:after:)``.
    @discardableResult
    public func executeOncePerInterval(
        forKey key: String, _ interval: RunInterval, _ first: () throws -> Void, after: (() throws -> Void)? = nil
    ) throws -> Outcome {
        try execute(forKey: key, .oncePer(interval), first, after: after)
    }

    /// Runs `first` when `policy` says that `key` is due.
    ///
    /// Parameters, result and errors as ``executeOnce(forKey:_:after:)``.
    @discardableResult
    public func execute(
        forKey key: String, _ policy: RunPolicy, _ first: () throws -> Void, after: (() throws -> Void)? = nil
    ) throws -> Outcome {
        var thrown: (any Error)?
        func attempt(_ closure: () throws -> Void) -> Int32 {
            do {
                try closure()
                return 0
            } catch {
                thrown = error
                return 1
            }
        }
        do {
            let outcome = try answer { () throws(EngineError) in
                try withoutActuallyEscaping(first) { first throws(EngineError) in
                    try engine.execute(
                        self.key(key), policy.checked(), first: { attempt(first) },
                        after: after.map { after in { attempt(after) } })
                }
            }
            switch outcome {
            case .ran: return .ran
            case .ranAfter: return .ranAfter
            case .notDue: return .notDue
            case .baselined: return .baselined
            }
        } catch {
            throw thrown ?? error
        }
    }

    func key(_ text: String) throws(EngineError) -> Key {
        guard let key = Key(text.utf8) else {
            throw .argument(reason: "the key is empty, longer than 65535 bytes, or has U+0000 in it")
        }
        return key
    }
}
#endif
