/* Performs a list of operations on a store and writes a fact about each to standard output: what is about to be called,
 * what ran, what came back. It judges nothing; facts.py does.
 *
 * usage: driver [-t SECONDS] [-l FILE] [-f FLAGS] [-s FILE] PATH OPERATION...     README.md lists the operations.
 *
 * Each fact is one system call of its own, so that what was said before a kill has been said. When standard output is
 * a socket that call is sendto, which no store makes: faults that are injected into the store's calls miss the facts. */
#define _GNU_SOURCE
#include <firsttime.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- facts ---- */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    static _Thread_local char text[70000]; /* a delayed rule's trigger has facts, too */
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text - 1, format, list);
    va_end(list);
    if (length < 0 || length >= (int)sizeof text - 1) abort();
    /* One fact, one line, whatever an error's text holds. */
    for (int index = 0; index < length; index++) {
        if (text[index] == '\n') text[index] = '\r';
    }
    text[length++] = '\n';
    ssize_t done = send(STDOUT_FILENO, text, (size_t)length, MSG_NOSIGNAL);
    if (done < 0 && errno == ENOTSOCK) done = write(STDOUT_FILENO, text, (size_t)length);
    if (done != length) _exit(90);
}

/* The end of a call: its result, and after a failure the words. */
static void say_done(const char *operation, int64_t result) {
    say("done %s %" PRId64 "%s%s", operation, result, result < 0 ? " " : "", result < 0 ? firsttime_last_error() : "");
}

static void stop(const char *why, const char *what) {
    fprintf(stderr, "driver: %s: %s\n", why, what);
    exit(91);
}

/* ---- the store ---- */

static const char *path;
static uint32_t flags;
static firsttime_store *store;
static double now = 2e9; /* later than every time in an imported file */
static const char *version;
static int callback_result;
static bool is_limited; /* how large files may become */

static double tell_time(void *context) { return *(double *)context; }
static const char *tell_version(void *context) { return *(const char **)context; }

static int run(void *key) {
    say("running %s", (const char *)key);
    return callback_result;
}

static int64_t open_store(void) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    options.flags = flags;
    /* Long enough for a slow machine; whoever waits as long was locked out. */
    options.wait_ms = 8000;
    firsttime_result result = firsttime_open(&options, &store);
    if (result != FIRSTTIME_OK) return result;
    firsttime_set_clock(store, tell_time, &now, NULL);
    firsttime_set_version_provider(store, tell_version, &version, NULL);
    return result;
}

static int64_t close_store(void) {
    firsttime_store *closing = store;
    store = NULL;
    return firsttime_close(closing);
}

/* One record: its key, its number of runs and its version. */
static int say_record(const firsttime_record *record, void *context) {
    (void)context;
    say("record %s %" PRIu64 " %s", record->key, record->count, record->last_version ? record->last_version : "-");
    return 0;
}

#include "driver_rules.h"

/* ---- operations: the words after the first ':' ---- */

static int64_t execute(char *key, uint32_t policy_flags) {
    firsttime_policy policy = {sizeof policy, policy_flags, firsttime_elapsed(50, FIRSTTIME_SECOND)};
    return firsttime_execute(store, key, &policy, run, NULL, key);
}

static int64_t once(char *words) { return firsttime_execute_once(store, words, run, NULL, words); }
static int64_t at_most_once(char *words) { return execute(words, FIRSTTIME_AT_MOST_ONCE); }
static int64_t baseline(char *words) { return execute(words, FIRSTTIME_BASELINE); }
static int64_t interval(char *words) { return execute(words, FIRSTTIME_PER_INTERVAL); }
static int64_t per_version(char *words) {
    char *key = strsep(&words, ":");
    version = words;
    int64_t result = execute(key, FIRSTTIME_PER_VERSION);
    version = NULL;
    return result;
}
static int64_t refused(char *words) {
    callback_result = 1;
    int64_t result = once(words);
    callback_result = 0;
    return result;
}
static int64_t refused_at_most_once(char *words) {
    callback_result = 1;
    int64_t result = at_most_once(words);
    callback_result = 0;
    return result;
}
static int64_t mark(char *words) { return firsttime_mark(store, words); }
static int64_t reset(char *words) { return firsttime_reset_key(store, words); }
static int64_t reset_prefix(char *words) { return firsttime_reset_prefix(store, words); }
static int64_t reset_all(char *words) { return (void)words, firsttime_reset(store); }
static int64_t import(char *words) { return firsttime_import(store, words, NULL, NULL); }
static int64_t flush(char *words) { return (void)words, firsttime_flush(store); }
static int64_t ask(char *words) { return firsttime_find(store, words, say_record, NULL); }
static int64_t dump(char *words) {
    (void)words;
    int64_t result = firsttime_each(store, NULL, say_record, NULL);
    return result < 0 ? result : dump_rules();
}

#ifdef HAVE_CLAIMS
static firsttime_claim *claim;
static int64_t claim_begin(char *words) { return firsttime_begin(store, words, NULL, &claim); }
static int64_t claim_commit(char *words) {
    (void)words;
    firsttime_claim *committing = claim;
    claim = NULL;
    return firsttime_commit(committing);
}
static int64_t claim_abandon(char *words) {
    (void)words;
    firsttime_abandon(claim);
    claim = NULL;
    return 0;
}
/* Without a claim there is nothing to end. */
static bool is_claimless(const char *name) { return !claim && (strcmp(name, "commit") == 0 || strcmp(name, "abandon") == 0); }
#else
static bool is_claimless(const char *name) { return (void)name, false; }
#endif

