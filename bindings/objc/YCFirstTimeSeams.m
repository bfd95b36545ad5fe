/* Clock, version and failures of an instance. A provider that raises makes the call that asked fail before anything runs;
 * what it raised is raised again when that call has returned. */
#import "YCFirstTimeSeams.h"
#include <math.h>
#include <string.h>

@implementation YCFirstTimeCallable

+ (id)callableWithBlock:(id)block {
    if (!block) return nil;
    YCFirstTimeCallable *callable = [[self new] autorelease];
    callable->block = (id)_Block_copy(block);
    return callable;
}

+ (id)callableWithFunction:(void (*)(void))function context:(void *)context {
    if (!function) return nil;
    YCFirstTimeCallable *callable = [[self new] autorelease];
    callable->function = function;
    callable->context = context;
    return callable;
}

- (void)dealloc {
    if (block) _Block_release(block);
    [super dealloc];
}

@end

@implementation YCFirstTimeSeams

- (void)dealloc {
    [_version release];
    [_now release];
    [super dealloc];
}

/* The old one goes outside the lock, because that may call out. */
- (void)setVersion:(YCFirstTimeCallable *)provider {
    @synchronized(self) {
        [_version autorelease];
        _version = [provider retain];
    }
}

- (void)setNow:(YCFirstTimeCallable *)provider {
    @synchronized(self) {
        [_now autorelease];
        _now = [provider retain];
    }
}

- (NSString *)version {
    YCFirstTimeCallable *provider;
    @synchronized(self) { provider = [[_version retain] autorelease]; }
    if (!provider) return [[NSBundle mainBundle] objectForInfoDictionaryKey:@"CFBundleShortVersionString"];
    if (provider->function) return ((YCFirstTimeVersionFunction)provider->function)(provider->context);
    return YC_CALL(NSString *, (YCFirstTimeVersionProvider)provider->block);
}

- (double)time {
    YCFirstTimeCallable *provider;
    @synchronized(self) { provider = [[_now retain] autorelease]; }
    NSDate *now;
    if (!provider) {
        now = [NSDate date];
    } else if (provider->function) {
        now = ((YCFirstTimeNowFunction)provider->function)(provider->context);
    } else {
        now = YC_CALL(NSDate *, (YCFirstTimeNowProvider)provider->block);
    }
    return now ? [now timeIntervalSince1970] : NAN;
}

/* Both are called on any thread, of which GNUstep may know nothing: a delayed rule is asked on the store's own. */

static const char *version(void *context) {
    static NSString *const place = @"YCFirstTimeVersion";
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    /* No version at all would be an answer; this is refused. */
    const char *text = "\xFF";
    @try {
        text = YCTextOrInvalid([(YCFirstTimeSeams *)context version]);
        if (text) {
            /* The thread keeps what the library copies when this has returned. */
            NSData *copy = [NSData dataWithBytes:text length:strlen(text) + 1];
            [[[NSThread currentThread] threadDictionary] setObject:copy forKey:place];
            text = [copy bytes];
        }
    } @catch (id exception) {
        YCRaiseLater(exception);
    }
    [pool release];
    return text;
}

static double now(void *context) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    double time = NAN;
    @try {
        time = [(YCFirstTimeSeams *)context time];
    } @catch (id exception) {
        YCRaiseLater(exception);
    }
    [pool release];
    return time;
}

- (void)setClockOfStore:(firsttime_store *)store {
    @synchronized(self) {
        if (_now) {
            firsttime_set_clock(store, now, [self retain], YCReleaseObject);
        } else {
            firsttime_set_clock(store, NULL, NULL, NULL);
        }
    }
}

- (void)setVersionOfStore:(firsttime_store *)store hasVersion:(BOOL)hasVersion {
    @synchronized(self) {
        if (_version || !hasVersion) {
            firsttime_set_version_provider(store, version, [self retain], YCReleaseObject);
        } else {
            firsttime_set_version_provider(store, NULL, NULL, NULL);
        }
    }
}

@end

@implementation YCFirstTimeFailures

- (void)dealloc {
    [_last release];
    [_handler release];
    [super dealloc];
}

- (NSError *)last {
    @synchronized(self) { return [[_last retain] autorelease]; }
}

- (void)setHandler:(YCFirstTimeCallable *)handler {
    @synchronized(self) {
        [_handler autorelease];
        _handler = [handler retain];
    }
}

- (void)report:(NSError *)error {
    YCFirstTimeCallable *handler;
    BOOL isNew;
    @synchronized(self) {
        isNew = [error code] != [_last code] || ![[error localizedDescription] isEqual:[_last localizedDescription]];
        [_last autorelease];
        _last = [error retain];
        handler = [[_handler retain] autorelease];
    }
    if (!handler) {
        /* A program that asks again and again is told once. */
        if (isNew) NSLog(@"YCFirstTime: %@", [error localizedDescription]);
    } else if (handler->function) {
        ((YCFirstTimeFailureFunction)handler->function)(error, handler->context);
    } else {
        YC_CALL_WITH(void, (YCFirstTimeFailureHandler)handler->block, error);
    }
}

@end
