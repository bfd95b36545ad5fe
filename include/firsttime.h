/**
 * @file firsttime.h
 *
 * FirstTime: run code once per install, once per app version, once per interval, or when a rule over counted events
 * holds, and remember it in a file.
 *
 *     static int onboarding(void *context) { puts("Welcome!"); return 0; }
 *
 *     firsttime_execute_once(firsttime_shared(), "onboarding.v1", onboarding, NULL, NULL);
 *
 * You need three functions to begin with: firsttime_shared() or firsttime_open(), firsttime_execute_once(), and
 * firsttime_last_error() for the words when a result is negative. The rest of this page is for later.
 *
 * The state is one small file, an archive that Apple's NSKeyedUnarchiver reads: the format of YCFirstTime, whose old
 * archives firsttime_import() takes in.
 *
 * RESULTS. Every function that can fail returns a `firsttime_result`: zero or above is an answer, below zero is a
 * failure. After a failure firsttime_last_error() says in words what failed: the file, the call and the reason.
 * Wrong arguments (NULL where it isn't allowed, a bad key, a bad `size`) are FIRSTTIME_ERROR_ARGUMENT: nothing runs
 * and nothing changes.
 *
 * OWNERSHIP, in four words. *copied*: the library keeps its own copy, yours may go after the call. *borrowed*: read
 * during this call only, or valid only as long as it says. *owned by the caller*: you must pass it to the function
 * named. *static*: valid for ever, never freed. Strings are UTF-8, end with a NUL, and are copied unless it says
 * otherwise. Outputs come last, end in `_out`, and are written on failure too (NULL, zero or NaN).
 *
 * KEYS are 1 to 65535 bytes of UTF-8, compared as bytes: "a.b" is one key, not a path, and the two Unicode spellings of
 * "é" are two keys. Use names that say what they are for: "onboarding.v1".
 *
 * TIMES are seconds since 1970-01-01 00:00:00 UTC, as a double.
 *
 * THREADS. A store may be used from any number of threads at once, and several stores and processes may share a file.
 * While a callback for a key runs, nobody else runs that key: other callers wait (see firsttime_options.wait_ms), look
 * again and find it done. Different keys run side by side. No lock on the store is held while a callback, a visitor, a
 * clock or a version provider runs, so they may call the library, but not run the key they are running for. A claim
 * (see firsttime_begin()) is a key taken without a callback: what is said of running a key holds for it, too.
 *
 * CAVEATS
 * - Keep the file on a local file system. Locks and renames on network file systems may not do what they say.
 * - Don't leave a callback, a visitor, a clock or a version provider by pthread_exit(), longjmp() or a C++ exception;
 *   return a non-zero value instead. Nothing is recorded then. The same holds for conditions, triggers, observers and
 *   executors: a rule that was left so is asked again later, but what was recorded of its fire stays, and contexts that
 *   were in use are never released. When the thread ends, its keys are free at once. After
 *   longjmp() or an exception they are free at that thread's next call of the library from where it jumped to, or from
 *   any frame above; until then the key is FIRSTTIME_ERROR_REENTRANT for that thread and FIRSTTIME_ERROR_BUSY, after
 *   their wait limit, for others, and firsttime_close() in another thread waits. A library built without Swift's
 *   runtime has no unwinding tables: there an exception ends the program by std::terminate().
 * - A program that switches stacks itself (makecontext(), coroutines, sigaltstack()) inside a callback and calls the
 *   library from another stack may be taken for one that left the callback: the key may then be run by others, too.
 * - A callback that was killed with its process (SIGKILL, power) is not recorded and runs again: make it repeatable, or
 *   use FIRSTTIME_AT_MOST_ONCE.
 * - After fork() the child may use the stores that are open: at its first call they become its own. Claims, callbacks
 *   in progress, delayed rules and what could not be recorded yet stay the parent's: in the child a claim's commit and a
 *   callback's return are FIRSTTIME_ERROR_FORKED, and until that return the child is inside the callback. So it is with
 *   conditions, triggers and observers: the parent asks the rules that come after, and tells the other observers. No
 *   descriptor or lock of the parent's is open in the child. A child that is made without fork(), by _Fork(), vfork() or
 *   clone(), may only execute a program or exit.
 * - A store keeps up to three descriptors open between calls, above 2 and closed on exec, and a page of its lock file
 *   mapped: never cut the lock file short while a program has the store open. Deleting it is safe. A program that
 *   closes descriptors which aren't its own gives up the keys that it runs; what it opens at their numbers isn't
 *   touched.
 * - A thread that is cancelled (pthread_cancel()) inside the library goes on until it is outside, or in a callback.
 *   With asynchronous cancellation switched on, a thread must not call it.
 * - Don't call it from a signal handler.
 * - The shared library stays loaded after dlclose(): handlers of fork() and of threads' ends point into it.
 * - When memory runs out, the program ends, as it does in Swift. The store stays sound.
 * - Two hard links to one archive are two stores: each has its own journal and lock file.
 * - Only the archive's owner and root can record in it, whatever its mode: files are replaced as a whole, and keep
 *   their owner. For everybody else that is FIRSTTIME_ERROR_READ_ONLY.
 * - Other programs' changes to the files, of which the library isn't told, are noticed by what may run or record at
 *   once, by questions within a second.
 * - Time comes from the system's clock. A record that lies in the future is believed for at most one whole interval
 *   more, then taken for a clock that was wrong.
 * - Two processes that each run one key inside another's callback, in opposite orders, wait for each other, for a
 *   minute at most: take keys in one order, or set wait_ms. Within one process it is FIRSTTIME_ERROR_REENTRANT at once.
 * - Anyone who may write the file may change it. Don't guard licences or secrets with it.
 */
#ifndef FIRSTTIME_H
#define FIRSTTIME_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header. MAJOR changes when a program must be changed, MINOR when something was added, PATCH
 * for everything else. firsttime_library_version() tells the version of the library that is linked. */
#define FIRSTTIME_VERSION_MAJOR 1
#define FIRSTTIME_VERSION_MINOR 0
#define FIRSTTIME_VERSION_PATCH 0

#if defined(__clang__)
#define FIRSTTIME_NULLABLE _Nullable
#define FIRSTTIME_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define FIRSTTIME_NULLABLE
#define FIRSTTIME_NONNULL
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * Results
 * --------------------------------------------------------------------------------------------------------------- */

/** What a call did. Zero and above: an answer; below zero: a failure. Values are never reused; the list may grow. */
typedef enum firsttime_result {
    FIRSTTIME_OK = 0,        /**< The call did what its name says. */
    FIRSTTIME_NO = 0,        /**< A question's answer. */
    FIRSTTIME_NOT_DUE = 0,   /**< Recorded already and not due again, or there was nothing to run. */
    FIRSTTIME_YES = 1,       /**< A question's answer. Compare with ==, since errors are below zero, not zero. */
    FIRSTTIME_DUE = 1,       /**< firsttime_begin(): due, and yours. */
    FIRSTTIME_RAN = 1,       /**< `first` ran and returned 0, and the run is recorded. */
    FIRSTTIME_RAN_AFTER = 2, /**< Not due; `after` ran and returned 0. */
    FIRSTTIME_BASELINED = 3, /**< FIRSTTIME_BASELINE: never seen, recorded now; nothing ran. */

    FIRSTTIME_ERROR_ARGUMENT = -1,     /**< A wrong argument; nothing ran and nothing changed. */
    FIRSTTIME_ERROR_IO = -2,           /**< A system call failed; nothing ran and nothing changed. */
    FIRSTTIME_ERROR_CORRUPT = -3,      /**< The bytes on disk (the archive's, its journal's or the lock file's) can't be
                                            decoded, or the archive is gone. The files are left as they are. */
    FIRSTTIME_ERROR_FORMAT = -4,       /**< Written by a newer version of the format. The file is left as it is. */
    FIRSTTIME_ERROR_BUSY = -5,         /**< Someone else is running this key, and the wait limit passed. */
    FIRSTTIME_ERROR_REENTRANT = -6,    /**< It would wait for itself: a key inside its own callback, or one that the
                                            same thread holds a claim on, or a circle of waiting threads. */
    FIRSTTIME_ERROR_CALLBACK = -7,     /**< A callback returned non-zero. From `first`: nothing is recorded;
                                            from `after`: the record stays. */
    FIRSTTIME_ERROR_READ_ONLY = -8,    /**< The store can't be written, as could be told before; nothing ran. */
    FIRSTTIME_ERROR_NOT_RECORDED = -9, /**< The callback ran, or the change was made, but it may not be on disk. This
                                            process remembers it and tries again at the next recording, at flush and
                                            at close. A claim whose store was closed: nothing is recorded. Donations
                                            and rules: see firsttime_donate(). */
    FIRSTTIME_ERROR_FORKED = -10       /**< The callback returned in a forked child, or the claim is its parent's:
                                            recording it is the parent's affair. */
} firsttime_result;

/**
 * The name of a result.
 *
 * @param result Any value.
 * @return "FIRSTTIME_ERROR_IO" and the like; 0 is "FIRSTTIME_OK", 1 "FIRSTTIME_YES", 2 "FIRSTTIME_RAN_AFTER",
 *         3 "FIRSTTIME_BASELINED"; "FIRSTTIME_UNKNOWN" for values not in the list. Static.
 *
 * Any thread.
 */
const char *FIRSTTIME_NONNULL firsttime_result_name(firsttime_result result);

/**
 * The calling thread's last failure, in words: what could not be done, with which file, in which call, and why.
 *
 * @return Text without a full stop or newline, "" when no call on this thread has failed. A call that succeeds leaves
 *         it alone. Borrowed until this thread's next failure.
 */
const char *FIRSTTIME_NONNULL firsttime_last_error(void);

/**
 * The version of the library that is linked.
 *
 * @return "1.0.0". Static. Any thread.
 */
const char *FIRSTTIME_NONNULL firsttime_library_version(void);

/* ------------------------------------------------------------------------------------------------------------------
 * Opening
 * --------------------------------------------------------------------------------------------------------------- */

/** An open store: a handle on one archive file. Thread-safe. */
typedef struct firsttime_store firsttime_store;

/** A clock for tests: seconds since 1970-01-01 UTC. A result that isn't finite makes the call that asked fail with
 * FIRSTTIME_ERROR_ARGUMENT, before anything ran; once `first` has run, the time before it is recorded instead. Called
 * on the thread that asks, with no lock held, by several threads at once. */
typedef double (*firsttime_clock)(void *FIRSTTIME_NULLABLE context);

/** Gives the app's version, NULL for none. The text is borrowed until the provider returns to the library and copied
 * at once. Called on the thread that asks, with no lock held, by several threads at once. */
