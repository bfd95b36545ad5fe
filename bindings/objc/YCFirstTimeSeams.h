/* An instance's clock and app version. It knows the store as something to set them on. */
#ifndef YCFIRSTTIMESEAMS_H
#define YCFIRSTTIMESEAMS_H

#import "YCFirstTimeCallable.h"

/* Thread-safe. No lock is held while a provider is called. */
@interface YCFirstTimeSeams : NSObject {
    YCFirstTimeCallable *_version, *_now;
}
- (void)setVersion:(YCFirstTimeCallable *)provider;
- (void)setNow:(YCFirstTimeCallable *)provider;
/* Makes the handle ask this object, which it keeps as long as it may. Without a provider it has its own clock. */
- (void)setClockOfStore:(firsttime_store *)store;
/* Without a provider a handle that has a version of its own keeps it; one that has none gets the main bundle's. */
- (void)setVersionOfStore:(firsttime_store *)store hasVersion:(BOOL)hasVersion;
@end

#endif
