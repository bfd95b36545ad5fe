/* The boundary to C: strings, results, exceptions. What each function means is in the header. */
#import "YCFirstTimeBoundary.h"
#include <math.h>
#include <string.h>

NSString *const YCFirstTimeErrorDomain = @"YCFirstTimeErrorDomain";

/* ---- text ---- */

static const char *text_or(NSString *string, const char *otherwise) {
    if (!string) return NULL;
    @try {
        const char *text = [string UTF8String];
        if (text && strlen(text) == [string lengthOfBytesUsingEncoding:NSUTF8StringEncoding]) return text;
    } @catch (id exception) {
        /* A surrogate without its other half. */
    }
    return otherwise;
}

const char *YCText(NSString *string) { return text_or(string, ""); }

const char *YCTextOrInvalid(NSString *prefix) { return text_or(prefix, "\xFF"); }

NSString *YCString(const char *text) { return text ? [NSString stringWithUTF8String:text] : nil; }

NSDate *YCDate(double time) { return isfinite(time) ? [NSDate dateWithTimeIntervalSince1970:time] : nil; }

/* ---- results ---- */

NSError *YCError(firsttime_result result, const char *words) {
    NSString *description = YCString(words);
    return [NSError errorWithDomain:YCFirstTimeErrorDomain
                               code:result
                           userInfo:[NSDictionary dictionaryWithObject:description ? description : @""
                                                                forKey:NSLocalizedDescriptionKey]];
}

/* The methods of this thread that are in the library, and what blocks raised there. */
static __thread unsigned depth;
static __thread id pending;

void YCBegin(void) { depth++; }

void YCRaiseLater(id exception) {
    if (depth == 0) {
        NSLog(@"YCFirstTime: nobody can be told of an exception: %@", exception);
    } else if (!pending) {
        pending = [exception retain];
    }
}

firsttime_result YCFinish(firsttime_result result, NSError **error) {
    id exception = pending;
    pending = nil;
    depth--;
    if (exception) @throw [exception autorelease];
    if (result < 0 && error) *error = YCError(result, firsttime_last_error());
    return result;
}

/* ---- calling out ---- */

int YCCollect(void *array, id object) {
    @try {
        [(NSMutableArray *)array addObject:object];
        return 0;
    } @catch (id exception) {
        YCRaiseLater(exception);
        return 1;
    }
}

/* On any thread, of which GNUstep may know nothing. */
void YCReleaseObject(void *object) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    [(id)object release];
    [pool release];
}

/* 0: done. */
static int perform(const YCWork *work) {
    @try {
        if (work->callback) return work->callback(work->context);
        if (work->task) return YC_CALL(BOOL, work->task) ? 0 : 1;
        if (work->function) work->function(work->context);
        if (work->block) YC_CALL(void, work->block);
        return 0;
    } @catch (id exception) {
        YCRaiseLater(exception);
        return 1;
    }
}

static int first(void *context) { return perform(&((const YCCall *)context)->first); }
static int after(void *context) { return perform(&((const YCCall *)context)->after); }

static BOOL is_there(YCWork work) { return work.block || work.task || work.function || work.callback; }

firsttime_result YCExecute(firsttime_store *store, NSString *key, const firsttime_policy *policy, YCCall call) {
    return firsttime_execute(store, YCText(key), policy, is_there(call.first) ? first : NULL,
                             is_there(call.after) ? after : NULL, &call);
}
