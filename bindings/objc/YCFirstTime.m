/* YCFirstTime: a handle with its seams: opening it, and setting them. What is done with it stands in other files. */
#import "YCFirstTimeFailures.h"
#import "YCFirstTimeSeams.h"

@implementation YCFirstTime

+ (YCFirstTime *)shared {
    static YCFirstTime *shared = nil;
    @synchronized([YCFirstTime class]) {
        if (!shared) shared = [[YCFirstTime alloc] init];
        return shared;
    }
}

/* Opens nothing, as it can't fail: that is left to the first call. */
- (id)init {
    self = [super init];
    if (self) {
        _isOwner = YES;
        _seams = [YCFirstTimeSeams new];
        _failures = [YCFirstTimeFailures new];
    }
    return self;
}

/* In the lock, or before anybody else knows the instance. */
- (firsttime_result)openWithOptions:(const firsttime_options *)options {
    firsttime_result result = firsttime_open(options, &_store);
    if (result < 0) return result;
    _hasVersion = options && options->app_version;
    [_seams setClockOfStore:_store];
    [_seams setVersionOfStore:_store hasVersion:_hasVersion];
    return result;
}

- (id)initWithPath:(NSString *)path error:(NSError **)error {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    /* Nil is a mistake here, not the default. */
    options.path = path ? YCText(path) : "";
    return [self initWithOptions:&options error:error];
}

- (id)initWithOptions:(const firsttime_options *)options error:(NSError **)error {
    self = [self init];
    if (!self) return nil;
    YCBegin();
    firsttime_result result = [self openWithOptions:options];
    if (result < 0) {
        [self release];
        self = nil;
    }
    YCFinish(result, error);
    return self;
}

- (id)initWithStore:(firsttime_store *)store {
    self = [self init];
    if (self) {
        _isOwner = NO;
        _hasVersion = YES;
        _store = store;
    }
    return self;
}

- (void)dealloc {
    if (_isOwner) firsttime_close(_store);
    [_seams release];
    [_failures release];
    [super dealloc];
}

/* ---- the handle ---- */

/* After a failure the next call tries again. */
- (firsttime_result)openStore:(firsttime_store **)store_out {
    YCBegin();
    @synchronized(self) {
        firsttime_result result = _store || !_isOwner ? FIRSTTIME_OK : [self openWithOptions:NULL];
        *store_out = _store;
        return result;
    }
}

- (firsttime_store *)store {
    firsttime_store *store;
    YCFinish([self openStore:&store], NULL);
    return store;
}

- (NSString *)path { return YCString(firsttime_path([self store])); }

- (firsttime_result)flush:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_flush(store);
    return YCFinish(result, error);
}

/* ---- seams ---- */

- (void)setVersion:(YCFirstTimeCallable *)provider {
    @synchronized(self) {
        [_seams setVersion:provider];
        if (_store) [_seams setVersionOfStore:_store hasVersion:_hasVersion];
    }
}

- (void)setNow:(YCFirstTimeCallable *)provider {
    @synchronized(self) {
        [_seams setNow:provider];
        if (_store) [_seams setClockOfStore:_store];
    }
}

- (void)setVersionProvider:(YCFirstTimeVersionProvider)provider {
    [self setVersion:[YCFirstTimeCallable callableWithBlock:(id)provider]];
}

- (void)setVersionFunction:(YCFirstTimeVersionFunction)function context:(void *)context {
    [self setVersion:[YCFirstTimeCallable callableWithFunction:(void (*)(void))function context:context]];
}

- (void)setNowProvider:(YCFirstTimeNowProvider)provider {
    [self setNow:[YCFirstTimeCallable callableWithBlock:(id)provider]];
}

- (void)setNowFunction:(YCFirstTimeNowFunction)function context:(void *)context {
    [self setNow:[YCFirstTimeCallable callableWithFunction:(void (*)(void))function context:context]];
}

/* ---- failures ---- */

- (YCFirstTimeFailures *)failures { return _failures; }

- (NSError *)lastError { return [_failures last]; }

- (void)setFailureHandler:(YCFirstTimeFailureHandler)handler {
    [_failures setHandler:[YCFirstTimeCallable callableWithBlock:(id)handler]];
}

- (void)setFailureFunction:(YCFirstTimeFailureFunction)function context:(void *)context {
    [_failures setHandler:[YCFirstTimeCallable callableWithFunction:(void (*)(void))function context:context]];
}

@end
