/* Copies of a store, dumps, verification, repair. */
#import "program.h"
#include <string.h>
#include <unistd.h>

static NSError *error;

static NSData *import_file(NSString *name) {
    NSString *directory = [[[NSProcessInfo processInfo] environment] objectForKey:@"FT_IMPORT"];
    NSData *data = [NSData dataWithContentsOfFile:[directory stringByAppendingPathComponent:name]];
    check([data length] > 0);
    return data;
}

static NSString *text(NSData *data) {
    return [[[NSString alloc] initWithData:data encoding:NSUTF8StringEncoding] autorelease];
}

static BOOL has(NSData *data, NSString *part) { return [text(data) rangeOfString:part].length > 0; }

static NSData *with(NSData *data, NSString *old, NSString *new) {
    check(has(data, old));
    return [[text(data) stringByReplacingOccurrencesOfString:old
                                                  withString:new] dataUsingEncoding:NSUTF8StringEncoding];
}

static void test_exports(void) {
    YCFirstTime *firstTime = [[[YCFirstTime alloc] initWithPath:@"store" error:&error] autorelease];
    check_result([firstTime mark:@"a" error:&error], FIRSTTIME_OK);
    check_result([firstTime mark:@"b" error:&error], FIRSTTIME_OK);
    static const firsttime_format formats[] = {FIRSTTIME_FORMAT_ARCHIVE, FIRSTTIME_FORMAT_ARCHIVE_XML,
                                               FIRSTTIME_FORMAT_DEFAULTS};
    NSData *json = [firstTime exportDataWithFormat:FIRSTTIME_FORMAT_JSON error:&error];
    check(has(json, @"\"key\": \"a\"") && has(json, @"\"key\": \"b\""));
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.flags = FIRSTTIME_IN_MEMORY;
    for (int i = 0; i < 3; i++) {
        NSData *data = [firstTime exportDataWithFormat:formats[i] error:&error];
        YCFirstTime *copy = [[[YCFirstTime alloc] initWithOptions:&options error:&error] autorelease];
        firsttime_import_report report;
        check_result([copy importData:data options:NULL report:&report error:&error], FIRSTTIME_OK);
        check(report.records_added == 2 && report.format == (int32_t)formats[i]);
        check([[copy exportDataWithFormat:FIRSTTIME_FORMAT_JSON error:&error] isEqual:json]);
        check_result([firstTime exportFile:@"copy" format:formats[i] error:&error], FIRSTTIME_OK);
        check([[NSData dataWithContentsOfFile:@"copy"] isEqual:data]);
        check([[YCFirstTime verifyData:data error:&error] count] == 0);
    }
    check([firstTime exportDataWithFormat:FIRSTTIME_FORMAT_RULEKIT error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    check([firstTime exportDataWithFormat:FIRSTTIME_FORMAT_RULEKIT error:NULL] == nil);
    check_result([firstTime exportFile:nil format:FIRSTTIME_FORMAT_JSON error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_result([firstTime exportFile:@"store" format:FIRSTTIME_FORMAT_JSON error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_result([firstTime exportFile:@"none/copy" format:FIRSTTIME_FORMAT_JSON error:&error], FIRSTTIME_ERROR_IO);
    check_code(error, FIRSTTIME_ERROR_IO);
}

static void test_dumps(void) {
    NSData *archive = import_file(@"three_plain.bplist");
    check(has([YCFirstTime dumpData:archive flags:0 error:&error], @"\"onboarding\" => "));
    check(has([YCFirstTime dumpData:archive flags:FIRSTTIME_DUMP_JSON error:&error], @"\"onboarding\": {"));
    check(has([YCFirstTime dumpData:archive flags:FIRSTTIME_DUMP_RAW error:&error], @"\"$objects\" => "));
    check([YCFirstTime dumpData:archive flags:1u << 31 error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    check([YCFirstTime dumpData:nil flags:0 error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_CORRUPT);
    check([YCFirstTime dumpData:[NSData dataWithBytes:"bplist00" length:8] flags:0 error:NULL] == nil);
}

static void test_verification(void) {
    NSData *xml = import_file(@"three_plain.xml.plist");
    error = nil;
    check([[YCFirstTime verifyData:xml error:&error] isEqual:[NSArray array]]);
    NSArray *problems = [YCFirstTime verifyData:with(xml, @"<key>lastTime", @"<key>lostTime") error:&error];
    check([problems count] == 3 && error == nil);
    check([[problems lastObject] offset] > 1 && [[(YCFirstTimeProblem *)[problems lastObject] text] length] > 0);
    check([[YCFirstTime verifyData:nil error:&error] count] == 1 && error == nil);
    NSString *newer = @"<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict><key>$archiver";
    check([YCFirstTime verifyData:with(xml, @"<key>$archiver", newer) error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_FORMAT);
}

static void damage(NSString *path) {
    off_t length = (off_t)[[NSData dataWithContentsOfFile:path] length];
    check(truncate([path fileSystemRepresentation], length - 40) == 0);
    check([[YCFirstTime alloc] initWithPath:path error:&error] == nil);
    check_code(error, FIRSTTIME_ERROR_CORRUPT);
}

static int refuse_it(const firsttime_problem *problem, void *context) {
    check(problem->text[0]);
    return refuse(context);
}

static int note(const firsttime_problem *problem, void *context) {
    if (strstr(problem->text, ".corrupt-") || strstr(problem->text, "1 record saved")) ++*(int *)context;
    return 0;
}

static void test_repair(void) {
    int count = 0;
    YCFirstTime *firstTime = [[YCFirstTime alloc] initWithPath:@"mine" error:&error];
    check_result([firstTime mark:@"key" error:&error], FIRSTTIME_OK);
    check_result([YCFirstTime repairFile:@"mine" visitor:note context:&count error:&error], FIRSTTIME_ERROR_BUSY);
    check_code(error, FIRSTTIME_ERROR_BUSY);
    [firstTime release];
    check_result([YCFirstTime repairFile:@"mine" visitor:refuse_it context:&count error:&error], FIRSTTIME_NO);
    check(count == 0);
    damage(@"mine");
    check_result([YCFirstTime repairFile:@"mine" visitor:refuse_it context:&count error:&error],
                 FIRSTTIME_ERROR_CALLBACK);
    check(count == 1);
    check_code(error, FIRSTTIME_ERROR_CALLBACK);
    check_result([YCFirstTime repairFile:@"mine" visitor:note context:&count error:&error], FIRSTTIME_YES);
    check(count == 3);
    firstTime = [[YCFirstTime alloc] initWithPath:@"mine" error:&error];
    check_result([firstTime wasExecuted:@"key" error:&error], FIRSTTIME_YES);
    [firstTime release];
    damage(@"mine");
    check_result([YCFirstTime repairFile:@"mine" visitor:NULL context:NULL error:NULL], FIRSTTIME_YES);
    check_result([YCFirstTime repairFile:nil visitor:NULL context:NULL error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_result([YCFirstTime repairFile:@"none" visitor:NULL context:NULL error:&error], FIRSTTIME_ERROR_IO);
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    test_exports();
    test_dumps();
    test_verification();
    test_repair();
    [pool release];
    return 0;
}
