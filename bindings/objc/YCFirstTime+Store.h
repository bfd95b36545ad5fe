/**
 * @file YCFirstTime+Store.h
 *
 * What firsttime.h has beyond the original's methods, with Objective-C's strings, dates and errors.
 *
 * Results are those of the C functions: zero and above is an answer, below zero a failure, and then `error`, unless it
 * is NULL, receives it. Policies and intervals are C's values: firsttime_days(3), FIRSTTIME_DAILY. A nil key is a
 * wrong argument.
 */
#ifndef YCFIRSTTIME_STORE_H
#define YCFIRSTTIME_STORE_H

#import "YCFirstTime.h"

@class YCFirstTimeClaim, YCFirstTimeProblem, YCFirstTimeRecord;

#if defined(__BLOCKS__)
/** Your code: YES when it is done and shall be recorded, NO when it failed. */
typedef BOOL (^YCFirstTimeTask)(void);
#else
typedef id YCFirstTimeTask;
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * Opening. The handle is closed when the object goes; see firsttime_close().
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Opening)

/** Opens the archive at `path`, which needn't exist yet. Nil on failure. */
- (id)initWithPath:(NSString *)path error:(NSError **)error;

/** Opens a store with C's options: app_id, flags, wait_ms and the like. The version is options->app_version, or else
 * the main bundle's. Nil on failure.
 * @param options Borrowed; NULL: the defaults. */
- (id)initWithOptions:(const firsttime_options *)options error:(NSError **)error;

/** An instance over a handle of yours, firsttime_shared() for example. It isn't closed, and its clock and version are
 * left alone until they are set here.
 * @param store Borrowed: it must outlive the instance. */
- (id)initWithStore:(firsttime_store *)store;

/** The handle, opened if it isn't yet. Borrowed while the instance lives; NULL when it can't be opened. */
- (firsttime_store *)store;

/** The archive file's absolute path; nil when the store can't be opened. */
- (NSString *)path;

/** Makes the archive file current. */
- (firsttime_result)flush:(NSError **)error;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Running under a policy. NULL: once per install.
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Running)

- (firsttime_result)execute:(YCFirstTimeTask)task
                      after:(YCFirstTimeBlock)afterBlock
                     forKey:(NSString *)key
                     policy:(const firsttime_policy *)policy
                      error:(NSError **)error;

/** The same with C's callbacks: they return 0 when they are done. */
- (firsttime_result)executeCallback:(firsttime_callback)first
                              after:(firsttime_callback)after
                            context:(void *)context
                             forKey:(NSString *)key
                             policy:(const firsttime_policy *)policy
                              error:(NSError **)error;

/** Takes `key` if it is due, for work that ends later or on another thread.
 * @param claim Receives the claim; nil when it isn't due and on failure. */
- (firsttime_result)begin:(NSString *)key
                   policy:(const firsttime_policy *)policy
                    claim:(YCFirstTimeClaim **)claim
                    error:(NSError **)error;

@end

/** A key that is yours to run; see firsttime_begin(). It keeps its store open. One that goes without -commit: is
 * abandoned. */
@interface YCFirstTimeClaim : NSObject {
  @private
    YCFirstTime *_owner;
    firsttime_claim *_claim;
}

/** Records the run. The claim is over in every case. */
- (firsttime_result)commit:(NSError **)error;

/** Gives the key back: it stays due. */
- (void)abandon;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Asking and marking
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Records)

- (firsttime_result)wasExecuted:(NSString *)key error:(NSError **)error;
- (firsttime_result)isDue:(NSString *)key policy:(const firsttime_policy *)policy error:(NSError **)error;

/** @param date Receives when it is due next: now when it is due already, nil for never. May be NULL. */
- (firsttime_result)nextDue:(NSString *)key
                     policy:(const firsttime_policy *)policy
                       date:(NSDate **)date
                      error:(NSError **)error;

/** @param date Receives when it last ran; nil: no time is recorded. May be NULL. */
- (firsttime_result)lastExecution:(NSString *)key date:(NSDate **)date error:(NSError **)error;

/** The record of `key`. Nil when there is none, and on failure, of which `error` tells: it is set to nil otherwise. */
- (YCFirstTimeRecord *)recordForKey:(NSString *)key error:(NSError **)error;

