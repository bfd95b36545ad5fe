/* Running under any policy, and claims. */
#import "YCFirstTimeBoundary.h"

@interface YCFirstTimeClaim (Private)
- (id)initWithOwner:(YCFirstTime *)owner claim:(firsttime_claim *)claim;
@end

@implementation YCFirstTime (Running)

- (firsttime_result)execute:(YCCall)call
                     forKey:(NSString *)key
                     policy:(const firsttime_policy *)policy
                      error:(NSError **)error {
    /* Its own block may let it go. */
    [[self retain] autorelease];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = YCExecute(store, key, policy, call);
    return YCFinish(result, error);
}

- (firsttime_result)execute:(YCFirstTimeTask)task
                      after:(YCFirstTimeBlock)afterBlock
                     forKey:(NSString *)key
                     policy:(const firsttime_policy *)policy
                      error:(NSError **)error {
    YCCall call = {.first = {.task = task}, .after = {.block = afterBlock}};
    return [self execute:call forKey:key policy:policy error:error];
}

- (firsttime_result)executeCallback:(firsttime_callback)first
                              after:(firsttime_callback)after
                            context:(void *)context
                             forKey:(NSString *)key
                             policy:(const firsttime_policy *)policy
                              error:(NSError **)error {
    YCCall call = {.first = {.callback = first, .context = context}, .after = {.callback = after, .context = context}};
    return [self execute:call forKey:key policy:policy error:error];
}

- (firsttime_result)begin:(NSString *)key
                   policy:(const firsttime_policy *)policy
                    claim:(YCFirstTimeClaim **)claim
                    error:(NSError **)error {
    firsttime_store *store;
    firsttime_claim *taken = NULL;
    if (claim) *claim = nil;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_begin(store, YCText(key), policy, &taken);
    /* Nobody would ever end it. */
    if (!claim) firsttime_abandon(taken);
    else if (taken) *claim = [[[YCFirstTimeClaim alloc] initWithOwner:self claim:taken] autorelease];
    return YCFinish(result, error);
}

@end

@implementation YCFirstTimeClaim

- (id)initWithOwner:(YCFirstTime *)owner claim:(firsttime_claim *)claim {
    self = [super init];
    if (self) {
        _owner = [owner retain];
        _claim = claim;
    }
    return self;
}

- (void)dealloc {
    [self abandon];
    [_owner release];
    [super dealloc];
}

/* NULL once it is over: of two that end it one does. */
- (firsttime_claim *)take {
    @synchronized(self) {
        firsttime_claim *claim = _claim;
        _claim = NULL;
        return claim;
    }
}

- (firsttime_result)commit:(NSError **)error {
    YCBegin();
    return YCFinish(firsttime_commit([self take]), error);
}

- (void)abandon { firsttime_abandon([self take]); }

@end