typedef const char *FIRSTTIME_NULLABLE (*firsttime_version_provider)(void *FIRSTTIME_NULLABLE context);

/** Frees a context. Called exactly once, after the last use of `context`, by whichever thread used it last. */
typedef void (*firsttime_release)(void *FIRSTTIME_NULLABLE context);

/** Flags for firsttime_options.flags. */
enum {
    FIRSTTIME_READ_ONLY = 1u << 0, /**< This handle never writes and never creates: what would have to is
                                        FIRSTTIME_ERROR_READ_ONLY, and a due callback doesn't run. Questions see what
                                        others record. Flush and close write nothing. */
    FIRSTTIME_IN_MEMORY = 1u << 1, /**< No file at all, for tests and throw-away state: path and app_id are ignored,
                                        each handle is a store of its own, and what it recorded goes with it. */
    FIRSTTIME_RELAXED = 1u << 2,   /**< Recording doesn't wait for the disk: a record survives the end of the program,
                                        however it ends, but perhaps not a loss of power. What is recorded before
                                        AT_MOST_ONCE runs is synced all the same, and so is what flush writes. */
    FIRSTTIME_RECOVER = 1u << 3,   /**< Where opening would be FIRSTTIME_ERROR_CORRUPT, because archive or journal can't
                                        be decoded or the archive is gone: what can't be decoded is kept as
                                        `<path>.corrupt-<seconds since 1970>` (`<path>-journal.corrupt-...`), and the
                                        store starts from every record that could be saved. It looks at open only, does
                                        nothing with READ_ONLY, and leaves a newer version's files alone. */
    FIRSTTIME_RUN_IF_UNWRITABLE = 1u << 4, /**< Due callbacks run even when nothing can be recorded (no permission, a
                                                full or broken disk): only this process's threads take turns then, the
                                                result is FIRSTTIME_ERROR_NOT_RECORDED, and this process remembers the
                                                run. Not when the archive can't be decoded, nor under AT_MOST_ONCE. */
    FIRSTTIME_FIXED_OFFSET = 1u << 5       /**< Calendar intervals use utc_offset_minutes, always, instead of libc's
                                                local zone. */
};

/**
 * How to open a store. All zero but `size`: the defaults. Start from FIRSTTIME_OPTIONS_INIT.
 *
 * Every struct that begins with `size` grows at its end in later versions. A smaller size is an older program's; a
 * larger one is accepted when the bytes beyond this version's are all zero. A size of 0, one that no version can have
 * had (every size is a multiple of 8, and below 4096), and flag bits that this version doesn't know are
 * FIRSTTIME_ERROR_ARGUMENT.
 */
typedef struct firsttime_options {
    size_t size;                                /**< sizeof(firsttime_options). */
    const char *FIRSTTIME_NULLABLE path;        /**< The archive file; NULL: the default for app_id. Copied. */
    const char *FIRSTTIME_NULLABLE app_id;      /**< A reverse-DNS name such as "org.example.app"; NULL: the base name
                                                     of the running program's file. 1 to 255 bytes of UTF-8, not ".",
                                                     "..", no "/", no control characters. Copied. */
    const char *FIRSTTIME_NULLABLE app_version; /**< Compared byte for byte; NULL: none. Copied. */
    uint32_t flags;                             /**< FIRSTTIME_READ_ONLY and the like; 0: none. */
    int32_t wait_ms;                            /**< Longest wait for another runner of a key, in milliseconds; 0: for
                                                     ever; below 0: none. A write of another process, which takes
                                                     milliseconds, is always waited for, up to a minute. */
    int32_t utc_offset_minutes;                 /**< East of UTC, -1440 to 1440: what FIRSTTIME_CALENDAR and _PERIOD
                                                     take for local time; read only with FIRSTTIME_FIXED_OFFSET. */
    int32_t first_weekday;                      /**< The day on which weeks of FIRSTTIME_PERIOD begin; 0 or 1: Monday
                                                     (ISO 8601) ... 7: Sunday. */
} firsttime_options;

/** The defaults: `firsttime_options options = FIRSTTIME_OPTIONS_INIT;` */
#define FIRSTTIME_OPTIONS_INIT { sizeof(firsttime_options), NULL, NULL, NULL, 0, 0, 0, 0 }

/**
 * Opens a store.
 *
 * The file's path is options->path, or else `$XDG_STATE_HOME/<app_id>/firsttime.archive`, with `~/.local/state` in
 * place of an unset or relative XDG_STATE_HOME (the XDG Base Directory Specification). It is made absolute and its
 * symbolic links are followed now, once. The file is read but nothing is written: its directories (mode 0700), a lock
 * file and a journal beside it (`<path>-lock`, `<path>-journal`) appear when something is first recorded. Records go to
 * the journal; the file itself is written by firsttime_flush(), by whoever closes the store last in all processes, and
 * when the journal has outgrown it. Move or delete the three together, while no program has the store open. A file that
 * isn't there yet is an empty store; so is a directory that may not be written: that shows in the first call that would
 * have to write.
 *
 * @param options   Borrowed; NULL: the defaults.
 * @param store_out Receives a store owned by the caller, who passes it to firsttime_close(). NULL on failure.
 * @return FIRSTTIME_OK; FIRSTTIME_ERROR_ARGUMENT (store_out NULL, a bad option, no home directory to be found);
 *         FIRSTTIME_ERROR_IO (a file can't be read, isn't a regular file, or stands beside the archive and belongs
 *         to somebody else); FIRSTTIME_ERROR_CORRUPT (also when the journal is there and its archive is gone; see
 *         FIRSTTIME_RECOVER); FIRSTTIME_ERROR_FORMAT; with FIRSTTIME_RECOVER also FIRSTTIME_ERROR_READ_ONLY, _BUSY and
 *         _NOT_RECORDED, when what was saved can't be written.
 *
 * Any thread. Opening one file twice in a process is fine.
 */
firsttime_result firsttime_open(const firsttime_options *FIRSTTIME_NULLABLE options,
                                firsttime_store *FIRSTTIME_NULLABLE *FIRSTTIME_NULLABLE store_out);

/**
 * Writes what is pending (see FIRSTTIME_ERROR_NOT_RECORDED; also an archive that was deleted or replaced while it was
 * open), closes `store` and frees it. It detaches open claims (their keys are free, and nothing is recorded) and waits
 * for calls that other threads have in progress; no call may begin on the store after this one. On the store of
 * firsttime_shared() it only flushes.
 *
 * @param store NULL: does nothing.
 * @return FIRSTTIME_OK; FIRSTTIME_ERROR_REENTRANT, and the store stays open, from inside one of the store's callbacks,
 *         or from a callback that one of the store's calls waits for; when the archive can't be brought up to date, or
 *         read, that failure: FIRSTTIME_ERROR_IO, _READ_ONLY, _CORRUPT, _FORMAT, _BUSY or _NOT_RECORDED. The store is
 *         closed and freed all the same.
 */
firsttime_result firsttime_close(firsttime_store *FIRSTTIME_NULLABLE store);

/**
 * Makes the archive file current: complete by itself, on disk, with everything that was recorded. Recording doesn't
 * need it; other programs that read or copy the archive do. Closing the last handle does the same.
 *
 * @return FIRSTTIME_OK; FIRSTTIME_ERROR_ARGUMENT (NULL); FIRSTTIME_ERROR_IO, _READ_ONLY, _CORRUPT, _FORMAT, _BUSY or
 *         _NOT_RECORDED when something pending can't be written, or the file that is there can't be read.
 *
 * Any thread.
 */
firsttime_result firsttime_flush(firsttime_store *FIRSTTIME_NULLABLE store);

/**
 * The program's default store, opened at the first call with default options: it knows no app version until
 * firsttime_set_version_provider() gives it one. Every call gives the same store. It lives until the program ends and
 * needn't be closed.
 *
 * @return A store, borrowed for ever; NULL when it can't be opened: firsttime_last_error() says why, and the next call
 *         tries again. Every function takes NULL for a store and answers FIRSTTIME_ERROR_ARGUMENT; right after a call
 *         of this one that failed, firsttime_last_error() still says why, so that
 *         `firsttime_execute_once(firsttime_shared(), ...)` needs no check of its own.
 *
 * Any thread. From YCFirstTime's `shared`.
 */
firsttime_store *FIRSTTIME_NULLABLE firsttime_shared(void);

/**
 * The archive file's absolute path, with symbolic links followed.
 *
 * @return Borrowed until the store is closed; "" with FIRSTTIME_IN_MEMORY. NULL for a NULL store.
 *
 * Any thread.
 */
const char *FIRSTTIME_NULLABLE firsttime_path(const firsttime_store *FIRSTTIME_NULLABLE store);

/**
 * Replaces the store's clock.
 *
 * @param store   NULL: `context` is released and nothing else happens.
 * @param clock   NULL: the system's clock again; `context` is then released at once.
 * @param context Passed to `clock`; owned by the library until `release` is called on it.
 * @param release May be NULL.
 *
 * Any thread; calls that are in progress may still use the clock that was set before. From YCFirstTime's `nowProvider`.
 */
void firsttime_set_clock(firsttime_store *FIRSTTIME_NULLABLE store, firsttime_clock FIRSTTIME_NULLABLE clock,
                         void *FIRSTTIME_NULLABLE context, firsttime_release FIRSTTIME_NULLABLE release);

/**
 * Replaces the store's source of the app's version, which is otherwise firsttime_options.app_version.
 *
 * @param store    NULL: `context` is released and nothing else happens.
 * @param provider NULL: options.app_version again; `context` is then released at once.
 * @param context  Passed to `provider`; owned by the library until `release` is called on it.
 * @param release  May be NULL.
 *
 * The provider is asked by every call that decides or records, whatever its policy. A version that isn't UTF-8 or is
 * longer than 65535 bytes makes that call fail with FIRSTTIME_ERROR_ARGUMENT.
 * Any thread; calls in progress may still use the provider that was set before. From YCFirstTime's `versionProvider`.
 */
void firsttime_set_version_provider(firsttime_store *FIRSTTIME_NULLABLE store,
                                    firsttime_version_provider FIRSTTIME_NULLABLE provider,
                                    void *FIRSTTIME_NULLABLE context, firsttime_release FIRSTTIME_NULLABLE release);

/* ------------------------------------------------------------------------------------------------------------------
 * When
 * --------------------------------------------------------------------------------------------------------------- */

/** Units of time. */
typedef enum firsttime_unit {
    FIRSTTIME_SECOND,
    FIRSTTIME_MINUTE,
    FIRSTTIME_HOUR,
    FIRSTTIME_DAY,
    FIRSTTIME_WEEK,
    FIRSTTIME_MONTH,
    FIRSTTIME_QUARTER,
    FIRSTTIME_YEAR
} firsttime_unit;

