/* Asks the library about cases that it reads, one a line, and prints its answers. Knows nothing of what is right.
 *
 *   zone TZ                      the environment's TZ from here on; "-": unset
 *   store OFFSET WEEKDAY         a new store; OFFSET in minutes, or "-" for libc's zone
 *   KIND UNIT COUNT LAST NOW     a case; prints "due next", and for one that isn't due, whether it is at `next` and just
 *                                before
 */
#define _GNU_SOURCE
#include <firsttime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double clock_time;
static double now(void *context) {
    (void)context;
    return clock_time;
}

static int check(int result) {
    if (result < 0) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        exit(1);
    }
    return result;
}

static firsttime_store *open_store(const char *offset, int weekday) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.flags = FIRSTTIME_IN_MEMORY;
    if (strcmp(offset, "-")) {
        options.flags |= FIRSTTIME_FIXED_OFFSET;
        options.utc_offset_minutes = atoi(offset);
    }
    options.first_weekday = weekday;
    firsttime_store *store;
    check(firsttime_open(&options, &store));
    firsttime_set_clock(store, now, NULL, NULL);
    return store;
}

static int is_due(firsttime_store *store, const firsttime_policy *policy, double time) {
    clock_time = time;
    int due = check(firsttime_is_due(store, "interval.case", policy));
    if (due != check(firsttime_should_run(store, "case", policy->interval))) {
        fputs("firsttime_is_due() and firsttime_should_run() disagree\n", stderr);
        exit(1);
    }
    return due;
}

int main(void) {
    char line[256], text[128];
    firsttime_store *store = open_store("-", 0);
    while (fgets(line, sizeof line, stdin)) {
        int weekday, kind, unit;
        double count, last, time, next;
        if (sscanf(line, "zone %127s", text) == 1) {
            if (strcmp(text, "-")) setenv("TZ", text, 1);
            else unsetenv("TZ");
        } else if (sscanf(line, "store %127s %d", text, &weekday) == 2) {
            check(firsttime_close(store));
            store = open_store(text, weekday);
        } else if (sscanf(line, "%d %d %lf %lf %lf", &kind, &unit, &count, &last, &time) == 5) {
            firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, {count, unit, kind}};
            clock_time = last;
            check(firsttime_mark_run(store, "case"));
            int due = is_due(store, &policy, time);
            if (check(firsttime_next_due(store, "interval.case", &policy, &next)) != due) abort();
            printf("%d %.17g", due, next);
            if (!due && isfinite(next))
                printf(" %d %d", is_due(store, &policy, next), is_due(store, &policy, nextafter(next, -INFINITY)));
            putchar('\n');
        } else {
            fprintf(stderr, "not understood: %s", line);
            return 2;
        }
    }
    return check(firsttime_close(store));
}
