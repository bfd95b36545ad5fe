/* Disk trouble: what can't be written, what is full, what others put in the archive's place. */
#include "program.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

enum { nobody = 65534 };

/* Runs a part as a user without rights, in a process of its own. */
static void as_nobody(void (*part)(void)) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        if (geteuid() == 0) check(setresgid(nobody, nobody, nobody) == 0 && setresuid(nobody, nobody, nobody) == 0);
        part();
        exit(0);
    }
    check(wait_for(child) == 0);
}

static void check_read_only(firsttime_store *store, const char *path, const char *words) {
    check_result(firsttime_execute_once(store, "new", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_READ_ONLY);
    check_text();
    check_mentions(path);
    check_mentions(words);
    check_result(firsttime_mark(store, "new"), FIRSTTIME_ERROR_READ_ONLY);
    /* Asking works, and so does what has nothing to write. */
    double time;
    check_result(firsttime_was_executed(store, "new"), FIRSTTIME_NO);
    check_result(firsttime_is_due(store, "new", NULL), FIRSTTIME_YES);
    check_result(firsttime_next_due(store, "new", NULL, &time), FIRSTTIME_YES);
    check_result(firsttime_execute_once(store, "new", NULL, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_reset_key(store, "new"), FIRSTTIME_NO);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
}

static void in_closed_directory(void) {
    int runs = 0;
    firsttime_store *store = open_store("closed/store.archive", NULL, 0);
    check_read_only(store, "closed", ": ");
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_YES);
    check_result(firsttime_execute_once(store, "known", must_not_run, count_up, &runs), FIRSTTIME_RAN_AFTER);
    check_result(firsttime_reset(store), FIRSTTIME_ERROR_READ_ONLY);
    check(firsttime_count(store, NULL) == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("closed/empty.archive", NULL, 0);
    check_read_only(store, "closed", "access: Permission denied");
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("closed/below/it/store.archive", NULL, 0);
    check_read_only(store, "closed/below", "mkdir: Permission denied");
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void with_others_files(void) {
    firsttime_store *store = open_store("open/other.archive", NULL, 0);
    check_read_only(store, "open/other.archive", "belongs to user 0");
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("open/locked.archive", NULL, 0);
    check_read_only(store, "open/locked.archive-lock", "open: Permission denied");
    check_result(firsttime_close(store), FIRSTTIME_OK);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "open/secret.archive";
    check_result(firsttime_open(&options, &store), FIRSTTIME_ERROR_IO);
    check_mentions("open/secret.archive: open: Permission denied");
}

static void permissions(void) {
    check(mkdir("closed", 0755) == 0 && mkdir("open", 0777) == 0);
    firsttime_store *store = open_store("closed/store.archive", NULL, 0);
    check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(chmod("closed/store.archive", 0644) == 0 && chmod("closed/store.archive-journal", 0644) == 0);
    if (geteuid() != 0) check(chmod("closed", 0555) == 0);
    uint64_t before = fingerprint("closed");
    as_nobody(in_closed_directory);
    check(fingerprint("closed") == before);
    if (geteuid() != 0) {
        puts("not tried: other users' files (not root)");
        check(chmod("closed", 0755) == 0);
        return;
    }
    check(chmod("open", 0777) == 0);
    static const char *const names[] = {"open/other.archive", "open/secret.archive", "open/locked.archive"};
    for (int index = 0; index < 3; index++) {
        store = open_store(names[index], NULL, 0);
        check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
    static const char *const others[] = {"open/other.archive", "open/other.archive-lock", "open/other.archive-journal"};
    for (int index = 0; index < 3; index++) check(chmod(others[index], 0666) == 0);
    check(unlink("open/locked.archive") == 0 && unlink("open/locked.archive-journal") == 0);
    as_nobody(with_others_files);

    /* Root leaves files to the directory's owner, and a file's owner and mode as they are. */
    struct stat status;
    check(mkdir("theirs", 0700) == 0 && chown("theirs", nobody, nobody) == 0);
    store = open_store("theirs/sub/store.archive", NULL, 0);
    check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
    check(stat("theirs/sub/store.archive-journal", &status) == 0 && status.st_uid == nobody);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(stat("theirs/sub", &status) == 0 && status.st_uid == nobody);
    check(stat("theirs/sub/store.archive", &status) == 0 && status.st_uid == nobody && status.st_gid == nobody);
    check(stat("theirs/sub/store.archive-lock", &status) == 0 && status.st_uid == nobody);
    check(chmod("theirs/sub/store.archive", 0640) == 0);
    check_result(firsttime_mark(store, "again"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(stat("theirs/sub/store.archive", &status) == 0 && status.st_uid == nobody);
    check((status.st_mode & 07777) == 0640);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- a disk that fails once the callback has run ---- */

static void limit_files(rlim_t size) {
    struct rlimit limit;
    check(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = size;
    check(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void check_not_recorded(firsttime_store *store, const char *key) {
    int runs = 0;
    check_result(firsttime_execute_once(store, key, count_up, NULL, &runs), FIRSTTIME_ERROR_NOT_RECORDED);
    check(runs == 1);
    check_text();
    check_result(firsttime_was_executed(store, key), FIRSTTIME_YES);
    check_result(firsttime_execute_once(store, key, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
}

/* Another process's answer. */
static bool others_see(const char *path, const char *key) {
    static char argument[8192];
    snprintf(argument, sizeof argument, "%s:%s", path, key);
    int status = wait_for(spawn("ask", argument));
    check(status == 0 || status == 1);
    return status == 1;
}

static int ask(char *argument) {
    char *key = strchr(argument, ':');
    *key++ = 0;
    firsttime_store *store = open_store(argument, NULL, 0);
    firsttime_result result = firsttime_was_executed(store, key);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return result == FIRSTTIME_YES ? 1 : result == FIRSTTIME_NO ? 0 : 2;
}

static void file_size_limit(void) {
    signal(SIGXFSZ, SIG_IGN);
    firsttime_store *store = open_store("limit.archive", NULL, 0), *other = open_store("limit.archive", NULL, 0);
    check_result(firsttime_mark(store, "before"), FIRSTTIME_OK);
    ignores_locks = true;
    uint64_t before = fingerprint(".");
    limit_files(64);
    check_not_recorded(store, "run");
    check_mentions("limit.archive");
    check_mentions("write: File too large");
    check_result(firsttime_was_executed(other, "run"), FIRSTTIME_YES);
    check_result(firsttime_mark(store, "marked"), FIRSTTIME_ERROR_IO);
    check_result(firsttime_was_executed(store, "marked"), FIRSTTIME_NO);
    check_result(firsttime_reset(store), FIRSTTIME_ERROR_IO);
    check(firsttime_count(store, NULL) == 2);
    check_result(firsttime_flush(store), FIRSTTIME_ERROR_IO);
    check(fingerprint(".") == before);
    ignores_locks = false;
    check(!others_see("limit.archive", "run"));
    limit_files(RLIM_INFINITY);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(others_see("limit.archive", "run"));

    /* The next recording takes it along; so does close. */
    limit_files(64);
    check_not_recorded(store, "run.2");
    limit_files(RLIM_INFINITY);
    check_result(firsttime_mark(other, "next"), FIRSTTIME_OK);
    check(others_see("limit.archive", "run.2"));
    limit_files(64);
    check_not_recorded(store, "run.3");
    limit_files(RLIM_INFINITY);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(others_see("limit.archive", "run.3"));

    /* A handle that can't write what is pending is closed all the same; another still holds it. */
    store = open_store("limit.archive", NULL, 0);
    limit_files(64);
    check_not_recorded(store, "run.4");
    check_result(firsttime_close(store), FIRSTTIME_ERROR_IO);
    check_result(firsttime_was_executed(other, "run.4"), FIRSTTIME_YES);
    limit_files(RLIM_INFINITY);
    check_result(firsttime_close(other), FIRSTTIME_OK);
    check(others_see("limit.archive", "run.4"));
}

static void full_disk(void) {
    check(mkdir("small", 0755) == 0);
    /* A namespace of its own, so that the mount goes with this process. */
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "small", "tmpfs", 0, "size=64k") != 0) {
        printf("not tried: a full disk (mount: %s)\n", strerror(errno));
        return;
    }
    firsttime_store *store = open_store("small/store.archive", NULL, 0);
    check_result(firsttime_mark(store, "before"), FIRSTTIME_OK);
    int file = open("small/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    static char page[4096];
    while (write(file, page, sizeof page) > 0) {}
    check(errno == ENOSPC && close(file) == 0);
    /* What there is of the journal's last page is still free: this takes more. */
    static char long_key[6001];
    memset(long_key, 'k', sizeof long_key - 1);
    check_not_recorded(store, long_key);
    check_mentions("No space left on device");
    check(!others_see("small/store.archive", long_key) && others_see("small/store.archive", "before"));
    /* A lock file that can't be made shows before anything runs. */
    firsttime_store *fresh = open_store("small/fresh.archive", NULL, 0);
    check_result(firsttime_execute_once(fresh, "run", must_not_run, NULL, NULL), FIRSTTIME_ERROR_IO);
    check_result(firsttime_close(fresh), FIRSTTIME_OK);
    check(unlink("small/filler") == 0);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(others_see("small/store.archive", long_key));
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- what others put there ---- */

static void garbage(void) {
    size_t size;
    firsttime_store *store = open_store("garbage.archive", NULL, 0), *second;
    check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    char *good = read_file("garbage.archive", &size);
    ignores_locks = true;
    const char *const bad[] = {"", "garbage", "bplist00garbage that is long enough for a trailer of 32 bytes"};
    for (int index = 0; index < 3; index++) {
        write_file("garbage.archive", bad[index], strlen(bad[index]));
        uint64_t before = fingerprint(".");
        double time = 1;
        /* What is about to run looks at the files; from then on questions know, too. */
        check_result(firsttime_execute_once(store, "new", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_CORRUPT);
        check_result(firsttime_was_executed(store, "known"), FIRSTTIME_ERROR_CORRUPT);
        check_text();
        check_mentions("garbage.archive");
        check_mentions(" byte ");
        check_result(firsttime_last_execution(store, "known", &time), FIRSTTIME_ERROR_CORRUPT);
        check(isnan(time));
        check(firsttime_count(store, NULL) == FIRSTTIME_ERROR_CORRUPT);
        check_result(firsttime_mark(store, "new"), FIRSTTIME_ERROR_CORRUPT);
        check_result(firsttime_reset(store), FIRSTTIME_ERROR_CORRUPT);
        check_result(firsttime_flush(store), FIRSTTIME_ERROR_CORRUPT);
        firsttime_options options = FIRSTTIME_OPTIONS_INIT;
        options.path = "garbage.archive";
        check_result(firsttime_open(&options, &second), FIRSTTIME_ERROR_CORRUPT);
        check(second == NULL);
        check(fingerprint(".") == before);
    }
    ignores_locks = false;
    write_file("garbage.archive", good, size);
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_YES);
    check_result(firsttime_mark(store, "new"), FIRSTTIME_OK);
    /* Deleted while it is open: written again. */
    check(unlink("garbage.archive") == 0);
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(others_see("garbage.archive", "new") && others_see("garbage.archive", "known"));
    free(good);
}

static void check_in_time(double begin) { check(seconds() - begin < 1); }

static void no_files(void) {
    firsttime_store *store;
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    const double begin = seconds();
    check(mkdir("directory.archive", 0755) == 0 && mkfifo("fifo.archive", 0644) == 0);
    check(symlink("fifo.archive", "link.archive") == 0);
    write_file("file", "x", 1);
    static const char *const archives[] = {
        "directory.archive", "fifo.archive", "link.archive", "/dev/null", "file/store.archive", "directory.archive/", "/", "."};
    for (size_t index = 0; index < sizeof archives / sizeof *archives; index++) {
        options.path = archives[index];
        check_result(firsttime_open(&options, &store), FIRSTTIME_ERROR_IO);
        check(store == NULL);
        check_text();
    }
    /* The same in the lock file's place: the archive's directory is left alone. */
    check(mkdir("directory-lock", 0755) == 0 && mkfifo("fifo-lock", 0644) == 0 && symlink("file", "link-lock") == 0);
    write_file("foreign-lock", "somebody else's file", 20);
    static const char *const locks[] = {"directory", "fifo", "link", "foreign"};
    for (int index = 0; index < 4; index++) {
        store = open_store(locks[index], NULL, 0);
        uint64_t before = fingerprint(".");
        firsttime_result expected = index == 3 ? FIRSTTIME_ERROR_CORRUPT : FIRSTTIME_ERROR_IO;
        check_result(firsttime_execute_once(store, "key", must_not_run, NULL, NULL), expected);
        check_text();
        check_mentions("-lock");
        check_result(firsttime_mark(store, "key"), expected);
        check(fingerprint(".") == before);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
    /* And in the archive's place while it is open. */
    store = open_store("replaced.archive", NULL, 0);
    check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(unlink("replaced.archive") == 0 && mkfifo("replaced.archive", 0644) == 0);
    check_result(firsttime_execute_once(store, "new", must_not_run, NULL, NULL), FIRSTTIME_ERROR_IO);
    check_result(firsttime_was_executed(store, "key"), FIRSTTIME_ERROR_IO);
    check(unlink("replaced.archive") == 0);
    check_result(firsttime_was_executed(store, "key"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check_in_time(begin);
}

int main(int argc, char **argv) {
    alarm(60);
    if (argc == 3 && strcmp(argv[1], "ask") == 0) return ask(argv[2]);
    permissions();
    file_size_limit();
    garbage();
    no_files();
    full_disk();
    return 0;
}
