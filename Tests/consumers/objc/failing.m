/* What the original's methods do where they can't tell of a failure, and hosts of other threads and lifetimes. */
#import <Foundation/NSDebug.h>
#import <YCFirstTime+Rules.h>

#import "program.h"
#include <sys/stat.h>
#include <unistd.h>

static int failures;

static void test_keys(YCFirstTime *firstTime) {
    NSString *keys[] = {
        nil, @"", [NSString stringWithFormat:@"a%Cb", (unichar)0],
        [@"" stringByPaddingToLength:65536 withString:@"k" startingAtIndex:0],
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        failures = 0;
        [firstTime executeOnceFunction:must_not_run context:NULL forKey:keys[i]];
        [firstTime executeOncePerIntervalFunction:must_not_run context:NULL forKey:keys[i] withDaysInterval:1];
        check(![firstTime blockWasExecuted:keys[i]]);
        check([firstTime lastExecutionDateForKey:keys[i]] == nil);
        check(failures == 4);
        check_code([firstTime lastError], FIRSTTIME_ERROR_ARGUMENT);
        /* A prefix that can't be said is no empty one. */
        if (i > 1) check([firstTime countWithPrefix:keys[i] error:NULL] == 0);
        if (i > 1) check_result([firstTime resetPrefix:keys[i] error:NULL], FIRSTTIME_OK);
    }
    check([firstTime countWithPrefix:nil error:NULL] == 1);
}

static void run_again(void *context) {
    failures = 0;
    [(YCFirstTime *)context executeOnceFunction:must_not_run context:NULL forKey:@"outer"];
    check(failures == 1);
    check_code([(YCFirstTime *)context lastError], FIRSTTIME_ERROR_REENTRANT);
}

static NSString *spoilt_file(void) {
    NSProcessInfo *process = [NSProcessInfo processInfo];
    NSString *directory = [[process environment] objectForKey:@"XDG_STATE_HOME"];
    directory = [directory stringByAppendingPathComponent:[process processName]];
    return [directory stringByAppendingPathComponent:@"firsttime.archive"];
}

/* An instance that can't open its store tries again with each call. */
static void test_spoilt(void) {
    NSString *path = spoilt_file();
    mkdir([[path stringByDeletingLastPathComponent] fileSystemRepresentation], 0700);
    check([@"spoilt" writeToFile:path atomically:NO]);
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    [firstTime setFailureFunction:count_failure context:&failures];
    seams seams = {@"3", 1700000000};
    set_seams(firstTime, &seams);
    failures = 0;
    [firstTime executeOnceFunction:must_not_run context:NULL forKey:@"k"];
    [firstTime executeOnceFunction:must_not_run executeAfterFirstTime:must_not_run context:NULL forKey:@"k"];
    check(![firstTime blockWasExecuted:@"k"] && [firstTime lastExecutionDateForKey:@"k"] == nil);
    [firstTime reset];
    check(failures == 5);
    check_code([firstTime lastError], FIRSTTIME_ERROR_CORRUPT);
    check([[[firstTime lastError] localizedDescription] rangeOfString:path].length > 0);
    check([[NSString stringWithContentsOfFile:path] isEqual:@"spoilt"]);
    check([firstTime path] == nil);
    NSError *error = nil;
    check([firstTime countWithPrefix:nil error:&error] == FIRSTTIME_ERROR_CORRUPT);
    check_code(error, FIRSTTIME_ERROR_CORRUPT);

    check(unlink([path fileSystemRepresentation]) == 0);
    int count = 0;
    [firstTime executeOnceFunction:count_up context:&count forKey:@"k"];
    check(count == 1);
    /* What was set before it was open holds. */
    check([[[firstTime recordForKey:@"k" error:NULL] lastVersion] isEqual:@"3"]);
    check([[firstTime lastExecutionDateForKey:@"k"] timeIntervalSince1970] == seams.now);
    check_code([firstTime lastError], FIRSTTIME_ERROR_CORRUPT);
    [firstTime release];
}

static void let_go(void *context) { [(YCFirstTime *)context release]; }

static BOOL yes(void *context) {
    (void)context;
    return YES;
}

