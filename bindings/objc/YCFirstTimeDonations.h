/* Donations as an object, made of what the library shows. */
#ifndef YCFIRSTTIMEDONATIONS_H
#define YCFIRSTTIMEDONATIONS_H

#import "YCFirstTime+Rules.h"

@interface YCFirstTimeDonations (Private)
+ (YCFirstTimeDonations *)donations:(const firsttime_donations *)donations;
@end

#endif
