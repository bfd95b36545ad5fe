/* Files that another user put in a store's place, in a directory that all may write to: nothing of theirs is followed,
 * believed or overwritten, and nobody hangs. And a set-user-ID program, whose environment is another user's. */
#include "program.h"

#include <limits.h>
#include <pwd.h>

enum { planter = 65534, victim = 65533 };

static const char directory[] = "shared", path[] = "shared/store", secret[] = "private/secret";
static const char *const suffixes[] = {"", "-journal", "-lock", "-new", "-journal-new"};
enum kind { a_file, a_link, a_dangling_link, a_directory, a_fifo, a_copy, kind_count };

static void become(uid_t user) {
    check(setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0);
}

/* In a process of its own, as a user: what `body` returns. */
static int as_user(uid_t user, int (*body)(void)) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        become(user);
        exit(body());
    }
    return wait_for(child);
}

static char place[64];
static enum kind planted;

static int plant(void) {
    char target[PATH_MAX], here[PATH_MAX - 32];
    check(getcwd(here, sizeof here) != NULL);
    switch (planted) {
    case a_file: write_file(place, "the planter's own words", 23); break;
    case a_link: snprintf(target, sizeof target, "%s/%s", here, secret); check(symlink(target, place) == 0); break;
    case a_dangling_link:
        snprintf(target, sizeof target, "%s/private/made", here);
        check(symlink(target, place) == 0);
        break;
    case a_directory: check(mkdir(place, 0777) == 0); break;
    case a_fifo: check(mkfifo(place, 0666) == 0); break;
    default: {
        /* Well-formed, and theirs: a store that says that the key has run. */
        firsttime_store *store = open_store("theirs/store", NULL, 0);
        check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
        check_result(firsttime_flush(store), FIRSTTIME_OK);
        check_result(firsttime_mark(store, "other"), FIRSTTIME_OK);
        size_t size;
        char from[64];
        snprintf(from, sizeof from, "theirs/store%s", place + strlen(path));
        char *bytes = access(from, F_OK) == 0 ? read_file(from, &size) : read_file("theirs/store", &size);
        write_file(place, bytes, size);
        free(bytes);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
    }
    if (planted == a_file || planted == a_copy) check(chmod(place, 0666) == 0);
    return 0;
}

/* What came of it; a failed check exits with 1. */
enum { works = 10, not_opened, not_used };
static int use(void) {
    double begin = seconds();
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_store *store;
    firsttime_result result = firsttime_open(&options, &store);
    if (result != FIRSTTIME_OK) {
        check(result == FIRSTTIME_ERROR_IO || result == FIRSTTIME_ERROR_CORRUPT);
        check_text();
        check_mentions("shared/store");
        return not_opened;
    }
    int runs = 0, answer = works;
    result = firsttime_execute_once(store, "mine", count_up, NULL, &runs);
    if (result != FIRSTTIME_RAN && result != FIRSTTIME_NOT_DUE) {
        check(runs == 0 || result == FIRSTTIME_ERROR_NOT_RECORDED);
        check_text();
        answer = not_used;
    }
    result = firsttime_flush(store);
    if (result != FIRSTTIME_OK) {
        check_text();
        answer = not_used;
    }
    firsttime_close(store);
    check(seconds() - begin < 2);
    return answer;
}

/* A planted file's content and kind, as far as it can still be found. */
static uint64_t mark_of_planted(void) {
    struct stat status;
    if (lstat(place, &status) != 0) return 0;
    uint64_t hash = mix(1, &status.st_mode, sizeof status.st_mode);
    hash = mix(hash, &status.st_ino, sizeof status.st_ino);
    if (!S_ISREG(status.st_mode)) return hash;
    size_t size;
    char *bytes = read_file(place, &size);
    hash = mix(hash, bytes, size);
    free(bytes);
    return hash;
}

static void try_planted(void) {
    for (int which = 0; which < 5; which++) {
        for (planted = 0; planted < kind_count; planted++) {
            snprintf(place, sizeof place, "%s%s", path, suffixes[which]);
            check(as_user(planter, plant) == 0);
            uint64_t before = mark_of_planted(), private = fingerprint("private");
            int answer = as_user(victim, use);
            /* Whatever they put there blocks at most: what must be removed is theirs, and the sticky bit keeps it. */
            bool is_untouched = mark_of_planted() == before && fingerprint("private") == private;
            if (!is_untouched || (answer != not_opened && answer != not_used)) {
                fprintf(stderr, "%s, kind %d: answer %d\n", place, planted, answer);
                exit(1);
            }
            for (int index = 0; index < 5; index++) {
                char name[64];
                snprintf(name, sizeof name, "%s%s", path, suffixes[index]);
                check(remove(name) == 0 || errno == ENOENT);
            }
        }
    }
    /* One's own link, and the directory's owner's, are followed there. */
    check(symlink("../private/linked", path) == 0 && lchown(path, victim, victim) == 0);
    check(as_user(victim, use) == works && access("private/linked", F_OK) == 0);
    check(lchown(path, 0, 0) == 0);
    check(as_user(victim, use) == works);
    check(unlink(path) == 0);
}

/* ---- a set-user-ID program ---- */

/* The path is the real user's home's, whatever the environment says. */
static int look_where(void) {
    firsttime_store *store;
    struct passwd *user = getpwuid(getuid());
    check(user != NULL && getuid() == planter && geteuid() == 0);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.app_id = "app";
    firsttime_result result = firsttime_open(&options, &store);
    if (result == FIRSTTIME_OK) {
        char expected[PATH_MAX];
        snprintf(expected, sizeof expected, "%s/.local/state/app/firsttime.archive", user->pw_dir);
        if (strcmp(firsttime_path(store), expected) != 0) {
            fprintf(stderr, "%s, not %s\n", firsttime_path(store), expected);
            exit(1);
        }
        check_result(firsttime_close(store), FIRSTTIME_OK);
    } else {
        check_mentions(user->pw_dir);
    }
    return 0;
}

static void set_user_id(void) {
    size_t size;
    char here[PATH_MAX], state[PATH_MAX + 8];
    char *bytes = read_file("/proc/self/exe", &size);
    write_file("shared/program", bytes, size);
    free(bytes);
    check(chmod("shared/program", 04755) == 0);
    check(getcwd(here, sizeof here) != NULL);
    snprintf(state, sizeof state, "%s/state", here);
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        become(planter);
        check(setenv("HOME", here, 1) == 0 && setenv("XDG_STATE_HOME", state, 1) == 0);
        execl("shared/program", "shared/program", "where", (char *)NULL);
        _exit(127);
    }
    check(wait_for(child) == 0);
    check(access("state", F_OK) != 0);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 2 && strcmp(argv[1], "where") == 0) return look_where();
    if (geteuid() != 0) {
        puts("not tried: other users' files (not root)");
        return 0;
    }
    umask(022);
    check(mkdir(directory, 0777) == 0 && chmod(directory, 01777) == 0);
    check(mkdir("private", 0755) == 0 && mkdir("theirs", 0700) == 0);
    write_file(secret, "a secret", 8);
    check(chown(secret, victim, victim) == 0 && chown("private", victim, victim) == 0);
    check(chown("theirs", planter, planter) == 0);
    try_planted();
    set_user_id();
    return 0;
}
