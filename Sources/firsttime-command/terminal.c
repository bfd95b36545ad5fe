/* Owns how tables look: widths, colours, and what of it a terminal gets. Cells come escaped. */
#define _GNU_SOURCE
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST_FIRST = 12, GAP = 2, MOST_PADDED = 60 };

size_t terminal_width(int descriptor) {
    struct winsize size;
    if (!isatty(descriptor)) return 0;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns != NULL ? strtol(columns, NULL, 10) : 0;
    return width > 0 && width < 10000 ? (size_t)width : 80;
}

/* https://no-color.org: any value but an empty one. */
bool terminal_has_colour(int descriptor) {
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(descriptor) && (none == NULL || *none == 0) && kind != NULL && strcmp(kind, "dumb") != 0;
}

void table_add(struct table *table, struct text *cells) {
    if (table->count == table->capacity) {
        size_t capacity = table->capacity * 2 + 64;
        char **grown = reallocarray(table->cells, capacity, table->columns * sizeof(char *));
        if (grown == NULL) {
            fputs("firsttime: out of memory\n", stderr);
            exit(125);
        }
        table->cells = grown;
        table->capacity = capacity;
    }
    for (size_t column = 0; column < table->columns; column++) {
        text_add_bytes(&cells[column], "", 0);
        table->cells[table->count * table->columns + column] = cells[column].bytes;
        cells[column] = (struct text)TEXT_EMPTY;
    }
    table->count++;
}

static void add_row(struct text *out, const struct table *table, const char *const *cells, const size_t *widths,
                    bool is_cut) {
    for (size_t column = 0; column < table->columns; column++) {
        struct text cell = TEXT_EMPTY;
        size_t width = text_width(cells[column]);
        text_add_cut(&cell, cells[column], is_cut ? widths[column] : width);
        if (is_cut) width = text_width(cell.bytes);
        size_t padding = width < widths[column] ? widths[column] - width : 0;
        bool is_last = column + 1 == table->columns;
        if (table->is_right[column]) text_print(out, "%*s", (int)padding, "");
        text_add(out, cell.bytes);
        if (!table->is_right[column] && !is_last) text_print(out, "%*s", (int)padding, "");
        if (!is_last) text_print(out, "%*s", GAP, "");
        text_free(&cell);
    }
}

static void measure(const struct table *table, size_t *widths, size_t limit) {
    size_t rest = 0;
    for (size_t column = 0; column < table->columns; column++) {
        widths[column] = text_width(table->headings[column]);
        for (size_t row = 0; row < table->count; row++) {
            size_t width = text_width(table->cells[row * table->columns + column]);
            if (width > widths[column]) widths[column] = width;
        }
        if (column > 0) rest += widths[column] + GAP;
    }
    if (limit == 0) {
        for (size_t column = 0; column < table->columns; column++) {
            if (widths[column] > MOST_PADDED) widths[column] = MOST_PADDED;
        }
        return;
    }
    if (widths[0] + rest <= limit) return;
    size_t left = limit > rest + LEAST_FIRST ? limit - rest : LEAST_FIRST;
    if (left < widths[0]) widths[0] = left;
    /* Then the widest, again and again. */
    for (size_t total = widths[0] + rest; total > limit; total--) {
        size_t widest = 0;
        for (size_t column = 1; column < table->columns; column++) {
            if (widths[column] > widths[widest]) widest = column;
        }
        if (widths[widest] <= 1) return;
        widths[widest]--;
    }
}

void table_print(struct table *table) {
    size_t widths[MOST_COLUMNS];
    struct text out = TEXT_EMPTY;
    bool has_colour = terminal_has_colour(STDOUT_FILENO);
    size_t limit = terminal_width(STDOUT_FILENO);
    measure(table, widths, limit);
    if (has_colour) text_add(&out, "\033[1m");
    add_row(&out, table, table->headings, widths, limit > 0);
    text_add(&out, has_colour ? "\033[0m\n" : "\n");
    for (size_t row = 0; row < table->count; row++) {
        char **cells = &table->cells[row * table->columns];
        add_row(&out, table, (const char *const *)cells, widths, limit > 0);
        text_add(&out, "\n");
        for (size_t column = 0; column < table->columns; column++) free(cells[column]);
    }
    fwrite(out.bytes, 1, out.length, stdout);
    text_free(&out);
    free(table->cells);
    table->cells = NULL;
    table->count = table->capacity = 0;
}

void line_print(const char *label, const char *value) {
    bool has_colour = terminal_has_colour(STDOUT_FILENO);
    printf("%s%-14s%s%s\n", has_colour ? "\033[1m" : "", label, has_colour ? "\033[0m" : "", value);
}
