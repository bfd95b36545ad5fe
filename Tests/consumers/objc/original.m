/* The original's methods, with functions: once, per version, per interval, nil rules, records. Blocks: blocks.m. */
#import "program.h"
#include <math.h>

static void test_once(YCFirstTime *firstTime) {
    int count = 0, after = 0;
    for (int i = 0; i < 3; i++) [firstTime executeOnceFunction:count_up context:&count forKey:@"once"];
    YCFirstTime *fresh = [[YCFirstTime alloc] init];
    [fresh executeOnceFunction:must_not_run context:NULL forKey:@"once"];
    [fresh release];
    check(count == 1);

    int *counts[] = {&count, &after};
    for (int i = 0; i < 3; i++)
        [firstTime executeOnceFunction:i == 0 ? count_up : must_not_run
                 executeAfterFirstTime:i == 0 ? must_not_run : count_up
                               context:counts[i > 0]
                                forKey:@"after"];
    check(count == 2 && after == 2);
    [firstTime executeOnceFunction:must_not_run executeAfterFirstTime:NULL context:NULL forKey:@"after"];
}

static void test_null(YCFirstTime *firstTime) {
    [firstTime executeOnceFunction:NULL context:NULL forKey:@"null"];
    [firstTime executeOnceFunction:NULL executeAfterFirstTime:must_not_run context:NULL forKey:@"null"];
    [firstTime executeOncePerVersionFunction:NULL context:NULL forKey:@"null"];
    [firstTime executeOncePerVersionFunction:NULL executeAfterFirstTime:must_not_run context:NULL forKey:@"null"];
    [firstTime executeOncePerIntervalFunction:NULL context:NULL forKey:@"null" withDaysInterval:1];
    [firstTime executeOnce:nil forKey:@"null"];
    [firstTime executeOnce:nil executeAfterFirstTime:nil forKey:@"null"];
    [firstTime executeOncePerVersion:nil forKey:@"null"];
    [firstTime executeOncePerVersion:nil executeAfterFirstTime:nil forKey:@"null"];
    [firstTime executeOncePerInterval:nil forKey:@"null" withDaysInterval:1];
    check(![firstTime blockWasExecuted:@"null"]);
    check([firstTime lastError] == nil);
}

static void test_versions(YCFirstTime *firstTime) {
    static const struct {
        const char *version;
        int runs, afters;
    } steps[] = {{"1.0", 1, 0}, {"1.0", 1, 1}, {"1.0.0", 2, 1}, {NULL, 3, 1}, {NULL, 3, 2}, {"1.0", 4, 2}};
    static seams seams = {nil, 1700000000};
    int runs = 0, afters = 0;
    set_seams(firstTime, &seams);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        seams.version = steps[i].version ? [NSString stringWithUTF8String:steps[i].version] : nil;
        int before = runs;
        [firstTime executeOncePerVersionFunction:count_up context:&runs forKey:@"version"];
        if (runs == before)
            [firstTime executeOncePerVersionFunction:must_not_run
                               executeAfterFirstTime:count_up
                                             context:&afters
                                              forKey:@"version"];
        check(runs == steps[i].runs && afters == steps[i].afters);
    }
    check([firstTime blockWasExecuted:@"version"]);
}

static void test_intervals(YCFirstTime *firstTime) {
    static const struct {
        float days;
        double elapsed;
        int runs;
    } steps[] = {
        {1, 0, 1},   {1, 86399, 1}, {1, 86400, 2},         {0.5, 86400 + 43199, 2},    {0.5, 86400 + 43200, 3},
        {0, 4e8, 3}, {-1, 4e8, 3},  {(float)NAN, 4e8, 3},  {(float)INFINITY, 4e8, 3},  {1, 4e8, 4},
    };
    static seams seams = {nil, 0};
    int runs = 0;
    set_seams(firstTime, &seams);
    check([firstTime lastExecutionDateForKey:@"interval"] == nil);
    double last = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        seams.now = 1700000000 + steps[i].elapsed;
        [firstTime executeOncePerIntervalFunction:count_up
                                          context:&runs
                                           forKey:@"interval"
                                 withDaysInterval:steps[i].days];
        check(runs == steps[i].runs);
        if (i == 0 || steps[i].runs > steps[i - 1].runs) last = seams.now;
        check([[firstTime lastExecutionDateForKey:@"interval"] timeIntervalSince1970] == last);
    }
    check([firstTime lastError] == nil);
}

static void test_seams_are_an_instances_own(YCFirstTime *firstTime) {
    static seams old = {@"1", 1700000000}, new = {@"2", 1800000000};
    YCFirstTime *fresh = [[YCFirstTime alloc] init];
    int runs = 0;
    set_seams(firstTime, &old);
    set_seams(fresh, &new);
    [firstTime executeOncePerVersionFunction:count_up context:&runs forKey:@"own"];
    check([[fresh lastExecutionDateForKey:@"own"] timeIntervalSince1970] == old.now);
    [fresh executeOncePerVersionFunction:count_up context:&runs forKey:@"own"];
    check([[firstTime lastExecutionDateForKey:@"own"] timeIntervalSince1970] == new.now);
    [firstTime executeOncePerVersionFunction:count_up context:&runs forKey:@"own"];
    check(runs == 3);

    /* None: the bundle's version, which is none here, and the system's time. */
    [fresh setVersionFunction:NULL context:NULL];
    [fresh setNowProvider:nil];
    NSDate *before = [NSDate date];
    [fresh executeOncePerVersionFunction:count_up context:&runs forKey:@"own"];
    check(runs == 4 && [[fresh lastExecutionDateForKey:@"own"] timeIntervalSinceDate:before] > -1);
    [fresh executeOncePerVersionFunction:must_not_run context:NULL forKey:@"own"];
    [fresh release];
}

static void test_reset(YCFirstTime *firstTime) {
    int count = 0;
    [firstTime executeOnceFunction:count_up context:&count forKey:@"reset"];
    [[YCFirstTime shared] reset];
    check(![firstTime blockWasExecuted:@"reset"] && [firstTime lastExecutionDateForKey:@"reset"] == nil);
    [firstTime executeOnceFunction:count_up context:&count forKey:@"reset"];
    check(count == 2 && [[YCFirstTime shared] blockWasExecuted:@"reset"]);
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    check([YCFirstTime shared] == [YCFirstTime shared]);
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    test_once(firstTime);
    test_null(firstTime);
    test_versions(firstTime);
    test_intervals(firstTime);
    test_seams_are_an_instances_own(firstTime);
    test_reset(firstTime);
    [firstTime release];
    [pool release];
    return 0;
}
