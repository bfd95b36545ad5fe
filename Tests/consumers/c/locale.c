/* A host program's locale and time zone change nothing: not what is written, nor what is read, nor when it is due, nor
 * rules as text. */
#include "program.h"

#include <locale.h>

static double now;

static void use(const char *path) {
    int runs = 0;
    double time;
    firsttime_store *store = open_store(path, "1,5", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    now = start + 0.125;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    now += 129600 - 0.25;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), must_not_run, NULL, NULL),
                 FIRSTTIME_NOT_DUE);
    now += 0.25;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    import_legacy(store, "600000000.375");
    check_result(firsttime_last_execution(store, "old", &time), FIRSTTIME_YES);
    check(time == 600000000.375 + 978307200);
    check_result(firsttime_was_executed(store, "\xC3\x84"), FIRSTTIME_NO);
    check_result(firsttime_mark(store, "\xC3\xA4"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "\xC3\x84"), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* Rules as text have points in their numbers, never commas. */
static void read_rules(void) {
    static const char text[] = "donated(\"x\") within 0.25 seconds";
    char buffer[64];
    firsttime_rule *rule = firsttime_rule_parse(text);
    check(rule != NULL);
    check(firsttime_rule_text(rule, buffer, sizeof buffer) == strlen(text) && strcmp(buffer, text) == 0);
    firsttime_rule_free(rule);
    check(firsttime_rule_parse("donated(\"x\") within 0,25 seconds") == NULL);
    check_mentions("line 1, column 22");
}

int main(void) {
    size_t sizes[2];
    use("plain.archive");
    check(setenv("TZ", "XYZ+13:37:11", 1) == 0);
    tzset();
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    const char *comma = NULL;
    for (int index = 0; index < 5 && !comma; index++) comma = setlocale(LC_ALL, names[index]);
    if (comma) {
        check(strcmp(localeconv()->decimal_point, ",") == 0);
    } else {
        puts("not tried: a locale with a decimal comma (none is installed)");
    }
    use("other.archive");
    read_rules();
    if (comma) check(strcmp(setlocale(LC_ALL, NULL), comma) == 0 && strcmp(localeconv()->decimal_point, ",") == 0);
    char *plain = read_file("plain.archive", &sizes[0]), *other = read_file("other.archive", &sizes[1]);
    /* Alike but for the random id that each store draws: 8 bytes. */
    size_t different = 0;
    check(sizes[0] == sizes[1]);
    for (size_t i = 0; i < sizes[0]; i++) different += plain[i] != other[i];
    check(different <= 8);
    free(plain);
    free(other);
    return 0;
}
