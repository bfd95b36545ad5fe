// Claim: a key that is taken for work without a callback. Whoever has the claim ends it, on any thread, once; closing the
// store takes the key from it.

import FirstTimeStore

/// A turn at a key that lasts until `commit` or `abandon`.
package final class Claim: @unchecked Sendable {
    private let engine: Engine
    fileprivate let turn: Turn
    private let monitor = Monitor()
    private var isOpen = true

    fileprivate init(_ engine: Engine, _ turn: Turn) {
        self.engine = engine
        self.turn = turn
    }

    /// Records the run. The claim is over in every case.
    package func commit() throws(EngineError) {
        try engine.calls.inside { () throws(EngineError) -> Void in
            try take()
            defer { engine.store.end(turn.run) }
            try engine.record(turn)
        }
    }

    /// Records nothing. The claim is over; one that is over already stays so.
    package func abandon() {
        // What could not be taken back is remembered, and nobody is there to be told.
        try? engine.calls.inside { () throws(EngineError) -> Void in
            try take()
            defer { engine.store.end(turn.run) }
            try engine.restore(turn)
        }
    }

    /// Closing: the key is free, and nothing is recorded.
    fileprivate func detach() {
        if close() { engine.store.end(turn.run) }
    }

    private func take() throws(EngineError) {
        let isOurs = close()
        engine.claims.remove(self)
        if turn.run.isInherited { throw .forked }
        guard isOurs else { throw .detached }
    }

    /// Whether it was open.
    private func close() -> Bool {
        monitor.withLock {
            let before = isOpen
            isOpen = false
            return before
        }
    }
}

/// The claims of a handle that nobody has ended yet.
final class OpenClaims: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var claims: [Claim] = []

    func insert(_ claim: Claim) { monitor.withLock { claims.append(claim) } }
    func remove(_ claim: Claim) {
        monitor.withLock {
            if let index = claims.lastIndex(where: { $0 === claim }) { claims.remove(at: index) }
        }
    }

    func detachAll() {
        let open = monitor.withLock {
            let open = claims
            claims = []
            return open
        }
        for claim in open { claim.detach() }
    }
}

extension Engine {
    package enum Beginning {
        /// Due, and the caller's.
        case due(Claim)
        case notDue
        case baselined
    }

    /// Takes the key when it is due, waiting for whoever has it.
    package func begin(_ key: Key, _ policy: Policy) throws(EngineError) -> Beginning {
        try calls.inside { () throws(EngineError) -> Beginning in
            let guess = try decide(key, policy)
            if guess == .rest { return .notDue }
            let turn = try take(key, policy, .claim, guess)
            do throws(EngineError) {
                switch turn.decision {
                case .rest:
                    store.end(turn.run)
                    return .notDue
                case .baseline:
                    let isNew = try baseline(turn)
                    store.end(turn.run)
                    return isNew ? .baselined : .notDue
                case .run:
                    try prepare(turn)
                    let claim = Claim(self, turn)
                    claims.insert(claim)
                    return .due(claim)
                }
            } catch {
                store.end(turn.run)
                throw error
            }
        }
    }
}
