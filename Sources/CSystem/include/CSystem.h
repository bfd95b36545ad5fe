/* CSystem: the libc calls that Swift can't spell itself (variadics, errno, thread-local storage), and those that would
 * need a Swift `Glibc` module, which Embedded Swift doesn't have. No policy here: each function is one call of libc,
 * repeated on EINTR where that is right.
 *
 * Results: 0 and above is success; a failure is the negative errno, so that nobody reads errno. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Numbers.c: doubles as text, whatever the host program's locale ---- */

/* Parses a decimal floating-point text of `length` bytes ("1", "-1.5e3", "nan", "inf"), however many digits it has.
 * False when it is anything else, or when memory runs out. */
bool csystem_parse_double(const char *_Nonnull text, size_t length, double *_Nonnull value_out);

/* Writes the shortest decimal text that reads back as `value` to `buffer` (32 bytes); returns its length. */
size_t csystem_print_double(double value, char *_Nonnull buffer);

/* ---- Files.c ---- */

typedef struct csystem_status {
    uint64_t device, inode;
    int64_t size, modified_seconds, modified_nanoseconds;
    uint32_t mode, user, group; /* mode: the permission bits alone */
    bool is_regular, is_directory;
} csystem_status;

/* All of these open above descriptor 2, whatever is closed; close on exec, and in a forked child. */

/* Opens for reading, never waits (a FIFO), never becomes the controlling terminal. Returns a descriptor. */
int csystem_open_to_read(const char *_Nonnull path);
/* Creates a file for reading and writing that must not exist, not even as a link. */
int csystem_create(const char *_Nonnull path, uint32_t mode);
/* Opens for reading and writing; never follows a link, never waits, creates nothing. */
int csystem_open_to_update(const char *_Nonnull path);
/* The same for reading alone: for a shared lock, and to look. */
int csystem_open_to_lock(const char *_Nonnull path);
int csystem_open_directory(const char *_Nonnull path, bool follow_links);
/* Opens neither for reading nor for writing: it only keeps the file's inode in use. */
int csystem_open_to_hold(const char *_Nonnull path);
/* Closes it, unless the host program did behind our back: the number may be another file's by now. */
int csystem_close(int descriptor);
/* Whether it is still the file that was opened here. */
bool csystem_is_ours(int descriptor);

int csystem_status_of(int descriptor, csystem_status *_Nonnull status_out);
int csystem_status_at(const char *_Nonnull path, bool follow_links, csystem_status *_Nonnull status_out);

/* Reads or writes at an offset, without moving the descriptor's own. */
ptrdiff_t csystem_read_at(int descriptor, void *_Nonnull buffer, size_t count, int64_t offset);
/* Writing gives -EFBIG, without a signal, when the process's limit for file sizes forbids it. */
ptrdiff_t csystem_write_at(int descriptor, const void *_Nonnull buffer, size_t count, int64_t offset);
int csystem_sync(int descriptor);
int csystem_sync_data(int descriptor);
int csystem_cut(int descriptor, int64_t size);
int csystem_rename(const char *_Nonnull from, const char *_Nonnull to);
/* Gives a file a second name, which must not exist. */
int csystem_link(const char *_Nonnull from, const char *_Nonnull to);
int csystem_unlink(const char *_Nonnull path);
int csystem_set_mode(int descriptor, uint32_t mode);
/* The same by path, never through a link. */
int csystem_set_mode_at(const char *_Nonnull path, uint32_t mode);
int csystem_set_owner(int descriptor, uint32_t user, uint32_t group);
int csystem_make_directory(const char *_Nonnull path, uint32_t mode);
/* 0 when the effective user may write there. */
int csystem_may_write(const char *_Nonnull path);
/* Length of the link's text, at most `capacity`; no NUL is written. */
ptrdiff_t csystem_read_link(const char *_Nonnull path, char *_Nonnull buffer, size_t capacity);
/* Length of the working directory's path; no NUL counted. -ERANGE: too small a buffer. */
ptrdiff_t csystem_working_directory(char *_Nonnull buffer, size_t capacity);

/* Open-file-description locks on one byte. `wait`: until it is free; otherwise -EAGAIN when another holds it. */
int csystem_lock_byte(int descriptor, int64_t byte, bool wait);
/* A lock that others may share, never waiting. */
int csystem_share_byte(int descriptor, int64_t byte);
int csystem_unlock_byte(int descriptor, int64_t byte);
/* 1 when another open file has it locked, in this process or another; 0 when it is free. */
int csystem_is_byte_locked(int descriptor, int64_t byte);

