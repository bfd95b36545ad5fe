// Engine+Intervals: interval keys: ask, do, mark, with nothing run in between. They are keys like others, whose names
// begin alike.

import FirstTimeStore

extension Key {
    /// What the keys of intervals begin with, as in legacy preferences.
    package static var intervalPrefix: [UInt8] { [UInt8](staticString: "interval.") }

    /// The key of the interval that is called `name`; nil when the name is no name.
    package init?(interval name: some Collection<UInt8>) {
        // Counted first, so that a long name costs nothing.
        guard !name.isEmpty, name.count <= Key.longest - Key.intervalPrefix.count else { return nil }
        self.init(Key.intervalPrefix + name)
    }
}

extension Engine {
    package func shouldRun(_ key: Key, _ interval: Interval) throws(EngineError) -> Bool {
        try isDue(key, Policy(interval: interval))
    }

    package func resetIntervals() throws(EngineError) { try reset(prefix: Key.intervalPrefix) }
}
