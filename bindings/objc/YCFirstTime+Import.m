/* Taking in old state. */
#import "YCFirstTimeBoundary.h"

@implementation YCFirstTime (Import)

- (firsttime_result)importFile:(NSString *)path
                       options:(const firsttime_import_options *)options
                        report:(firsttime_import_report *)report
                         error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (report) report->size = sizeof *report;
    if (result >= 0) result = firsttime_import(store, YCText(path), options, report);
    return YCFinish(result, error);
}

- (firsttime_result)importData:(NSData *)data
                       options:(const firsttime_import_options *)options
                        report:(firsttime_import_report *)report
                         error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (report) report->size = sizeof *report;
    if (result >= 0) result = firsttime_import_bytes(store, [data bytes], [data length], options, report);
    return YCFinish(result, error);
}

@end
