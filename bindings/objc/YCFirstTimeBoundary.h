/* The boundary to C, for the binding's own files: how strings become text, how results become errors, and how
 * blocks and functions are called so that no exception passes through the library. It knows no store. */
#ifndef YCFIRSTTIME_BOUNDARY_H
#define YCFIRSTTIME_BOUNDARY_H

#import "YCFirstTime+Store.h"

#if __has_feature(objc_arc)
#error "the binding's own files are compiled without ARC; its headers may be used with it"
#endif

@class YCFirstTimeFailures;

/* What the categories need of the class. */
@interface YCFirstTime (Boundary)
/* Begins a method, as YCBegin() does, and gives the handle, opened if it isn't yet. */
- (firsttime_result)openStore:(firsttime_store **)store_out;
- (YCFirstTimeFailures *)failures;
@end

/* ---- text ---- */

/* The UTF-8 of a key, a path or a name; NULL for nil. What UTF-8 or C's text can't say becomes "", which the library
 * refuses. Borrowed as -UTF8String lends it. */
const char *YCText(NSString *string);

/* The same where "" has a meaning: what can't be said becomes what isn't UTF-8, a prefix that no key has. */
const char *YCTextOrInvalid(NSString *prefix);

NSString *YCString(const char *text); /* nil for NULL */
NSDate *YCDate(double time);          /* nil for NaN and infinity */

/* ---- results ---- */

NSError *YCError(firsttime_result result, const char *words);

/* Begins a method that calls the library; each is ended by YCFinish(). */
void YCBegin(void);

/* Ends a method: raises again what was raised meanwhile, or else hands out the failure's error, and gives the
 * result. */
firsttime_result YCFinish(firsttime_result result, NSError **error);

/* ---- calling out ---- */

/* Keeps an exception until the method that called the library ends. Only the first counts. Where no method of this
 * thread did (a delayed rule's trigger, a C function's call) there is nobody to raise it to: it is logged. */
void YCRaiseLater(id exception);

/* For visitors: adds an object to the NSMutableArray that is their context. 0: go on. */
int YCCollect(void *array, id object);

/* A callback's context: an object that the library owns. */
void YCReleaseObject(void *object);

/* Calls a block. For compilers that have none: a block is a struct, and its code gets it as the first argument. */
#if defined(__BLOCKS__)
#define YC_CALL(type, block) (block)()
#define YC_CALL_WITH(type, block, argument) (block)(argument)
#else
typedef struct YCBlock {
    void *isa;
    int flags, reserved;
    void *code;
} YCBlock;
#define YC_CALL(type, block) ((type (*)(id))((YCBlock *)(block))->code)(block)
#define YC_CALL_WITH(type, block, argument) ((type (*)(id, id))((YCBlock *)(block))->code)(block, argument)
#endif

/* One thing to run: at most one of its first four is there. */
typedef struct YCWork {
    YCFirstTimeBlock block;
    YCFirstTimeTask task;
    YCFirstTimeFunction function;
    firsttime_callback callback;
    void *context; /* the function's or the callback's */
} YCWork;

/* What is run when a key is due, and what when it isn't. */
typedef struct YCCall {
    YCWork first, after;
} YCCall;

/* firsttime_execute() with such a call. */
firsttime_result YCExecute(firsttime_store *store, NSString *key, const firsttime_policy *policy, YCCall call);

#endif
