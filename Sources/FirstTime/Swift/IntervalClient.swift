// IntervalClient: interval keys for Swift: ask, do, mark; with doubles for tests in the place of a store.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// Ask, do, mark: for what needs no single runner, such as a prompt.
///
/// ```swift
/// let intervals = firstTime.intervals
/// if try intervals.shouldRun(.reviewPrompt) {
///     askForReview()
///     try intervals.markRun(.reviewPrompt)
/// }
/// ```
///
/// Between asking and marking nothing is locked: two that ask at once may both be told to run. Where that matters, use
/// ``FirstTime/executeOncePerInterval(forKey:_:_:after:)``.
///
/// A type that takes an `IntervalClient` is tested with ``noop``, with ``unimplemented(_:)``, or with one made of the
/// test's own closures. They throw ``FirstTimeError``.
public struct IntervalClient: Sendable {
    /// Whether the key was never marked, or its interval has passed since.
    public var shouldRun: @Sendable (IntervalKey) throws -> Bool
    /// Records that it ran now.
    public var markRun: @Sendable (IntervalKey) throws -> Void
    /// Forgets the key: it should run again.
    public var reset: @Sendable (IntervalKey) throws -> Void
    /// Forgets every interval key, and no other.
    public var resetAll: @Sendable () throws -> Void

    public init(
        shouldRun: @escaping @Sendable (IntervalKey) throws -> Bool,
        markRun: @escaping @Sendable (IntervalKey) throws -> Void,
        reset: @escaping @Sendable (IntervalKey) throws -> Void,
        resetAll: @escaping @Sendable () throws -> Void
    ) {
        self.shouldRun = shouldRun
        self.markRun = markRun
        self.reset = reset
        self.resetAll = resetAll
    }
}

extension FirstTime {
    /// The store's interval keys: those that begin with "interval.".
    public var intervals: IntervalClient {
        IntervalClient(
            shouldRun: { key in
                try self.answer { () throws(EngineError) in
                    let (key, interval) = try key.checked()
                    return try self.engine.shouldRun(key, interval)
                }
            },
            markRun: { key in try self.answer { () throws(EngineError) in try self.engine.mark(key.checked().key) } },
            reset: { key in
                try self.answer { () throws(EngineError) in _ = try self.engine.reset(key.checked().key) }
            },
            resetAll: { try self.answer { () throws(EngineError) in try self.engine.resetIntervals() } })
    }
}

// MARK: - Doubles for tests

extension IntervalClient {
    /// Says that everything should run, and records nothing.
    public static let noop = IntervalClient(
        shouldRun: { _ in true }, markRun: { _ in }, reset: { _ in }, resetAll: {})

    /// Fails loudly on any use: for what a test expects not to use intervals at all.
    ///
    /// - Parameter fail: Is told what was called: in a test, `{ Issue.record("\($0)") }`. When it returns, the
    ///   call throws ``FirstTimeError``. By default the program ends.
    public static func unimplemented(
        _ fail: @escaping @Sendable (String) -> Void = { fatalError($0) }
    ) -> IntervalClient {
        @Sendable func failure(_ name: String) -> FirstTimeError {
            fail("IntervalClient.\(name) was called, and is not implemented here")
            return FirstTimeError(.argument(reason: "an IntervalClient that is not implemented was used"))
        }
        return IntervalClient(
            shouldRun: { throw failure("shouldRun(\"\($0.name)\")") },
            markRun: { throw failure("markRun(\"\($0.name)\")") },
            reset: { throw failure("reset(\"\($0.name)\")") },
            resetAll: { throw failure("resetAll()") })
    }
}
#endif
