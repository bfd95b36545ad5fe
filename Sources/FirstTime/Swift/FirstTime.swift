// FirstTime: the Swift API: an open store as a class. It converts and forwards; the engine decides.

#if !hasFeature(Embedded)
import CFirstTime
import FirstTimeEngine
import FirstTimeStore

/// Runs code once per install, once per app version or once per interval, and remembers it in a file.
///
/// ```swift
/// let firstTime = try FirstTime(appID: "org.example.app", appVersion: "2.1")
/// try firstTime.executeOnce(forKey: "onboarding.v1") {
///     print("Welcome!")
/// }
/// ```
///
/// A store may be used from any number of threads, and several stores and processes may share a file. While a closure
/// for a key runs, nobody else runs that key: other callers wait, look again, and find it done. Different keys run side
/// by side. No lock is held on the store while a closure runs: it may use the store, for other keys.
///
/// What a throwing closure throws passes through unchanged, and the run isn't recorded. The library's own failures are
/// ``FirstTimeError``.
///
/// Keys are 1 to 65535 bytes of UTF-8, compared as bytes. Times are seconds since 1970-01-01 UTC.
public final class FirstTime: Sendable {
    let engine: Engine
    private let isOwner: Bool
    private let closing = Monitor()
    nonisolated(unsafe) private var isClosed = false

    /// Opens the store of an app: `$XDG_STATE_HOME/<appID>/firsttime.archive`.
    ///
    /// Nothing is written before something is recorded.
    ///
    /// - Parameters:
    ///   - appID: A reverse-DNS name such as "org.example.app"; nil: the base name of the running program's file.
    ///   - appVersion: The app's version, compared byte for byte; nil: none.
    ///   - waitLimit: The longest wait for another runner of a key; nil: for ever; zero: none.
    ///   - options: How it is opened otherwise.
    ///   - calendar: The zone and the first weekday of calendar intervals.
    /// - Throws: ``FirstTimeError``: `argument`, `inputOutput`, `corrupt` or `format`; with ``OpenOptions/recover`` also
    ///   `readOnly`, `busy` or `notRecorded`.
    public convenience init(
        appID: String? = nil, appVersion: String? = nil, waitLimit: Duration? = nil, options: OpenOptions = [],
        calendar: RunCalendar = RunCalendar()
    ) throws {
        var options = options.engine
        options.appID = appID.map { Array($0.utf8) }
        try self.init(options, appVersion, waitLimit, calendar)
    }

    /// Opens the store in the archive file at `path`, which needn't exist yet.
    ///
    /// - Parameters:
    ///   - path: Made absolute, with its symbolic links followed, now.
    ///   - appVersion: The app's version, compared byte for byte; nil: none.
    ///   - waitLimit: The longest wait for another runner of a key; nil: for ever; zero: none.
    ///   - options: How it is opened otherwise.
    ///   - calendar: The zone and the first weekday of calendar intervals.
    /// - Throws: ``FirstTimeError``: `argument`, `inputOutput`, `corrupt` or `format`; with ``OpenOptions/recover`` also
    ///   `readOnly`, `busy` or `notRecorded`.
    public convenience init(
        path: String, appVersion: String? = nil, waitLimit: Duration? = nil, options: OpenOptions = [],
        calendar: RunCalendar = RunCalendar()
    ) throws {
        var options = options.engine
        options.path = Array(path.utf8)
        try self.init(options, appVersion, waitLimit, calendar)
    }

    private convenience init(
        _ options: Engine.Options, _ appVersion: String?, _ waitLimit: Duration?, _ calendar: RunCalendar
    ) throws {
        var options = options
        options.version = appVersion.map { Array($0.utf8) }
        if let waitLimit { options.patience = Patience(waitLimit) }
        do throws(EngineError) {
            options.calendar = try calendar.checked()
            self.init(try Engine(options), isOwner: true)
        } catch { throw FirstTimeError(error) }
    }

    private init(_ engine: Engine, isOwner: Bool) {
        self.engine = engine
        self.isOwner = isOwner
    }

    deinit { if isOwner { try? close() } }

    /// The program's default store, the one that C's `firsttime_shared()` gives. It lives until the program ends.
    ///
    /// - Throws: ``FirstTimeError`` when it can't be opened; the next call tries again.
    public static func shared() throws -> FirstTime {
        do { return FirstTime(try sharedHandle().engine, isOwner: false) } catch { throw FirstTimeError(error) }
    }

    /// The archive file's absolute path.
    public var path: String { String(decoding: engine.path, as: UTF8.self) }

    /// Makes the archive file current: on disk, with everything that was recorded.
    ///
    /// - Throws: ``FirstTimeError`` when something pending can't be written.
    public func flush() throws { try answer { () throws(EngineError) in try engine.flush() } }

    /// Writes what is pending and closes the store, which otherwise happens when the last reference to it goes. It waits
    /// for other threads' calls; open claims are detached. Later calls throw. Closing twice does nothing; the shared store
    /// is only flushed.
    ///
    /// - Throws: ``FirstTimeError``: `reentrant`, and the store stays open, from inside one of its closures; any other
    ///   failure of writing what is pending, and the store is closed all the same.
    public func close() throws {
        guard isOwner else { return try flush() }
        // Marked first, so that of two closing threads one closes.
        let wasClosed = mark(closed: true)
        guard !wasClosed else { return }
        do throws(EngineError) { try engine.close() } catch {
            if case .store(.reentrant) = error { _ = mark(closed: false) }
            throw FirstTimeError(error)
        }
    }

    private func mark(closed: Bool) -> Bool {
        closing.withLock {
            let before = isClosed
            isClosed = closed
            return before
        }
    }

    /// Calls the engine of a store that is open, and throws its errors as ours.
    func answer<Result>(_ body: () throws(EngineError) -> Result) throws -> Result {
        do throws(EngineError) {
            if closing.withLock({ isClosed }) { throw .argument(reason: "the store is closed") }
            return try body()
        } catch { throw FirstTimeError(error) }
    }
}

// MARK: - Testing seams

extension FirstTime {
    /// Replaces the store's clock, for tests. Nil: the system's clock again.
    ///
    /// - Parameter clock: Gives seconds since 1970. A result that isn't finite makes the call that asked throw. Called
    ///   on the thread that asks, by several threads at once.
    public func setClock(_ clock: (@Sendable () -> Double)?) { engine.set(clock: clock) }

    /// Replaces the source of the app's version, which is otherwise the one given when opening. Nil: that one again.
    ///
    /// - Parameter provider: Called on the thread that asks, by several threads at once.
    public func setVersionProvider(_ provider: (@Sendable () -> String?)?) {
        guard let provider else { return engine.set(versionProvider: nil) }
        engine.set(versionProvider: { provider().map { Array($0.utf8) } })
    }
}

extension Patience {
    /// A duration in whole milliseconds; nothing and less: none.
    fileprivate init(_ duration: Duration) {
        guard duration > .zero else {
            self = .none
            return
        }
        let (seconds, attoseconds) = duration.components
        let limit = min(seconds, Int64.max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000
        self = .milliseconds(max(1, limit))
    }
}
#endif
