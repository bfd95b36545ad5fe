// Descriptor: an open file, closed with its last owner.

import CSystem

/// Owns a file descriptor.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }
    deinit { csystem_close(number) }
}
