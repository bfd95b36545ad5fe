/* Owns the words that explain the tool: the help of each command, made from the tables, and what a mistyped word may
 * have meant. */
#include "command.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 40 };

static size_t least(size_t left, size_t right) { return left < right ? left : right; }

/* How many letters must be added, left out, changed or swapped with their neighbour to make one of the other. */
static size_t distance(const char *left, const char *right) {
    size_t rows = strlen(left), columns = strlen(right);
    if (rows > LONGEST_WORD || columns > LONGEST_WORD) return LONGEST_WORD;
    size_t table[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t row = 0; row <= rows; row++) {
        for (size_t column = 0; column <= columns; column++) {
            if (row == 0 || column == 0) {
                table[row][column] = row + column;
                continue;
            }
            size_t change = left[row - 1] != right[column - 1];
            size_t best = least(table[row - 1][column], table[row][column - 1]) + 1;
            best = least(best, table[row - 1][column - 1] + change);
            if (row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1])
                best = least(best, table[row - 2][column - 2] + 1);
            table[row][column] = best;
        }
    }
    return table[rows][columns];
}

/* The candidate that is next to `word`, or that alone begins with it; NULL: none is near. */
const char *suggestion(const char *word, const char *(*candidate)(size_t index, const void *context),
                       const void *context) {
    const char *best = NULL, *begun = NULL;
    size_t best_distance = strlen(word) / 3 + 1;
    const char *name;
    for (size_t index = 0; (name = candidate(index, context)) != NULL; index++) {
        size_t here = distance(word, name);
        if (here < best_distance || (here == best_distance && best == NULL && here < strlen(name))) {
            best = name;
            best_distance = here;
        }
        if (begun == NULL && strlen(word) > 1 && strncmp(name, word, strlen(word)) == 0) begun = name;
    }
    return best != NULL ? best : begun;
}

void help_hint(const struct command *command) {
    if (command != NULL)
        fprintf(stderr, "Try: firsttime %s --help\n", command->name);
    else
        fprintf(stderr, "Try: firsttime --help\n");
}

static void print_options(unsigned options) {
    puts("\nOptions:");
    for (const struct option_description *each = descriptions; each->name != NULL; each++) {
        if (!(each->bit & options)) continue;
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", each->name, each->value ? " " : "", each->value ? each->value : "");
        printf("  %-22s %s\n", left, each->help);
    }
}

static void print_overview(void) {
    puts("usage: firsttime COMMAND ...\n\n"
         "Runs commands once, once per version or once per interval, and remembers it.\n");
    for (const struct command *each = commands; each->name != NULL; each++) {
        printf("  %-12s %s\n", each->name, each->summary);
    }
    puts("\nfirsttime COMMAND --help tells more of each; firsttime --version is the version.\n"
         "State is kept in ~/.local/state/firsttime/firsttime.archive; --app ID or --store PATH name another.");
}

void help_print(const struct command *command) {
    if (command == NULL) {
        print_overview();
        return;
    }
    printf("usage: firsttime %s %s\n\n%s\n", command->name, command->operands, command->help);
    print_options(command->options | OPTION_STORE | OPTION_APP | OPTION_HELP);
}

int help_command(const struct request *request) {
    if (request->operand_count == 0) {
        help_print(NULL);
        return output_end(STATUS_OK);
    }
    char *arguments[] = {"firsttime", (char *)(uintptr_t)request->operands[0], "--help", NULL};
    struct request asked;
    if (!request_parse(&asked, 3, arguments)) return STATUS_FAILED;
    help_print(asked.command);
    return output_end(STATUS_OK);
}
