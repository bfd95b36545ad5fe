// Engine: one handle on a store, with its clock, its app version and its patience. It answers when keys may run and runs
// them; it knows nothing of C, and nothing of files but where to ask for one.

import CSystem
import FirstTimeStore

/// A handle: what firsttime_open() gives.
package final class Engine: Sendable {
    package struct Options: Sendable {
        package var path: [UInt8]?
        package var appID: [UInt8]?
        package var version: [UInt8]?
        package var patience = Patience.forever
        package var calendar = LocalCalendar()
        /// Nothing is ever written.
        package var isReadOnly = false
        /// There is no file.
        package var isInMemory = false
        /// What is recorded survives the program, but perhaps not a loss of power.
        package var isRelaxed = false
        /// A file that can't be decoded is set aside, and what is left of it taken over.
        package var recovers = false
        /// Due callbacks run even when nothing can be recorded.
        package var runsIfUnwritable = false

        package init() {}
    }

    package typealias Clock = @Sendable () -> Double
    package typealias VersionProvider = @Sendable () -> [UInt8]?

    let store: Store
    let patience: Patience
    let calendar: LocalCalendar
    let isReadOnly: Bool
    let isRelaxed: Bool
    let runsIfUnwritable: Bool
    let calls = Calls()
    let claims = OpenClaims()
    let rules = RuleBook()
    let delayed: DelayedRules
    private let version: [UInt8]?
    private let seams = Monitor()
    nonisolated(unsafe) private var clock: Clock?
    nonisolated(unsafe) private var versionProvider: VersionProvider?

    /// A convenience init, which fails before there is an object: Embedded Swift 6.3 leaks one whose own init throws.
    package convenience init(_ options: Options) throws(EngineError) {
        self.init(options, try Self.openStore(options))
    }

    private init(_ options: Options, _ store: Store) {
        version = options.version
        patience = options.patience
        calendar = options.calendar
        isReadOnly = options.isReadOnly
        isRelaxed = options.isRelaxed
        runsIfUnwritable = options.runsIfUnwritable
        self.store = store
        delayed = DelayedRules(path: store.path.bytes)
    }

    private static func openStore(_ options: Options) throws(EngineError) -> Store {
        // A forked child may share a store that its parent opened.
        if !csystem_is_renewed() { Store.renewAfterFork() }
        if options.isInMemory { return Store.inMemory() }
        let path = try path(options)
        do {
            return try Store.open(path, isReadOnly: options.isReadOnly, recovers: options.recovers)
        } catch { throw .store(error) }
    }

    private static func path(_ options: Options) throws(EngineError) -> FilePath {
        // A wrong app_id is refused where a path stands in for it, too: it would show only once the path goes.
        if let appID = options.appID, !StoreLocation.isValid(appID: appID) {
            throw .argument(reason: "app_id can't name a directory")
        }
        if let path = options.path {
            return try filePath(path)
        }
        do { return try StoreLocation.defaultPath(appID: options.appID) } catch { throw .store(error) }
    }

    /// A path of a caller's: not empty, and not one of which the system would see a part only.
    static func filePath(_ path: [UInt8]) throws(EngineError) -> FilePath {
        guard !path.isEmpty else { throw .argument(reason: "the path is empty") }
        guard !path.contains(0) else { throw .argument(reason: "the path has U+0000 in it") }
        return FilePath(path)
    }

    /// Where the archive is.
    package var path: [UInt8] { store.path.bytes }

    /// Writes what is pending and gives the store back; waits for other threads' calls, cancels delayed rules, and
    /// detaches open claims. Fails with `reentrant`, and stays open, when this thread is inside one of them; with any
    /// other failure it is closed all the same.
    package func close() throws(EngineError) {
        if !csystem_is_renewed() { Store.renewAfterFork() }
        // Claims go before the waiting, because calls may wait for them; and after it, because calls may make them.
        var isFree = !calls.isHeldUpHere(in: store)
        if isFree {
            claims.detachAll()
            delayed.pause()
            isFree = calls.waitForOthers(in: store)
        }
        guard isFree else {
            delayed.resume()
            throw .store(
                .reentrant(
                    reason: "the store can't be closed from inside its own callback, nor one that its calls wait for"))
        }
        claims.detachAll()
        delayed.stop()
        withExtendedLifetime(rules.close()) {}
        do { try store.close(isReadOnly: isReadOnly) } catch { throw .store(error) }
    }

    /// A handle that never writes has nothing to make current.
    package func flush() throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            if isReadOnly { return }
            do throws(StoreError) { try store.flush() } catch { throw .store(error) }
        }
    }
}

// MARK: - Writing

extension Engine {
    /// Why a handle that was opened so can't write.
    var readOnlyRefusal: StoreError { .readOnly(path: path, .flag) }

    /// Makes sure, as far as that can be told before, that something can be recorded.
    func prepareToWrite() throws(StoreError) {
        if isReadOnly { throw readOnlyRefusal }
        try store.prepareToWrite()
    }
}

// MARK: - Clock and version

extension Engine {
    // The old value is kept until the lock is free, because letting it go may call out.

    /// Nil: the system's clock. The one that was set before is released once the calls that use it have ended.
    package func set(clock: Clock?) {
        let old = seams.withLock {
            let old = self.clock
            self.clock = clock
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Nil: the version that the handle was opened with.
    package func set(versionProvider: VersionProvider?) {
        let old = seams.withLock {
            let old = self.versionProvider
            self.versionProvider = versionProvider
            return old
        }
        withExtendedLifetime(old) {}
    }

    // No lock is held while they are asked.

    /// The clock's time.
    func now() throws(EngineError) -> Double {
        let clock = seams.withLock { self.clock }
        let now = clock?() ?? csystem_now()
        guard now.isFinite else { throw .argument(reason: "the store's clock returned no finite time") }
        return now
    }

    /// The clock's time, and the app's version.
    func moment() throws(EngineError) -> Moment {
        let now = try now()
        let provider = seams.withLock { self.versionProvider }
        let current: [UInt8]?
        if let provider { current = provider() } else { current = version }
        if let current, !Self.isValid(version: current) {
            throw .argument(reason: "the app's version is not UTF-8, or longer than 65535 bytes")
        }
        return Moment(now: now, version: current, calendar: calendar)
    }

    package static func isValid(version: [UInt8]) -> Bool { version.count <= Key.longest && Text.isValid(version) }
}