/**
 * How an interval is counted.
 *
 * CALENDAR and PERIOD go by local time: that of libc, as `date` shows it, which follows the environment's TZ at each
 * call (and without TZ, within a second, a changed /etc/localtime), or that of FIRSTTIME_FIXED_OFFSET. What is recorded
 * is an instant, so that a key which ran in one zone may be asked for in another.
 */
typedef enum firsttime_interval_kind {
    FIRSTTIME_ELAPSED,  /**< `count` fixed lengths since the last run: a day is 86400 s. Local time plays no part. */
    FIRSTTIME_CALENDAR, /**< `count` units added to the local time of the last run. Days and longer keep the time of
                             day, over a change to or from summer time, too: "two days later, at the same hour". Months,
                             quarters and years keep the day of the month, or take the month's last: 31 January + 1
                             month is 28 or 29 February, and + 2 months is 31 March. A local time that doesn't exist,
                             because clocks jump over it, moves forward by the jump; of one that exists twice it is the
                             first. Hours and shorter are elapsed time. */
    FIRSTTIME_PERIOD    /**< `count` periods of local time begun since the last run, whatever their length: with 1 MONTH
                             a run in the evening of 31 January is due again at midnight. Weeks begin on
                             firsttime_options.first_weekday; quarters in January, April, July and October; days begin
                             at midnight, or when clocks jump over it. Days and longer compare the two local dates.
                             Hours and shorter count the instants since the last run at which local time was a whole
                             unit: where clocks are set back an hour, the hour that comes twice is two hours. */
} firsttime_interval_kind;

/**
 * An interval. Passed by value; its layout never changes.
 *
 * A count that leads beyond the year 300,000 means: never again. The boundary itself is due, to the bit: see
 * firsttime_next_due(). PERIOD hours and minutes look for changes of the clocks within a century from the last run
 * only, and take some microseconds for each year of it that they span.
 */
typedef struct firsttime_interval {
    double count; /**< Above 0 and finite; fractions (0.5 days are 12 hours) for FIRSTTIME_ELAPSED only. */
    int32_t unit; /**< firsttime_unit; FIRSTTIME_ELAPSED takes SECOND, MINUTE, HOUR, DAY and WEEK. */
    int32_t kind; /**< firsttime_interval_kind. */
} firsttime_interval;

/** An interval of `days` times 86400 seconds, YCFirstTime's. Never fails: what can't be an interval (a count of 0,
 * below 0, NaN, infinity, or not whole where it must be; a unit that isn't one) is refused with
 * FIRSTTIME_ERROR_ARGUMENT where it is used. Any thread. */
firsttime_interval firsttime_days(double days);

/** An interval of `count` fixed lengths: FIRSTTIME_ELAPSED. Never fails, as firsttime_days(). Any thread. */
firsttime_interval firsttime_elapsed(double count, firsttime_unit unit);

/** An interval of `count` units from the last run's local time on: FIRSTTIME_CALENDAR. Never fails, as
 * firsttime_days(). Any thread. From RuleKit's frequencies. */
firsttime_interval firsttime_calendar(double count, firsttime_unit unit);

/** An interval of `count` periods of local time: FIRSTTIME_PERIOD. Never fails, as firsttime_days(). Any thread. From
 * IntervalClient's intervals. */
firsttime_interval firsttime_period(double count, firsttime_unit unit);

/** Ready-made intervals, to be used like values: due again in the next hour, on the next day (once a day at most,
 * whatever the hour), in the next week, month, quarter or year of local time. From IntervalClient. */
#define FIRSTTIME_HOURLY firsttime_period(1, FIRSTTIME_HOUR)
#define FIRSTTIME_DAILY firsttime_period(1, FIRSTTIME_DAY)         /**< See FIRSTTIME_HOURLY. */
#define FIRSTTIME_WEEKLY firsttime_period(1, FIRSTTIME_WEEK)       /**< See FIRSTTIME_HOURLY. */
#define FIRSTTIME_MONTHLY firsttime_period(1, FIRSTTIME_MONTH)     /**< See FIRSTTIME_HOURLY. */
#define FIRSTTIME_QUARTERLY firsttime_period(1, FIRSTTIME_QUARTER) /**< See FIRSTTIME_HOURLY. */
#define FIRSTTIME_YEARLY firsttime_period(1, FIRSTTIME_YEAR)       /**< See FIRSTTIME_HOURLY. */

/** Flags for firsttime_policy.flags. */
enum {
    FIRSTTIME_PER_VERSION = 1u << 0,  /**< Due again when the app version differs from the recorded one, byte for byte
                                           ("1.0" and "1.0.0" differ; no version equals no version). */
    FIRSTTIME_PER_INTERVAL = 1u << 1, /**< Due again when `interval` has passed; with PER_VERSION either suffices. */
    FIRSTTIME_AT_MOST_ONCE = 1u << 2, /**< The run is recorded before it begins, with the time when it begins, and is on
                                           disk then: a crash, a callback left abnormally or a claim whose store was
                                           closed leaves it done. Non-zero from `first`, or firsttime_abandon(),
                                           restores what was recorded before. While it runs, questions answer as if it
                                           had not begun. Where nothing can be recorded it never runs. */
    FIRSTTIME_NO_WAIT = 1u << 3,      /**< FIRSTTIME_ERROR_BUSY at once when someone else is running this key. */
    FIRSTTIME_BASELINE = 1u << 4      /**< A key that has no record is recorded now, as if it had just run, and nothing
                                           runs, not even `after`: the result is FIRSTTIME_BASELINED. For what's-new
                                           messages, which aren't for those who just came. Such a key isn't due. */
};

/**
 * When a key is due again, and how it is run. A NULL policy and one with no flags mean: once per install.
 *
 * A key with no record is due, but for BASELINE. One whose record has no time is due under PER_INTERVAL. The boundary
 * itself is due: at exactly last time + interval. A last time in the future isn't due, unless it lies more than one
 * whole interval ahead: then the clock was wrong once, and it is due. For FIRSTTIME_PERIOD that is: more than `count`
 * periods begin between now and then.
 */
typedef struct firsttime_policy {
    size_t size;                 /**< sizeof(firsttime_policy); see firsttime_options. */
    uint32_t flags;              /**< FIRSTTIME_PER_VERSION and the like; 0: once per install. */
    firsttime_interval interval; /**< Read only with FIRSTTIME_PER_INTERVAL. */
} firsttime_policy;

/* ------------------------------------------------------------------------------------------------------------------
 * Running
 * --------------------------------------------------------------------------------------------------------------- */

/** Your code. Runs on the calling thread, inside the call. Return 0 when it is done and shall be recorded, anything
 * else when it failed: then it isn't recorded, and runs again next time. */
typedef int (*firsttime_callback)(void *FIRSTTIME_NULLABLE context);

/**
 * Runs `first` if `key` has never run on this install, and records it when it returns 0; otherwise runs `after`.
 *
 * @param store   Borrowed.
 * @param key     See KEYS above.
 * @param first   NULL: when due nothing runs, not even `after`, nothing is recorded, and the key stays due.
 * @param after   What to do when it isn't due; NULL: nothing. It is never recorded.
 * @param context Passed to both.
 * @return FIRSTTIME_RAN, FIRSTTIME_RAN_AFTER, FIRSTTIME_NOT_DUE (nothing ran), or
 *         - FIRSTTIME_ERROR_CALLBACK: a callback returned non-zero;
 *         - FIRSTTIME_ERROR_FORKED: the callback returned in a child that was forked in it; nothing is recorded there;
 *         - FIRSTTIME_ERROR_NOT_RECORDED: `first` ran, but the disk failed, or something else that showed only then
 *           (no descriptors left, another process's write that didn't end); see there;
 *         - FIRSTTIME_ERROR_READ_ONLY: due, but there is no permission to record it, so nothing ran;
 *         - FIRSTTIME_ERROR_BUSY: another thread or process is still running this key after wait_ms;
 *         - FIRSTTIME_ERROR_REENTRANT: called from inside this key's own callback, by a thread that holds a claim on
 *           it, or by one that the thread which runs it waits for;
 *         - FIRSTTIME_ERROR_IO, _CORRUPT, _FORMAT: the archive could not be read, or a directory or the lock file not
 *           be made or read, so nothing ran;
 *         - FIRSTTIME_ERROR_ARGUMENT.
 *         After FIRSTTIME_RAN the record is on disk and survives a loss of power.
 *
 * Any thread. While a callback runs nobody else runs the key. From YCFirstTime's executeOnce.
 */
firsttime_result firsttime_execute_once(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                        firsttime_callback FIRSTTIME_NULLABLE first,
                                        firsttime_callback FIRSTTIME_NULLABLE after, void *FIRSTTIME_NULLABLE context);

/**
 * The same, once per app version: due when `key` has no record, or one made by another version.
 * Parameters, results and threads as firsttime_execute_once(). From YCFirstTime's executeOncePerVersion.
 */
firsttime_result firsttime_execute_once_per_version(firsttime_store *FIRSTTIME_NULLABLE store,
                                                    const char *FIRSTTIME_NULLABLE key,
                                                    firsttime_callback FIRSTTIME_NULLABLE first,
                                                    firsttime_callback FIRSTTIME_NULLABLE after,
                                                    void *FIRSTTIME_NULLABLE context);

/**
 * The same, once per interval: due when `key` has no record, or `interval` has passed since its last run.
 * Parameters, results and threads as firsttime_execute_once(). From YCFirstTime's executeOncePerInterval, whose unit is
 * firsttime_days().
 */
firsttime_result firsttime_execute_once_per_interval(firsttime_store *FIRSTTIME_NULLABLE store,
                                                     const char *FIRSTTIME_NULLABLE key, firsttime_interval interval,
                                                     firsttime_callback FIRSTTIME_NULLABLE first,
                                                     firsttime_callback FIRSTTIME_NULLABLE after,
                                                     void *FIRSTTIME_NULLABLE context);

/**
 * The same under any policy: the three functions above are this one with a policy of their own.
 * Parameters, results and threads as firsttime_execute_once(); `policy` is borrowed, NULL: once per install. With
 * FIRSTTIME_BASELINE also FIRSTTIME_BASELINED, which needs no callback. Under FIRSTTIME_AT_MOST_ONCE NOT_RECORDED may
 * also mean that `first` failed, and that what was recorded before it could not be restored yet.
 */
firsttime_result firsttime_execute(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                   const firsttime_policy *FIRSTTIME_NULLABLE policy,
                                   firsttime_callback FIRSTTIME_NULLABLE first,
                                   firsttime_callback FIRSTTIME_NULLABLE after, void *FIRSTTIME_NULLABLE context);

