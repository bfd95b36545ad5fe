/* The last failure, and who is told of each. */
#import "YCFirstTimeFailures.h"

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
