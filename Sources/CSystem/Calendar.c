/* Calendar: what a clock on the wall shows, by libc's rules for the local zone, whatever TZ or /etc/localtime say. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Kept while a question is answered, so that a fork finds libc's own lock free: a child could never take it else. */
static pthread_mutex_t zone_mutex = PTHREAD_MUTEX_INITIALIZER;
static int cancellation;

void zone_lock(void) { pthread_mutex_lock(&zone_mutex); }
void zone_unlock(void) { pthread_mutex_unlock(&zone_mutex); }
void zone_renew(void) { pthread_mutex_init(&zone_mutex, NULL); }

/* Without TZ, tzset() is a system call, to see whether /etc/localtime was replaced: once a second is enough. */
static void update_zone(void) {
    static bool is_known, was_named;
    static int64_t looked;
    bool is_named = getenv("TZ") != NULL;
    int64_t now = csystem_coarse_milliseconds();
    if (is_known && !is_named && !was_named && now - looked < 1000) return;
    tzset();
    is_known = true;
    was_named = is_named;
    looked = now;
}

void csystem_zone_begin(void) {
    int before = csystem_begin_uncancelled();
    zone_lock();
    cancellation = before;
    update_zone();
}

void csystem_zone_end(void) {
    int before = cancellation;
    zone_unlock();
    csystem_end_uncancelled(before);
}

/* Days from 1970-01-01 to the first of January of a year, in the Gregorian calendar without beginning. */
static int64_t days_to_year(int64_t year) {
    int64_t before = year - 1 + 4000000; /* a multiple of 400, so that division rounds down */
    return before * 365 + before / 4 - before / 100 + before / 400 - 1461689162;
}

int64_t csystem_zone_local(int64_t time) {
    time_t seconds = (time_t)time;
    struct tm local;
    if (!localtime_r(&seconds, &local)) return time;
    int64_t days = days_to_year((int64_t)local.tm_year + 1900) + local.tm_yday;
    /* A leap second, which the zones below right/ have, shows the second before it again. */
    int second = local.tm_sec > 59 ? 59 : local.tm_sec;
    return ((days * 24 + local.tm_hour) * 60 + local.tm_min) * 60 + second;
}