/** The records whose keys begin with the bytes of `prefix` (nil: all), in the order of the keys' bytes, as of one
 * moment. Nil on failure. */
- (NSArray *)recordsWithPrefix:(NSString *)prefix error:(NSError **)error;

/** The number of those, or a failure's firsttime_result. */
- (int64_t)countWithPrefix:(NSString *)prefix error:(NSError **)error;

- (firsttime_result)mark:(NSString *)key error:(NSError **)error;
- (firsttime_result)resetKey:(NSString *)key error:(NSError **)error;
- (firsttime_result)resetPrefix:(NSString *)prefix error:(NSError **)error;
- (firsttime_result)reset:(NSError **)error;

@end

/** What is recorded of a key: a firsttime_record. */
@interface YCFirstTimeRecord : NSObject {
  @private
    NSString *_key, *_lastVersion, *_firstVersion;
    NSDate *_lastDate, *_firstDate;
    uint64_t _count;
}

- (NSString *)key;
- (NSString *)lastVersion;  /**< Nil: none recorded. */
- (NSDate *)lastDate;       /**< Nil: none recorded. */
- (NSString *)firstVersion; /**< Nil: none, or a legacy record. */
- (NSDate *)firstDate;      /**< Nil in legacy records. */
- (uint64_t)count;          /**< 0 in legacy records, and in baselines that never ran. */

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Interval keys: ask, do, mark. `name` is without "interval.".
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Intervals)

- (firsttime_result)shouldRun:(NSString *)name interval:(firsttime_interval)interval error:(NSError **)error;
- (firsttime_result)markRun:(NSString *)name error:(NSError **)error;
- (firsttime_result)resetInterval:(NSString *)name error:(NSError **)error;
- (firsttime_result)resetAllIntervals:(NSError **)error;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Taking in old state; see firsttime_import()
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Import)

/** @param options Borrowed; NULL: the defaults. Its callbacks are C's: they must not raise.
 *  @param report  Receives what was done. May be NULL; its size needn't be set. */
- (firsttime_result)importFile:(NSString *)path
                       options:(const firsttime_import_options *)options
                        report:(firsttime_import_report *)report
                         error:(NSError **)error;

- (firsttime_result)importData:(NSData *)data
                       options:(const firsttime_import_options *)options
                        report:(firsttime_import_report *)report
                         error:(NSError **)error;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Giving a copy of all state away; see firsttime_export()
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Export)

/** To a file, which is there when it is complete, or not at all. */
- (firsttime_result)exportFile:(NSString *)path format:(firsttime_format)format error:(NSError **)error;

/** Nil on failure. */
- (NSData *)exportDataWithFormat:(firsttime_format)format error:(NSError **)error;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Showing, checking and repairing what needn't be an open store's
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Inspection)

/** Any property list or keyed archive as UTF-8; see firsttime_dump_bytes(). Nil on failure.
 * @param flags FIRSTTIME_DUMP_JSON, FIRSTTIME_DUMP_RAW; 0: text for people. */
+ (NSData *)dumpData:(NSData *)data flags:(uint32_t)flags error:(NSError **)error;

/** Everything that is wrong with a property list or keyed archive, as YCFirstTimeProblems; see
 * firsttime_verify_bytes(). Empty: it is sound. Nil on failure: FIRSTTIME_ERROR_FORMAT for what is sound, but a newer
 * version's. */
+ (NSArray *)verifyData:(NSData *)data error:(NSError **)error;

/** Repairs a store that can't be opened, while no program has it open; see firsttime_repair().
 * @param visitor Told, before anything is changed, of what is wrong and what will be done. C's: it must not raise.
 *                NULL: nobody. */
+ (firsttime_result)repairFile:(NSString *)path
                       visitor:(firsttime_problem_visitor)visitor
                       context:(void *)context
                         error:(NSError **)error;

@end

/** Something that is wrong with bytes: a firsttime_problem. */
@interface YCFirstTimeProblem : NSObject {
  @private
    uint64_t _offset;
    NSString *_text;
}

- (uint64_t)offset; /**< Bytes from the start; for XML the line. */
- (NSString *)text; /**< In words. */

@end

#endif
