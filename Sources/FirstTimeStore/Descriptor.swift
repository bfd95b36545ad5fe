// Descriptor: an open file, closed with its last owner.

import CSystem

/// Owns a file descriptor. Swift lets an object go after its last use, not at the end of its scope: hold it with
/// `withExtendedLifetime` while only its number is in use.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }
    deinit { csystem_close(number) }
}
