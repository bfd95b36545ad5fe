/* Owns pieces of text: how they grow, what is escaped in them, how wide they are. */
#define _GNU_SOURCE
#include "text.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void text_free(struct text *text) {
    free(text->bytes);
    *text = (struct text)TEXT_EMPTY;
}

void text_add_bytes(struct text *text, const void *bytes, size_t length) {
    if (text->bytes == NULL || text->capacity - text->length <= length) {
        size_t capacity = text->capacity * 2 + length + 64;
        char *grown = capacity > length ? realloc(text->bytes, capacity) : NULL;
        if (grown == NULL) {
            fputs("firsttime: out of memory\n", stderr);
            exit(125);
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    if (length > 0) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void text_add(struct text *text, const char *added) { text_add_bytes(text, added, strlen(added)); }

void text_add_formatted(struct text *text, const char *format, va_list arguments) {
    char *formatted = NULL;
    int length = vasprintf(&formatted, format, arguments);
    text_add_bytes(text, length < 0 ? "" : formatted, length < 0 ? 0 : (size_t)length);
    if (length >= 0) free(formatted);
}

void text_print(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add_formatted(text, format, arguments);
    va_end(arguments);
}

/* The character at `bytes` and how many bytes it takes; 0xFFFFFFFF for a byte that isn't UTF-8. */
static size_t decode(const char *bytes, uint32_t *character_out) {
    const unsigned char *at = (const unsigned char *)bytes;
    size_t more = at[0] < 0x80 ? 0 : at[0] < 0xC2 ? 9 : at[0] < 0xE0 ? 1 : at[0] < 0xF0 ? 2 : at[0] < 0xF5 ? 3 : 9;
    uint32_t character = more == 0 ? at[0] : more == 9 ? 0 : at[0] & (0x3Fu >> more);
    *character_out = UINT32_MAX;
    if (more == 9) return 1;
    for (size_t index = 1; index <= more; index++) {
        if ((at[index] & 0xC0) != 0x80) return 1;
        character = character << 6 | (at[index] & 0x3F);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (character < least[more] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) return 1;
    *character_out = character;
    return more + 1;
}

/* Controls, and the characters that turn the direction of what stands around them. */
static bool is_dangerous(uint32_t character) {
    return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x61C || character == 0x200E ||
           character == 0x200F || (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069) || character == 0xFEFF;
}

void text_add_escaped(struct text *text, const char *added, enum text_kind kind) {
    for (size_t taken; *added != 0; added += taken) {
        uint32_t character;
        taken = decode(added, &character);
        if (character == UINT32_MAX)
            text_print(text, "\\x%02x", (unsigned char)*added);
        else if (character == '\\' && kind == TEXT_NAME)
            text_add(text, "\\\\");
        else if (character == '\n' || character == '\r' || character == '\t')
            text_add(text, character == '\n' ? "\\n" : character == '\r' ? "\\r" : "\\t");
        else if (is_dangerous(character))
            text_print(text, character < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)character);
        else
            text_add_bytes(text, added, taken);
    }
}

/* wcwidth() knows wide characters in a UTF-8 locale only; which one it is doesn't matter. */
static size_t character_width(uint32_t character) {
    static bool is_set;
    if (character < 0x80) return 1;
    if (!is_set) is_set = setlocale(LC_CTYPE, "C.UTF-8") != NULL || setlocale(LC_CTYPE, "") != NULL;
    int width = character == UINT32_MAX ? 1 : wcwidth((wchar_t)character);
    return width < 0 ? 1 : (size_t)width;
}

size_t text_width(const char *bytes) {
    size_t width = 0;
    uint32_t character;
    for (; *bytes != 0; width += character_width(character)) bytes += decode(bytes, &character);
    return width;
}

void text_add_cut(struct text *text, const char *bytes, size_t width) {
    if (text_width(bytes) <= width) {
        text_add(text, bytes);
        return;
    }
    size_t used = 1, taken;
    for (; *bytes != 0; bytes += taken) {
        uint32_t character;
        taken = decode(bytes, &character);
        used += character_width(character);
        if (used > width) break;
        text_add_bytes(text, bytes, taken);
    }
    text_add(text, "…");
}

void text_add_json(struct text *text, const char *string) {
    text_add(text, "\"");
    for (size_t taken; *string != 0; string += taken) {
        uint32_t character;
        taken = decode(string, &character);
        if (character == '"' || character == '\\')
            text_print(text, "\\%c", (char)character);
        else if (character == UINT32_MAX || is_dangerous(character))
            text_print(text, "\\u%04x", character == UINT32_MAX ? 0xFFFDu : (unsigned)character);
        else
            text_add_bytes(text, string, taken);
    }
    text_add(text, "\"");
}

void text_add_json_number(struct text *text, double number) {
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) break;
    }
    text_add(text, digits);
}
