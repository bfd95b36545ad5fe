// YCFirstTime+Records: what has run, and forgetting it; and what all calls have in common: a store, and failures.

#if !hasFeature(Embedded)
import FirstTime
import Foundation

extension YCFirstTime {
    /// Whether `key` has ever run on this install. Ignores versions and intervals.
    ///
    /// - Returns: False also when that can't be found out: see ``lastError``.
    public func blockWasExecuted(_ key: String) -> Bool { attempt { try $0.wasExecuted(key) } ?? false }

    /// When `key` last ran; nil: never, no time is recorded, or that can't be found out.
    public func lastExecutionDate(forKey key: String) -> Date? {
        attempt { try $0.lastExecution(forKey: key).map { Date(timeIntervalSince1970: $0) } } ?? nil
    }

    /// Forgets every recorded run: those of C functions and of other APIs in the app's default store, too.
    public func reset() { attempt { try $0.reset() } }

    /// Does something with the store. Nil: it failed, and has been told.
    @discardableResult
    func attempt<Result>(_ body: (FirstTime) throws -> Result) -> Result? {
        do { return try body(handle.store()) } catch {
            // The only errors there are: the original's closures don't throw.
            if let error = error as? FirstTimeError { failures.report(error) }
            return nil
        }
    }
}
#endif
