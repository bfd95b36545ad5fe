/* Error texts: the words of an error number, and each thread's last error. */
#define _POSIX_C_SOURCE 200809L /* and not _GNU_SOURCE, with which strerror_r() is another function, glibc's alone */
#include "CSystem.h"
#include "Internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

size_t csystem_describe_error(int error, char *buffer, size_t capacity) {
    if (capacity == 0) return 0;
    char text[128] = "";
    strerror_r(error, text, sizeof text);
    size_t length = strlen(text);
    if (length >= capacity) length = capacity - 1;
    memcpy(buffer, text, length);
    buffer[length] = 0;
    return length;
}

static THREAD_LOCAL csystem_failure last_failure;

void csystem_note_failure(csystem_failure failure) { last_failure = failure; }
csystem_failure csystem_noted_failure(void) { return last_failure; }

/* Two paths of PATH_MAX and some words. A thread that never fails has none. */
enum { text_size = 8704 };

static pthread_key_t texts;
static bool has_texts;

static void make_key(void) { has_texts = pthread_key_create(&texts, free) == 0; }

static char *own_text(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    return has_texts ? pthread_getspecific(texts) : NULL;
}

void csystem_set_last_error(const uint8_t *text, size_t length) {
    last_failure = CSYSTEM_FAILURE;
    char *own = own_text();
    if (!own) {
        if (!has_texts) return;
        own = malloc(text_size);
        if (!own) abort(); /* Swift's own allocations end the same way */
        if (pthread_setspecific(texts, own) != 0) {
            free(own);
            return;
        }
    }
    if (!text) length = 0;
    if (length >= text_size) {
        length = text_size - 1;
        while (length > 0 && (text[length] & 0xC0) == 0x80) length--;
    }
    if (length > 0) memcpy(own, text, length);
    own[length] = 0;
}

const char *csystem_last_error(void) {
    const char *own = own_text();
    return own ? own : "";
}