static void ignore(NSString *name, void *context) { (void)name, (void)context; }

/* Uses an instance in every way that keeps objects, and lets it go: the last time from its own function. */
static void use(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    static seams seams = {@"1", 1700000000};
    YCFirstTimeClaim *claim = nil;
    set_seams(firstTime, &seams);
    set_seams(firstTime, &seams);
    [firstTime setFailureFunction:count_failure context:&failures];
    [firstTime executeOnceFunction:must_not_run context:NULL forKey:@""];
    [firstTime setRule:@"r"
                  rule:YCFirstTimeRuleWithConditionFunction(yes, NULL)
       triggerFunction:ignore
               context:NULL
               options:NULL
                 error:NULL];
    [firstTime observe:@"r" triggerFunction:ignore context:NULL observer:NULL error:NULL];
    [firstTime donate:@"e" error:NULL];
    [firstTime allDonations:NULL];
    [firstTime recordsWithPrefix:nil error:NULL];
    [firstTime exportDataWithFormat:FIRSTTIME_FORMAT_JSON error:NULL];
    check([[YCFirstTime verifyData:[NSData data] error:NULL] count] == 1);
    [firstTime begin:@"claim" policy:NULL claim:&claim error:NULL];
    [firstTime executeOnceFunction:let_go context:firstTime forKey:@"lifetime"];
    [firstTime resetKey:@"lifetime" error:NULL];
    [pool release];
}

/* What is left of all instances but the shared one: nothing. */
static void test_lifetime(void) {
    static NSString *const names[] = {
        @"YCFirstTime",      @"YCFirstTimeSeams",  @"YCFirstTimeFailures",  @"YCFirstTimeCallable",
        @"YCFirstTimeClaim", @"YCFirstTimeRecord", @"YCFirstTimeDonations", @"YCFirstTimeProblem",
    };
    enum { count = sizeof names / sizeof *names };
    int before[count];
    GSDebugAllocationActive(YES);
    YCFirstTime *witness = [[YCFirstTime alloc] init];
    check(GSDebugAllocationCount([YCFirstTime class]) > 0); /* it does count */
    [witness release];
    for (int i = 0; i < count; i++) before[i] = GSDebugAllocationCount(NSClassFromString(names[i]));
    for (int i = 0; i < 3; i++) use();
    for (int i = 0; i < count; i++) {
        int left = GSDebugAllocationCount(NSClassFromString(names[i])) - before[i];
        if (left) fprintf(stderr, "%s: %d left\n", [names[i] UTF8String], left);
        check(left == 0);
    }
    GSDebugAllocationActive(NO);
}

static int runs;

@interface Racer : NSObject
@end

@implementation Racer
static void count_run(void *context) {
    (void)context;
    __sync_fetch_and_add(&runs, 1);
}

- (void)race:(NSConditionLock *)done {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    YCFirstTime *fresh = [[YCFirstTime alloc] init];
    for (int key = 0; key < 20; key++) {
        NSString *name = [NSString stringWithFormat:@"race.%d", key];
        [key % 2 ? fresh : [YCFirstTime shared] executeOnceFunction:count_run context:NULL forKey:name];
    }
    [fresh release];
    [pool release];
    [done lock];
    [done unlockWithCondition:[done condition] + 1];
}
@end

static void test_threads(void) {
    enum { threads = 6 };
    Racer *racer = [Racer new];
    NSConditionLock *done = [[NSConditionLock alloc] initWithCondition:0];
    for (int i = 0; i < threads; i++)
        [NSThread detachNewThreadSelector:@selector(race:) toTarget:racer withObject:done];
    [done lockWhenCondition:threads];
    [done unlock];
    check(runs == 20);
    [done release];
    [racer release];
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    test_spoilt();
    YCFirstTime *firstTime = [[YCFirstTime alloc] init];
    [firstTime setFailureFunction:count_failure context:&failures];
    test_keys(firstTime);
    [firstTime executeOnceFunction:run_again context:firstTime forKey:@"outer"];
    check([firstTime blockWasExecuted:@"outer"]);
    [firstTime release];
    test_lifetime();
    test_threads();
    [pool release];
    return 0;
}
