/* Everything beyond the original's methods: stores, policies, claims, records, interval keys, imports, errors. */
#import "program.h"
#include <string.h>

static void test_opening(void) {
    NSError *error = nil;
    YCFirstTime *firstTime = [[YCFirstTime alloc] initWithPath:@"store" error:&error];
    check(firstTime && error == nil && [[firstTime path] isAbsolutePath]);
    check([[firstTime path] hasSuffix:@"/store"]);
    check_result([firstTime mark:@"k" error:&error], FIRSTTIME_OK);
    check_result([firstTime flush:&error], FIRSTTIME_OK);
    [firstTime release];
    check([[NSFileManager defaultManager] fileExistsAtPath:@"store"]);

    check([[YCFirstTime alloc] initWithPath:nil error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    check([[YCFirstTime alloc] initWithPath:@"." error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_IO);
    check([[error localizedDescription] isEqual:[NSString stringWithUTF8String:firsttime_last_error()]]);
    check([[YCFirstTime alloc] initWithPath:@"." error:NULL] == nil);

    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.flags = FIRSTTIME_IN_MEMORY;
    options.app_version = "7";
    firstTime = [[YCFirstTime alloc] initWithOptions:&options error:&error];
    check([[firstTime path] length] == 0);
    check_result([firstTime mark:@"k" error:&error], FIRSTTIME_OK);
    check([[[firstTime recordForKey:@"k" error:&error] lastVersion] isEqual:@"7"]);
    /* Nil restores the version that it was opened with. */
    seams seams = {@"8", 1700000000};
    set_seams(firstTime, &seams);
    check_result([firstTime mark:@"k" error:&error], FIRSTTIME_OK);
    check([[[firstTime recordForKey:@"k" error:&error] lastVersion] isEqual:@"8"]);
    [firstTime setVersionProvider:nil];
    check_result([firstTime mark:@"k" error:&error], FIRSTTIME_OK);
    check([[[firstTime recordForKey:@"k" error:&error] lastVersion] isEqual:@"7"]);
    [firstTime release];
}

static const char *own_version(void *context) { return context; }

/* A handle of the program's own keeps what was set on it, until something else is. */
static void test_borrowed(void) {
    firsttime_set_version_provider(firsttime_shared(), own_version, "C", NULL);
    YCFirstTime *borrowed = [[YCFirstTime alloc] initWithStore:firsttime_shared()];
    check([borrowed store] == firsttime_shared());
    check_result([borrowed mark:@"c" error:NULL], FIRSTTIME_OK);
    check([[[borrowed recordForKey:@"c" error:NULL] lastVersion] isEqual:@"C"]);
    [borrowed release];
    check([[YCFirstTime shared] store] != firsttime_shared());
    check([[[YCFirstTime shared] path] isEqual:[NSString stringWithUTF8String:firsttime_path(firsttime_shared())]]);
    [[YCFirstTime shared] executeOnceFunction:must_not_run context:NULL forKey:@"c"];

    YCFirstTime *none = [[YCFirstTime alloc] initWithStore:NULL];
    NSError *error = nil;
    check([none path] == nil && [none store] == NULL);
    check_result([none mark:@"k" error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    [none release];
}

static void test_running(YCFirstTime *firstTime) {
    NSError *error = nil;
    int count = 0;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_PER_INTERVAL, .interval = FIRSTTIME_DAILY};
    check_result([firstTime executeCallback:refuse after:NULL context:&count forKey:@"run" policy:&policy error:&error],
                 FIRSTTIME_ERROR_CALLBACK);
    check_code(error, FIRSTTIME_ERROR_CALLBACK);
    check_result([firstTime executeCallback:succeed after:NULL context:&count forKey:@"run" policy:&policy error:NULL],
                 FIRSTTIME_RAN);
    check_result([firstTime executeCallback:refuse
                                      after:succeed
                                    context:&count
                                     forKey:@"run"
                                     policy:&policy
                                      error:NULL],
                 FIRSTTIME_RAN_AFTER);
    check(count == 3);
    policy.interval = firsttime_days(0);
    error = nil;
    check_result([firstTime executeCallback:refuse after:NULL context:&count forKey:@"run" policy:&policy error:&error],
                 FIRSTTIME_ERROR_ARGUMENT);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
}

static void test_claims(YCFirstTime *firstTime) {
    NSError *error = nil;
    YCFirstTimeClaim *claim = nil;
    check_result([firstTime begin:@"claim" policy:NULL claim:&claim error:&error], FIRSTTIME_DUE);
    YCFirstTimeClaim *second = claim;
    check_result([firstTime begin:@"claim" policy:NULL claim:&second error:&error], FIRSTTIME_ERROR_REENTRANT);
    check(second == nil);
    check_code(error, FIRSTTIME_ERROR_REENTRANT);
    [claim abandon];
    [claim abandon];
    check_result([claim commit:&error], FIRSTTIME_ERROR_ARGUMENT);

    check_result([firstTime begin:@"claim" policy:NULL claim:&claim error:&error], FIRSTTIME_DUE);
    check_result([claim commit:&error], FIRSTTIME_OK);
    check_result([firstTime begin:@"claim" policy:NULL claim:&claim error:&error], FIRSTTIME_NOT_DUE);
    check(claim == nil);

    /* One that goes is abandoned; one that nobody takes, too. */
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    check_result([firstTime begin:@"left" policy:NULL claim:&claim error:&error], FIRSTTIME_DUE);
    [pool release];
    check_result([firstTime begin:@"left" policy:NULL claim:NULL error:&error], FIRSTTIME_DUE);
    check_result([firstTime wasExecuted:@"left" error:&error], FIRSTTIME_NO);
    check_result([firstTime isDue:@"left" policy:NULL error:&error], FIRSTTIME_YES);

    /* It keeps its store. */
    pool = [NSAutoreleasePool new];
    YCFirstTime *other = [[YCFirstTime alloc] initWithPath:@"store" error:NULL];
    check_result([other begin:@"kept" policy:NULL claim:&claim error:NULL], FIRSTTIME_DUE);
    [claim retain];
    [other release];
    [pool release];
    check_result([claim commit:NULL], FIRSTTIME_OK);
    [claim release];
}

static void test_records(YCFirstTime *firstTime) {
    NSError *error = nil;
    seams seams = {@"1.0", 1700000000.5};
    set_seams(firstTime, &seams);
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_PER_INTERVAL, .interval = firsttime_days(1)};
    NSDate *date = [NSDate date];
    check_result([firstTime lastExecution:@"r.1" date:&date error:&error], FIRSTTIME_NO);
    check(date == nil);
    check_result([firstTime mark:@"r.1" error:&error], FIRSTTIME_OK);
    seams.version = @"1.1";
    seams.now++;
    check_result([firstTime mark:@"r.1" error:&error], FIRSTTIME_OK);
    check_result([firstTime lastExecution:@"r.1" date:&date error:&error], FIRSTTIME_YES);
    check([date timeIntervalSince1970] == seams.now);
    check_result([firstTime nextDue:@"r.1" policy:&policy date:&date error:&error], FIRSTTIME_NO);
    check([date timeIntervalSince1970] == seams.now + 86400);
    check_result([firstTime nextDue:@"r.1" policy:NULL date:&date error:&error], FIRSTTIME_NO);
    check(date == nil);

    check_result([firstTime mark:@"r.\u00e9\U0001F600" error:&error], FIRSTTIME_OK);
    NSArray *records = [firstTime recordsWithPrefix:@"r." error:&error];
    check([records count] == 2 && [firstTime countWithPrefix:@"r." error:&error] == 2);
    YCFirstTimeRecord *record = [records objectAtIndex:0];
    check([[record key] isEqual:@"r.1"] && [record count] == 2);
    check([[record firstVersion] isEqual:@"1.0"] && [[record lastVersion] isEqual:@"1.1"]);
    check([[record firstDate] timeIntervalSince1970] == seams.now - 1);
    check([[record lastDate] timeIntervalSince1970] == seams.now);
    check([[[records objectAtIndex:1] key] isEqual:@"r.\u00e9\U0001F600"]);
    error = (id)@"stale";
    check([firstTime recordForKey:@"nothing" error:&error] == nil && error == nil);

    check_result([firstTime resetKey:@"r.1" error:&error], FIRSTTIME_YES);
    check_result([firstTime resetPrefix:@"r." error:&error], FIRSTTIME_OK);
    check([[firstTime recordsWithPrefix:@"r." error:&error] count] == 0);
    check([firstTime countWithPrefix:nil error:&error] == [firstTime countWithPrefix:@"" error:&error]);
    check_result([firstTime resetPrefix:@"" error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_result([firstTime resetPrefix:nil error:&error], FIRSTTIME_ERROR_ARGUMENT);
    [firstTime setVersionProvider:nil];
    [firstTime setNowProvider:nil];
}

static void test_intervals(YCFirstTime *firstTime) {
    NSError *error = nil;
    check_result([firstTime shouldRun:@"prompt" interval:FIRSTTIME_MONTHLY error:&error], FIRSTTIME_YES);
    check_result([firstTime markRun:@"prompt" error:&error], FIRSTTIME_OK);
    check_result([firstTime shouldRun:@"prompt" interval:FIRSTTIME_MONTHLY error:&error], FIRSTTIME_NO);
    check_result([firstTime wasExecuted:@"interval.prompt" error:&error], FIRSTTIME_YES);
    check_result([firstTime resetInterval:@"prompt" error:&error], FIRSTTIME_YES);
    check_result([firstTime markRun:@"prompt" error:&error], FIRSTTIME_OK);
    check_result([firstTime resetAllIntervals:&error], FIRSTTIME_OK);
    check_result([firstTime shouldRun:@"prompt" interval:FIRSTTIME_MONTHLY error:&error], FIRSTTIME_YES);
    check_result([firstTime shouldRun:@"prompt" interval:firsttime_days(0) error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_result([firstTime markRun:nil error:&error], FIRSTTIME_ERROR_ARGUMENT);
}

static void test_import(YCFirstTime *firstTime) {
    NSError *error = nil;
    NSString *directory = [[[NSProcessInfo processInfo] environment] objectForKey:@"FT_IMPORT"];
    NSString *path = [directory stringByAppendingPathComponent:@"preferences.plist"];
    firsttime_import_options options = {.size = sizeof options, .flags = FIRSTTIME_IMPORT_DRY_RUN};
    firsttime_import_report report;
    check_result([firstTime importFile:path options:&options report:&report error:&error], FIRSTTIME_OK);
    check(report.records_added == 3 && report.format == FIRSTTIME_FORMAT_DEFAULTS);
    check_result([firstTime importData:[NSData dataWithContentsOfFile:path] options:NULL report:&report error:&error],
                 FIRSTTIME_OK);
    check(report.records_added == 3);
    check_result([firstTime importFile:path options:NULL report:NULL error:&error], FIRSTTIME_OK);
    check_result([firstTime importData:[NSData data] options:NULL report:&report error:&error],
                 FIRSTTIME_ERROR_CORRUPT);
    check_result([firstTime importFile:@"nothing" options:NULL report:&report error:&error], FIRSTTIME_ERROR_IO);
    check_code(error, FIRSTTIME_ERROR_IO);
    check(report.records_added == 0);
    check_result([firstTime reset:&error], FIRSTTIME_OK);
    check([firstTime countWithPrefix:nil error:&error] == 0);
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    test_opening();
    test_borrowed();
    YCFirstTime *firstTime = [[YCFirstTime alloc] initWithPath:@"store" error:NULL];
    test_running(firstTime);
    test_claims(firstTime);
    test_records(firstTime);
    test_intervals(firstTime);
    test_import(firstTime);
    [firstTime release];
    [pool release];
    return 0;
}
