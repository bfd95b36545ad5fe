// Seams: an instance's clock and app version, as tests set them. No lock is held while they are asked.

#if !hasFeature(Embedded)
import Foundation

/// The providers are plain closures, as the original's are: who sets one that another thread calls answers for it.
final class Seams: @unchecked Sendable {
    private let lock = NSLock()
    private var ownVersion: (() -> String?)? = Seams.bundleVersion
    private var ownNow: (() -> Date)? = Seams.systemTime

    // The old one is let go outside the lock, because that may call out.

    var versionProvider: (() -> String?)? {
        get { lock.withLock { ownVersion } }
        set {
            let old = versionProvider
            lock.withLock { ownVersion = newValue }
            withExtendedLifetime(old) {}
        }
    }

    var nowProvider: (() -> Date)? {
        get { lock.withLock { ownNow } }
        set {
            let old = nowProvider
            lock.withLock { ownNow = newValue }
            withExtendedLifetime(old) {}
        }
    }

    func version() -> String? { (versionProvider ?? Self.bundleVersion)() }
    func now() -> Date { (nowProvider ?? Self.systemTime)() }

    private static func bundleVersion() -> String? {
        Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
    }

    private static func systemTime() -> Date { Date() }
}
#endif
