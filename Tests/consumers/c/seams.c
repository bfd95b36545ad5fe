/* The clock and the version provider: what they may return, and when their contexts are released. */
#include "program.h"

typedef struct {
    int asked, released;
    double time;
    const char *version;
    firsttime_store *store;
} seam;

static double seam_clock(void *context) {
    seam *this = context;
    check(this->released == 0);
    this->asked++;
    return this->time;
}
static const char *seam_version(void *context) {
    seam *this = context;
    check(this->released == 0);
    this->asked++;
    return this->version;
}
static void seam_release(void *context) { ((seam *)context)->released++; }

static void set_clock(firsttime_store *store, seam *this) { firsttime_set_clock(store, seam_clock, this, seam_release); }
static void set_version(firsttime_store *store, seam *this) {
    firsttime_set_version_provider(store, seam_version, this, seam_release);
}

static int break_clock(void *context) {
    ((seam *)context)->time = NAN;
    return 0;
}

static void clocks(firsttime_store *store) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int index = 0; index < 3; index++) {
        seam clock = {.time = bad[index]};
        double time = 1;
        set_clock(store, &clock);
        check_argument(firsttime_execute_once(store, "key", must_not_run, must_not_run, NULL));
        check_argument(firsttime_is_due(store, "key", NULL));
        check_argument(firsttime_next_due(store, "key", NULL, &time));
        check(isnan(time));
        check_argument(firsttime_mark(store, "key"));
        check_mentions("clock");
        check(clock.asked >= 4 && clock.released == 0);
        /* These ask no clock. */
        check_result(firsttime_was_executed(store, "key"), FIRSTTIME_NO);
        check_result(firsttime_last_execution(store, "key", &time), FIRSTTIME_NO);
        check_result(firsttime_reset(store), FIRSTTIME_OK);
        firsttime_set_clock(store, NULL, NULL, NULL);
        check(clock.released == 1);
    }
    /* A clock that fails once the run is done doesn't lose it. */
    seam clock = {.time = start};
    double time = 0;
    set_clock(store, &clock);
    check_result(firsttime_execute_once(store, "broken", break_clock, NULL, &clock), FIRSTTIME_RAN);
    clock.time = start + 1;
    check_result(firsttime_last_execution(store, "broken", &time), FIRSTTIME_YES);
    check(time == start);
    /* The system's clock again. */
    firsttime_set_clock(store, NULL, NULL, NULL);
    check(clock.released == 1);
    check_result(firsttime_mark(store, "real"), FIRSTTIME_OK);
    check_result(firsttime_last_execution(store, "real", &time), FIRSTTIME_YES);
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    check(fabs(time - (double)real.tv_sec) < 60);
}

static firsttime_result news(firsttime_store *store) {
    int runs = 0;
    return firsttime_execute_once_per_version(store, "news", count_up, NULL, &runs);
}

static void versions(firsttime_store *store) {
    seam provider = {.version = "2"};
    check_result(news(store), FIRSTTIME_RAN); /* options.app_version is "1" */
    check_result(news(store), FIRSTTIME_NOT_DUE);
    set_version(store, &provider);
    check_result(news(store), FIRSTTIME_RAN);
    check_result(news(store), FIRSTTIME_NOT_DUE);
    provider.version = NULL;
    check_result(news(store), FIRSTTIME_RAN);
    check_result(news(store), FIRSTTIME_NOT_DUE);
    char *longest = calloc(65537, 1);
    memset(longest, 'v', 65536);
    provider.version = longest;
    check_argument(news(store));
    longest[65535] = 0;
    check_result(news(store), FIRSTTIME_RAN);
    check_result(news(store), FIRSTTIME_NOT_DUE);
    static const char *const bad[] = {"\xC3", "\xED\xA0\x80", "\xC0\x80", "\xFF"};
    for (int index = 0; index < 4; index++) {
        provider.version = bad[index];
        check_argument(firsttime_execute_once_per_version(store, "news", must_not_run, must_not_run, NULL));
        check_argument(firsttime_mark(store, "news"));
        check_mentions("version");
        check_result(firsttime_was_executed(store, "news"), FIRSTTIME_YES);
    }
    check(provider.released == 0);
    firsttime_set_version_provider(store, NULL, NULL, NULL);
    check(provider.released == 1);
    check_result(news(store), FIRSTTIME_RAN);
    firsttime_record record = {.size = sizeof record};
    char buffer[16];
    check_result(firsttime_read(store, "news", &record, buffer, sizeof buffer, NULL), FIRSTTIME_YES);
    check(strcmp(record.last_version, "1") == 0);
    free(longest);
}

/* A clock and a provider may call the library, and replace themselves. */
static double nested_clock(void *context) {
    seam *this = context;
    check_result(firsttime_was_executed(this->store, "nested"), FIRSTTIME_NO);
    check_result(firsttime_close(this->store), FIRSTTIME_ERROR_REENTRANT);
    firsttime_set_clock(this->store, NULL, NULL, NULL);
    check(this->released == 0);
    return start;
}

static void releases(void) {
    seam clock[4] = {{.time = start}, {.time = start}, {.time = start}, {.time = start}};
    firsttime_store *store = open_store("store.archive", "1", 0);
    set_clock(store, &clock[0]);
    set_clock(store, &clock[1]);
    check(clock[0].released == 1 && clock[1].released == 0);
    /* Its function NULL: released at once. */
    firsttime_set_clock(store, NULL, &clock[2], seam_release);
    check(clock[1].released == 1 && clock[2].released == 1);
    set_clock(store, &clock[3]);
    seam provider[2] = {{.version = "1"}, {.version = "1"}};
    firsttime_set_version_provider(store, NULL, &provider[0], seam_release);
    check(provider[0].released == 1);
    set_version(store, &provider[1]);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(clock[3].released == 1 && provider[1].released == 1);
    check(clock[0].released == 1 && clock[1].released == 1 && clock[2].released == 1 && provider[0].released == 1);

    store = open_store("store.archive", "1", 0);
    seam nested = {.store = store};
    firsttime_set_clock(store, nested_clock, &nested, seam_release);
    check_result(firsttime_mark(store, "nested"), FIRSTTIME_OK);
    check(nested.released == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(nested.released == 1);
}

int main(void) {
    firsttime_store *store = open_store("store.archive", "1", 0);
    clocks(store);
    versions(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    releases();
    return 0;
}
