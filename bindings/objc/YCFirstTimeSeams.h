/* An instance's clock and app version, and where its failures go: blocks and functions that are kept. It knows the store
 * as something to set a clock on. */
#ifndef YCFIRSTTIME_SEAMS_H
#define YCFIRSTTIME_SEAMS_H

#import "YCFirstTimeBoundary.h"

/* A block or a function that is kept. */
@interface YCFirstTimeCallable : NSObject {
  @public
    id block;
    void (*function)(void);
    void *context;
}
/* Nil when there is neither. */
+ (id)callableWithBlock:(id)block;
+ (id)callableWithFunction:(void (*)(void))function context:(void *)context;
@end

/* Thread-safe. No lock is held while a provider is called. */
@interface YCFirstTimeSeams : NSObject {
    YCFirstTimeCallable *_version, *_now;
}
- (void)setVersion:(YCFirstTimeCallable *)provider;
- (void)setNow:(YCFirstTimeCallable *)provider;
/* Makes the handle ask this object, which it keeps as long as it may. Without a provider the handle has its own clock. */
- (void)setClockOfStore:(firsttime_store *)store;
/* Without a provider a handle that has a version of its own keeps it; one that has none gets the main bundle's. */
- (void)setVersionOfStore:(firsttime_store *)store hasVersion:(BOOL)hasVersion;
@end

/* Thread-safe. No lock is held while the handler is called. */
@interface YCFirstTimeFailures : NSObject {
    NSError *_last;
    YCFirstTimeCallable *_handler;
}
- (NSError *)last;
- (void)setHandler:(YCFirstTimeCallable *)handler;
- (void)report:(NSError *)error;
@end

#endif
