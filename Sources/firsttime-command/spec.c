/* Owns SPEC, the text that says when a key is due again, and lengths of time. It compares nothing with a clock.
 *
 *   12h  3d  1.5 hours       so much time since the last run (ELAPSED)
 *   hourly ... yearly        a new hour ... year of local time (PERIOD)
 *   3 months rolling         three months after the last run, at its time of day (CALENDAR)
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const examples = "examples: 90s, 12h, 3d, daily, monthly, \"3 months rolling\"";

static const struct unit {
    const char *letter, *name, *names;
    firsttime_unit unit;
    double seconds; /* 0: its length differs. */
} units[] = {
    {"s", "second", "seconds", FIRSTTIME_SECOND, 1},   {"m", "minute", "minutes", FIRSTTIME_MINUTE, 60},
    {"h", "hour", "hours", FIRSTTIME_HOUR, 3600},      {"d", "day", "days", FIRSTTIME_DAY, 86400},
    {"w", "week", "weeks", FIRSTTIME_WEEK, 604800},    {"", "month", "months", FIRSTTIME_MONTH, 0},
    {"", "quarter", "quarters", FIRSTTIME_QUARTER, 0}, {"", "year", "years", FIRSTTIME_YEAR, 0},
};
enum { UNITS = sizeof units / sizeof units[0] };

static const struct {
    const char *name;
    firsttime_unit unit;
} periods[] = {
    {"hourly", FIRSTTIME_HOUR},   {"daily", FIRSTTIME_DAY},         {"weekly", FIRSTTIME_WEEK},
    {"monthly", FIRSTTIME_MONTH}, {"quarterly", FIRSTTIME_QUARTER}, {"yearly", FIRSTTIME_YEAR},
};
enum { PERIODS = sizeof periods / sizeof periods[0] };

static const char *period_name(size_t index, const void *context) {
    (void)context;
    return index < PERIODS ? periods[index].name : NULL;
}

static const char *spaces(const char *text) { return text + strspn(text, " "); }

/* The number at the beginning of `text`, digits and at most one dot, and what follows it; false: there is none. */
static bool number(const char *text, double *number_out, const char **rest_out) {
    size_t length = strspn(text, "0123456789.");
    char digits[64];
    if (length == 0 || length >= sizeof digits) return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    char *end;
    *number_out = strtod(digits, &end);
    *rest_out = spaces(text + length);
    return *end == 0;
}

/* The unit at the beginning of `text`, as a word or a letter, and what follows it. */
static const struct unit *unit(const char *text, const char **rest_out) {
    size_t length = strcspn(text, " ");
    *rest_out = spaces(text + length);
    for (const struct unit *each = units; each < units + UNITS; each++) {
        const char *spellings[] = {each->letter, each->name, each->names};
        for (int index = 0; index < 3; index++) {
            if (length > 0 && strlen(spellings[index]) == length && strncmp(spellings[index], text, length) == 0)
                return each;
        }
    }
    return NULL;
}

static bool refuse(const char *text) {
    const char *meant = suggestion(text, period_name, NULL);
    if (meant != NULL)
        fail("\"%s\" is no interval; did you mean \"%s\"?", text, meant);
    else
        fail("\"%s\" is no interval; %s", text, examples);
    return false;
}

bool interval_parse(const char *text, firsttime_interval *interval_out) {
    text = spaces(text);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') length--;
    for (size_t index = 0; index < PERIODS; index++) {
        if (strlen(periods[index].name) != length || memcmp(text, periods[index].name, length) != 0) continue;
        *interval_out = firsttime_period(1, periods[index].unit);
        return true;
    }
    double count;
    const char *rest;
    if (!number(spaces(text), &count, &rest)) return refuse(text);
    const struct unit *found = unit(rest, &rest);
    if (found == NULL) {
        fail("\"%s\" has no unit of time: s, m, h, d, w, or months, quarters, years; %s", text, examples);
        return false;
    }
    bool rolling = strncmp(rest, "rolling", 7) == 0 && *spaces(rest + 7) == 0;
    if (!rolling && *rest != 0) return refuse(text);
    if (!(count > 0)) return fail("\"%s\": the number must be above 0", text), false;
    if (!rolling && found->seconds == 0) {
        fail(
            "\"%s\": %s differ in length; say \"%g %s rolling\" for so many after the last run, or \"%sly\" for one in "
            "each",
            text, found->names, count, found->names, found->name);
        return false;
    }
    if (rolling && (count != (double)(int64_t)(count < 1e15 ? count : 0)))
        return fail("\"%s\": \"rolling\" needs a whole number", text), false;
    *interval_out = rolling ? firsttime_calendar(count, found->unit) : firsttime_elapsed(count, found->unit);
    return true;
}

bool interval_is_split(const char *number_word, const char *unit_word) {
    double count;
    const char *rest;
    return number(number_word, &count, &rest) && *rest == 0 && unit(unit_word, &rest) != NULL;
}

bool policy_parse(const char *text, firsttime_policy *policy_out) {
    *policy_out = (firsttime_policy){.size = sizeof *policy_out};
    if (strcmp(text, "once") == 0) return true;
    if (strcmp(text, "per-version") == 0) {
        policy_out->flags = FIRSTTIME_PER_VERSION;
        return true;
    }
    policy_out->flags = FIRSTTIME_PER_INTERVAL;
    return interval_parse(text, &policy_out->interval);
}

bool duration_parse(const char *text, double *seconds_out) {
    const char *rest;
    if (number(spaces(text), seconds_out, &rest)) {
        if (*rest == 0) return true; /* Seconds, as sleep(1) has it. */
        if (strcmp(rest, "ms") == 0) {
            *seconds_out /= 1000;
            return true;
        }
        const struct unit *found = unit(rest, &rest);
        if (found != NULL && found->seconds > 0 && *rest == 0) {
            *seconds_out *= found->seconds;
            return true;
        }
    }
    fail("\"%s\" is no length of time; examples: 30s, 5m, 1h", text);
    return false;
}
