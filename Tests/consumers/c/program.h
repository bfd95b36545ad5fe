/* What the C test programs share. Each is run in an empty directory of its own, which HOME and XDG_STATE_HOME lie in,
 * and prints nothing when all is well. FIRSTTIME_QUICK in the environment asks for short loops. Include this first. */
#ifndef PROGRAM_H
#define PROGRAM_H

#define _GNU_SOURCE
#include <firsttime.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

#define SHARED static __attribute__((unused))

/* The first second of every clock in these tests. */
static const double start = 1700000000.25;

/* ---- stores ---- */

SHARED firsttime_store *open_store(const char *path, const char *version, int wait_ms) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    options.app_version = version;
    options.wait_ms = wait_ms;
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    check(store != NULL);
    return store;
}

SHARED firsttime_store *open_with(const char *path, uint32_t flags) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    options.flags = flags;
    firsttime_store *store;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    return store;
}

/* What opening and closing again says. */
SHARED int open_result(const char *path) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_store *store;
    firsttime_result result = firsttime_open(&options, &store);
    if (result == FIRSTTIME_OK) check_result(firsttime_close(store), FIRSTTIME_OK);
    check((result == FIRSTTIME_OK) == (store != NULL));
    return result;
}

SHARED double read_clock(void *context) { return *(double *)context; }

SHARED int count_up(void *context) {
    ++*(int *)context;
    return 0;
}

SHARED int refuse(void *context) {
    ++*(int *)context;
    return 7;
}

SHARED int must_not_run(void *context) {
    (void)context;
    check(!"a callback ran");
    return 0;
}

/* For a callback that lasts as long as another thread wants: both meet when it begins, and when it may end. */
SHARED pthread_barrier_t barrier;

SHARED int meet_twice(void *context) {
    (void)context;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return 0;
}

/* Imports an archive of YCFirstTime's, in XML, whose one record "old" has neither version, beginning nor count. `time`:
 * its last time in seconds since 2001; NULL: none. */
SHARED void import_legacy(firsttime_store *store, const char *time) {
    static const char layout[] =
        "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
        "<key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>"
        "<key>$objects</key><array><string>$null</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>6</integer></dict>"
        "<key>NS.keys</key><array><dict><key>CF$UID</key><integer>2</integer></dict></array>"
        "<key>NS.objects</key><array><dict><key>CF$UID</key><integer>3</integer></dict></array></dict>"
        "<string>sharedGroup</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>6</integer></dict>"
        "<key>NS.keys</key><array><dict><key>CF$UID</key><integer>4</integer></dict></array>"
        "<key>NS.objects</key><array><dict><key>CF$UID</key><integer>5</integer></dict></array></dict>"
        "<string>old</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>7</integer></dict>"
        "<key>lastVersion</key><dict><key>CF$UID</key><integer>0</integer></dict>"
        "<key>lastTime</key><dict><key>CF$UID</key><integer>%d</integer></dict></dict>"
        "<dict><key>$classes</key><array><string>NSMutableDictionary</string></array>"
        "<key>$classname</key><string>NSMutableDictionary</string></dict>"
        "<dict><key>$classes</key><array><string>YCFirstTimeObject</string></array>"
        "<key>$classname</key><string>YCFirstTimeObject</string></dict>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>9</integer></dict>"
        "<key>NS.time</key><real>%s</real></dict>"
        "<dict><key>$classes</key><array><string>NSDate</string></array><key>$classname</key><string>NSDate</string>"
        "</dict></array></dict></plist>";
    char list[sizeof layout + 64];
    int length = snprintf(list, sizeof list, layout, time ? 8 : 0, time ? time : "0");
    check(length > 0 && (size_t)length < sizeof list);
    check_result(firsttime_import_bytes(store, list, (size_t)length, NULL, NULL), FIRSTTIME_OK);
}

/* ---- the text of the last error ---- */

/* One line of words. */
SHARED void check_text(void) {
    const char *text = firsttime_last_error();
    size_t length = strlen(text);
    check(length > 0);
    check(strchr(text, '\n') == NULL);
    check(text[length - 1] != '.');
}

SHARED void check_mentions(const char *words) {
    if (strstr(firsttime_last_error(), words) == NULL) {
        fprintf(stderr, "'%s' is not in '%s'\n", words, firsttime_last_error());
        exit(1);
    }
}

/* Leaves a text that is not what the next failure will say, so that a stale one is noticed. */
SHARED void set_other_error(void) {
    if (firsttime_path(NULL) == NULL && strcmp(firsttime_last_error(), "the store is NULL") != 0) check_text();
}

#define check_argument(expression)                                                                                     \
    do {                                                                                                               \
        set_other_error();                                                                                             \
        check_result(expression, FIRSTTIME_ERROR_ARGUMENT);                                                            \
        check_text();                                                                                                  \
    } while (0)

/* ---- files ---- */

SHARED void write_file(const char *path, const void *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    check(file != NULL);
    check(fwrite(bytes, 1, count, file) == count);
    check(fclose(file) == 0);
}