/* Error numbers that decide something. */
bool csystem_is_missing(int error);    /* ENOENT */
bool csystem_is_no_link(int error);    /* EINVAL, ENOENT, ENOTDIR: readlink() of what is no link, or isn't there */
bool csystem_is_no_file(int error);    /* ELOOP, ENXIO, EISDIR: opening a link that isn't followed, a socket, a directory */
bool csystem_is_existing(int error);   /* EEXIST */
bool csystem_is_refused(int error);    /* EACCES, EPERM, EROFS: no permission, whatever one tries */
bool csystem_is_locked(int error);     /* EAGAIN, EACCES: another holds the lock */
/* The name of an error number in words: "No space left on device". Returns its length. */
size_t csystem_describe_error(int error, char *_Nonnull buffer, size_t capacity);
extern const int csystem_missing;         /* ENOENT */
extern const int csystem_no_space;        /* ENOSPC */
extern const int csystem_no_permission;   /* EACCES */
extern const int csystem_io_error;        /* EIO */
extern const int csystem_exists;          /* EEXIST */
extern const int csystem_name_too_long;   /* ENAMETOOLONG */
extern const int csystem_too_many_links;  /* ELOOP */
extern const int csystem_not_directory;   /* ENOTDIR */

/* ---- Memory.c ---- */

/* Memory of another size with the same content as far as both go; ends the program when there is none, as Swift does. NULL:
 * none so far. Freed by csystem_free(). */
void *_Nonnull csystem_resize(void *_Nullable memory, size_t size);
void csystem_free(void *_Nullable memory);
/* The length of a text, `limit` when it is longer. */
size_t csystem_text_length(const char *_Nonnull text, size_t limit);

/* A text to be put in order, and which of the caller's it is. `beginning` is csystem_sort_texts()'s own. */
typedef struct csystem_text {
    const uint8_t *_Nonnull bytes;
    uint64_t beginning;
    uint32_t length, number;
} csystem_text;
/* Puts them in the order of their bytes; nothing happens when they are. */
void csystem_sort_texts(csystem_text *_Nonnull texts, size_t count);

/* ---- Checksum.c ---- */

/* CRC-32C of `count` bytes, going on from `crc` of those before them; 0 to begin with. */
uint32_t csystem_crc32c(uint32_t crc, const void *_Nonnull bytes, size_t count);

/* ---- SharedPage.c: the first page of a file, in memory, for all processes. Offsets are multiples of 8. ---- */

#define CSYSTEM_PAGE 4096
/* NULL when it can't be mapped. The file must have been written that far, and never get shorter. */
void *_Nullable csystem_map_page(int descriptor, bool writable);
void csystem_unmap_page(void *_Nonnull page);
uint64_t csystem_page_load(const void *_Nonnull page, size_t offset);
void csystem_page_store(void *_Nonnull page, size_t offset, uint64_t value);
/* Returns the value before. */
uint64_t csystem_page_add(void *_Nonnull page, size_t offset, uint64_t value);

/* ---- Process.c: who and where this process is, and what time it is ---- */

/* The variable's value, NULL when unset or when the program is set-user-ID. Borrowed. */
const char *_Nullable csystem_environment(const char *_Nonnull name);
/* The home directory of the real user's passwd entry; its length, or -ENOENT. */
ptrdiff_t csystem_passwd_home(char *_Nonnull buffer, size_t capacity);
uint32_t csystem_user(void);
/* Whether this process may give a file of its own to `group`. */
bool csystem_is_in_group(uint32_t group);
/* A number that nobody else draws: 1 to 2^62. */
uint64_t csystem_random_number(void);
/* What tells this thread from the others of the process, without a system call; and its number for people to read. */
uintptr_t csystem_thread(void);
int32_t csystem_thread_number(void);
int32_t csystem_process(void);
/* Seconds since 1970 by the system's clock. */
double csystem_now(void);
/* Milliseconds of a clock that only goes forward. */
int64_t csystem_monotonic_milliseconds(void);
/* The same to a few milliseconds, at the cost of reading memory. */
int64_t csystem_coarse_milliseconds(void);
void csystem_sleep_milliseconds(int64_t milliseconds);

/* ---- Calendar.c: libc's local zone ---- */

/* Between these, on one thread at a time, the zone is the one that TZ or /etc/localtime name now. */
void csystem_zone_begin(void);
void csystem_zone_end(void);
/* What the zone's clocks show at `time`, in seconds since they showed 1970-01-01 00:00:00. `time` itself beyond libc's
 * years. Only between the two above. */
int64_t csystem_zone_local(int64_t time);

/* ---- Threads.c ---- */

/* Between these a thread that was cancelled goes on. What begin returns goes to end. */
int csystem_begin_uncancelled(void);
void csystem_end_uncancelled(int before);

