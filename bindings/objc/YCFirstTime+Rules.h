/**
 * @file YCFirstTime+Rules.h
 *
 * Events, rules and notifications, with Objective-C's strings, dates and errors.
 *
 *     [[YCFirstTime shared] setRule:@"requestReview"
 *                              rule:YCFirstTimeRuleFromText(@"event(\"appStarted\") >= 3", NULL)
 *                           trigger:^(NSString *name) { [self askForReview]; }
 *                           options:NULL
 *                             error:NULL];
 *     [[YCFirstTime shared] donate:@"appStarted" error:NULL];
 *
 * Rules are C's values: the functions here make one from Objective-C, those of firsttime.h all others. Each is passed
 * on once; what it is passed to owns it.
 *
 * Blocks are copied, and kept until the rule or the observer goes; see the testing seams in YCFirstTime.h for what a
 * copied block refers to. What a condition or a trigger raises is raised again by the method in which it was called.
 * On a thread where there is none, as for a delayed rule, it is logged; a condition that raises is false.
 */
#ifndef YCFIRSTTIME_RULES_H
#define YCFIRSTTIME_RULES_H

#import "YCFirstTime+Store.h"

@class YCFirstTimeDonations;

#if defined(__BLOCKS__)
typedef BOOL (^YCFirstTimeCondition)(void);
typedef BOOL (^YCFirstTimeEventCondition)(YCFirstTimeDonations *donations);
typedef void (^YCFirstTimeTrigger)(NSString *name);
#else
typedef id YCFirstTimeCondition, YCFirstTimeEventCondition, YCFirstTimeTrigger;
#endif

/** The same as functions; see YCFirstTimeFunction. */
typedef BOOL (*YCFirstTimeConditionFunction)(void *context);
typedef BOOL (*YCFirstTimeEventConditionFunction)(YCFirstTimeDonations *donations, void *context);
typedef void (*YCFirstTimeTriggerFunction)(NSString *name, void *context);

/* ------------------------------------------------------------------------------------------------------------------
 * Events
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Events)

/** Counts a donation, then asks the rules of this instance and fires those that hold; see firsttime_donate(). */
- (firsttime_result)donate:(NSString *)event error:(NSError **)error;

/** What is remembered of `event`. Nil when it was never donated, and on failure, of which `error` tells: it is set
 * to nil otherwise. */
- (YCFirstTimeDonations *)donationsForEvent:(NSString *)event error:(NSError **)error;

/** The same for all events, in the order of their names' bytes. Nil on failure. */
- (NSArray *)allDonations:(NSError **)error;

/** @param event Nil: all events. */
- (firsttime_result)resetDonations:(NSString *)event error:(NSError **)error;

@end

/** What is remembered of an event: a firsttime_donations. */
@interface YCFirstTimeDonations : NSObject {
  @private
    NSString *_event, *_firstVersion, *_lastVersion;
    NSDate *_firstDate, *_lastDate;
    uint64_t _count;
}

- (NSString *)event;
- (uint64_t)count;          /**< 0: never donated. */
- (NSDate *)firstDate;      /**< Nil: none, or not known; so is what follows. */
- (NSDate *)lastDate;
- (NSString *)firstVersion;
- (NSString *)lastVersion;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Making rules. NULL on failure, and for a nil block.
 * --------------------------------------------------------------------------------------------------------------- */

/** See firsttime_rule_parse(). */
firsttime_rule *YCFirstTimeRuleFromText(NSString *text, NSError **error);

/** A rule that is true when `condition` returns YES. */
firsttime_rule *YCFirstTimeRuleWithCondition(YCFirstTimeCondition condition);
firsttime_rule *YCFirstTimeRuleWithConditionFunction(YCFirstTimeConditionFunction condition, void *context);

/** A rule that is true when `condition` returns YES for what is remembered of `event`. */
firsttime_rule *YCFirstTimeRuleWithEvent(NSString *event, YCFirstTimeEventCondition condition);
firsttime_rule *YCFirstTimeRuleWithEventFunction(NSString *event, YCFirstTimeEventConditionFunction condition,
                                                 void *context);

/** See firsttime_rule_text(). `rule` is borrowed. */
NSString *YCFirstTimeRuleText(const firsttime_rule *rule);

/* ------------------------------------------------------------------------------------------------------------------
 * Setting rules on an instance
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Rules)

/** See firsttime_set_rule().
 * @param rule    Owned by this call, in every case. NULL: a failure.
 * @param trigger Nil: the name is posted.
 * @param options Borrowed; NULL: at once, whenever it holds. Its `release` isn't used. */
- (firsttime_result)setRule:(NSString *)name
                       rule:(firsttime_rule *)rule
                    trigger:(YCFirstTimeTrigger)trigger
                    options:(const firsttime_rule_options *)options
                      error:(NSError **)error;
- (firsttime_result)setRule:(NSString *)name
                       rule:(firsttime_rule *)rule
            triggerFunction:(YCFirstTimeTriggerFunction)trigger
                    context:(void *)context
                    options:(const firsttime_rule_options *)options
                      error:(NSError **)error;

- (firsttime_result)removeRule:(NSString *)name error:(NSError **)error;
- (firsttime_result)isRuleRegistered:(NSString *)name error:(NSError **)error;

/** The names of the rules, in the order in which they were first set. Nil on failure. */
- (NSArray *)ruleNames:(NSError **)error;

/** How often, and when last, the rule or throttle `name` fired.
 * @param date  Receives when it fired last; nil: not known. May be NULL.
 * @param count Receives how often; 0: never, or not counted. May be NULL. */
- (firsttime_result)findTrigger:(NSString *)name date:(NSDate **)date count:(uint64_t *)count error:(NSError **)error;

/** @param name Nil: all. */
- (firsttime_result)resetTrigger:(NSString *)name error:(NSError **)error;

- (firsttime_result)evaluateRules:(NSError **)error;
- (firsttime_result)waitForDelayedRules:(NSError **)error;

@end

/* ------------------------------------------------------------------------------------------------------------------
 * Notifications, within this instance
 * --------------------------------------------------------------------------------------------------------------- */
@interface YCFirstTime (Notifications)

/** @param observer Receives the number to remove it by. May be NULL. */
- (firsttime_result)observe:(NSString *)name
                    trigger:(YCFirstTimeTrigger)trigger
                   observer:(firsttime_observer *)observer
                      error:(NSError **)error;
- (firsttime_result)observe:(NSString *)name
            triggerFunction:(YCFirstTimeTriggerFunction)trigger
                    context:(void *)context
                   observer:(firsttime_observer *)observer
                      error:(NSError **)error;

- (firsttime_result)removeObserver:(firsttime_observer)observer error:(NSError **)error;
- (firsttime_result)post:(NSString *)name error:(NSError **)error;

@end

#endif