/** A key that is yours to run: what firsttime_begin() gives for work without a callback, that ends later, on another
 * thread, or in a language in which callbacks are hard. While it is open nobody else runs the key, as while a callback
 * runs. It holds until firsttime_commit() or firsttime_abandon() frees it, and ends with the process, however that
 * ends: it is then not recorded, and the key is due again (but see FIRSTTIME_AT_MOST_ONCE). */
typedef struct firsttime_claim firsttime_claim;

/**
 * Takes `key` if it is due.
 *
 * @param store     Borrowed. Closing it detaches the claim: the key is free then, and nothing is recorded.
 * @param key       See KEYS above.
 * @param policy    Borrowed; NULL: once per install.
 * @param claim_out Receives a claim owned by the caller, who passes it to firsttime_commit() or firsttime_abandon().
 *                  NULL when it isn't due and on failure.
 * @return FIRSTTIME_DUE, and the key is yours; FIRSTTIME_NOT_DUE; FIRSTTIME_BASELINED;
 *         FIRSTTIME_ERROR_REENTRANT: this thread holds a claim on the key, or is inside its callback; other failures as
 *         of firsttime_execute_once(), of which nothing that follows from a callback.
 *
 * Any thread. Other threads that want the key wait, as for a callback. The claim belongs to no thread: any may end it.
 */
firsttime_result firsttime_begin(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                 const firsttime_policy *FIRSTTIME_NULLABLE policy,
                                 firsttime_claim *FIRSTTIME_NULLABLE *FIRSTTIME_NULLABLE claim_out);

/**
 * Records a run of the claim's key, with the clock's time now and the app version that firsttime_begin() decided by,
 * and frees the claim, whatever the result.
 *
 * @param claim From firsttime_begin(), and not ended yet.
 * @return FIRSTTIME_OK: it is recorded on disk; FIRSTTIME_ERROR_NOT_RECORDED: the disk failed, see there, or the store
 *         was closed meanwhile, and nothing is recorded; FIRSTTIME_ERROR_FORKED: the claim is the parent's of this
 *         forked child, which may still commit it; FIRSTTIME_ERROR_ARGUMENT (NULL).
 *
 * Any thread.
 */
firsttime_result firsttime_commit(firsttime_claim *FIRSTTIME_NULLABLE claim);

/**
 * Gives the key back, records nothing, and frees the claim. The key stays due, under FIRSTTIME_AT_MOST_ONCE too.
 *
 * @param claim From firsttime_begin(), and not ended yet; NULL: does nothing. In a forked child, and after its store
 *              was closed, it is only freed.
 *
 * Any thread.
 */
void firsttime_abandon(firsttime_claim *FIRSTTIME_NULLABLE claim);

/* ------------------------------------------------------------------------------------------------------------------
 * Asking and marking
 *
 * These see what every process has recorded so far. Beside their own they return FIRSTTIME_ERROR_ARGUMENT, and
 * FIRSTTIME_ERROR_IO, _CORRUPT or _FORMAT when the file changed and can't be read any more. Those that change records
 * add FIRSTTIME_ERROR_READ_ONLY; FIRSTTIME_ERROR_BUSY, when another process has been in the middle of a write for a
 * minute (it was stopped); and FIRSTTIME_ERROR_NOT_RECORDED, when the change is in the file, but syncing the directory
 * failed, so that a loss of power may undo it. After every other failure nothing has changed. None of them waits for
 * callbacks. Any thread.
 * --------------------------------------------------------------------------------------------------------------- */

/** What is recorded of a key. Every pointer is borrowed for the visitor's call only. */
typedef struct firsttime_record {
    size_t size;                                  /**< sizeof(firsttime_record); see firsttime_options. */
    const char *FIRSTTIME_NULLABLE key;           /**< Not NULL in a record that was found. */
    const char *FIRSTTIME_NULLABLE last_version;  /**< The app version of the last run; NULL: none recorded. */
    double last_time;                             /**< The time of the last run; NaN: none recorded. */
    const char *FIRSTTIME_NULLABLE first_version; /**< The first run's; NULL: none, or a legacy record. */
    double first_time;                            /**< The first run's, or the baseline's; NaN in legacy records. */
    uint64_t count;                               /**< Runs recorded by this library; 0 in legacy records and those of
                                                       FIRSTTIME_BASELINE that never ran. */
} firsttime_record;

/** Is shown a record; return non-zero to stop. May call the library. The record is borrowed. */
typedef int (*firsttime_record_visitor)(const firsttime_record *FIRSTTIME_NONNULL record,
                                        void *FIRSTTIME_NULLABLE context);

/**
 * Whether `key` has ever run on this install. Ignores versions and intervals.
 *
 * @return FIRSTTIME_YES, FIRSTTIME_NO or a failure. From YCFirstTime's blockWasExecuted.
 */
firsttime_result firsttime_was_executed(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key);

/**
 * Whether firsttime_execute() would run `first` now. Only a hint when others may run the key: to act on it safely, call
 * firsttime_execute().
 *
 * @param policy Borrowed; NULL: once per install.
 * @return FIRSTTIME_YES, FIRSTTIME_NO or a failure.
 */
firsttime_result firsttime_is_due(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                  const firsttime_policy *FIRSTTIME_NULLABLE policy);

/**
 * When `key` is due next, as things stand: a new app version may make it due before, and a change of the zone's rules
 * at another time.
 *
 * @param policy   Borrowed; NULL: once per install.
 * @param time_out Receives a time; firsttime_is_due() at exactly that time says yes, and just before it, no. When it is
 *                 due already: the clock's time now. +INFINITY: never, or not before its FIRSTTIME_BASELINE. NaN on
 *                 failure.
 * @return FIRSTTIME_YES when it is due now, FIRSTTIME_NO when it isn't, or a failure.
 */
firsttime_result firsttime_next_due(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                    const firsttime_policy *FIRSTTIME_NULLABLE policy,
                                    double *FIRSTTIME_NULLABLE time_out);

/**
 * When `key` last ran.
 *
 * @param time_out Receives the time; NaN when there is none.
 * @return FIRSTTIME_YES when a time is recorded, FIRSTTIME_NO when not, or a failure. From YCFirstTime's
 *         lastExecutionDate.
 */
firsttime_result firsttime_last_execution(firsttime_store *FIRSTTIME_NULLABLE store,
                                          const char *FIRSTTIME_NULLABLE key, double *FIRSTTIME_NULLABLE time_out);

/**
 * Shows the record of `key` to `visitor`, whose result is ignored.
 *
 * @param visitor NULL: nothing is shown.
 * @param context Passed to `visitor`.
 * @return FIRSTTIME_YES when there is a record, FIRSTTIME_NO when there is none, or a failure.
 */
firsttime_result firsttime_find(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                firsttime_record_visitor FIRSTTIME_NULLABLE visitor, void *FIRSTTIME_NULLABLE context);

/**
 * Shows every record whose key begins with the bytes of `prefix` to `visitor`, in the order of the keys' bytes. The
 * records are those of one moment: what the visitor or others change meanwhile isn't seen.
 *
 * @param prefix  NULL or "": all.
 * @param visitor Not NULL.
 * @param context Passed to `visitor`.
 * @return FIRSTTIME_YES when the visitor stopped it, FIRSTTIME_NO when it saw all, or a failure.
 */
firsttime_result firsttime_each(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE prefix,
                                firsttime_record_visitor FIRSTTIME_NULLABLE visitor, void *FIRSTTIME_NULLABLE context);

/**
 * The same as firsttime_find(), without a visitor: for languages in which callbacks are hard.
 *
 * @param record_out Set its `size` before the call. Receives the record; its pointers point into `buffer`, or are NULL.
 * @param buffer     Receives the strings. May be NULL when `capacity` is 0.
 * @param capacity   The bytes there are at `buffer`.
 * @param needed_out Receives the bytes that the strings need with their NULs, 0 when there is no record. May be NULL.
 * @return FIRSTTIME_YES, FIRSTTIME_NO or a failure. When `buffer` is too small: FIRSTTIME_ERROR_ARGUMENT, with
 *         *needed_out and the record's numbers written, and its pointers NULL.
 */
firsttime_result firsttime_read(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key,
                                firsttime_record *FIRSTTIME_NULLABLE record_out, char *FIRSTTIME_NULLABLE buffer,
                                size_t capacity, size_t *FIRSTTIME_NULLABLE needed_out);

/**
 * How many keys that begin with the bytes of `prefix` have a record.
 *
 * @param prefix NULL or "": all.
 * @return The number, or a failure's (negative) firsttime_result.
 */
int64_t firsttime_count(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE prefix);

/**
 * Records a run of `key` now, as if its callback had just returned 0.
 *
 * @return FIRSTTIME_OK: it is recorded on disk; or a failure.
 */
firsttime_result firsttime_mark(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key);

/**
 * Forgets `key`: it is due again. While somebody runs it with AT_MOST_ONCE, only what was recorded before that is
 * forgotten: the run counts, unless it fails.
 *
 * @return FIRSTTIME_YES when there was a record, FIRSTTIME_NO when not, or a failure.
 */
firsttime_result firsttime_reset_key(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE key);

/**
 * Forgets every key that begins with the bytes of `prefix`.
 *
 * @param prefix Not NULL and not "", so that an unset variable doesn't forget everything: that is firsttime_reset().
 * @return FIRSTTIME_OK or a failure; on any but FIRSTTIME_ERROR_NOT_RECORDED nothing is forgotten.
 */
firsttime_result firsttime_reset_prefix(firsttime_store *FIRSTTIME_NULLABLE store,
                                        const char *FIRSTTIME_NULLABLE prefix);

/**
 * Forgets every execution record. What else the file holds (other groups, other programs' content) stays.
 *
 * @return FIRSTTIME_OK or a failure; on any but FIRSTTIME_ERROR_NOT_RECORDED nothing is forgotten. From YCFirstTime's
 *         reset.
 */
firsttime_result firsttime_reset(firsttime_store *FIRSTTIME_NULLABLE store);

/* ------------------------------------------------------------------------------------------------------------------
 * Interval keys
 *
 * Ask, do, mark: the way of IntervalClient, for what needs no single runner (a prompt, a hint, a refresh).
 *
 *     if (firsttime_should_run(store, "reviewPrompt", FIRSTTIME_MONTHLY) == FIRSTTIME_YES) {
 *         ask_for_review();
 *         firsttime_mark_run(store, "reviewPrompt");
 *     }
 *
 * An interval key is a key like any other: "interval." and its name, 1 to 65526 bytes of UTF-8. Results and threads are
 * those of "Asking and marking". Between asking and marking nothing is locked: two that ask at once may both be told
 * FIRSTTIME_YES. Where that matters, run the key by firsttime_execute_once_per_interval() or firsttime_begin().
 * --------------------------------------------------------------------------------------------------------------- */

