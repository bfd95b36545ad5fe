/* Owns `rule check`: whether a text is a rule, and where it isn't. */
#include "command.h"
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line that the library's words name, and a mark below the column. Lines with tabs or wide characters are left out:
 * the mark would stand elsewhere. */
static void point(const char *text, const char *words) {
    unsigned long line, column;
    if (sscanf(words, "line %lu, column %lu", &line, &column) != 2) return;
    while (--line > 0 && (text = strchr(text, '\n')) != NULL) text++;
    if (text == NULL) return;
    size_t length = strcspn(text, "\n");
    if (column > length + 1 || column > 200) return;
    for (size_t index = 0; index < length; index++) {
        if (text[index] < ' ' || text[index] > '~') return;
    }
    fprintf(stderr, "  %.*s\n  %*s^\n", (int)length, text, (int)column - 1, "");
}

int rule_check(const struct request *request) {
    struct text input = TEXT_EMPTY;
    const char *text = request->operands[1];
    if (strcmp(request->operands[0], "check") != 0) {
        fail("rule: there is no \"rule %s\"; firsttime rule check 'TEXT'", request->operands[0]);
        help_hint(request->command);
        return STATUS_FAILED;
    }
    if (strcmp(text, "-") == 0) {
        if (!input_read(text, &input)) return STATUS_FAILED;
        text_add_bytes(&input, "", 0);
        text = input.bytes;
        if (strlen(text) != input.length) return fail("standard input: a NUL isn't part of any rule"), STATUS_NO;
    }
    firsttime_rule *rule = firsttime_rule_parse(text);
    if (rule == NULL) {
        fail_last(NULL);
        point(text, firsttime_last_error());
        text_free(&input);
        return STATUS_NO;
    }
    size_t length = firsttime_rule_text(rule, NULL, 0);
    char *printed = malloc(length + 1);
    if (printed != NULL) {
        firsttime_rule_text(rule, printed, length + 1);
        puts(printed);
        free(printed);
    }
    firsttime_rule_free(rule);
    text_free(&input);
    return output_end(STATUS_OK);
}
