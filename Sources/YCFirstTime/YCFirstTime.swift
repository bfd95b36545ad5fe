// YCFirstTime: the class that code written for YCFirstTime 2.x calls, with its names and types. It opens a handle of the
// Swift API and forwards to it: it decides nothing but what a call does that has no way to fail.

#if !hasFeature(Embedded)
import FirstTime
import Foundation

/// Runs a closure once per install, once per app version, or once every N days, with the names of YCFirstTime 2.x.
///
/// ```swift
/// import YCFirstTime
///
/// YCFirstTime.shared.executeOnce({
///     showOnboarding()
/// }, forKey: "onboarding.v1")
/// ```
///
/// Code that was written for the original compiles unchanged. What differs:
///
/// - **State** isn't in `UserDefaults`, but in the app's default store,
///   `$XDG_STATE_HOME/<name of the program>/firsttime.archive` with `~/.local/state` as the usual place. `FirstTime()` and
///   C's `firsttime_shared()` use the same file: they see what was run here, and the other way round.
/// - **Threads and processes** may use a key at the same time. While one runs it the others wait, look again, and find it
///   done. A call for a key from inside its own closure does nothing, and is a failure.
/// - **Failures** never end the program and never run a closure that can't be recorded: when the store can't be read or
///   written, nothing runs. See ``lastError`` and ``failureHandler``.
/// - **Keys** are 1 to 65535 bytes of UTF-8, compared as bytes. Any other key is a failure.
/// - **Clocks** that were wrong don't block a key for ever: a last run that lies more than a whole interval in the future
///   makes it due.
/// - **The app's version** is `CFBundleShortVersionString` here, too. On Linux it is read from a file `Info.plist` beside
///   the program; without one there is no version, and once per version is once. ``versionProvider`` gives another.
///
/// ## Taking over old state
///
/// `UserDefaults` is neither read nor changed. A Mac's preferences file, the output of `defaults export`, or an archive of
/// YCFirstTime 1.x or 2.x is taken over once, by the Swift API:
///
/// ```swift
/// import FirstTime
///
/// YCFirstTime.shared.executeOnce({
///     do { try FirstTime().importArchive(at: "org.example.app.plist") } catch { print(error) }
/// }, forKey: "imported.v1")
/// ```
///
/// For each key the newest last run counts; importing twice does no harm. YCFirstTime 2.x on Linux kept its archive in
/// `~/.config/<name of the program>.plist`, which can be imported, too.
public final class YCFirstTime: NSObject, @unchecked Sendable {
    /// The instance that an app uses everywhere.
    public class var shared: YCFirstTime { sharedInstance }
    private static let sharedInstance = YCFirstTime()

    let handle: Handle
    let seams = Seams()
    let failures = Failures()

    /// A fresh instance over the same state: with providers of its own, for tests.
    public override convenience init() { self.init { try FirstTime() } }

    /// An instance over another store: nothing is opened before the first call.
    init(opening open: @escaping @Sendable () throws -> FirstTime) {
        handle = Handle(opening: open, seams: seams)
        super.init()
    }

    // MARK: Testing seams

    /// Gives the app's version, which is otherwise `CFBundleShortVersionString` of `Bundle.main`. Nil restores that.
    ///
    /// It belongs to this instance alone, and is called on the thread that asks.
    public var versionProvider: (() -> String?)? {
        get { seams.versionProvider }
        set { seams.versionProvider = newValue }
    }

    /// Gives the time, which is otherwise `Date()`. Nil restores that.
    ///
    /// It belongs to this instance alone, and is called on the thread that asks. What is recorded is the time to a quarter
    /// of a microsecond.
    public var nowProvider: (() -> Date)? {
        get { seams.nowProvider }
        set { seams.nowProvider = newValue }
    }

    // MARK: Failures

    /// What failed last in a call of this instance; nil: nothing has. A call that succeeds leaves it alone.
    ///
    /// When an `execute` function fails no closure has run, but for one failure: `notRecorded` means that it ran, that the
    /// disk refused to record it, and that this process remembers it.
    public var lastError: FirstTimeError? { failures.last }

    /// Is told of each failure of this instance, on the thread whose call failed. Nil: a failure is one line on standard
    /// error, unless it is the same as the one before.
    public var failureHandler: ((FirstTimeError) -> Void)? {
        get { failures.handler }
        set { failures.handler = newValue }
    }
}
#endif
