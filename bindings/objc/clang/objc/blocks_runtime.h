/* For clang with GNUstep and gcc's Objective-C runtime, whose headers want this one where blocks are on. */
#include <Block.h>
