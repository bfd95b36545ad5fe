/* Owns reading a whole file, pipe or standard input into memory. */
#define _GNU_SOURCE
#include "input.h"
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* No reader takes more: offsets are 32 bits. */
static const size_t limit = (size_t)UINT32_MAX;

const char *input_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

/* /dev/zero has no end, and a disk is no property list. A terminal, and /dev/null, end. */
static bool is_endless(int descriptor, const struct stat *file) {
    if (S_ISBLK(file->st_mode)) return true;
    return S_ISCHR(file->st_mode) && !isatty(descriptor) && file->st_rdev != makedev(1, 3);
}

bool input_read(const char *path, struct text *bytes_out) {
    *bytes_out = (struct text)TEXT_EMPTY;
    bool is_standard = strcmp(path, "-") == 0;
    int descriptor = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    static char part[65536];
    ssize_t length = -1;
    struct stat file;
    if (descriptor >= 0 && fstat(descriptor, &file) == 0 && is_endless(descriptor, &file)) {
        if (!is_standard) close(descriptor);
        return fail("%s: is a device, no file", input_name(path)), false;
    }
    if (descriptor >= 0) {
        while ((length = read(descriptor, part, sizeof part)) > 0 || (length < 0 && errno == EINTR)) {
            if (length > 0) text_add_bytes(bytes_out, part, (size_t)length);
            if (bytes_out->length >= limit) {
                errno = EFBIG;
                length = -1;
                break;
            }
        }
    }
    int error = errno;
    if (descriptor >= 0 && !is_standard) close(descriptor);
    if (length == 0) return true;
    fail("%s: can't be read: %s", input_name(path), strerror(error));
    text_free(bytes_out);
    return false;
}
