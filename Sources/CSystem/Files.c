/* Files: open, status, read, write, sync, rename and byte-range locks. */
#define _GNU_SOURCE
/* Where long has 64 bits so have offsets, and plain names: fcntl64() and the like are in no libc but glibc. */
#ifndef __LP64__
#define _FILE_OFFSET_BITS 64
#endif
#include "CSystem.h"
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const int csystem_missing = ENOENT;
const int csystem_no_space = ENOSPC;
const int csystem_no_permission = EACCES;
const int csystem_io_error = EIO;
const int csystem_exists = EEXIST;
const int csystem_name_too_long = ENAMETOOLONG;
const int csystem_too_many_links = ELOOP;
const int csystem_not_directory = ENOTDIR;

/* -1 and errno, or a result, as one number; and again while a signal interrupted it. Most of these calls are where a
 * thread that was cancelled would end, with locks in its hands: it ends later. */
#define RESULT(call)                                                                                                   \
    do {                                                                                                               \
        __typeof__(call) result_;                                                                                      \
        int cancellation_ = csystem_begin_uncancelled();                                                               \
        do result_ = (call);                                                                                           \
        while (result_ == -1 && errno == EINTR);                                                                       \
        if (result_ == -1) result_ = -errno;                                                                           \
        csystem_end_uncancelled(cancellation_);                                                                        \
        return result_;                                                                                                \
    } while (0)

/* Opens above descriptor 2. A host whose standard streams are closed still writes to 0, 1 and 2, and must not find a
 * store's file there. */
static int open_above_standard(const char *path, int flags, mode_t mode) {
    int descriptor;
    do descriptor = open(path, flags | O_CLOEXEC, mode);
    while (descriptor == -1 && errno == EINTR);
    if (descriptor == -1) return -errno;
    if (descriptor > STDERR_FILENO) return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int result = moved == -1 ? -errno : moved;
    close(descriptor);
    return result;
}

/* Opens, and notes the descriptor for a forked child to close. */
static int open_noted(const char *path, int flags, mode_t mode) {
    int cancellation = csystem_begin_uncancelled();
    descriptors_lock();
    int descriptor = open_above_standard(path, flags, mode);
    int result = descriptor >= 0 ? descriptors_add(descriptor) : 0;
    if (result < 0) {
        close(descriptor);
        descriptor = result;
    }
    descriptors_unlock();
    csystem_end_uncancelled(cancellation);
    return descriptor;
}