/**
 * Whether what `name` stands for should run now: it was never marked, or `interval` has passed since.
 *
 * @param name     The name without "interval.".
 * @param interval Any kind; see FIRSTTIME_DAILY and the like.
 * @return FIRSTTIME_YES, FIRSTTIME_NO or a failure. From IntervalClient's shouldRun.
 */
firsttime_result firsttime_should_run(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name,
                                      firsttime_interval interval);

/**
 * Records that what `name` stands for ran now.
 *
 * @return FIRSTTIME_OK: it is recorded on disk; or a failure. From IntervalClient's markRun.
 */
firsttime_result firsttime_mark_run(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name);

/**
 * Forgets `name`: it should run again.
 *
 * @return FIRSTTIME_YES when it was marked, FIRSTTIME_NO when not, or a failure. From IntervalClient's reset.
 */
firsttime_result firsttime_reset_interval(firsttime_store *FIRSTTIME_NULLABLE store,
                                          const char *FIRSTTIME_NULLABLE name);

/**
 * Forgets every interval key, and no other: what begins with "interval.".
 *
 * @return FIRSTTIME_OK or a failure; on any but FIRSTTIME_ERROR_NOT_RECORDED nothing is forgotten. From
 *         IntervalClient's resetAll.
 */
firsttime_result firsttime_reset_all_intervals(firsttime_store *FIRSTTIME_NULLABLE store);

/* ------------------------------------------------------------------------------------------------------------------
 * Events
 *
 * Something that happens, and that rules look back at: "appStarted", "itemCreated". Donate it where it happens.
 *
 *     firsttime_donate(store, "appStarted");
 *
 * An event's name is 1 to 65535 bytes of UTF-8, compared as bytes; events, triggers and keys don't share names. The count,
 * and time and app version of the first and the last donation, are kept in the file: no list of all donations.
 * --------------------------------------------------------------------------------------------------------------- */

/** What is remembered of an event: how often it was donated, first and last. Every pointer is borrowed for the call
 * that shows it. From RuleKit's Event.Donations. */
typedef struct firsttime_donations {
    size_t size;                                  /**< sizeof(firsttime_donations); see firsttime_options. */
    const char *FIRSTTIME_NULLABLE event;         /**< The event's name; never NULL in what the library shows. */
    uint64_t count;                               /**< How often it was donated; 0: never, and all else is empty, unless
                                                       a file that was imported has it so. */
    double first_time;                            /**< Of the first donation; NaN: none, or not known. */
    double last_time;                             /**< Of the last one; NaN: none, or not known. */
    const char *FIRSTTIME_NULLABLE first_version; /**< The app version of the first; NULL: none. */
    const char *FIRSTTIME_NULLABLE last_version;  /**< The app version of the last; NULL: none. */
} firsttime_donations;

/** Looks at an event's donations, which are valid for this call. Non-zero: no further ones. May call the library. */
typedef int (*firsttime_donations_visitor)(const firsttime_donations *FIRSTTIME_NONNULL donations,
                                           void *FIRSTTIME_NULLABLE context);

/**
 * Counts a donation of `event` now, on disk, whatever other threads and processes donate; then asks every rule of this
 * store, in the order in which they were set, and fires those that hold: see firsttime_set_rule().
 *
 * @return FIRSTTIME_OK: it is counted, on disk, and the rules were asked.
 *         FIRSTTIME_ERROR_NOT_RECORDED: it is counted, but either that may not be on disk, and no rule was asked; or a
 *         rule that holds could not record that it fires, and so didn't: the other rules were asked, and that one is with
 *         the next donation. FIRSTTIME_ERROR_FORKED: in a child that a condition, trigger or executor forked; the parent
 *         counted it, and asks the other rules. Any other failure: nothing was counted, and no rule asked.
 *
 * Conditions, triggers and executors are called on this thread, and may donate, post, set and remove rules, and run keys.
 * A rule that is being asked or fired isn't asked again by a donation that this leads to, on this thread or, where an
 * executor or a delay takes it, on another; and each other rule is asked once only by all of these. Donations, or posts,
 * inside 16 others that led to them are counted, but ask no rule. Any thread. From RuleKit's sendDonation and donate.
 */
firsttime_result firsttime_donate(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE event);

/**
 * Shows what is remembered of `event`.
 *
 * @param visitor Called once when there is anything; NULL: nobody is shown it. Its result is ignored.
 * @return FIRSTTIME_YES when there is, FIRSTTIME_NO when not (never donated, or reset), or a failure.
 *
 * Any thread. From RuleKit's donations(for:).
 */
firsttime_result firsttime_find_donations(firsttime_store *FIRSTTIME_NULLABLE store,
                                          const char *FIRSTTIME_NULLABLE event,
                                          firsttime_donations_visitor FIRSTTIME_NULLABLE visitor,
                                          void *FIRSTTIME_NULLABLE context);

/**
 * Shows all events, as they are at one moment, in the order of their names' bytes.
 *
 * @param visitor Not NULL. Non-zero ends it.
 * @return FIRSTTIME_YES when the visitor ended it, FIRSTTIME_NO when it saw all, or a failure.
 *
 * Any thread.
 */
firsttime_result firsttime_each_donations(firsttime_store *FIRSTTIME_NULLABLE store,
                                          firsttime_donations_visitor FIRSTTIME_NULLABLE visitor,
                                          void *FIRSTTIME_NULLABLE context);

/**
 * Forgets the donations of `event`, on disk: its count is 0 again. No rule is asked.
 *
 * @param event NULL: of all events.
 * @return FIRSTTIME_OK, also when there were none, or a failure; on any but FIRSTTIME_ERROR_NOT_RECORDED nothing is
 *         forgotten.
 *
 * Any thread. From RuleKit's resetDonations.
 */
firsttime_result firsttime_reset_donations(firsttime_store *FIRSTTIME_NULLABLE store,
                                           const char *FIRSTTIME_NULLABLE event);

/* ------------------------------------------------------------------------------------------------------------------
 * Rules
 *
 * A rule says when something is to happen, in terms of donated events, of the app's version, and of what your program
 * knows:
 *
 *     firsttime_rule *parts[] = {
 *         firsttime_rule_event_at_least("appStarted", 3),
 *         firsttime_rule_event_not_within("promptAttempt", 30 * 86400.0),
 *     };
 *     firsttime_rule *rule = firsttime_rule_all_of(parts, 2);
 *
 * or, as text for firsttime_rule_parse(), whose grammar is in docs/RULES.md:
 *
 *     event("appStarted") >= 3 && donated("promptAttempt") not within 30 days
 *
 * A constructor returns a rule owned by the caller, who passes it on: to another constructor, to what registers it, or
 * to firsttime_rule_free(). It returns NULL on failure, which is always FIRSTTIME_ERROR_ARGUMENT's kind; see
 * firsttime_last_error(). A constructor that takes rules owns them from then on, also when it fails: they are freed
 * then. So constructors may be nested without a look at what they return: where one fails, the outermost returns NULL,
 * and nothing is lost. A rule may be passed on once only. A rule has at most 256 levels and 65536 terms, itself and its
 * parts counted; more is a failure.
 *
 * A rule never changes. It is asked from left to right, and no more of it than decides the answer, on the thread that
 * asks, with no lock held. Constructors: any thread.
 * --------------------------------------------------------------------------------------------------------------- */

/** A rule: a tree of terms, which never changes. Any thread may use it. */
typedef struct firsttime_rule firsttime_rule;

/** What your program knows; non-zero: true. Called whenever a rule that holds it is asked and gets so far, on the
 * thread that asks, with no lock held, by several threads at once. It may call the library. */
typedef int (*firsttime_condition)(void *FIRSTTIME_NULLABLE context);

/** The same, of an event: it is shown what is remembered of it, with a count of 0 when it was never donated.
 * `donations` is borrowed. */
typedef int (*firsttime_event_condition)(const firsttime_donations *FIRSTTIME_NONNULL donations,
                                         void *FIRSTTIME_NULLABLE context);

/** A rule that is always true. Owned by the caller. Never fails. Any thread. From RuleKit's always. */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_always(void);

/** A rule that is never true. Owned by the caller. Never fails. Any thread. From RuleKit's never. */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_never(void);

/**
 * True when `rule` is false.
 *
 * @param rule Owned by this call. NULL: a failure.
 * @return A rule owned by the caller; NULL on failure, and `rule` is freed. From RuleKit's not.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_not(firsttime_rule *FIRSTTIME_NULLABLE rule);

/**
 * True when all of `rules` are; so without any it is true. Asks until one is false.
 *
 * @param rules Borrowed, but each rule in it is owned by this call. A NULL among them is a failure.
 * @param count How many there are; 0: `rules` may be NULL.
 * @return A rule owned by the caller; NULL on failure, and the rules are freed. A `count` above PTRDIFF_MAX, which no
 *         array can have, is a failure that frees none. From RuleKit's allOf.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_all_of(
    firsttime_rule *FIRSTTIME_NULLABLE const *FIRSTTIME_NULLABLE rules, size_t count);

/** True when one of `rules` is; so without any it is false. Asks until one is true. Parameters and result as
 * firsttime_rule_all_of(). From RuleKit's anyOf. */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_any_of(
    firsttime_rule *FIRSTTIME_NULLABLE const *FIRSTTIME_NULLABLE rules, size_t count);

/** True when none of `rules` is; so without any it is true. Asks until one is true. Parameters and result as
 * firsttime_rule_all_of(). From RuleKit's noneOf. */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_none_of(
    firsttime_rule *FIRSTTIME_NULLABLE const *FIRSTTIME_NULLABLE rules, size_t count);

