/* Asking and marking, records and interval keys. */
#import "YCFirstTimeBoundary.h"
#include <math.h>

@interface YCFirstTimeRecord (Private)
+ (YCFirstTimeRecord *)record:(const firsttime_record *)record;
@end

@implementation YCFirstTime (Records)

- (firsttime_result)wasExecuted:(NSString *)key error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_was_executed(store, YCText(key));
    return YCFinish(result, error);
}

- (firsttime_result)isDue:(NSString *)key policy:(const firsttime_policy *)policy error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_is_due(store, YCText(key), policy);
    return YCFinish(result, error);
}

- (firsttime_result)nextDue:(NSString *)key
                     policy:(const firsttime_policy *)policy
                       date:(NSDate **)date
                      error:(NSError **)error {
    firsttime_store *store;
    double time = NAN;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_next_due(store, YCText(key), policy, &time);
    if (date) *date = YCDate(time);
    return YCFinish(result, error);
}

- (firsttime_result)lastExecution:(NSString *)key date:(NSDate **)date error:(NSError **)error {
    firsttime_store *store;
    double time = NAN;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_last_execution(store, YCText(key), &time);
    if (date) *date = YCDate(time);
    return YCFinish(result, error);
}

static int collect(const firsttime_record *record, void *context) {
    return YCCollect(context, [YCFirstTimeRecord record:record]);
}

- (YCFirstTimeRecord *)recordForKey:(NSString *)key error:(NSError **)error {
    NSMutableArray *found = [NSMutableArray array];
    firsttime_store *store;
    if (error) *error = nil;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_find(store, YCText(key), collect, found);
    YCFinish(result, error);
    return [found lastObject];
}

- (NSArray *)recordsWithPrefix:(NSString *)prefix error:(NSError **)error {
    NSMutableArray *found = [NSMutableArray array];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_each(store, YCTextOrInvalid(prefix), collect, found);
    return YCFinish(result, error) < 0 ? nil : found;
}

- (int64_t)countWithPrefix:(NSString *)prefix error:(NSError **)error {
    firsttime_store *store;
    int64_t count = [self openStore:&store];
    if (count >= 0) count = firsttime_count(store, YCTextOrInvalid(prefix));
    YCFinish(count < 0 ? (firsttime_result)count : FIRSTTIME_OK, error);
    return count;
}

- (firsttime_result)mark:(NSString *)key error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_mark(store, YCText(key));
    return YCFinish(result, error);
}

- (firsttime_result)resetKey:(NSString *)key error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_key(store, YCText(key));
    return YCFinish(result, error);
}

- (firsttime_result)resetPrefix:(NSString *)prefix error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_prefix(store, YCTextOrInvalid(prefix));
    return YCFinish(result, error);
}

- (firsttime_result)reset:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset(store);
    return YCFinish(result, error);
}

@end

@implementation YCFirstTime (Intervals)

- (firsttime_result)shouldRun:(NSString *)name interval:(firsttime_interval)interval error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_should_run(store, YCText(name), interval);
    return YCFinish(result, error);
}

- (firsttime_result)markRun:(NSString *)name error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_mark_run(store, YCText(name));
    return YCFinish(result, error);
}

- (firsttime_result)resetInterval:(NSString *)name error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_interval(store, YCText(name));
    return YCFinish(result, error);
}

- (firsttime_result)resetAllIntervals:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_all_intervals(store);
    return YCFinish(result, error);
}

@end

@implementation YCFirstTimeRecord

+ (YCFirstTimeRecord *)record:(const firsttime_record *)record {
    YCFirstTimeRecord *object = [[self new] autorelease];
    object->_key = [YCString(record->key) retain];
    object->_lastVersion = [YCString(record->last_version) retain];
    object->_firstVersion = [YCString(record->first_version) retain];
    object->_lastDate = [YCDate(record->last_time) retain];
    object->_firstDate = [YCDate(record->first_time) retain];
    object->_count = record->count;
    return object;
}

- (void)dealloc {
    [_key release];
    [_lastVersion release];
    [_firstVersion release];
    [_lastDate release];
    [_firstDate release];
    [super dealloc];
}

- (NSString *)key { return _key; }
- (NSString *)lastVersion { return _lastVersion; }
- (NSDate *)lastDate { return _lastDate; }
- (NSString *)firstVersion { return _firstVersion; }
- (NSDate *)firstDate { return _firstDate; }
- (uint64_t)count { return _count; }

@end
