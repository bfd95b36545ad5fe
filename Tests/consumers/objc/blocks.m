/* The original's methods with blocks: the call sites of its documentation. Compilers without blocks skip it. */
#import "program.h"

#if defined(__BLOCKS__)
static int shown;

@interface Controller : NSObject
- (void)setUpOnce;
- (void)promptForRating;
@end

@implementation Controller

- (void)show { shown++; }

- (void)setUpOnce {
    [[YCFirstTime shared] executeOnce:^{
        [self show];
    } forKey:@"onboarding.v1"];
}

- (void)promptForRating {
    [[YCFirstTime shared] executeOncePerInterval:^{
        [self show];
    } forKey:@"prompt.rating" withDaysInterval:7.0];
}

@end

static void test_call_sites(void) {
    Controller *controller = [[Controller alloc] init];
    for (int i = 0; i < 2; i++) {
        [controller setUpOnce];
        [controller promptForRating];
    }
    check(shown == 2);
    [controller release];
}

static void test_all(void) {
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    __block NSString *version = @"1.0";
    __block double now = 1700000000;
    [firstTime setVersionProvider:^{ return version; }];
    [firstTime setNowProvider:^{ return [NSDate dateWithTimeIntervalSince1970:now]; }];
    __block int first = 0, after = 0;
    for (int i = 0; i < 2; i++) {
        [firstTime executeOnce:^{ first++; } executeAfterFirstTime:^{ after++; } forKey:@"k"];
        [firstTime executeOncePerVersion:^{ first++; } forKey:@"v"];
        [firstTime executeOncePerVersion:^{ first++; } executeAfterFirstTime:^{ after++; } forKey:@"w"];
        [firstTime executeOncePerInterval:^{ first++; } forKey:@"i" withDaysInterval:0.5];
    }
    check(first == 4 && after == 2);
    version = @"1.1";
    [firstTime executeOncePerVersion:^{ first++; } executeAfterFirstTime:nil forKey:@"w"];
    now += 43200;
    [firstTime executeOncePerInterval:^{ first++; } forKey:@"i" withDaysInterval:0.5];
    check(first == 6);
    check([[firstTime lastExecutionDateForKey:@"i"] timeIntervalSince1970] == now);

    /* A nil block is a no-op and doesn't mark the key. */
    YCFirstTimeBlock none = nil;
    [firstTime executeOnce:none forKey:@"none"];
    [firstTime executeOnce:nil executeAfterFirstTime:^{ after++; } forKey:@"none"];
    check(after == 2 && ![firstTime blockWasExecuted:@"none"]);
    [firstTime executeOnce:nil executeAfterFirstTime:^{ after++; } forKey:@"k"];
    check(after == 3);

    __block NSInteger code = 0;
    [firstTime setFailureHandler:^(NSError *error) { code = [error code]; }];
    [firstTime executeOnce:^{ first++; } forKey:@""];
    check(first == 6 && code == FIRSTTIME_ERROR_ARGUMENT);
    [firstTime release];
}

static void test_task(void) {
    YCFirstTime *firstTime = [YCFirstTime shared];
    NSError *error = nil;
    __block BOOL succeeds = NO;
    BOOL (^task)(void) = ^{ return succeeds; };
    check([firstTime execute:task after:nil forKey:@"task" policy:NULL error:&error] == FIRSTTIME_ERROR_CALLBACK);
    check_code(error, FIRSTTIME_ERROR_CALLBACK);
    succeeds = YES;
    __block int after = 0;
    check([firstTime execute:task after:^{ after++; } forKey:@"task" policy:NULL error:NULL] == FIRSTTIME_RAN);
    check([firstTime execute:task after:^{ after++; } forKey:@"task" policy:NULL error:NULL] == FIRSTTIME_RAN_AFTER);
    check(after == 1);
}
#endif

int main(void) {
#if defined(__BLOCKS__)
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    test_call_sites();
    test_all();
    test_task();
    [pool release];
#endif
    return 0;
}
