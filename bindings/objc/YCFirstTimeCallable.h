/* A block or a function that the library keeps as a callback's context, and triggers, which both rules and
 * observers are. */
#ifndef YCFIRSTTIMECALLABLE_H
#define YCFIRSTTIMECALLABLE_H

#import "YCFirstTimeBoundary.h"

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

/* A firsttime_trigger whose context is a callable: a YCFirstTimeTrigger or YCFirstTimeTriggerFunction. */
void YCTrigger(const char *name, void *callable);

#endif
