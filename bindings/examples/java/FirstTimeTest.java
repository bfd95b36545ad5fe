import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The example's tests: silent, and an exit status of 0, when all is well. The first argument is an empty directory. */
public final class FirstTimeTest {
    private static void check(boolean condition) {
        if (!condition) throw new AssertionError();
    }

    private static void check(int code, FirstTime.Work work) throws Exception {
        try {
            work.run();
        } catch (FirstTime.Failure failure) {
            check(failure.code == code && !failure.getMessage().isEmpty());
            return;
        }
        throw new AssertionError("should fail with " + code);
    }

    private static void outcomes(FirstTime store) throws Exception {
        FirstTime.Work nothing = () -> {};
        check(store.execute("once", FirstTime.Policy.ONCE, nothing, null) == FirstTime.Outcome.RAN);
        check(store.execute("once", FirstTime.Policy.ONCE, nothing, null) == FirstTime.Outcome.NOT_DUE);
        check(store.execute("once", FirstTime.Policy.ONCE, nothing, nothing) == FirstTime.Outcome.RAN_AFTER);
        for (FirstTime.Policy policy : FirstTime.Policy.values()) {
            check(store.execute(policy.name(), policy, nothing, null) == FirstTime.Outcome.RAN);
            check(store.execute(policy.name(), policy, nothing, null) == FirstTime.Outcome.NOT_DUE);
        }
        String key = "Schlüssel \uD83D\uDD11"; // a character of two surrogates
        check(store.execute(key, FirstTime.Policy.ONCE, nothing, null) == FirstTime.Outcome.RAN);
        check(store.wasExecuted(key));
    }

    private static void exceptions(FirstTime store) throws Exception {
        IOException thrown = new IOException("thrown");
        try {
            store.execute("throws", FirstTime.Policy.ONCE, () -> { throw thrown; }, null);
            check(false);
        } catch (IOException caught) {
            check(caught == thrown);
        }
        check(-6, () -> store.execute("throws", FirstTime.Policy.ONCE,
            () -> store.execute("throws", FirstTime.Policy.ONCE, () -> {}, null), null));
        check(!store.wasExecuted("throws"));
        check(-1, () -> store.wasExecuted(""));
        check(-2, () -> new FirstTime("/dev/null/store", null, null));
        for (FirstTime.Work wrong : new FirstTime.Work[] {
            () -> store.wasExecuted("a\0b"), () -> new FirstTime(null, null, null)}) {
            try {
                wrong.run();
                check(false);
            } catch (IllegalArgumentException expected) {
            }
        }
    }

    private static void claims(FirstTime store) {
        try (FirstTime.Claim claim = store.begin("claimed", FirstTime.Policy.ONCE)) {
            check(claim != null);
        }
        try (FirstTime.Claim claim = store.begin("claimed", FirstTime.Policy.ONCE)) {
            claim.commit();
        }
        check(store.begin("claimed", FirstTime.Policy.ONCE) == null);
        FirstTime.Record record = store.find("claimed");
        check(record.count == 1 && record.lastVersion.equals("1.0"));
        check(Duration.between(record.lastTime, Instant.now()).abs().toDays() < 1);
        check(store.find("other") == null);
    }

    private static void threads(FirstTime store) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int index = 0; index < 8; index++) {
            Thread thread = new Thread(() -> {
                try {
                    for (int key = 0; key < 20; key++) {
                        store.execute("key." + key, FirstTime.Policy.ONCE, runs::incrementAndGet, null);
                    }
                } catch (Throwable failure) {
                    synchronized (failures) { failures.add(failure); }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
        check(failures.isEmpty() && runs.get() == 20);
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0], "store");
        try (FirstTime store = new FirstTime(path.toString(), null, "1.0")) {
            outcomes(store);
            exceptions(store);
            claims(store);
            threads(store);
        }
        check(Files.exists(path));
        String version = "version ".repeat(2000);
        try (FirstTime store = new FirstTime(path.toString(), null, version)) {
            store.execute("long", FirstTime.Policy.ONCE, () -> {}, null);
            check(store.find("long").lastVersion.equals(version));
        }
    }
}
