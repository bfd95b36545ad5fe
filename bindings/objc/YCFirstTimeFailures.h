/* Where an instance's failures go, since the original's methods have no way to tell of one. */
#ifndef YCFIRSTTIMEFAILURES_H
#define YCFIRSTTIMEFAILURES_H

#import "YCFirstTimeCallable.h"

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
