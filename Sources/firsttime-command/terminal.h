/* What standard output is, and a table for people on it. */
#ifndef FIRSTTIME_COMMAND_TERMINAL_H
#define FIRSTTIME_COMMAND_TERMINAL_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

size_t terminal_width(int descriptor); /* Its columns; 0: it is no terminal, and nothing is cut. */
bool terminal_has_colour(int descriptor);

enum { MOST_COLUMNS = 6 };

/* Rows of cells, the first of which may be cut where a terminal is narrow. Cells are owned by the table. */
struct table {
    size_t columns, count, capacity;
    const char *headings[MOST_COLUMNS];
    bool is_right[MOST_COLUMNS]; /* Numbers. */
    char **cells;
};

void table_add(struct table *table, struct text *cells); /* One text for each column; takes and empties them. */
void table_print(struct table *table);                   /* To standard output, and frees it. */

/* "label      value", for a single record. */
void line_print(const char *label, const char *value);

#endif
