// Event: what an app donates, and what is remembered of it, for Swift callers.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

/// Something that happens, and that rules look back at. An app declares its events in one place:
///
/// ```swift
/// extension Event {
///     static let appStarted: Self = "appStarted"
///     static let itemCreated: Self = "itemCreated"
/// }
///
/// try Event.appStarted.donate()
/// ```
public struct Event: Hashable, Sendable, ExpressibleByStringLiteral {
    /// 1 to 65535 bytes of UTF-8, compared as bytes.
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.init(name) }

    /// One donation.
    public struct Donation: Hashable, Sendable {
        /// Seconds since 1970.
        public let time: Double
        /// The app version it was made in; nil: none.
        public let version: String?
    }

    /// What is remembered of an event.
    public struct Donations: Hashable, Sendable {
        /// How often it was donated since it was last reset.
        public let count: UInt64
        /// The first donation; nil: none, or not known.
        public let first: Donation?
        /// The last donation; nil: none, or not known.
        public let last: Donation?

        init(_ donations: FirstTimeStore.Donations) {
            count = donations.count
            first = Donation(donations.firstTime, donations.firstVersion)
            last = Donation(donations.lastTime, donations.lastVersion)
        }
    }

    func key() throws(EngineError) -> Key { try .checked(name) }
}

extension Event.Donation {
    fileprivate init?(_ time: Double?, _ version: [UInt8]?) {
        guard let time, !time.isNaN else { return nil }
        self.time = time + Record.epoch
        self.version = version.map { String(decoding: $0, as: UTF8.self) }
    }
}

// MARK: - Donating to the default store

extension Event {
    /// Counts a donation now, on disk, and asks the store's rules, on this thread.
    ///
    /// - Parameter store: nil: the program's default store, ``FirstTime/shared()``.
    /// - Throws: ``FirstTimeError``, as ``FirstTime/donate(_:)-(Event)``.
    public func donate(to store: FirstTime? = nil) throws { try (store ?? .shared()).count(self) }

    /// The same without holding up the caller's thread, or actor.
    public func donate(to store: FirstTime? = nil) async throws { try (store ?? .shared()).count(self) }
}

// MARK: - A store's events

extension FirstTime {
    /// Counts a donation of `event` now, on disk, and then asks every rule of this store and fires those that hold, on this
    /// thread.
    ///
    /// - Throws: ``FirstTimeError``. `notRecorded`: it is counted, but a rule that holds could not record that it fires,
    ///   and so didn't, or the count may not be on disk. Anything else: nothing was counted.
    public func donate(_ event: Event) throws { try count(event) }

    /// The same without holding up the caller's thread, or actor.
    public func donate(_ event: Event) async throws { try count(event) }

    fileprivate func count(_ event: Event) throws {
        try answer { () throws(EngineError) in try engine.donate(event.key()) }
    }

    /// What is remembered of an event: a count of 0 when it was never donated.
    ///
    /// - Throws: ``FirstTimeError``, as all functions here do.
    public func donations(for event: Event) throws -> Event.Donations {
        try answer { () throws(EngineError) in
            var found = Donations()
            _ = try engine.findDonations(event.key()) { found = $0 }
            return Event.Donations(found)
        }
    }

    /// All events that were donated, in the order of their names' bytes, as of one moment.
    public func allDonations() throws -> [(event: Event, donations: Event.Donations)] {
        try answer { () throws(EngineError) in
            var all: [(event: Event, donations: Event.Donations)] = []
            _ = try engine.eachDonations { name, donations in
                all.append((Event(String(decoding: name.bytes, as: UTF8.self)), Event.Donations(donations)))
                return true
            }
            return all
        }
    }

    /// Forgets the donations of an event. No rule is asked.
    public func resetDonations(for event: Event) throws {
        try answer { () throws(EngineError) in try engine.resetDonations(event.key()) }
    }

    /// Forgets the donations of all events.
    public func resetAllDonations() throws { try answer { () throws(EngineError) in try engine.resetDonations(nil) } }
}

extension Key {
    /// A name of a Swift caller's.
    static func checked(_ name: String) throws(EngineError) -> Key {
        guard let key = Key(name.utf8) else {
            throw .argument(reason: "a name that is empty, longer than 65535 bytes, or has U+0000 in it")
        }
        return key
    }
}
#endif
