// YCFirstTime+Execute: running closures. What "due" means is the engine's; what a day is, and that an interval of no length
// means once, is the original's.

#if !hasFeature(Embedded)
import FirstTime

extension YCFirstTime {
    /// Runs `block` if `key` has never run on this install.
    ///
    /// - Parameters:
    ///   - block: Runs on this thread, and is recorded when it returns. Nil: nothing runs, and the key isn't marked.
    ///   - key: What it is called: "onboarding.v1".
    public func executeOnce(_ block: (() -> Void)?, forKey key: String) {
        execute(block, after: nil, forKey: key, .once)
    }

    /// Runs `block` if `key` has never run on this install, and `afterBlock` every time after.
    ///
    /// - Parameters:
    ///   - block: As in ``executeOnce(_:forKey:)``. When it is nil and due, `afterBlock` doesn't run either.
    ///   - afterBlock: Runs when `block` isn't due, and is never recorded. Nil: nothing runs then.
    ///   - key: What it is called.
    public func executeOnce(
        _ block: (() -> Void)?, executeAfterFirstTime afterBlock: (() -> Void)?, forKey key: String
    ) {
        execute(block, after: afterBlock, forKey: key, .once)
    }

    /// Runs `block` if `key` never ran, or last ran in another version of the app. "1.0" and "1.0.0" are two versions.
    ///
    /// Parameters as ``executeOnce(_:forKey:)``.
    public func executeOncePerVersion(_ block: (() -> Void)?, forKey key: String) {
        execute(block, after: nil, forKey: key, .oncePerVersion)
    }

    /// The same, with `afterBlock` for every later call in the same version.
    ///
    /// Parameters as ``executeOnce(_:executeAfterFirstTime:forKey:)``.
    public func executeOncePerVersion(
        _ block: (() -> Void)?, executeAfterFirstTime afterBlock: (() -> Void)?, forKey key: String
    ) {
        execute(block, after: afterBlock, forKey: key, .oncePerVersion)
    }

    /// Runs `block` if `key` never ran, or if at least `days` times 86,400 seconds have passed since.
    ///
    /// - Parameters:
    ///   - block: As in ``executeOnce(_:forKey:)``.
    ///   - key: What it is called.
    ///   - days: 0.5 is twelve hours. What is no length (0 and less, infinity, NaN) means once.
    public func executeOncePerInterval(_ block: (() -> Void)?, forKey key: String, withDaysInterval days: Float) {
        execute(block, after: nil, forKey: key, days > 0 && days.isFinite ? .oncePer(.days(Double(days))) : .once)
    }

    private func execute(_ block: (() -> Void)?, after: (() -> Void)?, forKey key: String, _ policy: RunPolicy) {
        attempt { store in
            if let block {
                try store.execute(forKey: key, policy, block, after: after)
            } else if let after, try !store.isDue(key, policy) {
                after()
            }
        }
    }
}
#endif
