// RegisteredRule: a rule with its name, what it triggers and how often. Values, and the one question that needs nothing
// else: whether it may fire. When it is asked is the engine's affair.

import CSystem
import FirstTimeStore

/// How a rule fires.
package struct RuleOptions: Sendable {
    /// Runs work later, or elsewhere: once each.
    package typealias Executor = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    /// How long it rests after each time; nil: not at all.
    package var frequency: Interval?
    /// Rules with the same one rest together; nil: the rule's own name.
    package var throttleName: Key?
    /// It fires at most this often, ever; 0: no limit.
    package var limit: UInt64 = 0
    /// In seconds. Above 0 it fires so much later, if it still holds then.
    package var delay: Double = 0
    /// Where the trigger runs; nil: on the thread that found the rule to hold.
    package var executor: Executor?

    package init() {}
}

/// What happens when a rule holds.
package struct Trigger: Sendable {
    /// Whether observers of the rule's name are told.
    let isNotification: Bool
    let action: @Sendable () -> Void

    package static func calling(_ action: @escaping @Sendable () -> Void) -> Trigger {
        Trigger(isNotification: false, action: action)
    }

    /// `owner` is kept as long as the rule.
    package static func notifying<Owner: Sendable>(keeping owner: Owner) -> Trigger {
        Trigger(isNotification: true, action: { withExtendedLifetime(owner) {} })
    }
}

/// A rule under a name. Known by its identity: the same rule set again is another one.
final class RegisteredRule: Sendable {
    let name: Key
    let rule: Rule
    let trigger: Trigger
    let options: RuleOptions

    init(_ name: Key, _ rule: Rule, _ trigger: Trigger, _ options: RuleOptions) {
        self.name = name
        self.rule = rule
        self.trigger = trigger
        self.options = options
    }

    /// The records that each time is counted in: its own, and the one of all that share its throttle.
    var recordNames: [Key] {
        guard let throttle = options.throttleName, throttle != name else { return [name] }
        return [name, throttle]
    }

    /// Whether its throttle was used after the moment.
    func hasFired(_ triggers: RecordTable, after moment: Moment) -> Bool {
        guard options.frequency != nil, let last = triggers[options.throttleName ?? name]?.lastTime else {
            return false
        }
        return last + Record.epoch > moment.now
    }

    /// Whether throttle and limit let it fire.
    func mayFire(_ triggers: RecordTable, at moment: Moment) -> Bool {
        if options.limit > 0, let fired = triggers[name]?.count, fired >= options.limit { return false }
        guard let frequency = options.frequency,
            let last = triggers[options.throttleName ?? name]?.lastTime, last.isFinite
        else { return true }
        return frequency.isDue(last: last + Record.epoch, now: moment.now, in: moment.calendar)
    }
}
