/* YCFirstTime 1.x's record, and its archives as 1.x reads them. Depends on nothing of ours. */
#ifndef YCFIRSTTIMEOBJECT_H
#define YCFIRSTTIMEOBJECT_H

#import <Foundation/Foundation.h>
#include <stdio.h>
#include <stdlib.h>

/* The 1.x record: its name in the archive is the class's own. */
@interface YCFirstTimeObject : NSObject <NSCoding> {
  @public
    NSString *lastVersion;
    NSDate *lastTime;
}
@end

@implementation YCFirstTimeObject
- (id)initWithCoder:(NSCoder *)coder {
    self = [super init];
    if (self) {
        lastVersion = [[coder decodeObjectForKey:@"lastVersion"] retain];
        lastTime = [[coder decodeObjectForKey:@"lastTime"] retain];
    }
    return self;
}
- (void)encodeWithCoder:(NSCoder *)coder {
    [coder encodeObject:lastVersion forKey:@"lastVersion"];
    [coder encodeObject:lastTime forKey:@"lastTime"];
}
@end

static void require(BOOL condition, NSString *message) {
    if (condition) return;
    fprintf(stderr, "%s\n", [message UTF8String]);
    exit(1);
}

static NSMutableDictionary *read_root(NSString *path) {
    NSData *data = [NSData dataWithContentsOfFile:path];
    require(data != nil, @"cannot read the file");
    NSMutableDictionary *root = [NSKeyedUnarchiver unarchiveObjectWithData:data];
    require([root isKindOfClass:[NSMutableDictionary class]], @"the root is not an NSMutableDictionary");
    return root;
}

#endif
