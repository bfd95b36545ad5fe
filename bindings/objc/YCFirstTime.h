/**
 * @file YCFirstTime.h
 *
 * The class that Objective-C code written for YCFirstTime calls, on Linux with GNUstep: run code once per install, once
 * per app version, or once every N days.
 *
 *     [[YCFirstTime shared] executeOnce:^{
 *         [self showOnboarding];
 *     } forKey:@"onboarding.v1"];
 *
 * It is built over firsttime.h, whose words on keys, threads and caveats hold here, too. The state is the app's
 * default store, the file that firsttime_shared() has. Every instance opens a handle of its own on it, so that one's
 * version and clock are not another's. Everything beyond the original's methods is in YCFirstTime+Store.h and its
 * neighbours.
 *
 * BLOCKS are there where the compiler has them (clang -fblocks). gcc has none: there a block's type is `id`, and each
 * method that takes blocks has a second one that takes functions and a context.
 *
 * EXCEPTIONS that a block or function raises don't pass through the library: they are caught, nothing is recorded, and
 * they are raised again when the library has returned. Only Objective-C's: a C++ exception must not leave a block.
 *
 * FAILURES. The original's methods have no way to tell of one. A key that can't be recorded, or a store that can't be
 * read or written, runs nothing; see -lastError.
 */
#ifndef YCFIRSTTIME_H
#define YCFIRSTTIME_H

#import <Foundation/Foundation.h>

#import <firsttime.h>

#if defined(__BLOCKS__)
/** Your code. */
typedef void (^YCFirstTimeBlock)(void);
/** Gives the app's version, nil for none. */
typedef NSString * (^YCFirstTimeVersionProvider)(void);
/** Gives the time. */
typedef NSDate * (^YCFirstTimeNowProvider)(void);
/** Is told of a failure. */
typedef void (^YCFirstTimeFailureHandler)(NSError *error);
#else
typedef id YCFirstTimeBlock, YCFirstTimeVersionProvider, YCFirstTimeNowProvider, YCFirstTimeFailureHandler;
#endif

/** The same as functions. `context` is what was given with them; it is yours, and must outlive its last use. */
typedef void (*YCFirstTimeFunction)(void *context);
typedef NSString *(*YCFirstTimeVersionFunction)(void *context);
typedef NSDate *(*YCFirstTimeNowFunction)(void *context);
typedef void (*YCFirstTimeFailureFunction)(NSError *error, void *context);

/** Errors of the library. The code is a firsttime_result, the localized description firsttime_last_error()'s words. */
extern NSString *const YCFirstTimeErrorDomain;

@class YCFirstTimeFailures, YCFirstTimeSeams;

@interface YCFirstTime : NSObject {
  @private
    firsttime_store *_store;
    BOOL _isOwner, _hasVersion;
    YCFirstTimeSeams *_seams;
    YCFirstTimeFailures *_failures;
}

/** The instance that an app uses everywhere. */
+ (YCFirstTime *)shared;

/** A fresh instance over the same state: with version and clock of its own, for tests. */
- (id)init;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * The original's methods
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Original)

/** Runs `block` if `key` has never run on this install, and records it when it returns. Nil: nothing runs, and the key
 * isn't marked. */
- (void)executeOnce:(YCFirstTimeBlock)block forKey:(NSString *)key;

/** The same, and `afterBlock` every time after, unless it is nil. When `block` is nil and due, neither runs. */
- (void)executeOnce:(YCFirstTimeBlock)block
    executeAfterFirstTime:(YCFirstTimeBlock)afterBlock
                   forKey:(NSString *)key;

/** Runs `block` if `key` never ran, or last ran in another version of the app. "1.0" and "1.0.0" are two versions. */
- (void)executeOncePerVersion:(YCFirstTimeBlock)block forKey:(NSString *)key;

/** The same, with `afterBlock` for every later call in the same version. */
- (void)executeOncePerVersion:(YCFirstTimeBlock)block
        executeAfterFirstTime:(YCFirstTimeBlock)afterBlock
                       forKey:(NSString *)key;

/** Runs `block` if `key` never ran, or if at least `days` times 86400 seconds have passed since. 0.5 is twelve hours.
 * What is no length (0 and less, infinity, NaN) means once. */
- (void)executeOncePerInterval:(YCFirstTimeBlock)block forKey:(NSString *)key withDaysInterval:(float)days;

/* With functions. `after` and `context` may be NULL; a NULL `first` is as a nil block. */
- (void)executeOnceFunction:(YCFirstTimeFunction)first context:(void *)context forKey:(NSString *)key;
- (void)executeOnceFunction:(YCFirstTimeFunction)first
      executeAfterFirstTime:(YCFirstTimeFunction)after
                    context:(void *)context
                     forKey:(NSString *)key;
- (void)executeOncePerVersionFunction:(YCFirstTimeFunction)first context:(void *)context forKey:(NSString *)key;
- (void)executeOncePerVersionFunction:(YCFirstTimeFunction)first
                executeAfterFirstTime:(YCFirstTimeFunction)after
                              context:(void *)context
                               forKey:(NSString *)key;
- (void)executeOncePerIntervalFunction:(YCFirstTimeFunction)first
                               context:(void *)context
                                forKey:(NSString *)key
                      withDaysInterval:(float)days;

/** Whether `key` has ever run on this install; ignores versions and intervals. NO also when that can't be found out. */
- (BOOL)blockWasExecuted:(NSString *)key;

/** When `key` last ran; nil: never, no time is recorded, or that can't be found out. */
- (NSDate *)lastExecutionDateForKey:(NSString *)key;

/** Forgets every recorded run: those of other users of the app's default store, too. */
- (void)reset;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Testing seams, each for this instance alone. They are called on the thread that asks.
 *
 * Blocks that are kept are copied. Debian's libBlocksRuntime doesn't retain the objects which a copied block refers to:
 * there they must live as long as the block.
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Seams)

/** The app's version, which is otherwise CFBundleShortVersionString of the main bundle. Nil restores that. */
- (void)setVersionProvider:(YCFirstTimeVersionProvider)provider;
- (void)setVersionFunction:(YCFirstTimeVersionFunction)function context:(void *)context;

/** The time, which is otherwise the system's. Nil restores that. */
- (void)setNowProvider:(YCFirstTimeNowProvider)provider;
- (void)setNowFunction:(YCFirstTimeNowFunction)function context:(void *)context;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Failures of the original's methods
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Failures)

/** What failed last in one of them; nil: nothing has. A call that succeeds leaves it alone. When an `execute` method
 * fails nothing has run, but for FIRSTTIME_ERROR_NOT_RECORDED: it ran, the disk refused to record it, and this process
 * remembers it. */
- (NSError *)lastError;

/** Is told of each failure, on the thread whose call failed. Nil: NSLog() is, unless it is the same as the one
 * before. */
- (void)setFailureHandler:(YCFirstTimeFailureHandler)handler;
- (void)setFailureFunction:(YCFirstTimeFailureFunction)function context:(void *)context;

@end

#endif
