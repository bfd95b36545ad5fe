/* What the Objective-C programs share: instances over a store of a test's own, with version and clock that it sets. */
#ifndef PROGRAM_H
#define PROGRAM_H

#import <YCFirstTime+Store.h>

#include "../check.h"

#define SHARED static __attribute__((unused))

/* ---- version and clock ---- */

typedef struct seams {
    NSString *version;
    double now; /* seconds since 1970 */
} seams;

SHARED NSString *give_version(void *context) { return ((seams *)context)->version; }
SHARED NSDate *give_now(void *context) { return [NSDate dateWithTimeIntervalSince1970:((seams *)context)->now]; }

SHARED void set_seams(YCFirstTime *firstTime, seams *seams) {
    [firstTime setVersionFunction:give_version context:seams];
    [firstTime setNowFunction:give_now context:seams];
}

/* ---- failures ---- */

/* Counts failures, and makes the rest of the program silent about them. */
SHARED void count_failure(NSError *error, void *context) {
    check([[error domain] isEqual:YCFirstTimeErrorDomain]);
    check([error code] < 0 && [[error localizedDescription] length] > 0);
    ++*(int *)context;
}

/* ---- work ---- */

SHARED void count_up(void *context) { ++*(int *)context; }
SHARED int succeed(void *context) { return ++*(int *)context, 0; }
SHARED int refuse(void *context) { return ++*(int *)context, 7; }

SHARED void must_not_run(void *context) {
    (void)context;
    check(!"a function ran");
}

#define check_code(error, expected)                                                                                    \
    do {                                                                                                               \
        if ([(error)code] != (expected)) {                                                                             \
            const char *name_ = firsttime_result_name(expected), *got_ = [[(error)description] UTF8String];            \
            fprintf(stderr, "%s:%d: expected %s, got: %s\n", __FILE__, __LINE__, name_, got_);                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