int csystem_open_to_read(const char *path) {
    return open_noted(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}
int csystem_create(const char *path, uint32_t mode) {
    return open_noted(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, (mode_t)mode);
}
int csystem_open_to_update(const char *path) {
    return open_noted(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}
int csystem_open_to_lock(const char *path) {
    return open_noted(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}
int csystem_open_directory(const char *path, bool follow_links) {
    return open_noted(path, O_RDONLY | O_DIRECTORY | (follow_links ? 0 : O_NOFOLLOW), 0);
}
int csystem_open_to_hold(const char *path) { return open_noted(path, O_PATH | O_NOFOLLOW, 0); }

/* Linux frees the descriptor also when close() is interrupted: never repeat it. */
int csystem_close(int descriptor) {
    int cancellation = csystem_begin_uncancelled();
    descriptors_lock();
    int result = descriptors_remove(descriptor) && close(descriptor) != 0 ? -errno : 0;
    descriptors_unlock();
    csystem_end_uncancelled(cancellation);
    return result;
}

static int fill(int result, const struct stat *from, csystem_status *to) {
    memset(to, 0, sizeof *to);
    if (result != 0) return -errno;
    to->device = from->st_dev;
    to->inode = from->st_ino;
    to->size = from->st_size;
    to->modified_seconds = from->st_mtim.tv_sec;
    to->modified_nanoseconds = from->st_mtim.tv_nsec;
    to->mode = from->st_mode & 07777;
    to->user = from->st_uid;
    to->group = from->st_gid;
    to->is_regular = S_ISREG(from->st_mode);
    to->is_directory = S_ISDIR(from->st_mode);
    return 0;
}

int csystem_status_of(int descriptor, csystem_status *status_out) {
    struct stat status;
    return fill(fstat(descriptor, &status), &status, status_out);
}

int csystem_status_at(const char *path, bool follow_links, csystem_status *status_out) {
    struct stat status;
    return fill(fstatat(AT_FDCWD, path, &status, follow_links ? 0 : AT_SYMLINK_NOFOLLOW), &status, status_out);
}

ptrdiff_t csystem_read_at(int descriptor, void *buffer, size_t count, int64_t offset) {
    RESULT(pread(descriptor, buffer, count, offset));
}
/* Beyond the process's limit for file sizes a write raises SIGXFSZ, which kills the host program: it is not begun. */
static bool is_beyond_limit(size_t count, int64_t offset) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
    return (uint64_t)offset > limit.rlim_cur || count > limit.rlim_cur - (uint64_t)offset;
}
ptrdiff_t csystem_write_at(int descriptor, const void *buffer, size_t count, int64_t offset) {
    if (is_beyond_limit(count, offset)) return -EFBIG;
    RESULT(pwrite(descriptor, buffer, count, offset));
}
int csystem_sync(int descriptor) { RESULT(fsync(descriptor)); }
int csystem_sync_data(int descriptor) { RESULT(fdatasync(descriptor)); }
int csystem_cut(int descriptor, int64_t size) { RESULT(ftruncate(descriptor, size)); }
int csystem_rename(const char *from, const char *to) { RESULT(rename(from, to)); }
int csystem_link(const char *from, const char *to) { RESULT(link(from, to)); }
int csystem_unlink(const char *path) { RESULT(unlink(path)); }
int csystem_set_mode(int descriptor, uint32_t mode) { RESULT(fchmod(descriptor, (mode_t)mode)); }
int csystem_set_mode_at(const char *path, uint32_t mode) {
    RESULT(fchmodat(AT_FDCWD, path, (mode_t)mode, AT_SYMLINK_NOFOLLOW));
}
int csystem_set_owner(int descriptor, uint32_t user, uint32_t group) { RESULT(fchown(descriptor, user, group)); }
int csystem_make_directory(const char *path, uint32_t mode) { RESULT(mkdir(path, (mode_t)mode)); }
int csystem_may_write(const char *path) { RESULT(faccessat(AT_FDCWD, path, W_OK, AT_EACCESS)); }

ptrdiff_t csystem_read_link(const char *path, char *buffer, size_t capacity) {
    RESULT(readlink(path, buffer, capacity));
}

ptrdiff_t csystem_working_directory(char *buffer, size_t capacity) {
    if (!getcwd(buffer, capacity)) return -errno;
    return (ptrdiff_t)strlen(buffer);
}

static struct flock byte_range(int type, int64_t byte) {
    struct flock range;
    memset(&range, 0, sizeof range); /* l_pid must be 0 */
    range.l_type = (short)type;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return range;
}

int csystem_lock_byte(int descriptor, int64_t byte, bool wait) {
    struct flock range = byte_range(F_WRLCK, byte);
    RESULT(fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range));
}

int csystem_share_byte(int descriptor, int64_t byte) {
    struct flock range = byte_range(F_RDLCK, byte);
    RESULT(fcntl(descriptor, F_OFD_SETLK, &range));
}

int csystem_is_byte_locked(int descriptor, int64_t byte) {
    struct flock range = byte_range(F_WRLCK, byte);
    int result;
    do result = fcntl(descriptor, F_OFD_GETLK, &range);
    while (result == -1 && errno == EINTR);
    return result == -1 ? -errno : range.l_type != F_UNLCK;
}

int csystem_unlock_byte(int descriptor, int64_t byte) {
    struct flock range = byte_range(F_UNLCK, byte);
    RESULT(fcntl(descriptor, F_OFD_SETLK, &range));
}

bool csystem_is_missing(int error) { return error == ENOENT; }
bool csystem_is_no_link(int error) { return error == EINVAL || error == ENOENT || error == ENOTDIR; }
bool csystem_is_no_file(int error) { return error == ELOOP || error == ENXIO || error == EISDIR; }
bool csystem_is_existing(int error) { return error == EEXIST; }
bool csystem_is_refused(int error) { return error == EACCES || error == EPERM || error == EROFS; }
bool csystem_is_locked(int error) { return error == EAGAIN || error == EACCES; }
