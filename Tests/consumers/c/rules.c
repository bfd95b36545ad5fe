/* Rules as C programs make and read them: each constructor, rules as text and what is wrong with a text, buffers of
 * every size, and the order of versions. Who owns what: rule_ownership.c. */
#include "program.h"

/* The rule's text must be this; the rule is freed. */
static void check_rule(firsttime_rule *rule, const char *text) {
    char buffer[512];
    check(rule != NULL);
    check(firsttime_rule_text(rule, buffer, sizeof buffer) == strlen(text));
    if (strcmp(buffer, text) != 0) {
        fprintf(stderr, "expected %s, got %s\n", text, buffer);
        exit(1);
    }
    firsttime_rule_free(rule);
}

/* A text that is printed as another, or as it is. */
static void check_parsed(const char *text, const char *printed) {
    check_rule(firsttime_rule_parse(text), printed);
    check_rule(firsttime_rule_parse(printed), printed);
}

static void check_refused(firsttime_rule *rule, const char *words) {
    check(rule == NULL);
    check_text();
    check_mentions(words);
    set_other_error();
}

static int always_true(void *context) {
    (void)context;
    return 1;
}

static int is_known(const firsttime_donations *donations, void *context) {
    (void)context;
    return donations->count > 0;
}

/* ---- constructors ---- */

static void constructors(void) {
    check_rule(firsttime_rule_always(), "always");
    check_rule(firsttime_rule_never(), "never");
    check_rule(firsttime_rule_not(firsttime_rule_never()), "!never");
    check_rule(firsttime_rule_all_of(NULL, 0), "all of ()");
    check_rule(firsttime_rule_any_of(NULL, 0), "any of ()");
    check_rule(firsttime_rule_none_of(NULL, 0), "none of ()");
    check_rule(firsttime_rule_at_least(3, NULL, 0), "at least 3 of ()");
    check_rule(firsttime_rule_at_least(SIZE_MAX, NULL, 0), "at least 18446744073709551615 of ()");
    check_rule(firsttime_rule_condition(always_true, NULL, NULL), "condition");
    check_rule(firsttime_rule_event("appStarted", is_known, NULL, NULL), "condition(\"appStarted\")");
    check_rule(firsttime_rule_event_at_least("a", UINT64_MAX), "event(\"a\") >= 18446744073709551615");
    check_rule(firsttime_rule_event_within("prompt", 172800), "donated(\"prompt\") within 2 days");
    check_rule(firsttime_rule_event_within("prompt", 0), "donated(\"prompt\") within 0 seconds");
    check_rule(firsttime_rule_event_within("prompt", 0.1), "donated(\"prompt\") within 0.1 seconds");
    check_rule(firsttime_rule_event_not_within("prompt", 604800), "donated(\"prompt\") not within 1 week");
    check_rule(firsttime_rule_version_at_least("2.1"), "version >= \"2.1\"");
    check_rule(firsttime_rule_first_seen_in_current_version("$null"), "first_seen_in_current_version(\"$null\")");

    firsttime_rule *inner[] = {firsttime_rule_never(), firsttime_rule_always()};
    firsttime_rule *outer[] = {firsttime_rule_any_of(inner, 2), firsttime_rule_parse("always && never"),
                               firsttime_rule_not(firsttime_rule_parse("always||never"))};
    check_rule(firsttime_rule_all_of(outer, 3), "(never || always) && (always && never) && !(always || never)");
    firsttime_rule *parts[] = {firsttime_rule_event_at_least("a", 1), firsttime_rule_never()};
    check_rule(firsttime_rule_none_of(parts, 2), "none of (event(\"a\") >= 1, never)");
    firsttime_rule *votes[] = {firsttime_rule_never(), firsttime_rule_always()};
    check_rule(firsttime_rule_at_least(1, votes, 2), "at least 1 of (never, always)");
}

static void refused_arguments(void) {
    static char longest[65536 + 1];
    memset(longest, 'k', 65536);
    static const struct {
        const char *event, *words;
    } table[] = {{NULL, "the event is NULL"},
                 {"", "the event's name is empty"},
                 {longest, "the event's name is longer than 65535 bytes"},
                 {"\xFF", "the event's name is not UTF-8"}};
    for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
        const char *event = table[index].event, *words = table[index].words;
        check_refused(firsttime_rule_event(event, is_known, NULL, NULL), words);
        check_refused(firsttime_rule_event_at_least(event, 1), words);
        check_refused(firsttime_rule_event_within(event, 1), words);
        check_refused(firsttime_rule_event_not_within(event, 1), words);
        check_refused(firsttime_rule_first_seen_in_current_version(event), words);
    }
    const double times[] = {-1, -0.001, NAN, INFINITY, -INFINITY};
    for (size_t index = 0; index < sizeof times / sizeof *times; index++) {
        check_refused(firsttime_rule_event_within("x", times[index]), "seconds");
        check_refused(firsttime_rule_event_not_within("x", times[index]), "seconds");
    }
    check_refused(firsttime_rule_version_at_least(NULL), "the version is NULL");
    check_refused(firsttime_rule_version_at_least(""), "the version is empty");
    check_refused(firsttime_rule_version_at_least(longest), "the version is longer than 65535 bytes");
    check_refused(firsttime_rule_version_at_least("1.0\xC3"), "the version is not UTF-8");
    check_refused(firsttime_rule_condition(NULL, NULL, NULL), "the condition is NULL");
    check_refused(firsttime_rule_event("x", NULL, NULL, NULL), "the condition is NULL");
    longest[65535] = 0;
    firsttime_rule *rule = firsttime_rule_version_at_least(longest);
    check(firsttime_rule_text(rule, NULL, 0) == 65535 + strlen("version >= \"\""));
    firsttime_rule_free(rule);
}

