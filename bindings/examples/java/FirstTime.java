import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs code once per install, once per app version, or once per interval, and remembers it: an example of how Java
 * calls the library FirstTime through JNI (FirstTimeJNI.c). It wraps the functions that most programs need. Any thread
 * may use it.
 */
public final class FirstTime implements AutoCloseable {
    static {
        System.loadLibrary("firsttime-jni");
    }

    /** A call that failed: its code is FIRSTTIME_ERROR_IO and so on, its message says what failed and why. */
    public static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        public final int code;

        Failure(int code, byte[] message) {
            super(new String(message, StandardCharsets.UTF_8));
            this.code = code;
        }
    }

    /** What is run. An exception passes through, and leaves the run unrecorded. */
    public interface Work {
        void run() throws Exception;
    }

    /** When a key is due again. */
    public enum Policy { ONCE, PER_VERSION, DAILY }

    /** What an execution did. The order is that of the library's results. */
    public enum Outcome { NOT_DUE, RAN, RAN_AFTER, BASELINED }

    /** What is recorded of a key; {@code lastVersion} and {@code lastTime} may be null. */
    public static final class Record {
        public final String lastVersion;
        public final Instant lastTime;
        public final long count;

        Record(byte[] lastVersion, double lastTime, long count) {
            this.lastVersion = lastVersion == null ? null : new String(lastVersion, StandardCharsets.UTF_8);
            Duration since = Duration.ofNanos((long) (lastTime * 1e9));
            this.lastTime = Double.isNaN(lastTime) ? null : Instant.EPOCH.plus(since);
            this.count = count;
        }
    }

    /** A key that is yours to run, until {@link #commit}; closing one that wasn't committed records nothing. */
    public static final class Claim implements AutoCloseable {
        private long claim;

        private Claim(long claim) {
            this.claim = claim;
        }

        public void commit() {
            long ended = claim;
            claim = 0;
            FirstTime.commit(ended);
        }

        @Override
        public void close() {
            abandon(claim);
            claim = 0;
        }
    }

    private long store;

    /** Opens the store in the file {@code path}, or that of an app; one of the two is null. The version may be, too. */
    public FirstTime(String path, String appID, String appVersion) {
        if (path == null && appID == null) throw new IllegalArgumentException("a store needs a path or an app id");
        store = open(text(path), text(appID), text(appVersion));
    }

    /** Runs {@code first} when {@code key} is due, and records it when it returns; else {@code after}, unless null. */
    public Outcome execute(String key, Policy policy, Work first, Work after) throws Exception {
        return Outcome.values()[execute(store, text(key), policy.ordinal(), first, after)];
    }

    /** Takes {@code key} if it is due; null when it isn't. */
    public Claim begin(String key, Policy policy) {
        long claim = begin(store, text(key), policy.ordinal());
        return claim == 0 ? null : new Claim(claim);
    }

    public boolean wasExecuted(String key) {
        return wasExecuted(store, text(key));
    }

    /** What is recorded of {@code key}, or null. */
    public Record find(String key) {
        return find(store, text(key));
    }

    /** Writes what is pending. Not while other threads use the store. */
    @Override
    public void close() {
        long closed = store;
        store = 0;
        close(closed);
    }

    /** Not JNI's own strings, whose UTF-8 is another one. */
    private static byte[] text(String string) {
        if (string == null) return null;
        if (string.indexOf('\0') >= 0) throw new IllegalArgumentException("a string holds a NUL");
        return (string + '\0').getBytes(StandardCharsets.UTF_8);
    }

    private static native long open(byte[] path, byte[] appID, byte[] appVersion);
    private static native void close(long store);
    private static native int execute(long store, byte[] key, int policy, Work first, Work after) throws Exception;
    private static native long begin(long store, byte[] key, int policy);
    private static native void commit(long claim);
    private static native void abandon(long claim);
    private static native boolean wasExecuted(long store, byte[] key);
    private static native Record find(long store, byte[] key);
}
