/* Who owns rules and contexts: constructors take what they are given, also when they fail, and `release` is called
 * exactly once; rules of every size a rule may have, also by threads with little room. */
#include "program.h"

static int released;

static void release(void *context) {
    ++*(int *)context;
    ++released;
}

static int is_true(void *context) {
    (void)context;
    return 1;
}

static int is_known(const firsttime_donations *donations, void *context) {
    (void)context;
    return donations->count > 0;
}

/* A rule whose end is counted. */
static firsttime_rule *witness(int *context) {
    firsttime_rule *rule = firsttime_rule_condition(is_true, context, release);
    check(rule != NULL);
    return rule;
}

/* That `rule` failed, with these words, and has released so many. */
static void check_failed(firsttime_rule *rule, const char *words, int count) {
    check(rule == NULL);
    check_text();
    check_mentions(words);
    set_other_error();
    check(released == count);
    released = 0;
}

static void single(void) {
    int contexts[4] = {0};
    firsttime_rule_free(NULL);
    firsttime_rule_free(witness(&contexts[0]));
    check(contexts[0] == 1);
    firsttime_rule *rule = firsttime_rule_not(firsttime_rule_not(witness(&contexts[1])));
    check(rule != NULL && contexts[1] == 0);
    firsttime_rule_free(rule);
    check(contexts[1] == 1);
    firsttime_rule_free(firsttime_rule_event("x", is_known, &contexts[2], release));
    check(contexts[2] == 1);
    /* No `release`: the context stays the caller's. */
    firsttime_rule_free(firsttime_rule_condition(is_true, &contexts[3], NULL));
    firsttime_rule_free(firsttime_rule_event("x", is_known, &contexts[3], NULL));
    check(contexts[3] == 0 && released == 3);
    released = 0;
}

static void failures(void) {
    int contexts[16] = {0};
    check_failed(firsttime_rule_condition(NULL, &contexts[0], release), "the condition is NULL", 1);
    check_failed(firsttime_rule_condition(NULL, &contexts[0], NULL), "the condition is NULL", 0);
    check_failed(firsttime_rule_event("x", NULL, &contexts[1], release), "the condition is NULL", 1);
    check_failed(firsttime_rule_event("", is_known, &contexts[2], release), "empty", 1);
    check_failed(firsttime_rule_event(NULL, NULL, &contexts[3], release), "NULL", 1);
    for (int index = 0; index < 4; index++) check(contexts[index] == 1);
    check_failed(firsttime_rule_not(NULL), "the rule is NULL", 0);
    /* Constructors inside each other: the innermost failure is the outermost's. */
    check_failed(firsttime_rule_not(firsttime_rule_not(firsttime_rule_parse("alway"))), "line 1, column 1", 0);
    firsttime_rule *parts[] = {firsttime_rule_always(), firsttime_rule_event_at_least("", 1)};
    check_failed(firsttime_rule_all_of(parts, 2), "empty", 0);
}

typedef firsttime_rule *(*combine)(firsttime_rule *const *rules, size_t count);
static firsttime_rule *two_of(firsttime_rule *const *rules, size_t count) {
    return firsttime_rule_at_least(2, rules, count);
}
static firsttime_rule *no_quorum(firsttime_rule *const *rules, size_t count) {
    return firsttime_rule_at_least(SIZE_MAX, rules, count);
}

static const combine combinations[] = {firsttime_rule_all_of, firsttime_rule_any_of, firsttime_rule_none_of, two_of,
                                       no_quorum};
enum { combination_count = sizeof combinations / sizeof *combinations };

static void arrays(combine of) {
    int contexts[3] = {0};
    firsttime_rule *rules[3];
    for (int index = 0; index < 3; index++) rules[index] = witness(&contexts[index]);
    firsttime_rule *whole = of(rules, 3);
    check(whole != NULL && released == 0);
    firsttime_rule_free(whole);
    for (int index = 0; index < 3; index++) check(contexts[index] == 1);
    released = 0;
    /* A NULL at each place, at all of them, and everywhere but at one. */
    for (unsigned missing = 1; missing < 8; missing++) {
        int expected = 0;
        for (int index = 0; index < 3; index++) {
            rules[index] = missing >> index & 1 ? NULL : witness(&contexts[index]);
            expected += rules[index] != NULL;
        }
        check_failed(of(rules, 3), "one of the rules is NULL", expected);
    }
    check_failed(of(NULL, 1), "the array of rules is NULL", 0);
    check_failed(of(NULL, SIZE_MAX), "the array of rules is NULL", 0);
    /* No array is that long, so nothing is taken. */
    rules[0] = witness(&contexts[0]);
    check_failed(of(rules, SIZE_MAX), "65536", 0);
    check_failed(of(rules, (size_t)PTRDIFF_MAX + 1), "65536", 0);
    firsttime_rule_free(rules[0]);
    check(released == 1);
    released = 0;
}

static void too_many(combine of) {
    enum { most = 65536 };
    static firsttime_rule *rules[most + 1];
    int context = 0;
    for (int index = 0; index < most; index++) rules[index] = witness(&context);
    check_failed(of(rules, most), "a rule has more than 65536 terms", most);
    rules[0] = NULL;
    for (int index = 1; index < most + 1; index++) rules[index] = witness(&context);
    check_failed(of(rules, most + 1), "one of the rules is NULL", most);
    for (int index = 0; index < most - 1; index++) rules[index] = witness(&context);
    firsttime_rule *whole = of(rules, most - 1);
    check(whole != NULL && released == 0);
    check_failed(firsttime_rule_not(whole), "a rule has more than 65536 terms", most - 1);
}

/* ---- deep rules ---- */

static firsttime_rule *deep(combine of, int *context) {
    firsttime_rule *rule = witness(context);
    for (int level = 1; level < 256; level++) {
        firsttime_rule *rules[] = {rule, of ? firsttime_rule_always() : NULL};
        rule = of ? of(rules, 2) : firsttime_rule_not(rule);
        check(rule != NULL && released == 0);
    }
    return rule;
}

static void too_deep(combine of) {
    int context = 0;
    firsttime_rule *rule = deep(of, &context);
    char *text = malloc(65536);
    check(text != NULL && firsttime_rule_text(rule, text, 65536) < 65536);
    check(strstr(text, "condition") != NULL);
    check_failed(of ? of(&rule, 1) : firsttime_rule_not(rule), "a rule has more than 256 levels", 1);
    check(context == 1);
    /* As deep a rule from text. */
    memcpy(strstr(text, "condition"), "always   ", 9);
    rule = firsttime_rule_parse(text);
    check(rule != NULL);
    firsttime_rule_free(rule);
    free(text);
}

static void *on_small_stack(void *context) {
    (void)context;
    too_deep(NULL);
    for (int index = 0; index < combination_count; index++) too_deep(combinations[index]);
    return NULL;
}

static void small_stack(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    check(pthread_attr_init(&attributes) == 0);
    /* A release build needs 48 KiB, a debug build 128. */
    check(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
    check(pthread_create(&thread, &attributes, on_small_stack, NULL) == 0);
    check(pthread_join(thread, NULL) == 0);
    check(pthread_attr_destroy(&attributes) == 0);
}

int main(void) {
    single();
    failures();
    for (int index = 0; index < combination_count; index++) arrays(combinations[index]);
    too_many(firsttime_rule_all_of);
    if (!getenv("FIRSTTIME_QUICK")) {
        for (int index = 1; index < combination_count; index++) too_many(combinations[index]);
    }
    small_stack();
    return 0;
}
