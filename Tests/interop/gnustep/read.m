/* Reads a YCFirstTime archive with GNUstep's NSKeyedUnarchiver, as YCFirstTime 1.x does. Prints the records as JSON.
 * Depends on nothing of ours.
 * usage: read FILE */
#import "YCFirstTimeObject.h"
#include <math.h>
#include <stdio.h>

static void print_text(NSString *text) {
    putchar('"');
    for (NSUInteger i = 0; i < [text length]; i++) {
        unichar unit = [text characterAtIndex:i];
        if (unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\') {
            putchar(unit);
        } else {
            printf("\\u%04x", unit);
        }
    }
    putchar('"');
}

static void print_time(NSDate *date) {
    double time = [date timeIntervalSinceReferenceDate];
    if (isnan(time)) {
        printf("NaN");
    } else if (isinf(time)) {
        printf(time < 0 ? "-Infinity" : "Infinity");
    } else {
        printf("%.17g", time);
    }
}

static void print_records(NSString *path) {
    NSDictionary *group = [read_root(path) objectForKey:@"sharedGroup"];
    require(group == nil || [group isKindOfClass:[NSDictionary class]], @"sharedGroup is not a dictionary");

    putchar('{');
    const char *separator = "";
    NSEnumerator *keys = [group keyEnumerator];
    for (NSString *key = [keys nextObject]; key != nil; key = [keys nextObject]) {
        YCFirstTimeObject *record = [group objectForKey:key];
        require([record isKindOfClass:[YCFirstTimeObject class]], @"not a record");
        printf("%s", separator);
        print_text(key);
        printf(": {\"lastVersion\": ");
        if (record->lastVersion) {
            print_text(record->lastVersion);
        } else {
            printf("null");
        }
        printf(", \"lastTime\": ");
        if (record->lastTime) {
            print_time(record->lastTime);
        } else {
            printf("null");
        }
        putchar('}');
        separator = ", ";
    }
    printf("}\n");
}

int main(int argc, char **argv) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    int status = 1;
    NS_DURING
        require(argc == 2, @"usage: read FILE");
        print_records([NSString stringWithUTF8String:argv[1]]);
        status = 0;
    NS_HANDLER
        fprintf(stderr, "%s: %s\n", [[localException name] UTF8String], [[localException reason] UTF8String]);
    NS_ENDHANDLER
    [pool release];
    return status;
}
