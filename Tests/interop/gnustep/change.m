/* Changes a record of a YCFirstTime archive as YCFirstTime 1.x does: reads it with NSKeyedUnarchiver, sets the record's
 * version and time, and saves it with NSKeyedArchiver. Depends on nothing of ours.
 * usage: change FILE KEY VERSION TIME     the time in seconds since 1970; a key that isn't there is added */
#import "YCFirstTimeObject.h"

static void change(NSString *path, NSString *key, NSString *version, double time) {
    NSMutableDictionary *root = read_root(path);
    NSMutableDictionary *group = [root objectForKey:@"sharedGroup"];
    require([group isKindOfClass:[NSMutableDictionary class]], @"sharedGroup is not an NSMutableDictionary");
    YCFirstTimeObject *record = [group objectForKey:key];
    if (!record) {
        record = [[YCFirstTimeObject new] autorelease];
        [group setObject:record forKey:key];
    }
    record->lastVersion = [version retain];
    record->lastTime = [[NSDate dateWithTimeIntervalSince1970:time] retain];
    NSData *data = [NSKeyedArchiver archivedDataWithRootObject:root];
    require([data writeToFile:path atomically:YES], @"cannot write the file");
}

int main(int argc, char **argv) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    int status = 1;
    NS_DURING
        require(argc == 5, @"usage: change FILE KEY VERSION TIME");
        change([NSString stringWithUTF8String:argv[1]], [NSString stringWithUTF8String:argv[2]],
               [NSString stringWithUTF8String:argv[3]], atof(argv[4]));
        status = 0;
    NS_HANDLER
        fprintf(stderr, "%s: %s\n", [[localException name] UTF8String], [[localException reason] UTF8String]);
    NS_ENDHANDLER
    [pool release];
    return status;
}
