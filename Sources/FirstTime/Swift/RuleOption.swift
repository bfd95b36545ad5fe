// RuleOption: how a rule fires, for Swift callers. Its meaning is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// How often, when and where a rule's trigger is called. Without any: at once, on the donating thread, whenever it holds.
public struct RuleOption: Sendable {
    let apply: @Sendable (inout RuleOptions) throws(EngineError) -> Void

    private init(_ apply: @escaping @Sendable (inout RuleOptions) throws(EngineError) -> Void) { self.apply = apply }

    /// RuleKit's frequencies: calendar units after the last time.
    public enum Frequency: Sendable {
        case hourly, daily, weekly, monthly, quarterly, yearly

        fileprivate var unit: RunInterval.Unit {
            switch self {
            case .hourly: .hour
            case .daily: .day
            case .weekly: .week
            case .monthly: .month
            case .quarterly: .quarter
            case .yearly: .year
            }
        }
    }

    /// It rests for an hour, a day, a month ... after each time, by the calendar: after 31 January until 28 February.
    public static func triggerFrequency(_ frequency: Frequency) -> RuleOption { every(frequency.unit, count: 1) }

    /// It rests for so many calendar units after each time.
    public static func every(_ unit: RunInterval.Unit, count: Int) -> RuleOption { throttle(.calendar(unit, count)) }

    /// It rests for an interval of any kind after each time: ``RunInterval/monthly`` until the next month begins.
    public static func throttle(_ interval: RunInterval) -> RuleOption {
        RuleOption { options throws(EngineError) in options.frequency = try interval.checked() }
    }

    /// Rules with the same throttle name rest together, so that one of many prompts appears a day.
    public static func throttleName(_ name: String) -> RuleOption {
        RuleOption { options throws(EngineError) in options.throttleName = try .checked(name) }
    }

    /// It fires at most so often, ever. 0: no limit.
    public static func limit(_ count: UInt64) -> RuleOption {
        RuleOption { options throws(EngineError) in options.limit = count }
    }

    /// It fires so much later, if it still holds then, without holding up the donation.
    public static func delay(for duration: Duration) -> RuleOption {
        RuleOption { options throws(EngineError) in
            let (seconds, attoseconds) = duration.components
            options.delay = Double(seconds) + Double(attoseconds) / 1e18
        }
    }

    /// The trigger is called by `run`, which is given the work: once each, to be run at any later time, on any thread.
    /// Work that is run after the store was closed, or the rule removed, does nothing.
    public static func executor(_ run: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void)
        -> RuleOption
    {
        RuleOption { options throws(EngineError) in options.executor = run }
    }
}
#endif
