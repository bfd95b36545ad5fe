// Bytes of the lock file: what keys of one process share, and what keeps other processes out.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("Locked bytes of keys", .timeLimit(.minutes(1)))
struct KeyLocksTests {
    private let directory: TemporaryDirectory
    /// Each has descriptors of its own, as two processes have.
    private let (ours, theirs): (KeyLocks, KeyLocks)

    init() throws {
        directory = try TemporaryDirectory()
        let file = StoreFile(path: FilePath(directory("f")))
        (ours, theirs) = (KeyLocks(LockFile(archive: file)), KeyLocks(LockFile(archive: file)))
    }

    @Test("Two keys of one process share a byte, and it is free when both are done")
    func sharing() throws {
        let first = try #require(try ours.take(7, .forever))
        let second = try #require(try ours.take(7, .forever))
        #expect(try theirs.take(7, .none) == nil)
        let other = try #require(try theirs.take(8, .none))
        first.release()
        #expect(try theirs.take(7, .milliseconds(20)) == nil)
        second.release()
        let free = try #require(try theirs.take(7, .none))
        #expect(try ours.take(7, .none) == nil)
        free.release()
        other.release()
        try #require(try ours.take(8, .none)).release()
    }

    @Test("Threads that ask for a byte while another process has it all get it")
    func asking() throws {
        let held = try #require(try theirs.take(7, .none))
        let inside = Counter()
        let threads = (0..<4).map { _ in
            Thread { [ours] in
                guard let mine = try? ours.take(7, .milliseconds(30_000)) else { return }
                inside.add()
                // Together: none of them waits for another.
                while inside.value < 4 { usleep(100) }
                mine.release()
            }
        }
        usleep(20_000)
        #expect(inside.value == 0)
        held.release()
        for thread in threads { thread.join() }
        #expect(inside.value == 4)
        try #require(try theirs.take(7, .none)).release()
    }

    @Test("A byte is not shared in a lock file that was replaced: others lock the new one")
    func replaced() throws {
        let old = try #require(try ours.take(7, .none))
        #expect(unlink(directory("f-lock")) == 0)
        let foreign = try #require(try theirs.take(7, .none))
        #expect(try ours.take(7, .none) == nil)
        foreign.release()
        let new = try #require(try ours.take(7, .none))
        old.release()
        #expect(try theirs.take(7, .none) == nil)
        new.release()
        try #require(try theirs.take(7, .none)).release()
    }
}
