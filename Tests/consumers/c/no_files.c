/* A directory, a FIFO, a socket or a device in the place of the archive, the journal, the lock file or a temporary file:
 * a clear error at once, never a hang, and it is left alone. */
#include "program.h"

#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

static const char archive[] = "store", lock[] = "store-lock";
static const char *const names[] = {archive, "store-journal", lock};

static void remove_all(void) {
    for (int index = 0; index < 3; index++) check(remove(names[index]) == 0 || errno == ENOENT);
}

static void make_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(descriptor >= 0);
    check(bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && close(descriptor) == 0);
}

/* False when that takes rights that this process doesn't have. */
static bool make_other(const char *path, int kind) {
    switch (kind) {
    case 0: check(mkdir(path, 0700) == 0); break;
    case 1: check(mkfifo(path, 0600) == 0); break;
    case 2: make_socket(path); break;
    case 3: return mknod(path, S_IFCHR | 0600, makedev(1, 3)) == 0;
    case 4: return mknod(path, S_IFCHR | 0600, makedev(1, 5)) == 0; /* zeros without an end */
    }
    return true;
}

static void no_files(void) {
    for (int which = 0; which < 3; which++) {
        for (int kind = 0; kind < 5; kind++) {
            if (!make_other(names[which], kind)) {
                printf("not tried: devices (mknod: %s)\n", strerror(errno));
                continue;
            }
            double begin = seconds();
            uint64_t before = fingerprint(".");
            if (which < 2) {
                check(open_result(archive) == FIRSTTIME_ERROR_IO);
                check_mentions(names[which]);
                check_text();
            } else {
                firsttime_store *store = open_store(archive, NULL, 0);
                check_result(firsttime_was_executed(store, "a"), FIRSTTIME_NO);
                check_result(firsttime_execute_once(store, "a", must_not_run, NULL, NULL), FIRSTTIME_ERROR_IO);
                check_mentions(lock);
                check_text();
                check_result(firsttime_mark(store, "a"), FIRSTTIME_ERROR_IO);
                check_result(firsttime_close(store), FIRSTTIME_OK);
            }
            check(seconds() - begin < 1);
            check(fingerprint(".") == before);
            remove_all();
        }
    }
    /* In a temporary file's place: what can be removed is, as a crash may have left it; a directory can't. */
    static const char *const temporaries[] = {"store-new", "store-journal-new"};
    for (int which = 0; which < 2; which++) {
        for (int kind = 0; kind < 3; kind++) {
            check(make_other(temporaries[which], kind));
            firsttime_store *store = open_store(archive, NULL, 0);
            firsttime_result expected = kind == 0 ? FIRSTTIME_ERROR_IO : FIRSTTIME_OK;
            if (which == 0) check_result(firsttime_mark(store, "a"), FIRSTTIME_OK);
            check_result(which == 0 ? firsttime_flush(store) : firsttime_mark(store, "a"), expected);
            if (kind == 0) check_mentions(temporaries[which]);
            check(remove(temporaries[which]) == 0 || (kind > 0 && errno == ENOENT));
            check_result(firsttime_close(store), FIRSTTIME_OK);
            remove_all();
        }
    }
}

int main(void) {
    alarm(60);
    no_files();
    return 0;
}