/**
 * True when at least `quorum` of `rules` are. Asks until so many are true, or the rest isn't enough.
 *
 * @param quorum 0: always true; above `count`: never. Nothing is asked then.
 *
 * The other parameters and the result as firsttime_rule_all_of(). From RuleKit's atLeast.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_at_least(
    size_t quorum, firsttime_rule *FIRSTTIME_NULLABLE const *FIRSTTIME_NULLABLE rules, size_t count);

/**
 * True when `condition` returns non-zero.
 *
 * @param condition NULL: a failure.
 * @param context   Passed to `condition`; owned by the library until `release` is called on it.
 * @param release   Called exactly once, in every case: when the last use of the rule is over, on failure before this
 *                  returns. May be NULL.
 * @return A rule owned by the caller; NULL on failure. From RuleKit's condition.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_condition(firsttime_condition FIRSTTIME_NULLABLE condition,
                                                            void *FIRSTTIME_NULLABLE context,
                                                            firsttime_release FIRSTTIME_NULLABLE release);

/**
 * True when `condition` returns non-zero for what is remembered of `event`.
 *
 * @param event An event's name, which is a key (see KEYS above). Copied.
 *
 * The other parameters and the result as firsttime_rule_condition(). From RuleKit's event with a condition.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_event(const char *FIRSTTIME_NULLABLE event,
                                                        firsttime_event_condition FIRSTTIME_NULLABLE condition,
                                                        void *FIRSTTIME_NULLABLE context,
                                                        firsttime_release FIRSTTIME_NULLABLE release);

/**
 * True when `event` was donated at least `count` times. 0: always.
 *
 * @param event An event's name, which is a key (see KEYS above). Copied.
 * @return A rule owned by the caller; NULL when `event` is no key. From RuleKit's event(_:atLeast:).
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_event_at_least(const char *FIRSTTIME_NULLABLE event, uint64_t count);

/**
 * True when `event` was last donated at most `seconds` ago, the boundary itself included. False when it was never
 * donated, when nothing is known of the last time, and when that lies more than `seconds` in the future: then a clock
 * was wrong.
 *
 * @param event   An event's name, which is a key (see KEYS above). Copied.
 * @param seconds 0 or above, and finite.
 * @return A rule owned by the caller; NULL on failure. From RuleKit's event(_:donatedWithin:).
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_event_within(const char *FIRSTTIME_NULLABLE event, double seconds);

/** The contrary of firsttime_rule_event_within(): true when `event` was never donated, or not in the last `seconds`.
 * Parameters and result are the same. From RuleKit's event(_:notDonatedFor:). */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_event_not_within(const char *FIRSTTIME_NULLABLE event,
                                                                   double seconds);

/**
 * True when the app's version is `version` or a later one, as firsttime_version_compare() has it. False when there is
 * no app version.
 *
 * @param version 1 to 65535 bytes of UTF-8. Copied.
 * @return A rule owned by the caller; NULL on failure. New, over RuleKit's AppVersion.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_version_at_least(const char *FIRSTTIME_NULLABLE version);

/**
 * True when `event` was donated, and the app version of its first donation is the current one, byte for byte; no
 * version equals no version.
 *
 * @param event An event's name, which is a key (see KEYS above). Copied.
 * @return A rule owned by the caller; NULL when `event` is no key. From RuleKit's firstSeenInCurrentVersion.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_first_seen_in_current_version(const char *FIRSTTIME_NULLABLE event);

/**
 * Reads a rule from text, such as a line of a configuration file. docs/RULES.md has the grammar.
 *
 * @param text At most 1 MiB of UTF-8. Borrowed.
 * @return A rule owned by the caller; NULL on failure: firsttime_last_error() names line and column, counted from 1 and
 *         in characters, and says what was expected there, as in `line 1, column 15: expected a number after ">="` of
 *         `event("a") >= x`. New.
 *
 * Any thread.
 */
firsttime_rule *FIRSTTIME_NULLABLE firsttime_rule_parse(const char *FIRSTTIME_NULLABLE text);

/**
 * Frees a rule that was never passed on, and its parts.
 *
 * @param rule NULL: does nothing.
 *
 * Any thread.
 */
void firsttime_rule_free(firsttime_rule *FIRSTTIME_NULLABLE rule);

/**
 * Writes a rule as text, of which firsttime_rule_parse() makes an equal rule. But callbacks can't be written: they
 * become `condition` and `condition("event")`, which it refuses.
 *
 * @param rule     Borrowed. NULL: the text is "", and firsttime_last_error() says so.
 * @param buffer   Receives the text with a NUL, cut off between two characters where it is too small. May be NULL when
 *                 `capacity` is 0.
 * @param capacity The bytes there are at `buffer`.
 * @return The length of the whole text without the NUL, as of snprintf(): the text is whole when it is below
 *         `capacity`.
 *
 * Any thread.
 */
size_t firsttime_rule_text(const firsttime_rule *FIRSTTIME_NULLABLE rule, char *FIRSTTIME_NULLABLE buffer,
                           size_t capacity);

/**
 * Which of two versions is the later one: "1.9" is before "1.10", "1.0" equals "1.0.0". Rules use it; records never do:
 * they compare versions byte for byte.
 *
 * A version is a release, and what may follow it. The release is the numbers before the first letter. They are compared
 * one by one, by value, whatever their length; a release that ends goes on with zeros. Between two numbers stands one
 * place, however they are separated: all of ASCII but letters and digits only separates. But a dot after a dot, or
 * before the first number, has a place with 0 before it: "1..2" equals "1.0.2". A "v" right before the first number is
 * passed over, and so is everything from the first "+" on.
 *
 * What begins with the first letter is a pre-release, and comes before its release: "1.0-beta" and "1.0b2" before
 * "1.0", after "0.9". Two of them are compared part by part, words and numbers: numbers by value, words byte by byte
 * with A to Z as a to z, a number before a word, and one that ends before one that goes on: in this order come
 * "1.0-alpha", "1.0-alpha.1", "1.0-alpha.beta", "1.0-beta", "1.0-beta2", "1.0-beta10" and "1.0-rc.1", which equals
 * "1.0RC1". Bytes above 127 are letters.
 *
 * NULL is no version, and before all; "" equals "0".
 *
 * @return -1: `left` is before `right`; 0: they are equal; 1: it is after it. Never fails.
 *
 * Any thread. From RuleKit's AppVersion, which has no order of pre-releases.
 */
int firsttime_version_compare(const char *FIRSTTIME_NULLABLE left, const char *FIRSTTIME_NULLABLE right);

/* ------------------------------------------------------------------------------------------------------------------
 * Triggers
 *
 * What happens when a rule holds. A rule is set on a store, in memory, by each program run; how often it has fired is kept
 * in the file, for all processes.
 *
 *     firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
 *     options.frequency = FIRSTTIME_MONTHLY;
 *     firsttime_set_rule(store, "requestReview", firsttime_rule_event_at_least("appStarted", 3), ask, NULL, &options);
 *
 * A rule that holds fires when its throttle and its limit let it. That it fires is recorded on disk before it does, in one
 * step with the look at throttle and limit: of two processes one fires; and where it can't be recorded, or the process
 * dies in between, it doesn't. FIRSTTIME_RUN_IF_UNWRITABLE doesn't change that. The time that counts is the one at which
 * it is recorded.
 *
 * Rules and throttles share names: a rule's fires are kept under its own name, and under its throttle_name too. A throttle
 * that is called as another rule is that rule's.
 * --------------------------------------------------------------------------------------------------------------- */

/** Called when a rule fires, or a name that is observed is posted. `name`: the rule's, or what was posted; borrowed. */
typedef void (*firsttime_trigger)(const char *FIRSTTIME_NONNULL name, void *FIRSTTIME_NULLABLE context);

/** Work that an executor is given. */
typedef void (*firsttime_work)(void *FIRSTTIME_NULLABLE argument);

/**
 * Runs work elsewhere or later: on a queue, a main loop, a pool of threads.
 *
 * It must have work(argument) called exactly once, on any thread, at any time, even after the store was closed: then the
 * work only frees itself, as it does in a forked child, or when the rule was removed. It may call it at once.
 *
 *     static void main_loop(void *queue, firsttime_work work, void *argument) {
 *         dispatch_async_f((dispatch_queue_t)queue, argument, work);
 *     }
 */
typedef void (*firsttime_executor)(void *FIRSTTIME_NULLABLE queue, firsttime_work FIRSTTIME_NONNULL work,
                                   void *FIRSTTIME_NULLABLE argument);

/** How a rule fires. All zero but `size`, as FIRSTTIME_RULE_OPTIONS_INIT has it: at once, whenever it holds. */
typedef struct firsttime_rule_options {
    size_t size;                                  /**< sizeof(firsttime_rule_options); see firsttime_options. */
    firsttime_interval frequency;                 /**< How long it rests after it has fired: any kind; count 0: not at
                                                       all. From RuleKit's triggerFrequency, which is CALENDAR. */
    const char *FIRSTTIME_NULLABLE throttle_name; /**< Rules with the same one rest together, so that one of many prompts
                                                       appears a day: each by its own frequency since the last fire of
                                                       any of them. Copied; named like events. NULL: the rule's own
                                                       name. */
    uint64_t limit;                               /**< It fires at most this often, ever, whatever others with its
                                                       throttle do; 0: no limit. */
    double delay_seconds;                         /**< It fires so much later, if it still holds then; 0: at once, inside
                                                       the donation. Real time, whatever firsttime_set_clock() says.
                                                       From RuleKit's delay. */
    firsttime_executor FIRSTTIME_NULLABLE executor; /**< Where the trigger runs. NULL: on the thread that donates or, with
                                                         a delay, on the store's timer thread. */
    void *FIRSTTIME_NULLABLE queue;               /**< Passed to `executor`. */
    firsttime_release FIRSTTIME_NULLABLE release; /**< Called once on the trigger's context, when the rule is gone and
                                                       nobody uses it any more. May be NULL. */
} firsttime_rule_options;

#define FIRSTTIME_RULE_OPTIONS_INIT { sizeof(firsttime_rule_options), { 0, 0, 0 }, NULL, 0, 0, NULL, NULL, NULL }

/**
 * Sets a rule on this store: from now on each donation asks it, and when it holds, it fires.
 *
 * @param name    Its name, 1 to 65535 bytes of UTF-8, under which its fires are counted. A rule that has the name already
 *                is removed; what was counted stays.
 * @param rule    Owned by this call, in every case.
 * @param trigger Called when it fires. NULL: the name is posted, as by firsttime_post().
 * @param context Passed to `trigger`; owned by the library until options.release is called on it: on failure, before
 *                this returns. (Where options.size is no size, there is no `release` to be called.)
 * @param options NULL: FIRSTTIME_RULE_OPTIONS_INIT.
 * @return FIRSTTIME_OK or FIRSTTIME_ERROR_ARGUMENT. Nothing is written; it isn't asked before the next donation or
 *         firsttime_evaluate_rules().
 *
 * With an executor: the fire is recorded when the work is handed over; work that comes after the rule was removed leaves
 * it counted. Each donation that fulfils the rule hands over one.
 *
 * With a delay: it begins when the rule holds and may fire; while it waits, further donations change nothing. When the time has come, it is asked again, and only if it
 * holds then is the fire recorded. Removing it, setting another in its place, and firsttime_close() cancel it. A failure
 * to record it then is told by firsttime_wait_for_delayed_rules(). One thread for each store waits for the time, and calls
 * conditions and, without an executor, triggers there: long ones hold up other delayed rules, but nothing else.
 *
 * Any thread. From RuleKit's setRule(triggering:options:).
 */
