/* Owns FIRSTTIME_HELD, by which a run knows of the runs in whose CMD it is: for each "PID-HASH", the process that keeps
 * the key, and which key of which store that is. The library sees waits for itself in one process alone.
 *
 * A process that CMD left behind inherits the variable, too: only keepers that are ancestors still count.
 */
#define _GNU_SOURCE
#include "command.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char variable[] = "FIRSTTIME_HELD";
enum { MOST_ANCESTORS = 4096, MOST_BYTES = 65536, HASH_DIGITS = 32 };

static uint64_t hash(uint64_t state, const void *bytes, size_t length) {
    for (const unsigned char *each = bytes; length > 0; length--) state = (state ^ *each++) * 1099511628211u;
    return state;
}

/* The lock file is the same by whatever path it is found. Keys are too long for an environment; false: no such store.
 */
static bool name_key(const char *store_path, const char *key, char name_out[HASH_DIGITS + 1]) {
    struct text path = TEXT_EMPTY;
    struct stat file;
    text_print(&path, "%s-lock", store_path);
    bool is_there = stat(path.bytes, &file) == 0;
    text_free(&path);
    if (!is_there) return false;
    uint64_t parts[2] = {14695981039346656037u, 7809847782465536322u};
    for (int index = 0; index < 2; index++) {
        parts[index] = hash(parts[index], &file.st_dev, sizeof file.st_dev);
        parts[index] = hash(parts[index], &file.st_ino, sizeof file.st_ino);
        parts[index] = hash(parts[index], key, strlen(key));
    }
    snprintf(name_out, HASH_DIGITS + 1, "%016llx%016llx", (unsigned long long)parts[0], (unsigned long long)parts[1]);
    return true;
}

static pid_t parent_of(pid_t process) {
    char path[40], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = 0;
    int parent = 0;
    const char *name_end = strrchr(line, ')');
    if (name_end == NULL || sscanf(name_end, ") %*c %d", &parent) != 1) return 0;
    return parent;
}

static bool is_ancestor(pid_t process) {
    pid_t each = getppid();
    for (int count = 0; each > 1 && count < MOST_ANCESTORS; count++, each = parent_of(each)) {
        if (each == process) return true;
    }
    return false;
}

/* Whether a keeper of `name`, or with NULL of any key, is an ancestor. */
static bool find(const char *name) {
    const char *at = getenv(variable);
    while (at != NULL && *at != 0) {
        char *end;
        long process = strtol(at, &end, 10);
        if (*end != '-' || strlen(end + 1) < HASH_DIGITS) return false;
        bool is_named = name == NULL || strncmp(end + 1, name, HASH_DIGITS) == 0;
        if (is_named && process > 0 && process <= INT32_MAX && is_ancestor((pid_t)process)) return true;
        at = end + 1 + HASH_DIGITS;
        if (*at == ',') at++;
    }
    return false;
}

bool held_exists(void) { return find(NULL); }

bool held_has(const char *store_path, const char *key) {
    char name[HASH_DIGITS + 1];
    return getenv(variable) != NULL && name_key(store_path, key, name) && find(name);
}

void held_add(const char *store_path, const char *key) {
    struct text value = TEXT_EMPTY;
    char name[HASH_DIGITS + 1];
    const char *before = getenv(variable);
    if (!name_key(store_path, key, name)) return;
    text_print(&value, "%d-%s", (int)getppid(), name);
    if (before != NULL && *before != 0 && strlen(before) < MOST_BYTES) text_print(&value, ",%s", before);
    setenv(variable, value.bytes, 1);
    text_free(&value);
}
