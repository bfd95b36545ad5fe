// Patience: how long to wait for another, and what is left of it after some waiting.

import CSystem

/// How long to wait for another's lock.
package enum Patience: Sendable {
    case none
    case milliseconds(Int64)
    case forever

    /// Not longer than `limit`.
    func atMost(milliseconds limit: Int64) -> Patience {
        switch self {
        case .none: .none
        case .milliseconds(let own): .milliseconds(min(own, limit))
        case .forever: .milliseconds(limit)
        }
    }

    /// Nil: for ever.
    var milliseconds: Int64? {
        switch self {
        case .none: 0
        case .milliseconds(let limit): max(0, limit)
        case .forever: nil
        }
    }

    /// Whether there is nothing left of it.
    var isOver: Bool { milliseconds == 0 }
}

/// A patience that runs out, from now on.
struct Deadline {
    private let patience: Patience
    private let start = csystem_monotonic_milliseconds()

    init(_ patience: Patience) { self.patience = patience }

    var rest: Patience {
        guard case .milliseconds(let limit) = patience else { return patience }
        return .milliseconds(max(0, limit &- (csystem_monotonic_milliseconds() &- start)))
    }
}
