// Patience: how long to wait for another, and what is left of it after some waiting.

import CSystem

/// How long to wait for another's lock.
package enum Patience: Sendable {
    case none
    case milliseconds(Int64)
    case forever

    /// The longest wait inside a callback: a circle of waits among processes can't be seen.
    package static let nested = Patience.milliseconds(60_000)

    /// Not longer than `limit`.
    func atMost(_ limit: Patience) -> Patience {
        guard let own = milliseconds else { return limit }
        guard let most = limit.milliseconds else { return self }
        return own <= most ? self : limit
    }

    /// Nil: for ever.
    package var milliseconds: Int64? {
        switch self {
        case .none: 0
        case .milliseconds(let limit): max(0, limit)
        case .forever: nil
        }
    }

    /// Whether there is nothing left of it.
    package var isOver: Bool { milliseconds == 0 }
}

/// A patience that runs out, from now on.
package struct Deadline {
    private let patience: Patience
    private let start = csystem_monotonic_milliseconds()

    package init(_ patience: Patience) { self.patience = patience }

    package var rest: Patience {
        guard case .milliseconds(let limit) = patience else { return patience }
        return .milliseconds(max(0, limit &- (csystem_monotonic_milliseconds() &- start)))
    }
}
