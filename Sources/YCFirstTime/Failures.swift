// Failures: where an instance's failures go, since the original's functions have no way to tell of one.

#if !hasFeature(Embedded)
import FirstTime
import Foundation

final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var lastFailure: FirstTimeError?
    private var ownHandler: ((FirstTimeError) -> Void)?

    var last: FirstTimeError? { lock.withLock { lastFailure } }

    var handler: ((FirstTimeError) -> Void)? {
        get { lock.withLock { ownHandler } }
        set {
            let old = handler
            lock.withLock { ownHandler = newValue }
            // Let go outside the lock, because that may call out.
            withExtendedLifetime(old) {}
        }
    }

    func report(_ error: FirstTimeError) {
        let (handler, isNew) = lock.withLock {
            let isNew = error != lastFailure
            lastFailure = error
            return (ownHandler, isNew)
        }
        if let handler { return handler(error) }
        // A program that asks again and again is told once.
        guard isNew else { return }
        // Standard error may be closed: then there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data("YCFirstTime: \(error.description)\n".utf8))
    }
}
#endif
