/* Clock and version. A provider that raises makes the call that asked fail before anything runs; what it raised is
 * raised again when that call has returned. */
#import "YCFirstTimeSeams.h"
#include <math.h>
#include <string.h>

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
