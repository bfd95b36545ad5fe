// Glance: what a store knows, for questions that take neither its lock nor a reference to anything. It decides nothing: where there
// is any doubt it says so.

import CSystem

/// A store's records, and how it can be told that they are fresh.
struct Glance: @unchecked Sendable {
    private var records = RecordView()
    private var page: UnsafeRawPointer?
    private var generation: UInt64 = 0
    private var trustedUntil = Int64.min

    init() {}

    init(_ records: RecordView, _ seen: (page: SharedPage?, generation: UInt64?, time: Int64), isInMemory: Bool) {
        self.records = records
        if isInMemory {
            trustedUntil = .max
        } else if let page = seen.page, let generation = seen.generation {
            self.page = page.memory
            self.generation = generation
            trustedUntil = seen.time + Store.longestTrust
        }
    }

    /// Nil: others may have changed it, or the run has begun that AT_MOST_ONCE recorded.
    @inline(__always)
    func hasRecord(_ key: UnsafeRawBufferPointer) -> Bool? {
        if trustedUntil != .max {
            guard let page, SharedPage.generation(in: page) == generation,
                csystem_coarse_milliseconds() < trustedUntil
            else { return nil }
        }
        guard let entries = records.entries, let number = records.find(key) else { return false }
        return entries[number].parts.contains(.former) ? nil : true
    }
}