static const struct {
    const char *name;
    int64_t (*perform)(char *words);
} calls[] = {
    {"once", once},         {"version", per_version}, {"interval", interval},
    {"mark", mark},         {"reset", reset},         {"prefix", reset_prefix},
    {"reset-all", reset_all}, {"import", import},     {"flush", flush},
    {"ask", ask},           {"dump", dump},           {"refused", refused},
    {"most", at_most_once}, {"refused-most", refused_at_most_once},
    {"baseline", baseline},
    {"rule", set_rule},     {"donate", donate},       {"evaluate", evaluate},
    {"reset-event", reset_event}, {"reset-trigger", reset_trigger},
    {"donate-on", donate_on}, {"wait-delayed", wait_for_delayed},
#ifdef HAVE_CLAIMS
    {"begin", claim_begin}, {"commit", claim_commit}, {"abandon", claim_abandon},
#endif
};

/* ---- the world around the store ---- */

/* limit:BYTES or limit:none: the largest file that this process may write. */
static void set_limit(const char *words) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) stop("getrlimit", strerror(errno));
    limit.rlim_cur = strcmp(words, "none") == 0 ? limit.rlim_max : (rlim_t)strtoull(words, NULL, 10);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) stop("setrlimit", strerror(errno));
    is_limited = limit.rlim_cur != limit.rlim_max;
}

/* fill:FILE:BYTES: fills the file system but for so many bytes. */
static void fill(char *words) {
    char *file = strsep(&words, ":");
    static const char zeros[4096];
    int descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return; /* no inode left: as full as can be */
    off_t size = 0;
    for (ssize_t got; (got = pwrite(descriptor, zeros, sizeof zeros, size)) > 0;) size += got;
    off_t rest = size - (off_t)strtoll(words, NULL, 10);
    if (ftruncate(descriptor, rest > 0 ? rest : 0) != 0) stop("ftruncate", strerror(errno));
    close(descriptor);
}

/* By a call that no store makes, and that also tells of descriptors that are only held (O_PATH). */
static int open_descriptors(void) {
    int count = 0;
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        int copy = dup(descriptor);
        if (copy < 0) continue;
        close(copy);
        count++;
    }
    return count;
}

static bool perform_outside(const char *name, char *words) {
    if (strcmp(name, "limit") == 0) set_limit(words);
    else if (strcmp(name, "ignore-limit") == 0) signal(SIGXFSZ, SIG_IGN);
    else if (strcmp(name, "fill") == 0) fill(words);
    else if (strcmp(name, "empty") == 0) unlink(words);
    else if (strcmp(name, "exit") == 0) _exit(0);
    else if (strcmp(name, "calm") == 0) say("calm");
    else if (strcmp(name, "wait") == 0) {
        char byte;
        say("waiting");
        while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {}
    } else return false;
    return true;
}

static void perform(const char *operation) {
    static char copy[70000];
    if (strlen(operation) >= sizeof copy) stop("too long", operation);
    strcpy(copy, operation);
    char *words = copy, *name = strsep(&words, ":");
    if (!words) words = copy + strlen(copy);
    now += 100;
    if (perform_outside(name, words)) return;
    if (strcmp(name, "open") == 0 || strcmp(name, "close") == 0) {
        bool opens = name[0] == 'o';
        if (opens == (store != NULL)) return;
        say("call %s", operation);
        say_done(operation, opens ? open_store() : close_store());
        return;
    }
    for (size_t index = 0; index < LENGTH(calls); index++) {
        if (strcmp(name, calls[index].name) != 0) continue;
        if (!store) {
            say("closed %s", operation); /* opening it failed */
            return;
        }
        if (is_claimless(name)) {
            say("skipped %s", operation); /* taking it failed */
            return;
        }
        say("clock %.0f", now);
        say("call %s", operation);
        say_done(operation, calls[index].perform(words));
        return;
    }
    stop("no such operation", operation);
}

static int open_side_file(const char *file) {
    int descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) stop(file, strerror(errno));
    return descriptor;
}

static uint32_t flags_named(char *names) {
    static const struct {
        const char *name;
        uint32_t flag;
    } known[] = {{"relaxed", FIRSTTIME_RELAXED},
                 {"recover", FIRSTTIME_RECOVER},
                 {"read-only", FIRSTTIME_READ_ONLY},
                 {"run-if-unwritable", FIRSTTIME_RUN_IF_UNWRITABLE}};
    uint32_t result = 0;
    for (char *name; (name = strsep(&names, ","));) {
        size_t index = 0;
        while (index < LENGTH(known) && strcmp(name, known[index].name) != 0) index++;
        if (index == LENGTH(known)) stop("no such flag", name);
        result |= known[index].flag;
    }
    return result;
}

int main(int count, char **arguments) {
    const char *list = NULL;
    for (int option; (option = getopt(count, arguments, "+t:l:f:s:")) != -1;) {
        if (option == 't') now = strtod(optarg, NULL);
        else if (option == 'l') list = optarg;
        else if (option == 'f') flags = flags_named(optarg);
        else if (option == 's') fires = open_side_file(optarg);
        else return 91;
    }
    /* With -l: all operations once for each path in a file. */
    FILE *paths = list ? fopen(list, "re") : NULL;
    if (list && !paths) stop("can't be read", list);
    static char line[4096];
    do {
        if (paths) {
            if (!fgets(line, sizeof line, paths)) break;
            line[strcspn(line, "\n")] = 0;
            path = line;
            say("at %s", path);
        } else {
            path = arguments[optind];
        }
        for (int index = optind + !paths; index < count; index++) perform(arguments[index]);
        if (store) close_store();
    } while (paths);
    say("end %d", open_descriptors());
    return 0;
}
