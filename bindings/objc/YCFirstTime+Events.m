/* Events: donating, and what is remembered of them. */
#import "YCFirstTimeBoundary.h"
#import "YCFirstTimeDonations.h"

static int collect(const firsttime_donations *donations, void *context) {
    return YCCollect(context, [YCFirstTimeDonations donations:donations]);
}

@implementation YCFirstTime (Events)

- (firsttime_result)donate:(NSString *)event error:(NSError **)error {
    /* A trigger may let it go. */
    [[self retain] autorelease];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_donate(store, YCText(event));
    return YCFinish(result, error);
}

- (YCFirstTimeDonations *)donationsForEvent:(NSString *)event error:(NSError **)error {
    NSMutableArray *found = [NSMutableArray array];
    firsttime_store *store;
    if (error) *error = nil;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_find_donations(store, YCText(event), collect, found);
    YCFinish(result, error);
    return [found lastObject];
}

- (NSArray *)allDonations:(NSError **)error {
    NSMutableArray *found = [NSMutableArray array];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_each_donations(store, collect, found);
    return YCFinish(result, error) < 0 ? nil : found;
}

- (firsttime_result)resetDonations:(NSString *)event error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_donations(store, YCText(event));
    return YCFinish(result, error);
}

@end

@implementation YCFirstTimeDonations

+ (YCFirstTimeDonations *)donations:(const firsttime_donations *)donations {
    YCFirstTimeDonations *object = [[self new] autorelease];
    object->_event = [YCString(donations->event) retain];
    object->_firstVersion = [YCString(donations->first_version) retain];
    object->_lastVersion = [YCString(donations->last_version) retain];
    object->_firstDate = [YCDate(donations->first_time) retain];
    object->_lastDate = [YCDate(donations->last_time) retain];
    object->_count = donations->count;
    return object;
}

- (void)dealloc {
    [_event release];
    [_firstVersion release];
    [_lastVersion release];
    [_firstDate release];
    [_lastDate release];
    [super dealloc];
}

- (NSString *)event { return _event; }
- (uint64_t)count { return _count; }
- (NSDate *)firstDate { return _firstDate; }
- (NSDate *)lastDate { return _lastDate; }
- (NSString *)firstVersion { return _firstVersion; }
- (NSString *)lastVersion { return _lastVersion; }

@end
