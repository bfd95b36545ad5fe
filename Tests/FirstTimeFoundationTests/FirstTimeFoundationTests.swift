// What FirstTimeFoundation adds: dates, notifications in a NotificationCenter, queues.

import FirstTime
import FirstTimeFoundation
import Foundation
import Synchronization
import Testing

@Suite("With Foundation")
struct FirstTimeFoundationTests {
    private let store: FirstTime
    private let now = Date(timeIntervalSince1970: 1_700_000_000.25)

    init() throws {
        store = try FirstTime(path: "unused", appVersion: "1.0", options: .inMemory)
        let now = now
        store.setDateProvider { now }
    }

    @Test("Times are dates")
    func dates() throws {
        try store.donate("open")
        let donations = try store.donations(for: "open")
        #expect(donations.last?.date == now && donations.first?.date == now)
        #expect(try #require(donations.timeSinceLast) > 0 && #require(donations.timeSinceFirst) > 0)
        #expect(try store.lastExecutionDate(forKey: "k") == nil)
        try store.executeOnce(forKey: "k") {}
        #expect(try store.lastExecutionDate(forKey: "k") == now)
        #expect(try store.record(forKey: "k")?.lastDate == now && store.record(forKey: "k")?.firstDate == now)
        #expect(try store.nextDueDate("k", .once) == nil)
        #expect(try store.nextDueDate("k", .oncePer(.days(2))) == now.addingTimeInterval(2 * 86400))
        try store.setRule("r", triggering: {}, .always)
        try store.evaluateRules()
        #expect(try store.triggerRecord(for: "r")?.lastDate == now)
    }

    @Test("A rule posts to a NotificationCenter, on a queue, in the name of the store")
    func notifications() async throws {
        let center = NotificationCenter()
        let name = Notification.Name("RequestReviewPrompt")
        let queue = DispatchQueue(label: "prompts")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        try store.setRule(
            triggering: name, in: center, options: [.triggerFrequency(.monthly), .dispatchQueue(queue)],
            .event("appStarted", atLeast: 2))
        let store = store
        await confirmation { told in
            let token = center.addObserver(forName: name, object: store, queue: nil) { _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                told()
            }
            for _ in 0..<5 { #expect(throws: Never.self) { try store.donate("appStarted") } }
            await withCheckedContinuation { done in queue.async { done.resume() } }
            center.removeObserver(token)
        }
        #expect(try store.triggerRecord(for: name.rawValue)?.count == 1)
    }
}
