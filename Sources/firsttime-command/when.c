/* Owns how moments are written: relative to now, and as local time in ISO 8601. */
#define _GNU_SOURCE
#include "when.h"

#include <math.h>
#include <string.h>
#include <time.h>

double when_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A unit is used from the second one on, so that "1 day" isn't said of 47 hours. */
static const struct {
    double seconds;
    double from;
    const char *names;
} steps[] = {
    {31556952, 2 * 31556952.0, "years"}, {2629746, 2 * 2629746.0, "months"}, {86400, 2 * 86400.0, "days"},
    {3600, 2 * 3600.0, "hours"},         {60, 2 * 60.0, "minutes"},          {1, 2, "seconds"},
};

void when_add_relative(struct text *text, double time, double now) {
    double distance = fabs(now - time);
    if (isnan(distance)) return;
    for (size_t index = 0; index < sizeof steps / sizeof steps[0]; index++) {
        if (distance < steps[index].from) continue;
        double count = floor(distance / steps[index].seconds);
        text_print(text, time < now ? "%.0f %s ago" : "in %.0f %s", count, steps[index].names);
        return;
    }
    text_add(text, time > now ? "in a second" : "just now");
}

void when_add_local(struct text *text, double seconds) {
    char clock[64], zone[16];
    struct tm local;
    if (isnan(seconds)) return;
    time_t whole = fabs(seconds) < 1e15 ? (time_t)floor(seconds) : 0;
    if (fabs(seconds) >= 1e15 || localtime_r(&whole, &local) == NULL ||
        strftime(clock, sizeof clock, "%Y-%m-%dT%H:%M:%S", &local) == 0 ||
        strftime(zone, sizeof zone, "%z", &local) != 5) {
        text_print(text, "%.0f seconds after 1970", seconds);
        return;
    }
    text_print(text, "%s%.3s:%s", clock, zone, zone + 3);
}