/* ---- text ---- */

static void texts(void) {
    check_parsed("event(\"appStarted\")>=3&&donated(\"prompt\")not within 720 hours # a month",
                 "event(\"appStarted\") >= 3 && donated(\"prompt\") not within 30 days");
    check_parsed("( version >= \"2.1\" || first_seen_in_current_version(\"x\") ) && ! never",
                 "(version >= \"2.1\" || first_seen_in_current_version(\"x\")) && !never");
    check_parsed("at least 2 of (always,\n\tnever,\n\tdonated(\"\\u{e9}\\\"\\\\\\n\") within 1.5 seconds)",
                 "at least 2 of (always, never, donated(\"\xC3\xA9\\\"\\\\\\n\") within 1.5 seconds)");
    check_refused(firsttime_rule_parse(NULL), "the text is NULL");
    check_refused(firsttime_rule_parse(""), "line 1, column 1: expected a rule");
    check_refused(firsttime_rule_parse("event(\"x\") >= three"), "line 1, column 15: expected a number after \">=\"");
    check_refused(firsttime_rule_parse("always &&\n  (never || \"\xC3\xA9\" never)"),
                  "line 2, column 13: expected a rule after \"||\"");
    check_refused(firsttime_rule_parse("!condition"), "line 1, column 2: a callback can't be written as text");
    check_refused(firsttime_rule_parse("always \xFF"), "line 1, column 8: the text is not UTF-8");
}

/* A text of a mebibyte may be anything; one byte more is refused. */
static void huge_texts(void) {
    enum { most = 1 << 20 };
    char *text = malloc(most + 2);
    check(text != NULL);
    const char *pieces[] = {"(", "!", "any of (", "always||", "never,", "\"", "#", "1", "\xC3\xA9", "all of (),"};
    for (size_t index = 0; index < sizeof pieces / sizeof *pieces; index++) {
        size_t size = strlen(pieces[index]), length = most / size * size;
        for (size_t at = 0; at < length; at += size) memcpy(text + at, pieces[index], size);
        text[length] = 0;
        check_refused(firsttime_rule_parse(text), "line 1, column ");
    }
    memset(text, ' ', most);
    memcpy(text + most - 6, "always", 7);
    check_rule(firsttime_rule_parse(text), "always");
    memcpy(text + most - 6, " always", 8);
    check_refused(firsttime_rule_parse(text), "longer than 1 MiB");
    free(text);
}

static void buffers(void) {
    static const char whole[] = "event(\"\xE6\x97\xA5\xE6\x9C\xAC\") >= 3";
    const size_t length = sizeof whole - 1;
    firsttime_rule *rule = firsttime_rule_event_at_least("\xE6\x97\xA5\xE6\x9C\xAC", 3);
    check(firsttime_rule_text(rule, NULL, 0) == length);
    check(firsttime_rule_text(rule, NULL, 100) == length);
    for (size_t capacity = 1; capacity <= length + 2; capacity++) {
        /* Of just this size, so that valgrind sees what is written too far. */
        char *buffer = malloc(capacity);
        check(buffer != NULL);
        check(firsttime_rule_text(rule, buffer, capacity) == length);
        size_t expected = capacity - 1 < length ? capacity - 1 : length;
        /* No part of a character. */
        while (expected < length && ((unsigned char)whole[expected] & 0xC0) == 0x80) expected--;
        check(strlen(buffer) == expected && memcmp(buffer, whole, expected) == 0);
        free(buffer);
    }
    char buffer[64] = "before";
    check(firsttime_rule_text(rule, buffer, 0) == length && strcmp(buffer, "before") == 0);
    check(firsttime_rule_text(rule, buffer, SIZE_MAX) == length && strcmp(buffer, whole) == 0);
    firsttime_rule_free(rule);
    set_other_error();
    check(firsttime_rule_text(NULL, buffer, sizeof buffer) == 0 && strcmp(buffer, "") == 0);
    check_mentions("the rule is NULL");
    check(firsttime_rule_text(NULL, NULL, 0) == 0);
}

/* ---- versions ---- */

static void versions(void) {
    static const char *const rising[] = {NULL,      "alpha",   "",      "0.9",    "1.0-alpha", "1.0-alpha.1", "1.0b2",
                                         "1.0-b10", "1.0rc.1", "1.0",   "1.0.1",  "1.9",       "1.10",        "2-beta",
                                         "v2.0",    "2.0-1",   "2.0.9", "10.0.0", "99999999999999999999999", NULL};
    size_t count = sizeof rising / sizeof *rising - 1;
    for (size_t left = 0; left < count; left++) {
        for (size_t right = 0; right < count; right++) {
            int expected = left < right ? -1 : left > right;
            check(firsttime_version_compare(rising[left], rising[right]) == expected);
        }
    }
    static const char *const equal[] = {"1", "1.0", "1.0.0", "01.000", "v1", "1.0+build", "1.", " 1 "};
    for (size_t left = 0; left < 8; left++) {
        for (size_t right = 0; right < 8; right++) check(firsttime_version_compare(equal[left], equal[right]) == 0);
    }
    check(firsttime_version_compare("1..2", "1.0.2") == 0);
    check(firsttime_version_compare("\xFF\xFE", "\xFF") == 1);
}

int main(void) {
    constructors();
    refused_arguments();
    texts();
    huge_texts();
    buffers();
    versions();
    return 0;
}
