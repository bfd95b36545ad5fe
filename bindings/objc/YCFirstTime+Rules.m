/* Rules: making them of blocks and functions, and setting them. Conditions are called on whatever thread. */
#import "YCFirstTimeCallable.h"
#import "YCFirstTimeDonations.h"
#include <math.h>

/* ---- calling out ---- */

static int condition(void *context) {
    YCFirstTimeCallable *callable = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    BOOL holds = NO;
    @try {
        if (callable->function) {
            holds = ((YCFirstTimeConditionFunction)callable->function)(callable->context);
        } else {
            holds = YC_CALL(BOOL, (YCFirstTimeCondition)callable->block);
        }
    } @catch (id exception) {
        YCRaiseLater(exception);
    }
    [pool release];
    return holds;
}

static int event_condition(const firsttime_donations *donations, void *context) {
    YCFirstTimeCallable *callable = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    BOOL holds = NO;
    @try {
        YCFirstTimeDonations *object = [YCFirstTimeDonations donations:donations];
        if (callable->function) {
            holds = ((YCFirstTimeEventConditionFunction)callable->function)(object, callable->context);
        } else {
            holds = YC_CALL_WITH(BOOL, (YCFirstTimeEventCondition)callable->block, object);
        }
    } @catch (id exception) {
        YCRaiseLater(exception);
    }
    [pool release];
    return holds;
}

/* ---- making rules ---- */

firsttime_rule *YCFirstTimeRuleFromText(NSString *text, NSError **error) {
    firsttime_rule *rule = firsttime_rule_parse(YCText(text));
    if (!rule && error) *error = YCError(FIRSTTIME_ERROR_ARGUMENT, firsttime_last_error());
    return rule;
}

static firsttime_rule *condition_rule(YCFirstTimeCallable *callable) {
    return firsttime_rule_condition(callable ? condition : NULL, [callable retain], callable ? YCReleaseObject : NULL);
}

firsttime_rule *YCFirstTimeRuleWithCondition(YCFirstTimeCondition condition) {
    return condition_rule([YCFirstTimeCallable callableWithBlock:(id)condition]);
}

firsttime_rule *YCFirstTimeRuleWithConditionFunction(YCFirstTimeConditionFunction condition, void *context) {
    return condition_rule([YCFirstTimeCallable callableWithFunction:(void (*)(void))condition context:context]);
}

static firsttime_rule *event_rule(NSString *event, YCFirstTimeCallable *callable) {
    return firsttime_rule_event(YCText(event), callable ? event_condition : NULL, [callable retain],
                                callable ? YCReleaseObject : NULL);
}

firsttime_rule *YCFirstTimeRuleWithEvent(NSString *event, YCFirstTimeEventCondition condition) {
    return event_rule(event, [YCFirstTimeCallable callableWithBlock:(id)condition]);
}

firsttime_rule *YCFirstTimeRuleWithEventFunction(NSString *event, YCFirstTimeEventConditionFunction condition,
                                                 void *context) {
    return event_rule(event, [YCFirstTimeCallable callableWithFunction:(void (*)(void))condition context:context]);
}

NSString *YCFirstTimeRuleText(const firsttime_rule *rule) {
    size_t length = firsttime_rule_text(rule, NULL, 0);
    NSMutableData *text = [NSMutableData dataWithLength:length + 1];
    firsttime_rule_text(rule, [text mutableBytes], length + 1);
    return YCString([text bytes]);
}

/* ---- setting them ---- */

static int collect_name(const char *name, void *context) { return YCCollect(context, YCString(name)); }

typedef struct trigger_values {
    double last_time;
    uint64_t count;
} trigger_values;

static int copy_trigger(const firsttime_trigger_record *record, void *context) {
    *(trigger_values *)context = (trigger_values){record->last_time, record->count};
    return 0;
}

@implementation YCFirstTime (Rules)

- (firsttime_result)setRule:(NSString *)name
                       rule:(firsttime_rule *)rule
                   callable:(YCFirstTimeCallable *)callable
                    options:(const firsttime_rule_options *)given
                      error:(NSError **)error {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    /* Of another size, it is refused: by its size alone. */
    if (given) options = given->size == sizeof options ? *given : (firsttime_rule_options){.size = 0};
    options.release = callable && options.size ? YCReleaseObject : NULL;
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result < 0) {
        firsttime_rule_free(rule);
    } else {
        void *context = options.release ? [callable retain] : nil;
        result = firsttime_set_rule(store, YCText(name), rule, callable ? YCTrigger : NULL, context, &options);
    }
    return YCFinish(result, error);
}

- (firsttime_result)setRule:(NSString *)name
                       rule:(firsttime_rule *)rule
                    trigger:(YCFirstTimeTrigger)trigger
                    options:(const firsttime_rule_options *)options
                      error:(NSError **)error {
    return [self setRule:name
                    rule:rule
                callable:[YCFirstTimeCallable callableWithBlock:(id)trigger]
                 options:options
                   error:error];
}

- (firsttime_result)setRule:(NSString *)name
                       rule:(firsttime_rule *)rule
            triggerFunction:(YCFirstTimeTriggerFunction)trigger
                    context:(void *)context
                    options:(const firsttime_rule_options *)options
                      error:(NSError **)error {
    return [self setRule:name
                    rule:rule
                callable:[YCFirstTimeCallable callableWithFunction:(void (*)(void))trigger context:context]
                 options:options
                   error:error];
}

- (firsttime_result)removeRule:(NSString *)name error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_remove_rule(store, YCText(name));
    return YCFinish(result, error);
}

- (firsttime_result)isRuleRegistered:(NSString *)name error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_is_rule_registered(store, YCText(name));
    return YCFinish(result, error);
}

- (NSArray *)ruleNames:(NSError **)error {
    NSMutableArray *names = [NSMutableArray array];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_each_rule(store, collect_name, names);
    return YCFinish(result, error) < 0 ? nil : names;
}

- (firsttime_result)findTrigger:(NSString *)name
                           date:(NSDate **)date
                          count:(uint64_t *)count
                          error:(NSError **)error {
    trigger_values values = {NAN, 0};
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_find_trigger(store, YCText(name), copy_trigger, &values);
    if (date) *date = YCDate(values.last_time);
    if (count) *count = values.count;
    return YCFinish(result, error);
}

- (firsttime_result)resetTrigger:(NSString *)name error:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_reset_trigger(store, YCText(name));
    return YCFinish(result, error);
}

- (firsttime_result)evaluateRules:(NSError **)error {
    /* A trigger may let it go. */
    [[self retain] autorelease];
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_evaluate_rules(store);
    return YCFinish(result, error);
}

- (firsttime_result)waitForDelayedRules:(NSError **)error {
    firsttime_store *store;
    firsttime_result result = [self openStore:&store];
    if (result >= 0) result = firsttime_wait_for_delayed_rules(store);
    return YCFinish(result, error);
}

@end
