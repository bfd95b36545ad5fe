/* A growing piece of text, and how text that came from a file is shown to people. */
#ifndef FIRSTTIME_COMMAND_TEXT_H
#define FIRSTTIME_COMMAND_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *bytes; /* With a NUL behind; never NULL once something was added. */
    size_t length, capacity;
};

#define TEXT_EMPTY {NULL, 0, 0}

/* Whether a backslash is doubled, so that nothing is ambiguous; messages leave it alone. */
enum text_kind { TEXT_NAME, TEXT_MESSAGE };

void text_free(struct text *text);
void text_add_bytes(struct text *text, const void *bytes, size_t length);
void text_add(struct text *text, const char *added);
void text_add_formatted(struct text *text, const char *format, va_list arguments);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a terminal would obey, or what would change the order of what is read, as \n, \x1b or \u202e. */
void text_add_escaped(struct text *text, const char *added, enum text_kind kind);

/* The columns that a terminal takes for it. */
size_t text_width(const char *bytes);

/* As much of `bytes` as has `width` columns, with a "…" where something is left out. */
void text_add_cut(struct text *text, const char *bytes, size_t width);

/* JSON: a string; a number, which must be finite. */
void text_add_json(struct text *text, const char *string);
void text_add_json_number(struct text *text, double number);

#endif