/* The caller frees the bytes. */
SHARED char *read_file(const char *path, size_t *count_out) {
    FILE *file = fopen(path, "rb");
    check(file != NULL);
    check(fseek(file, 0, SEEK_END) == 0);
    long size = ftell(file);
    check(size >= 0);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    check(bytes != NULL);
    check(fread(bytes, 1, (size_t)size, file) == (size_t)size);
    check(fclose(file) == 0);
    bytes[size] = 0;
    *count_out = (size_t)size;
    return bytes;
}

SHARED uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) hash = (hash ^ ((const unsigned char *)bytes)[index]) * 0x100000001B3;
    return hash;
}

/* Lock files hold no state, but a page that is written to while keys run. */
SHARED bool ignores_locks;

/* A number that changes with any name, content, mode or modification time below a directory. */
SHARED uint64_t fingerprint(const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    check(count >= 0);
    uint64_t hash = 0xCBF29CE484222325;
    for (int index = 0; index < count; index++) {
        const char *name = entries[index]->d_name;
        char path[4096];
        check(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path);
        struct stat status;
        const char *dash = strrchr(name, '-');
        if (ignores_locks && dash && strcmp(dash, "-lock") == 0) dash = name;
        if (dash != name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && lstat(path, &status) == 0) {
            hash = mix(hash, name, strlen(name) + 1);
            hash = mix(hash, &status.st_mode, sizeof status.st_mode);
            hash = mix(hash, &status.st_mtim, sizeof status.st_mtim);
            if (S_ISDIR(status.st_mode)) {
                uint64_t inside = fingerprint(path);
                hash = mix(hash, &inside, sizeof inside);
            } else if (S_ISREG(status.st_mode)) {
                size_t size;
                char *bytes = read_file(path, &size);
                hash = mix(hash, bytes, size);
                free(bytes);
            }
        }
        free(entries[index]);
    }
    free(entries);
    return hash;
}

/* Appends a line to a file, at once and whole. */
SHARED void append_line(const char *path, const char *line) {
    char text[256];
    int length = snprintf(text, sizeof text, "%s\n", line);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    check(file >= 0);
    check(write(file, text, (size_t)length) == length);
    close(file);
}

/* How often a line is in a file; the number of all lines with NULL. */
SHARED int count_lines(const char *path, const char *line) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    char text[256];
    int count = 0;
    while (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = 0;
        if (!line || strcmp(text, line) == 0) count++;
    }
    fclose(file);
    return count;
}

SHARED int open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    check(directory != NULL);
    int count = -3; /* ".", ".." and the directory itself */
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

/* ---- time, threads and other processes ---- */

SHARED void in_thread(void *(*body)(void *), const void *context) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, body, (void *)context) == 0);
    check(pthread_join(thread, NULL) == 0);
}

SHARED double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

SHARED void pause_ms(long milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0) {}
}

/* Starts this program anew with two arguments. */
SHARED pid_t spawn(const char *part, const char *argument) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        /* Not /proc/self/exe, which under valgrind is valgrind. */
        char *arguments[] = {program_invocation_name, (char *)part, (char *)argument, NULL};
        execv(program_invocation_name, arguments);
        _exit(127);
    }
    return child;
}

/* The exit status; 128 and the signal's number after a signal. */
SHARED int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) check(errno == EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Calls `body` in so many forked children, which begin at once, and waits until all of them have ended well. */
SHARED void together(int count, void (*body)(int number)) {
    int gate[2];
    pid_t children[64];
    check(count <= 64 && pipe(gate) == 0);
    for (int number = 0; number < count; number++) {
        children[number] = fork();
        check(children[number] >= 0);
        if (children[number] > 0) continue;
        close(gate[1]);
        char byte;
        check(read(gate[0], &byte, 1) == 0);
        body(number);
        _exit(0);
    }
    close(gate[0]);
    close(gate[1]);
    for (int number = 0; number < count; number++) check(wait_for(children[number]) == 0);
}

/* Waits until a file is there. */
SHARED void wait_for_file(const char *path) {
    for (double limit = seconds() + 30; access(path, F_OK) != 0; pause_ms(2)) check(seconds() < limit);
}

/* ---- asking from elsewhere ---- */

SHARED firsttime_result execute_with(firsttime_store *store, const char *key, uint32_t flags, firsttime_callback first,
                                     void *context) {
    firsttime_policy policy = {.size = sizeof policy, .flags = flags};
    return firsttime_execute(store, key, &policy, first, NULL, context);
}

SHARED firsttime_result begin_with(firsttime_store *store, const char *key, uint32_t flags, firsttime_claim **claim_out) {
    firsttime_policy policy = {.size = sizeof policy, .flags = flags};
    return firsttime_begin(store, key, &policy, claim_out);
}

enum { elsewhere_wait = 300 };

/* What begin answers in a process of its own, which then abandons: the file is "store". `main` passes on "begin". */
SHARED int answer_elsewhere(const char *key) {
    firsttime_store *store = open_store("store", NULL, elsewhere_wait);
    firsttime_claim *claim = NULL;
    firsttime_result result = firsttime_begin(store, key, NULL, &claim);
    check((result == FIRSTTIME_DUE) == (claim != NULL));
    firsttime_abandon(claim);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 64 + result;
}

SHARED firsttime_result begin_elsewhere(const char *key) { return (firsttime_result)(wait_for(spawn("begin", key)) - 64); }

#endif
