// TestPoint: names moments between two system calls, at which a crash test kills the process. Without the package's trait
// TestPoints a call of it is nothing, and its name is in no binary.

import CSystem

/// The moment `name` is reached.
@inline(__always)
func testPoint(_ name: StaticString) {
    #if TestPoints
    csystem_test_point(name.utf8Start, name.utf8CodeUnitCount)
    #endif
}
