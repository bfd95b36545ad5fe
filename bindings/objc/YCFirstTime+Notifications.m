/* Notifications: observing names and posting them. */
#import "YCFirstTimeCallable.h"
#import "YCFirstTime+Rules.h"

@implementation YCFirstTime (Notifications)

- (firsttime_result)observe:(NSString *)name
                   callable:(YCFirstTimeCallable *)callable
                   observer:(firsttime_observer *)observer
                      error:(NSError **)error {
    firsttime_store *store;
    if (observer) *observer = 0;
    firsttime_result result = [self openStore:&store];
    if (result >= 0)
        result = firsttime_observe(store, YCText(name), callable ? YCTrigger : NULL, [callable retain],
                                   callable ? YCReleaseObject : NULL, observer);
    return YCFinish(result, error);
}

- (firsttime_result)observe:(NSString *)name
                    trigger:(YCFirstTimeTrigger)trigger
                   observer:(firsttime_observer *)observer
                      error:(NSError **)error {
    return [self observe:name
                callable:[YCFirstTimeCallable callableWithBlock:(id)trigger]
                observer:observer
                   error:error];
}

- (firsttime_result)observe:(NSString *)name
            triggerFunction:(YCFirstTimeTriggerFunction)trigger
                    context:(void *)context
                   observer:(firsttime_observer *)observer
                      error:(NSError **)error {
    return [self observe:name
                callable:[YCFirstTimeCallable callableWithFunction:(void (*)(void))trigger context:context]
                observer:observer
                   error:error];
}

- (firsttime_result)removeObserver:(firsttime_observer)observer error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_remove_observer(store, observer);
    return YCFinish(result, error);
}

- (firsttime_result)post:(NSString *)name error:(NSError **)error {
    /* An observer may let it go. */
    [[self retain] autorelease];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_post(store, YCText(name));
    return YCFinish(result, error);
}

@end
