/* The app's version where nothing else gives one: that of the main bundle, which for a program without a bundle is
 * Resources/Info-gnustep.plist beside it. */
#import "program.h"
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    char self[4096] = "";
    check(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    NSString *directory = [[NSString stringWithUTF8String:self] stringByDeletingLastPathComponent];
    directory = [directory stringByAppendingPathComponent:@"Resources"];
    NSString *path = [directory stringByAppendingPathComponent:@"Info-gnustep.plist"];
    mkdir([directory fileSystemRepresentation], 0700);
    check([@"{ CFBundleShortVersionString = \"3.2\"; }" writeToFile:path atomically:NO]);

    /* The other programs have no such file. */
    [[NSBundle mainBundle] infoDictionary];
    check(unlink([path fileSystemRepresentation]) == 0 && rmdir([directory fileSystemRepresentation]) == 0);

    int count = 0;
    [[YCFirstTime shared] executeOncePerVersionFunction:count_up context:&count forKey:@"k"];
    [[YCFirstTime shared] executeOncePerVersionFunction:count_up context:&count forKey:@"k"];
    check(count == 1 && [[[[YCFirstTime shared] recordForKey:@"k" error:NULL] lastVersion] isEqual:@"3.2"]);
    [pool release];
    return 0;
}
