/* Process: the environment, the user, thread and process numbers, clocks. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const char *csystem_environment(const char *name) { return secure_getenv(name); }

static ptrdiff_t passwd_home(char *buffer, size_t capacity) {
    struct passwd entry, *found = NULL;
    size_t room = 1024;
    char *scratch = NULL;
    int result;
    do {
        char *larger = realloc(scratch, room);
        if (!larger) {
            free(scratch);
            return -ENOMEM;
        }
        scratch = larger;
        result = getpwuid_r(getuid(), &entry, scratch, room, &found);
        room *= 4;
    } while (result == ERANGE && room <= 1 << 20);
    ptrdiff_t length = -ENOENT;
    if (result == 0 && found && found->pw_dir && strlen(found->pw_dir) < capacity) {
        length = (ptrdiff_t)strlen(found->pw_dir);
        memcpy(buffer, found->pw_dir, (size_t)length + 1);
    }
    free(scratch);
    return length;
}

ptrdiff_t csystem_passwd_home(char *buffer, size_t capacity) {
    int cancellation = csystem_begin_uncancelled();
    ptrdiff_t length = passwd_home(buffer, capacity);
    csystem_end_uncancelled(cancellation);
    return length;
}

uint32_t csystem_user(void) { return geteuid(); }

bool csystem_is_in_group(uint32_t group) {
    if (geteuid() == 0 || getegid() == group) return true;
    int count = getgroups(0, NULL);
    if (count <= 0) return false;
    gid_t *groups = calloc((size_t)count, sizeof *groups);
    if (!groups) return false;
    bool found = false;
    count = getgroups(count, groups);
    for (int index = 0; index < count; index++) found = found || groups[index] == group;
    free(groups);
    return found;
}

uintptr_t csystem_thread(void) {
    static THREAD_LOCAL char here;
    return (uintptr_t)&here;
}
int32_t csystem_process(void) { return getpid(); }
int32_t csystem_thread_number(void) { return (int32_t)syscall(SYS_gettid); }

double csystem_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int64_t csystem_monotonic_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t csystem_coarse_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void csystem_sleep_milliseconds(int64_t milliseconds) {
    struct timespec rest = {milliseconds / 1000, (milliseconds % 1000) * 1000000};
    int cancellation = csystem_begin_uncancelled();
    while (nanosleep(&rest, &rest) == -1 && errno == EINTR) {}
    csystem_end_uncancelled(cancellation);
}

static void fill_with_random_bytes(void *buffer, size_t count) {
    unsigned char *next = buffer;
    int cancellation = csystem_begin_uncancelled();
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            abort(); /* a kernel without getrandom (before 3.17) can't be hashed on safely */
        }
        next += got;
        count -= (size_t)got;
    }
    csystem_end_uncancelled(cancellation);
}

uint64_t csystem_random_number(void) {
    uint64_t number;
    fill_with_random_bytes(&number, sizeof number);
    return (number >> 2) + 1;
}

/* Embedded Swift seeds its hashing with this; glibc has it from 2.36, musl not at all. Hidden: never the host's. */
__attribute__((visibility("hidden"))) void arc4random_buf(void *buffer, size_t count) {
    fill_with_random_bytes(buffer, count);
}