firsttime_result firsttime_set_rule(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name,
                                    firsttime_rule *FIRSTTIME_NULLABLE rule,
                                    firsttime_trigger FIRSTTIME_NULLABLE trigger, void *FIRSTTIME_NULLABLE context,
                                    const firsttime_rule_options *FIRSTTIME_NULLABLE options);

/**
 * Removes a rule. Unless it is just being asked or fired, on this thread or another, its context is released before this
 * returns; otherwise when that ends.
 *
 * @return FIRSTTIME_OK, also when there was none, or a failure.
 *
 * Any thread, also from inside its own condition or trigger. What was counted stays: see firsttime_reset_trigger().
 */
firsttime_result firsttime_remove_rule(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name);

/** Whether a rule with this name is set on this store. @return FIRSTTIME_YES, FIRSTTIME_NO or a failure. Any thread. */
firsttime_result firsttime_is_rule_registered(firsttime_store *FIRSTTIME_NULLABLE store,
                                              const char *FIRSTTIME_NULLABLE name);

/** Looks at a name, which is valid for this call. Non-zero: no further ones. May call the library. */
typedef int (*firsttime_name_visitor)(const char *FIRSTTIME_NONNULL name, void *FIRSTTIME_NULLABLE context);

/**
 * Shows the names of the rules that are set on this store, in the order in which they were first set.
 *
 * @param visitor Not NULL. Non-zero ends it.
 * @return FIRSTTIME_YES when the visitor ended it, FIRSTTIME_NO when it saw all, or a failure.
 *
 * Any thread.
 */
firsttime_result firsttime_each_rule(firsttime_store *FIRSTTIME_NULLABLE store,
                                     firsttime_name_visitor FIRSTTIME_NULLABLE visitor,
                                     void *FIRSTTIME_NULLABLE context);

/** What is kept of a rule's fires, or of those of all rules with one throttle_name. */
typedef struct firsttime_trigger_record {
    size_t size;                         /**< sizeof(firsttime_trigger_record); see firsttime_options. */
    const char *FIRSTTIME_NULLABLE name; /**< The rule's name, or the throttle's. Borrowed; never NULL in what is shown. */
    double last_time;                    /**< When it fired last; NaN: not known. */
    uint64_t count;                      /**< How often; 0: before it was counted here, as imported from RuleKit. */
} firsttime_trigger_record;

/** Looks at a trigger's record, which is valid for this call. Its result is ignored. May call the library. */
typedef int (*firsttime_trigger_visitor)(const firsttime_trigger_record *FIRSTTIME_NONNULL record,
                                         void *FIRSTTIME_NULLABLE context);

/**
 * Shows what is kept of the fires of the rule or the throttle that is called `name`, whether it is set or not.
 *
 * @param visitor Called once when there is anything; NULL: nobody is shown it.
 * @return FIRSTTIME_YES when there is, FIRSTTIME_NO when it never fired, or a failure.
 *
 * Any thread. From RuleKit's lastTrigger.
 */
firsttime_result firsttime_find_trigger(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name,
                                        firsttime_trigger_visitor FIRSTTIME_NULLABLE visitor,
                                        void *FIRSTTIME_NULLABLE context);

/**
 * Forgets the fires of the rule or the throttle that is called `name`, on disk: it rests no more, and its limit begins
 * anew.
 *
 * @param name NULL: of all.
 * @return FIRSTTIME_OK, also when there were none, or a failure; on any but FIRSTTIME_ERROR_NOT_RECORDED nothing is
 *         forgotten.
 *
 * Any thread.
 */
firsttime_result firsttime_reset_trigger(firsttime_store *FIRSTTIME_NULLABLE store,
                                         const char *FIRSTTIME_NULLABLE name);

/**
 * Asks every rule, as a donation does, without one: when something changed that only conditions see.
 *
 * @return FIRSTTIME_OK. FIRSTTIME_ERROR_NOT_RECORDED: a rule that holds could not record that it fires, and didn't; the
 *         others were asked. FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread.
 */
firsttime_result firsttime_evaluate_rules(firsttime_store *FIRSTTIME_NULLABLE store);

/**
 * Waits until no rule of this store waits for its delay: each has fired, and its trigger has returned, or was given to its
 * executor, or holds no more. For tests, and before a program ends.
 *
 * @return FIRSTTIME_OK, also when the store is closed or its rules are removed meanwhile.
 *         FIRSTTIME_ERROR_NOT_RECORDED: a delayed rule could not record that it fires since this was called last;
 *         FIRSTTIME_ERROR_ARGUMENT: or the clock or the version provider failed then.
 *         FIRSTTIME_ERROR_REENTRANT: called from inside one of the store's callbacks, visitors, conditions or triggers, or
 *         a trigger waits for a key that this thread holds. FIRSTTIME_ERROR_BUSY: inside a callback of another store,
 *         after 60 s.
 *
 * Any thread. A delay of a year is waited for.
 */
firsttime_result firsttime_wait_for_delayed_rules(firsttime_store *FIRSTTIME_NULLABLE store);

/* ------------------------------------------------------------------------------------------------------------------
 * Notifications
 *
 * Names that are posted, and observers who are told: within one firsttime_store of one process; nothing is kept. A rule
 * that is set without a trigger posts its name when it fires. From NotificationCenter, as RuleKit uses it.
 * --------------------------------------------------------------------------------------------------------------- */

/** An observer's number; never 0. */
typedef uint64_t firsttime_observer;

/**
 * Has `trigger` called whenever `name` is posted, on the thread that posts.
 *
 * @param name         1 to 65535 bytes of UTF-8. Any number of observers may have one.
 * @param trigger      Not NULL.
 * @param context      Passed to `trigger`; owned by the library until `release` is called on it: on failure, before this
 *                     returns.
 * @param release      Called once, when the observer or the store is gone and nobody uses the context. May be NULL.
 * @param observer_out The number to remove it by; NULL: nobody will. 0 on failure.
 * @return FIRSTTIME_OK or FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread.
 */
firsttime_result firsttime_observe(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name,
                                   firsttime_trigger FIRSTTIME_NULLABLE trigger, void *FIRSTTIME_NULLABLE context,
                                   firsttime_release FIRSTTIME_NULLABLE release,
                                   firsttime_observer *FIRSTTIME_NULLABLE observer_out);

/**
 * Ends an observer. Unless it is just being told, on this thread or another, its context is released before this returns.
 *
 * @return FIRSTTIME_OK, also when there is none with this number, or FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread, also from inside an observer: itself or another, which is then told no more.
 */
firsttime_result firsttime_remove_observer(firsttime_store *FIRSTTIME_NULLABLE store, firsttime_observer observer);

/**
 * Tells the observers of `name`, on this thread, in the order in which they began to observe. Those that begin meanwhile
 * are not told of it. One that is being told isn't told again by a post that this leads to, and each other once only by
 * all of these.
 *
 * @return FIRSTTIME_OK, also when there are none; FIRSTTIME_ERROR_REENTRANT: it lies inside 16 others that led to it;
 *         FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread.
 */
firsttime_result firsttime_post(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE name);

/* ------------------------------------------------------------------------------------------------------------------
 * Moving state in and out
 *
 * firsttime_import() takes old state in; firsttime_export() gives a copy of all state away. The functions on bytes need
 * no store: they show and check any property list or keyed archive. firsttime_repair() mends a store that can't be
 * opened.
 * --------------------------------------------------------------------------------------------------------------- */

/** Formats of files. */
typedef enum firsttime_format {
    FIRSTTIME_FORMAT_AUTO,        /**< Import: look at the bytes. Export: as FIRSTTIME_FORMAT_ARCHIVE. */
    FIRSTTIME_FORMAT_ARCHIVE,     /**< A keyed archive as a binary property list. */
    FIRSTTIME_FORMAT_ARCHIVE_XML, /**< A keyed archive as an XML property list. */
    FIRSTTIME_FORMAT_DEFAULTS,    /**< A preferences property list (binary or XML) that holds the archive as data. */
    FIRSTTIME_FORMAT_RULEKIT,     /**< RuleKit's RuleKitEvents.plist (binary or XML): import only. */
    FIRSTTIME_FORMAT_JSON         /**< For people and scripts to read: export only. docs/FORMAT.md says what is in it. */
} firsttime_format;

/** Something that was left out, is wrong, or was done about it. Borrowed for the visitor's call. */
typedef struct firsttime_problem {
    size_t size;                         /**< sizeof(firsttime_problem). */
    uint64_t offset;                     /**< Where in the file: bytes from its start, for XML the line. */
    const char *FIRSTTIME_NULLABLE text; /**< In words; never NULL. */
} firsttime_problem;

/** Is told of a problem; return non-zero to stop the call that tells. */
typedef int (*firsttime_problem_visitor)(const firsttime_problem *FIRSTTIME_NONNULL problem,
                                         void *FIRSTTIME_NULLABLE context);

/** Is told how far an import has come, in records, events and triggers; return non-zero to cancel it. */
typedef int (*firsttime_progress)(uint64_t done, uint64_t total, void *FIRSTTIME_NULLABLE context);

/** Flags for firsttime_import_options.flags. */
enum {
    FIRSTTIME_IMPORT_DRY_RUN = 1u << 0 /**< Report what would change, and change nothing. */
};

/** How to import. All zero but `size`: the defaults. */
typedef struct firsttime_import_options {
    size_t size;                                 /**< sizeof(firsttime_import_options); see firsttime_options. */
    int32_t format;                              /**< firsttime_format; 0: look at the bytes. */
    const char *FIRSTTIME_NULLABLE defaults_key; /**< Where preferences hold the archive; NULL: "YCFirstTime". */
    const char *FIRSTTIME_NULLABLE const *FIRSTTIME_NULLABLE interval_names; /**< The interval keys to take from
                                                     preferences, without "interval."; see firsttime_import(). May be
                                                     NULL when interval_count is 0. Borrowed, as are the next. */
    const firsttime_interval *FIRSTTIME_NULLABLE intervals; /**< The interval of each: what its unit is. */
    size_t interval_count;                                  /**< How many there are at both. */
    uint32_t flags;                                         /**< FIRSTTIME_IMPORT_DRY_RUN. */
    firsttime_problem_visitor FIRSTTIME_NULLABLE skipped;   /**< Told of each entry that is left out; NULL: nobody. */
    firsttime_progress FIRSTTIME_NULLABLE progress;       /**< Told of progress; NULL: nobody. */
    void *FIRSTTIME_NULLABLE context;                     /**< Passed to both. */
} firsttime_import_options;

