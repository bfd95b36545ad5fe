/* The three files of a store in odd states: their modes, gone, old, empty or too long. Each is a documented
 * result, and nothing that was recorded is lost. */
#include "program.h"

static const char archive[] = "store", journal[] = "store-journal", lock[] = "store-lock";
static const char *const names[] = {archive, journal, lock};

/* In a process of its own, that dies without closing: the journal keeps it. */
static int mark_and_die(const char *key) {
    check_result(firsttime_mark(open_store(archive, NULL, 0), key), FIRSTTIME_OK);
    _exit(0);
}
static void mark_elsewhere(const char *key) { check(wait_for(spawn("mark", key)) == 0); }

static void mark_and_flush(firsttime_store *store, const char *key) {
    check_result(firsttime_mark(store, key), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
}

/* What a new process finds: the keys are one letter each. */
static void check_keys(const char *keys) {
    char key[2] = "";
    for (size_t index = 0; keys[index]; index++) {
        key[0] = keys[index];
        check_result(begin_elsewhere(key), FIRSTTIME_NOT_DUE);
    }
}

static void remove_all(void) {
    for (int index = 0; index < 3; index++) check(remove(names[index]) == 0 || errno == ENOENT);
}

/* ---- modes ---- */

static void check_modes(mode_t mode) {
    for (int index = 0; index < 3; index++) {
        struct stat status;
        check(stat(names[index], &status) == 0);
        if ((status.st_mode & 07777) != mode) {
            fprintf(stderr, "%s: mode %o, not %o\n", names[index], status.st_mode & 07777, mode);
            exit(1);
        }
    }
}

static void modes(void) {
    static const mode_t all[] = {0600, 0640, 0660};
    umask(022);
    for (int index = 0; index < 3; index++) {
        firsttime_store *store = open_store(archive, NULL, 0);
        mark_and_flush(store, "a");
        check_modes(0600);
        for (int file = 0; file < 3; file++) check(chmod(names[file], all[index]) == 0);
        for (int round = 0; round < 3; round++) {
            mark_and_flush(store, "b");
            check_modes(all[index]);
        }
        check(unlink(lock) == 0 && unlink(journal) == 0);
        check_result(firsttime_mark(store, "c"), FIRSTTIME_OK);
        check_modes(all[index]);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        mark_elsewhere("d");
        check_modes(all[index]);
        check_keys("abcd");
        remove_all();
    }
}

/* ---- gone, and old ones ---- */

static void gone_while_open(void) {
    /* Each combination of the three. */
    for (int which = 1; which < 8; which++) {
        firsttime_store *store = open_store(archive, NULL, 0);
        mark_and_flush(store, "a");
        check_result(firsttime_mark(store, "b"), FIRSTTIME_OK);
        for (int index = 0; index < 3; index++) {
            if (which & 1 << index) check(unlink(names[index]) == 0);
        }
        check_result(firsttime_mark(store, "c"), FIRSTTIME_OK);
        check_keys("abc");
        check_result(firsttime_close(store), FIRSTTIME_OK);
        check_keys("abc");
        check(access(archive, F_OK) == 0);
        remove_all();
    }
}

static void gone_before(void) {
    mark_elsewhere("a");
    check(access(archive, F_OK) != 0); /* the normal state before the first checkpoint */
    check_keys("a");
    firsttime_store *store = open_store(archive, NULL, 0);
    mark_and_flush(store, "b");
    check_result(firsttime_close(store), FIRSTTIME_OK);
    mark_elsewhere("c");
    check(unlink(archive) == 0);
    ignores_locks = true;
    uint64_t before = fingerprint(".");
    check(open_result(archive) == FIRSTTIME_ERROR_CORRUPT);
    check_mentions("store-journal");
    check_text();
    check(fingerprint(".") == before);
    ignores_locks = false;
    remove_all();
}

/* An old copy of the archive alone is put back: merged with the journal, and with what an open store knows. */
static void old_archive(void) {
    for (int open = 0; open < 2; open++) {
        size_t size;
        firsttime_store *store = open_store(archive, NULL, 0);
        mark_and_flush(store, "a");
        char *old = read_file(archive, &size);
        mark_and_flush(store, "b");
        if (open) {
            check_result(firsttime_mark(store, "c"), FIRSTTIME_OK);
            write_file(archive, old, size);
            mark_and_flush(store, "d");
            check_keys("abcd");
        }
        check_result(firsttime_close(store), FIRSTTIME_OK);
        if (!open) {
            mark_elsewhere("c");
            write_file(archive, old, size);
            check_keys("ac"); /* "b" was in the newer archive alone */
            mark_elsewhere("d");
            check_keys("acd");
        }
        free(old);
        remove_all();
    }
}

/* ---- too short, too long ---- */

static void lengths(void) {
    static const char zeros[8192];
    size_t size, journal_size;
    firsttime_store *store = open_store(archive, NULL, 0);
    mark_and_flush(store, "a");
    check_result(firsttime_close(store), FIRSTTIME_OK);
    mark_elsewhere("b");
    char *good = read_file(archive, &size), *good_journal = read_file(journal, &journal_size);
    ignores_locks = true;
    for (int which = 0; which < 2; which++) {
        /* Empty, all zeros, cut short, and the archive with bytes behind its trailer: nothing is guessed. */
        static const size_t counts[] = {0, 40, 8192};
        for (int index = 0; index < 5; index++) {
            if (index < 3) {
                write_file(names[which], zeros, counts[index]);
            } else if (index == 3) {
                write_file(names[which], which ? good_journal : good, 30);
            } else if (which == 0) {
                write_file(archive, good, size);
                append_line(archive, "trailing bytes that are long enough to hold a trailer");
            }
            uint64_t before = fingerprint(".");
            int result = open_result(archive);
            if (index < 4 || which == 0) check(result == FIRSTTIME_ERROR_CORRUPT);
            if (index < 4 || which == 0) check_mentions(names[which]);
            check(fingerprint(".") == before);
        }
        write_file(archive, good, size);
        write_file(journal, good_journal, journal_size);
    }
    ignores_locks = false;
    /* Behind the journal's last record: a commit that nobody was told of. The next one takes its place. */
    static const size_t tails[] = {1, 23, 24, 100, 8192};
    for (int index = 0; index < 10; index++) {
        int file = open(journal, O_WRONLY | O_APPEND | O_CLOEXEC);
        size_t count = tails[index % 5];
        check(file >= 0);
        if (index < 5) check(write(file, zeros, count) == (ssize_t)count);
        else for (size_t left = count; left > 0; left--) check(write(file, "x", 1) == 1);
        check(close(file) == 0);
        check_keys("ab");
        mark_elsewhere("c");
        check_keys("abc");
    }
    /* A lock file holds nothing: also one that is empty, unfinished or too long serves. */
    static const size_t sizes[] = {0, 16, 100, 4096};
    for (int index = 0; index < 4; index++) {
        write_file(lock, zeros, sizes[index]);
        check_keys("abc");
        mark_elsewhere("d");
    }
    append_line(lock, "behind the page");
    mark_elsewhere("e");
    check_keys("abcde");
    free(good);
    free(good_journal);
    remove_all();
}

int main(int argc, char **argv) {
    alarm(240);
    if (argc == 3 && strcmp(argv[1], "mark") == 0) return mark_and_die(argv[2]);
    if (argc == 3 && strcmp(argv[1], "begin") == 0) return answer_elsewhere(argv[2]);
    modes();
    gone_while_open();
    gone_before();
    old_archive();
    lengths();
    return 0;
}
