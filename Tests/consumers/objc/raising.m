/* What functions and blocks raise: it doesn't pass through the library, nothing is recorded, and the caller gets it. */
#import "program.h"

static NSException *exception;

static void raise_it(void *context) {
    if (context) ++*(int *)context;
    @throw exception;
}

static int raise_from_callback(void *context) {
    raise_it(context);
    return 0;
}

static NSString *raise_for_version(void *context) {
    raise_it(context);
    return nil;
}

static NSDate *raise_for_now(void *context) {
    raise_it(context);
    return nil;
}

#define check_raises(statement)                                                                                        \
    do {                                                                                                               \
        id caught_ = nil;                                                                                              \
        @try {                                                                                                         \
            statement;                                                                                                 \
        } @catch (id other_) {                                                                                         \
            caught_ = other_;                                                                                          \
        }                                                                                                              \
        check(caught_ == exception);                                                                                   \
    } while (0)

static void test_functions(YCFirstTime *firstTime) {
    int count = 0;
    for (int i = 0; i < 2; i++)
        check_raises([firstTime executeOnceFunction:raise_it context:&count forKey:@"raises"]);
    check(count == 2 && ![firstTime blockWasExecuted:@"raises"]);
    /* The key is free at once, and its failure wasn't the library's. */
    [firstTime executeOnceFunction:count_up context:&count forKey:@"raises"];
    check(count == 3 && [firstTime lastError] == nil);

    check_raises([firstTime executeOnceFunction:must_not_run
                          executeAfterFirstTime:raise_it
                                        context:&count
                                         forKey:@"raises"]);
    check(count == 4 && [firstTime blockWasExecuted:@"raises"]);

    NSError *error = nil;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_AT_MOST_ONCE};
    check_raises([firstTime executeCallback:raise_from_callback
                                      after:NULL
                                    context:&count
                                     forKey:@"raises.typed"
                                     policy:&policy
                                      error:&error]);
    check(error == nil && count == 5 && ![firstTime blockWasExecuted:@"raises.typed"]);
}

/* From a key inside another key's function: through two calls of the library. */
static void run_inner(void *context) {
    [(YCFirstTime *)context executeOnceFunction:raise_it context:NULL forKey:@"inner"];
    check(!"it was not raised");
}

static void test_nested(YCFirstTime *firstTime) {
    check_raises([firstTime executeOnceFunction:run_inner context:firstTime forKey:@"outer"]);
    check(![firstTime blockWasExecuted:@"outer"] && ![firstTime blockWasExecuted:@"inner"]);
}

/* A provider that raises lets nothing run. */
static void test_providers(YCFirstTime *firstTime) {
    int count = 0;
    [firstTime setVersionFunction:raise_for_version context:&count];
    check_raises([firstTime executeOncePerVersionFunction:must_not_run context:NULL forKey:@"provider"]);
    check(count == 1);
    [firstTime setVersionFunction:NULL context:NULL];
    [firstTime setNowFunction:raise_for_now context:&count];
    check_raises([firstTime executeOnceFunction:must_not_run context:NULL forKey:@"provider"]);
    NSError *error = nil;
    check_raises([firstTime isDue:@"provider" policy:NULL error:&error]);
    check_raises([firstTime mark:@"provider" error:&error]);
    check(count == 4 && error == nil);
    [firstTime setNowFunction:NULL context:NULL];
    check(![firstTime blockWasExecuted:@"provider"]);
}

static void raise_for_failure(NSError *error, void *context) {
    check([error code] == FIRSTTIME_ERROR_ARGUMENT);
    raise_it(context);
}

/* It is called when the library has returned. */
static void test_handler(YCFirstTime *firstTime) {
    int count = 0;
    [firstTime setFailureFunction:raise_for_failure context:&count];
    check_raises([firstTime executeOnceFunction:must_not_run context:NULL forKey:@""]);
    check_raises([firstTime blockWasExecuted:nil]);
    check(count == 2);
    [firstTime setFailureFunction:NULL context:NULL];
}

#if defined(__BLOCKS__)
static void test_blocks(YCFirstTime *firstTime) {
    check_raises([firstTime executeOnce:^{ @throw exception; } forKey:@"block"]);
    check_raises([firstTime execute:^BOOL { @throw exception; } after:nil forKey:@"block" policy:NULL error:NULL]);
    check(![firstTime blockWasExecuted:@"block"]);
    [firstTime setNowProvider:^NSDate * { @throw exception; }];
    check_raises([firstTime executeOnce:^{ check(!"ran"); } forKey:@"block"]);
    [firstTime setNowProvider:nil];
    __block int count = 0;
    [firstTime executeOnce:^{ count++; } forKey:@"block"];
    check(count == 1);
}
#endif

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    exception = [NSException exceptionWithName:@"Example" reason:@"an example" userInfo:nil];
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    test_functions(firstTime);
    test_nested(firstTime);
    test_providers(firstTime);
    test_handler(firstTime);
#if defined(__BLOCKS__)
    test_blocks(firstTime);
#endif
    [firstTime release];
    [pool release];
    return 0;
}
