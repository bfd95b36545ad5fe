/* Giving a copy of all state away, and showing, checking and repairing what needn't be an open store's. */
#import "YCFirstTimeBoundary.h"

@interface YCFirstTimeProblem (Private)
+ (YCFirstTimeProblem *)problem:(const firsttime_problem *)problem;
@end

static int append(const void *bytes, size_t length, void *data) {
    @try {
        [(NSMutableData *)data appendBytes:bytes length:length];
        return 0;
    } @catch (id exception) {
        YCRaiseLater(exception);
        return 1;
    }
}

static int collect(const firsttime_problem *problem, void *context) {
    return YCCollect(context, [YCFirstTimeProblem problem:problem]);
}

@implementation YCFirstTime (Export)

- (firsttime_result)exportFile:(NSString *)path format:(firsttime_format)format error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_export(store, YCText(path), (int32_t)format);
    return YCFinish(result, error);
}

- (NSData *)exportDataWithFormat:(firsttime_format)format error:(NSError **)error {
    NSMutableData *data = [NSMutableData data];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_export_to(store, (int32_t)format, append, data);
    return YCFinish(result, error) < 0 ? nil : data;
}

@end

@implementation YCFirstTime (Inspection)

+ (NSData *)dumpData:(NSData *)data flags:(uint32_t)flags error:(NSError **)error {
    NSMutableData *text = [NSMutableData data];
    YCBegin();
    firsttime_result result = firsttime_dump_bytes([data bytes], [data length], flags, append, text);
    return YCFinish(result, error) < 0 ? nil : text;
}

+ (NSArray *)verifyData:(NSData *)data error:(NSError **)error {
    NSMutableArray *problems = [NSMutableArray array];
    YCBegin();
    firsttime_result result = firsttime_verify_bytes([data bytes], [data length], collect, problems);
    /* That there are some is what was asked. */
    if (result == FIRSTTIME_ERROR_CORRUPT) result = FIRSTTIME_OK;
    return YCFinish(result, error) < 0 ? nil : problems;
}

+ (firsttime_result)repairFile:(NSString *)path
                       visitor:(firsttime_problem_visitor)visitor
                       context:(void *)context
                         error:(NSError **)error {
    YCBegin();
    return YCFinish(firsttime_repair(YCText(path), visitor, context), error);
}

@end

@implementation YCFirstTimeProblem

+ (YCFirstTimeProblem *)problem:(const firsttime_problem *)problem {
    YCFirstTimeProblem *object = [[self new] autorelease];
    object->_offset = problem->offset;
    object->_text = [YCString(problem->text) retain];
    return object;
}

- (void)dealloc {
    [_text release];
    [super dealloc];
}

- (uint64_t)offset { return _offset; }
- (NSString *)text { return _text; }

@end
