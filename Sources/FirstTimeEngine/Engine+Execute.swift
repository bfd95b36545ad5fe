// Engine+Execute: one runner for a key. Take the key, look again, run, record, let go: in this order.

import FirstTimeStore

extension Engine {
    package enum Outcome: Sendable {
        case ran, ranAfter, notDue, baselined
    }

    /// Runs `first` when the key is due, and records it when it returns 0; otherwise runs `after`. A nil one means that
    /// there is nothing to do in its case.
    package func execute(
        _ key: Key, _ policy: Policy, first: (() -> Int32)?, after: (() -> Int32)?
    ) throws(EngineError) -> Outcome {
        try calls.inside { () throws(EngineError) -> Outcome in
            // What has nothing to run takes no lock and writes nothing.
            let guess = try decide(key, policy)
            if guess == .run && first == nil || guess == .rest && after == nil { return .notDue }
            let turn = try take(key, policy, .callback, guess)
            defer { store.end(turn.run) }
            switch turn.decision {
            case .baseline:
                return try baseline(turn) ? .baselined : .notDue
            case .run:
                guard let first else { return .notDue }
                try prepare(turn)
                return try run(first, turn)
            case .rest:
                guard let after else { return .notDue }
                let status = after()
                guard !turn.run.isInherited else { throw .forked }
                guard status == 0 else { throw .callback(.after, status: status) }
                return .ranAfter
            }
        }
    }

    private func run(_ first: () -> Int32, _ turn: Turn) throws(EngineError) -> Outcome {
        let status = first()
        // In a child that was forked in it: the parent's run, whatever it returned there.
        guard !turn.run.isInherited else { throw .forked }
        guard status == 0 else {
            try restore(turn)
            throw .callback(.first, status: status)
        }
        try record(turn)
        return .ran
    }
}