/** What an import did, or with DRY_RUN would do. */
typedef struct firsttime_import_report {
    size_t size;              /**< sizeof(firsttime_import_report): set it before the call; see firsttime_options. */
    uint64_t records_added;   /**< Keys the store had no record of. */
    uint64_t records_updated; /**< Keys whose imported record was newer. */
    uint64_t records_kept;    /**< Keys whose record in the store was as new or newer. */
    uint64_t events_added;    /**< Events the store knew nothing of. */
    uint64_t events_updated;  /**< Events of which the file knew more: a larger count, an earlier first, a later last. */
    uint64_t events_kept;     /**< Events of which it didn't. */
    uint64_t skipped;         /**< Entries left out; each was told to options.skipped. */
    int32_t format;           /**< What the bytes were: a firsttime_format. */
} firsttime_import_report;

/**
 * Takes the records of an old file into the store: an archive of YCFirstTime 1.x or 2.x or of this library (binary or
 * XML), a preferences property list that holds one under "YCFirstTime" (a Mac's `Library/Preferences/<app>.plist`,
 * what `defaults export` writes), or RuleKit's RuleKitEvents.plist. For each key the newest last time wins; of an
 * event, and of a rule's fires, the larger count, the first and the last time of both. (RuleKit doesn't say how often a
 * rule fired: its count begins at 0. The report counts no triggers.) The file is only read. All or nothing: an import
 * that fails, but for FIRSTTIME_ERROR_NOT_RECORDED, changes nothing. Importing twice does no harm.
 *
 * Preferences may also hold IntervalClient's keys: integers, such as "interval.reviewPrompt" = 12. They are taken in
 * when options->interval_names names them. Such a number is a bare second, minute, hour, day of the month, week, month,
 * quarter or year: the key's last time becomes the beginning of the latest such period that isn't in the future (12 as
 * a month, in January: December of last year). What is no such number, by the unit of the key's interval, is left out.
 * The first week of a year is ISO 8601's where weeks begin on Monday, and the one with 1 January in it elsewhere.
 *
 * @param path       A regular file. Borrowed. Reading stops at 4 GiB with FIRSTTIME_ERROR_CORRUPT.
 * @param options    Borrowed; NULL: the defaults.
 * @param report_out May be NULL. Its `size` must be set before the call. All zero on failure.
 * @return FIRSTTIME_OK (also when the file holds no records); FIRSTTIME_ERROR_IO: the file can't be read, or the store
 *         can't be written; FIRSTTIME_ERROR_CORRUPT: the bytes are none of these formats, not the one asked for, or
 *         damaged: the offset (XML: the line) is in firsttime_last_error(); FIRSTTIME_ERROR_FORMAT: a newer version's
 *         archive; FIRSTTIME_ERROR_READ_ONLY, _BUSY and _NOT_RECORDED as under "Asking and marking";
 *         FIRSTTIME_ERROR_CALLBACK: `skipped` or `progress` returned non-zero; FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread. No lock is held while the file is read.
 */
firsttime_result firsttime_import(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE path,
                                  const firsttime_import_options *FIRSTTIME_NULLABLE options,
                                  firsttime_import_report *FIRSTTIME_NULLABLE report_out);

/**
 * The same from memory.
 *
 * @param bytes  Borrowed. May be NULL only when `length` is 0, which is FIRSTTIME_ERROR_CORRUPT: no format is empty.
 * @param length The number of bytes.
 */
firsttime_result firsttime_import_bytes(firsttime_store *FIRSTTIME_NULLABLE store,
                                        const void *FIRSTTIME_NULLABLE bytes, size_t length,
                                        const firsttime_import_options *FIRSTTIME_NULLABLE options,
                                        firsttime_import_report *FIRSTTIME_NULLABLE report_out);

/** Takes a part of what is written, in order; return non-zero to stop. `bytes` is borrowed for this call; `length` is
 * above 0. Called on the thread that exports, with no lock held. */
typedef int (*firsttime_writer)(const void *FIRSTTIME_NONNULL bytes, size_t length, void *FIRSTTIME_NULLABLE context);

/**
 * Writes a copy of everything the store holds, at one moment, to a file of its own: all that is recorded, what couldn't
 * be recorded yet, and content of other software that the archive carries. The store itself isn't touched, nor flushed.
 *
 * The file is written beside its place and put there when it is complete and on disk, or not at all. One that is there
 * already is replaced and keeps its mode and owner; a new one gets mode 0600. Symbolic links are followed.
 *
 * @param path   Where to. A regular file, or nothing yet, in a directory that is there. The store's own archive,
 *               journal and lock file are FIRSTTIME_ERROR_ARGUMENT: firsttime_flush() writes the archive.
 * @param format FIRSTTIME_FORMAT_ARCHIVE (or 0), _ARCHIVE_XML, _DEFAULTS or _JSON. DEFAULTS is an XML property list
 *               with the binary archive as data under "YCFirstTime", for `defaults import` on a Mac. JSON has records,
 *               events and triggers alone, and can't be imported again.
 * @return FIRSTTIME_OK; FIRSTTIME_ERROR_IO: the file can't be written, or the store not read; FIRSTTIME_ERROR_CORRUPT
 *         and _FORMAT: what others put in the place of the store's files can't be read; FIRSTTIME_ERROR_BUSY;
 *         FIRSTTIME_ERROR_ARGUMENT: also when XML has no way to say something the store holds, such as U+0001 in a key.
 *
 * Any thread. Others may go on recording meanwhile.
 */
firsttime_result firsttime_export(firsttime_store *FIRSTTIME_NULLABLE store, const char *FIRSTTIME_NULLABLE path,
                                  int32_t format);

/**
 * The same to a function: to a pipe, a socket or memory.
 *
 * @param writer Not NULL. Non-zero ends it.
 * @return As firsttime_export(); FIRSTTIME_ERROR_CALLBACK: `writer` returned non-zero.
 *
 * Any thread. `writer` may call the library.
 */
firsttime_result firsttime_export_to(firsttime_store *FIRSTTIME_NULLABLE store, int32_t format,
                                     firsttime_writer FIRSTTIME_NULLABLE writer, void *FIRSTTIME_NULLABLE context);

/** Flags for firsttime_dump_bytes(). */
enum {
    FIRSTTIME_DUMP_JSON = 1u << 0, /**< JSON, for scripts; else text for people. */
    FIRSTTIME_DUMP_RAW = 1u << 1   /**< UIDs as they stand, also in a keyed archive. */
};

/**
 * Shows any property list, binary or XML, as text. The objects of a keyed archive are put where their UIDs lead; one
 * that several refer to, or that lies inside itself, is shown once and named by its number elsewhere. docs/FORMAT.md
 * describes both kinds of output. Only the bytes are looked at: they needn't be this library's.
 *
 * @param bytes  Borrowed. May be NULL only when `length` is 0, which is FIRSTTIME_ERROR_CORRUPT.
 * @param flags  FIRSTTIME_DUMP_JSON, FIRSTTIME_DUMP_RAW; 0: neither.
 * @param writer Not NULL; see firsttime_writer. It is called with nothing before the bytes were read in full.
 * @return FIRSTTIME_OK; FIRSTTIME_ERROR_CORRUPT: the offset (XML: the line) is in firsttime_last_error();
 *         FIRSTTIME_ERROR_CALLBACK: `writer` returned non-zero; FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread. Time and memory are linear in the length.
 */
firsttime_result firsttime_dump_bytes(const void *FIRSTTIME_NULLABLE bytes, size_t length, uint32_t flags,
                                      firsttime_writer FIRSTTIME_NULLABLE writer, void *FIRSTTIME_NULLABLE context);

/**
 * Looks for everything that is wrong with a property list, a keyed archive, or one that firsttime_import() would take:
 * bytes that can't be decoded, references and UIDs that lead nowhere, and entries of an archive that the library would
 * refuse or leave out. A property list of other software that is sound has no problem.
 *
 * @param bytes   Borrowed. May be NULL only when `length` is 0, which is FIRSTTIME_ERROR_CORRUPT.
 * @param visitor Told of each problem, in no special order, once all were found; NULL: nobody. Non-zero ends it.
 * @return FIRSTTIME_OK: there is none. FIRSTTIME_ERROR_CORRUPT: there are some; the first is in firsttime_last_error().
 *         FIRSTTIME_ERROR_FORMAT: sound, but a newer version's. FIRSTTIME_ERROR_CALLBACK: `visitor` returned non-zero.
 *         FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread. Time and memory are linear in the length, and so is the number of problems.
 */
firsttime_result firsttime_verify_bytes(const void *FIRSTTIME_NULLABLE bytes, size_t length,
                                        firsttime_problem_visitor FIRSTTIME_NULLABLE visitor,
                                        void *FIRSTTIME_NULLABLE context);

/**
 * Repairs a store that can't be opened, as FIRSTTIME_RECOVER does, while no program has it open: what can't be decoded
 * is kept beside it as `<path>.corrupt-<seconds since 1970>`, and the store starts from every record that could be
 * saved.
 *
 * @param path    The archive file, as in firsttime_options.
 * @param visitor Told, before anything is changed, of what is wrong and what will be done about it: each file that is
 *                set aside, by its new name, and how much is saved. NULL: nobody. Non-zero: nothing is changed.
 * @return FIRSTTIME_YES: repaired. FIRSTTIME_NO: the store can be opened as it is; nothing was changed.
 *         FIRSTTIME_ERROR_BUSY: a program has it open, also when it is sound. FIRSTTIME_ERROR_CALLBACK: `visitor`
 *         returned non-zero. FIRSTTIME_ERROR_IO: also when there is no such file. FIRSTTIME_ERROR_FORMAT: a newer
 *         version's: left alone. FIRSTTIME_ERROR_CORRUPT: the lock file isn't one; or nothing could be saved, and the
 *         file is sound but no store (preferences, other software's archive), or neither journal nor lock file says that
 *         it was one. FIRSTTIME_ERROR_READ_ONLY, FIRSTTIME_ERROR_NOT_RECORDED, FIRSTTIME_ERROR_ARGUMENT.
 *
 * Any thread. `visitor` is called with no lock held and may call the library. When it has opened the store, or anybody
 * has changed it, by the time it returns, nothing is done: FIRSTTIME_ERROR_BUSY. A program that opens the store while
 * files are replaced waits, for a minute at most. One of another process that opened it with FIRSTTIME_READ_ONLY isn't
 * noticed; it goes on with what was repaired.
 */
firsttime_result firsttime_repair(const char *FIRSTTIME_NULLABLE path,
                                  firsttime_problem_visitor FIRSTTIME_NULLABLE visitor,
                                  void *FIRSTTIME_NULLABLE context);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
