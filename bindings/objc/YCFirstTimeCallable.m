/* Blocks and functions that are kept. They are called on whatever thread the library does. */
#import "YCFirstTimeCallable.h"
#import "YCFirstTime+Rules.h"

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

void YCTrigger(const char *name, void *context) {
    YCFirstTimeCallable *callable = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    @try {
        if (callable->function) {
            ((YCFirstTimeTriggerFunction)callable->function)(YCString(name), callable->context);
        } else {
            YC_CALL_WITH(void, (YCFirstTimeTrigger)callable->block, YCString(name));
        }
    } @catch (id exception) {
        YCRaiseLater(exception);
    }
    [pool release];
}