/* A mutex with a condition. */
typedef struct csystem_monitor csystem_monitor;
csystem_monitor *_Nonnull csystem_monitor_create(void);
void csystem_monitor_destroy(csystem_monitor *_Nonnull monitor);
void csystem_monitor_lock(csystem_monitor *_Nonnull monitor);
void csystem_monitor_unlock(csystem_monitor *_Nonnull monitor);
/* Waits for a notification; below 0: for ever. May return early. */
void csystem_monitor_wait(csystem_monitor *_Nonnull monitor, int64_t milliseconds);
void csystem_monitor_notify_all(csystem_monitor *_Nonnull monitor);

/* A monitor that threads may also enter side by side, for moments in which they only look. Whoever locks it waits until
 * they have left. It is not one to wait in for a notification. */
csystem_monitor *_Nonnull csystem_monitor_create_shared(void);
/* False while it is locked, or about to be. Nothing that waits, calls out or forks may happen before the end. */
bool csystem_monitor_begin_look(csystem_monitor *_Nonnull monitor);
void csystem_monitor_end_look(csystem_monitor *_Nonnull monitor);

/* Starts a thread, on which no signal is handled. It calls `function`, and `end` when that has returned or the thread ends
 * otherwise. 0 or an error number. */
int csystem_thread_start(
    uintptr_t *_Nonnull thread_out, void (*_Nonnull function)(void *_Nonnull), void (*_Nonnull end)(void *_Nonnull),
    void *_Nonnull context);
/* Waits until it has ended. Either of these once. */
void csystem_thread_join(uintptr_t thread);
void csystem_thread_detach(uintptr_t thread);

/* One place per process for an object that all stores share, behind one mutex. Embedded Swift's lazy globals are not
 * safe among threads. */
void csystem_registry_lock(void);
void csystem_registry_unlock(void);
void *_Nullable *_Nonnull csystem_registry_slot(int which); /* which: 0 to 3 */

/* What this thread's last failure was: that of opening the default store, that of making a rule, or another. Setting an
 * error text makes it another. */
typedef enum csystem_failure { CSYSTEM_FAILURE, CSYSTEM_SHARED_FAILURE, CSYSTEM_RULE_FAILURE } csystem_failure;
void csystem_note_failure(csystem_failure failure);
csystem_failure csystem_noted_failure(void);

/* This thread's error text. Setting copies and cuts at the buffer's end, at a character's boundary. */
void csystem_set_last_error(const uint8_t *_Nullable text, size_t length);
const char *_Nonnull csystem_last_error(void);

/* ---- Fork.c ---- */

/* From now on a fork() takes every monitor first; the child finds all of them free, the registry too, and none of the
 * descriptors that csystem_open_...() gave open. */
void csystem_install_fork_handlers(void);
extern uint32_t csystem_fork_count;
/* How many forks lie between this process and the one that loaded the library. */
static inline uint32_t csystem_fork_generation(void) {
    return __atomic_load_n(&csystem_fork_count, __ATOMIC_ACQUIRE);
}
/* The generation that this process has renewed itself for. */
extern uint32_t csystem_renewed_count;
static inline bool csystem_is_renewed(void) {
    return __atomic_load_n(&csystem_renewed_count, __ATOMIC_ACQUIRE) == csystem_fork_generation();
}
void csystem_set_renewed_generation(uint32_t generation);
/* In a child: the only thread that it has from its parent. */
uintptr_t csystem_forking_thread(void);

/* ---- Visits.c: this thread's calls of the library, as a stack ---- */

/* Where the stack ends now: what the caller calls later lies below, until it returns. */
uintptr_t csystem_frame(void);
/* Keeps memory on the stack that nothing else uses. */
void csystem_use(void *_Nullable memory);
/* One call more, whose callbacks lie below `frame`. Returns its number, above those of the calls it is inside. */
uint64_t csystem_visit_enter(uintptr_t frame, void *_Nonnull place);
/* The innermost call is over: its place; NULL when there is none. */
void *_Nullable csystem_visit_leave(void);
size_t csystem_visit_count(void);
/* The innermost call's; 0 and UINTPTR_MAX without one. */
uint64_t csystem_visit_number(void);
uintptr_t csystem_visit_frame(void);
bool csystem_visit_is_open(uint64_t number);
/* Has `function` called at the end of each thread that made a call, on that thread. */
void csystem_on_thread_end(void (*_Nonnull function)(void));

/* ---- TestPoints.c: only with the trait TestPoints ---- */

void csystem_test_point(const uint8_t *_Nonnull name, size_t length);

#endif
