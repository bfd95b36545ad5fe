/* The original's methods: running blocks and functions, what has run, and forgetting it. They have no errors: a failure
 * runs nothing and is reported. */
#import "YCFirstTimeFailures.h"
#include <math.h>

@implementation YCFirstTime (Original)

/* Exceptions of blocks go on to the caller and are no failure of the library. */
- (BOOL)endOriginal:(firsttime_result)result {
    NSError *error = nil;
    YCFinish(result, &error);
    if (error) [[self failures] report:error];
    return error == nil;
}

- (void)execute:(YCCall)call forKey:(NSString *)key policy:(firsttime_policy)policy {
    /* Its own block may let it go. */
    [[self retain] autorelease];
    policy.size = sizeof policy;
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = YCExecute(store, key, &policy, call);
    [self endOriginal:result];
}

static const firsttime_policy once = {0};
static const firsttime_policy per_version = {.flags = FIRSTTIME_PER_VERSION};

static firsttime_policy every(float days) {
    firsttime_policy policy = {0};
    if (isfinite(days) && days > 0) {
        policy.flags = FIRSTTIME_PER_INTERVAL;
        policy.interval = firsttime_days(days);
    }
    return policy;
}

static YCCall with_blocks(YCFirstTimeBlock first, YCFirstTimeBlock after) {
    return (YCCall){.first = {.block = first}, .after = {.block = after}};
}

static YCCall with_functions(YCFirstTimeFunction first, YCFirstTimeFunction after, void *context) {
    return (YCCall){.first = {.function = first, .context = context}, .after = {.function = after, .context = context}};
}

/* ---- blocks ---- */

- (void)executeOnce:(YCFirstTimeBlock)block forKey:(NSString *)key {
    [self execute:with_blocks(block, nil) forKey:key policy:once];
}

- (void)executeOnce:(YCFirstTimeBlock)block
    executeAfterFirstTime:(YCFirstTimeBlock)afterBlock
                   forKey:(NSString *)key {
    [self execute:with_blocks(block, afterBlock) forKey:key policy:once];
}

- (void)executeOncePerVersion:(YCFirstTimeBlock)block forKey:(NSString *)key {
    [self execute:with_blocks(block, nil) forKey:key policy:per_version];
}

- (void)executeOncePerVersion:(YCFirstTimeBlock)block
        executeAfterFirstTime:(YCFirstTimeBlock)afterBlock
                       forKey:(NSString *)key {
    [self execute:with_blocks(block, afterBlock) forKey:key policy:per_version];
}

- (void)executeOncePerInterval:(YCFirstTimeBlock)block forKey:(NSString *)key withDaysInterval:(float)days {
    [self execute:with_blocks(block, nil) forKey:key policy:every(days)];
}

/* ---- functions ---- */

- (void)executeOnceFunction:(YCFirstTimeFunction)first context:(void *)context forKey:(NSString *)key {
    [self execute:with_functions(first, NULL, context) forKey:key policy:once];
}

- (void)executeOnceFunction:(YCFirstTimeFunction)first
      executeAfterFirstTime:(YCFirstTimeFunction)after
                    context:(void *)context
                     forKey:(NSString *)key {
    [self execute:with_functions(first, after, context) forKey:key policy:once];
}

- (void)executeOncePerVersionFunction:(YCFirstTimeFunction)first context:(void *)context forKey:(NSString *)key {
    [self execute:with_functions(first, NULL, context) forKey:key policy:per_version];
}

- (void)executeOncePerVersionFunction:(YCFirstTimeFunction)first
                executeAfterFirstTime:(YCFirstTimeFunction)after
                              context:(void *)context
                               forKey:(NSString *)key {
    [self execute:with_functions(first, after, context) forKey:key policy:per_version];
}

- (void)executeOncePerIntervalFunction:(YCFirstTimeFunction)first
                               context:(void *)context
                                forKey:(NSString *)key
                      withDaysInterval:(float)days {
    [self execute:with_functions(first, NULL, context) forKey:key policy:every(days)];
}

/* ---- records ---- */

- (BOOL)blockWasExecuted:(NSString *)key {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_was_executed(store, YCText(key));
    return [self endOriginal:result] && result == FIRSTTIME_YES;
}

- (NSDate *)lastExecutionDateForKey:(NSString *)key {
    firsttime_store *store;
    double time = NAN;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_last_execution(store, YCText(key), &time);
    [self endOriginal:result];
    return YCDate(time);
}

- (void)reset {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset(store);
    [self endOriginal:result];
}

@end
