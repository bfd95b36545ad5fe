// Notifications: rules that post to a NotificationCenter, and triggers on a DispatchQueue.

#if !hasFeature(Embedded)
public import Dispatch
public import FirstTime
public import Foundation

extension RuleOption {
    /// The trigger is called on a queue. (RuleKit's default was the main queue; here it is the donating thread.)
    public static func dispatchQueue(_ queue: DispatchQueue) -> RuleOption {
        executor { work in queue.async(execute: work) }
    }
}

extension FirstTime {
    /// Sets a rule that posts `notification` when it fires. The store is the notification's object.
    ///
    /// - Parameters:
    ///   - name: The name under which its fires are counted; nil: the notification's.
    ///   - notification: What is posted, on the donating thread or as the options say.
    ///   - center: Where to.
    ///   - options: How often, when and where.
    ///   - rule: When it holds.
    /// - Throws: ``FirstTimeError``, `argument`: a name, an option or the rule is wrong.
    public func setRule(
        _ name: String? = nil, triggering notification: Notification.Name, in center: NotificationCenter = .default,
        options: [RuleOption] = [], _ rule: Rule
    ) throws {
        let post: @Sendable () -> Void = { [weak self] in center.post(name: notification, object: self) }
        try setRule(name ?? notification.rawValue, triggering: post, options: options, rule)
    }
}
#endif
