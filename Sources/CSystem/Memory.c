/* Memory: blocks that grow in place where they can, and order among texts. */
#define _GNU_SOURCE
#include "CSystem.h"

#include <stdlib.h>
#include <string.h>

void *csystem_resize(void *memory, size_t size) {
    void *result = realloc(memory, size ? size : 1);
    if (!result) abort();
    return result;
}

void csystem_free(void *memory) { free(memory); }

size_t csystem_text_length(const char *text, size_t limit) { return strnlen(text, limit); }

static int compare(const void *left, const void *right) {
    const csystem_text *one = left, *other = right;
    if (one->beginning != other->beginning) return one->beginning < other->beginning ? -1 : 1;
    size_t shorter = one->length < other->length ? one->length : other->length;
    int order = memcmp(one->bytes, other->bytes, shorter);
    if (order) return order;
    return (one->length > other->length) - (one->length < other->length);
}

/* Where texts begin differently, they needn't be looked up to be compared. */
static uint64_t beginning(const csystem_text *text) {
    uint64_t result = 0;
    for (size_t index = 0; index < 8; index++) result = result << 8 | (index < text->length ? text->bytes[index] : 0);
    return result;
}

void csystem_sort_texts(csystem_text *texts, size_t count) {
    bool is_sorted = true;
    for (size_t index = 0; index < count; index++) {
        texts[index].beginning = beginning(&texts[index]);
        is_sorted = is_sorted && (index == 0 || compare(&texts[index - 1], &texts[index]) <= 0);
    }
    if (!is_sorted) qsort(texts, count, sizeof *texts, compare);
}
