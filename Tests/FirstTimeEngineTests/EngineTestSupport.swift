// What the engine's tests share: an engine on a file of its own, with a clock and a version that tests set.

import CSystem
import Foundation
import Testing

@testable import FirstTimeEngine
@testable import FirstTimeStore

/// An engine and its file, which is gone with it.
final class TestEngine: @unchecked Sendable {
    let directory: String
    let engine: Engine
    private let monitor = Monitor()
    private var currentTime = 1_000_000.0
    private var currentVersion: String?

    init(version: String? = nil, patience: Patience = .none) throws {
        directory = "/tmp/firsttime-test-\(UUID().uuidString)"
        var options = Engine.Options()
        options.path = Array("\(directory)/firsttime.archive".utf8)
        options.version = version.map { Array($0.utf8) }
        options.patience = patience
        engine = try Engine(options)
        engine.set(clock: { [unowned self] in time })
    }

    deinit {
        try? engine.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var path: String { "\(directory)/firsttime.archive" }
    var exists: Bool { FileManager.default.fileExists(atPath: path) }
    var bytes: Data? { FileManager.default.contents(atPath: path) }

    var time: Double {
        get { monitor.withLock { currentTime } }
        set { monitor.withLock { currentTime = newValue } }
    }

    /// Runs a key with callbacks that return these; nil: no callback. What ran, and how it ended.
    func execute(
        _ key: String, _ policy: Policy = Policy(), first: Int32? = 0, after: Int32? = nil
    ) -> String {
        var ran: [String] = []
        let outcome = words {
            let outcome = try engine.execute(
                #require(Key(Array(key.utf8))), policy,
                first: first.map { status in
                    {
                        ran.append("first")
                        return status
                    }
                },
                after: after.map { status in
                    {
                        ran.append("after")
                        return status
                    }
                })
            return "\(outcome)"
        }
        return (ran + [outcome]).joined(separator: ", ")
    }

    func record(_ key: String) throws -> Record? {
        var found: Record?
        _ = try engine.find(#require(Key(Array(key.utf8)))) { found = $0 }
        return found
    }
}

/// What `body` answers or throws, in words.
func words(_ body: () throws -> String) -> String {
    do { return try body() } catch {
        switch error {
        case EngineError.argument(let reason): return "argument: \(reason)"
        case EngineError.callback(let callback, let status): return "callback \(callback) \(status)"
        case EngineError.store(.reentrant): return "reentrant"
        case EngineError.store(.busy): return "busy"
        case EngineError.store(.readOnly): return "read-only"
        case EngineError.store(.corrupt(_, let error)): return "corrupt: \(error.reason)"
        case EngineError.notRecorded: return "not recorded"
        case EngineError.notRestored: return "not restored"
        case EngineError.notClaimed(let rule, _): return "not claimed: \(String(decoding: rule.bytes, as: UTF8.self))"
        case EngineError.forked: return "forked"
        case EngineError.detached: return "detached"
        case EngineError.undecodable(_, let error): return "undecodable: \(error.reason)"
        case EngineError.newerFormat(_, let version): return "newer format \(version)"
        default: return "\(error)"
        }
    }
}

extension OpenJournal {
    /// The same file, in which writing fails.
    func readOnly() -> OpenJournal {
        let number = path.withCString { csystem_open_to_lock($0) }
        return OpenJournal(
            path: path, descriptor: Descriptor(number), isWritable: true, identity: identity, header: header,
            sequence: sequence, end: end, isAnchored: true)
    }
}
