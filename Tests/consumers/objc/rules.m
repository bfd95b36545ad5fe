/* Events, rules and notifications, with functions and, where the compiler has them, blocks. */
#import <YCFirstTime+Rules.h>

#import "program.h"

static int fires;
static BOOL holds = YES;

static void fire(NSString *name, void *context) {
    check([name isEqual:(NSString *)context]);
    fires++;
}

static BOOL ask(void *context) {
    check(context == &holds);
    return holds;
}

static BOOL ask_event(YCFirstTimeDonations *donations, void *context) {
    check([[donations event] isEqual:(NSString *)context]);
    return [donations count] >= 2;
}

static firsttime_result set_rule(YCFirstTime *firstTime, NSString *name, firsttime_rule *rule,
                                 const firsttime_rule_options *options) {
    return [firstTime setRule:name rule:rule triggerFunction:fire context:name options:options error:NULL];
}

static void test_events(YCFirstTime *firstTime) {
    NSError *error = nil;
    seams seams = {@"1.0", 1700000000};
    set_seams(firstTime, &seams);
    check([firstTime donationsForEvent:@"started" error:&error] == nil && error == nil);
    check_result([firstTime donate:@"started" error:&error], FIRSTTIME_OK);
    seams.version = @"1.1";
    seams.now++;
    check_result([firstTime donate:@"started" error:&error], FIRSTTIME_OK);
    check_result([firstTime donate:@"quit" error:&error], FIRSTTIME_OK);
    YCFirstTimeDonations *donations = [firstTime donationsForEvent:@"started" error:&error];
    check([[donations event] isEqual:@"started"] && [donations count] == 2);
    check([[donations firstVersion] isEqual:@"1.0"] && [[donations lastVersion] isEqual:@"1.1"]);
    check([[donations firstDate] timeIntervalSince1970] == seams.now - 1);
    check([[donations lastDate] timeIntervalSince1970] == seams.now);
    NSArray *all = [firstTime allDonations:&error];
    check([all count] == 2 && [[[all objectAtIndex:0] event] isEqual:@"quit"]);
    check_result([firstTime resetDonations:@"quit" error:&error], FIRSTTIME_OK);
    check_result([firstTime resetDonations:nil error:&error], FIRSTTIME_OK);
    check([[firstTime allDonations:&error] count] == 0);
    check_result([firstTime donate:@"" error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    [firstTime setVersionProvider:nil];
    [firstTime setNowProvider:nil];
}

static void test_text(void) {
    NSError *error = nil;
    check(YCFirstTimeRuleFromText(@"event(\"a\") >=", &error) == NULL);
    check_code(error, FIRSTTIME_ERROR_ARGUMENT);
    check([[error localizedDescription] rangeOfString:@"column"].length > 0);
    check(YCFirstTimeRuleFromText(nil, NULL) == NULL);
    firsttime_rule *rule = YCFirstTimeRuleFromText(@"event(\"a\")>=3", &error);
    check([YCFirstTimeRuleText(rule) isEqual:@"event(\"a\") >= 3"]);
    firsttime_rule_free(rule);
    check([YCFirstTimeRuleText(NULL) isEqual:@""]);
}

static void test_rules(YCFirstTime *firstTime) {
    NSError *error = nil;
    firsttime_rule *parts[] = {YCFirstTimeRuleWithConditionFunction(ask, &holds),
                               YCFirstTimeRuleWithEventFunction(@"e", ask_event, @"e"),
                               YCFirstTimeRuleFromText(@"event(\"e\") >= 2", NULL)};
    check_result(set_rule(firstTime, @"r", firsttime_rule_all_of(parts, 3), NULL), FIRSTTIME_OK);
    check_result([firstTime isRuleRegistered:@"r" error:&error], FIRSTTIME_YES);
    check([[firstTime ruleNames:&error] isEqual:[NSArray arrayWithObject:@"r"]]);
    check_result([firstTime findTrigger:@"r" date:NULL count:NULL error:&error], FIRSTTIME_NO);
    check_result([firstTime donate:@"e" error:&error], FIRSTTIME_OK);
    check(fires == 0);
    check_result([firstTime donate:@"e" error:&error], FIRSTTIME_OK);
    check(fires == 1);
    check_result([firstTime evaluateRules:&error], FIRSTTIME_OK);
    check(fires == 2);
    holds = NO;
    check_result([firstTime evaluateRules:&error], FIRSTTIME_OK);
    holds = YES;
    check(fires == 2);
    NSDate *date = nil;
    uint64_t count = 0;
    check_result([firstTime findTrigger:@"r" date:&date count:&count error:&error], FIRSTTIME_YES);
    check(date != nil && count == 2);
    check_result([firstTime resetTrigger:@"r" error:&error], FIRSTTIME_OK);
    check_result([firstTime resetTrigger:nil error:&error], FIRSTTIME_OK);
    check_result([firstTime removeRule:@"r" error:&error], FIRSTTIME_OK);
    check_result([firstTime isRuleRegistered:@"r" error:&error], FIRSTTIME_NO);

    /* Throttled, and wrong. */
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.limit = 1;
    check_result(set_rule(firstTime, @"r", firsttime_rule_always(), &options), FIRSTTIME_OK);
    for (int i = 0; i < 2; i++) check_result([firstTime evaluateRules:&error], FIRSTTIME_OK);
    check(fires == 3);
    check_result([firstTime removeRule:@"r" error:&error], FIRSTTIME_OK);
    options.size = 1;
    check_result(set_rule(firstTime, @"r", firsttime_rule_always(), &options), FIRSTTIME_ERROR_ARGUMENT);
    check_result(set_rule(firstTime, @"r", NULL, NULL), FIRSTTIME_ERROR_ARGUMENT);
    check_result(set_rule(firstTime, @"", firsttime_rule_always(), NULL), FIRSTTIME_ERROR_ARGUMENT);
    check(YCFirstTimeRuleWithConditionFunction(NULL, NULL) == NULL && YCFirstTimeRuleWithCondition(nil) == NULL);
    check(YCFirstTimeRuleWithEventFunction(@"", ask_event, NULL) == NULL);
    check(YCFirstTimeRuleWithEvent(@"e", nil) == NULL);
}

static void test_notifications(YCFirstTime *firstTime) {
    NSError *error = nil;
    firsttime_observer observer = 0;
    fires = 0;
    check_result([firstTime observe:@"n" triggerFunction:fire context:@"n" observer:&observer error:&error],
                 FIRSTTIME_OK);
    check(observer != 0);
    check_result([firstTime post:@"n" error:&error], FIRSTTIME_OK);
    check_result([firstTime setRule:@"n" rule:firsttime_rule_always() trigger:nil options:NULL error:&error],
                 FIRSTTIME_OK);
    check_result([firstTime evaluateRules:&error], FIRSTTIME_OK);
    check(fires == 2);
    check_result([firstTime removeRule:@"n" error:&error], FIRSTTIME_OK);
    check_result([firstTime removeObserver:observer error:&error], FIRSTTIME_OK);
    check_result([firstTime post:@"n" error:&error], FIRSTTIME_OK);
    check(fires == 2);
    check_result([firstTime observe:@"n" trigger:nil observer:&observer error:&error], FIRSTTIME_ERROR_ARGUMENT);
    check(observer == 0);
}

/* ---- exceptions, and threads of the library's ---- */

static NSException *exception;

static void raise_it(NSString *name, void *context) {
    (void)name, (void)context;
    fires++;
    @throw exception;
}

static BOOL raise_for_condition(void *context) {
    (void)context;
    @throw exception;
}

static void test_raising(YCFirstTime *firstTime) {
    fires = 0;
    id caught = nil;
    [firstTime setRule:@"x" rule:firsttime_rule_always() triggerFunction:raise_it context:NULL options:NULL error:NULL];
    @try {
        [firstTime donate:@"x" error:NULL];
    } @catch (id other) {
        caught = other;
    }
    check(caught == exception && fires == 1);
    check([[firstTime donationsForEvent:@"x" error:NULL] count] == 1);

    caught = nil;
    [firstTime setRule:@"x"
                  rule:YCFirstTimeRuleWithConditionFunction(raise_for_condition, NULL)
       triggerFunction:raise_it
               context:NULL
               options:NULL
                 error:NULL];
    @try {
        [firstTime evaluateRules:NULL];
    } @catch (id other) {
        caught = other;
    }
    check(caught == exception && fires == 1);
    check_result([firstTime removeRule:@"x" error:NULL], FIRSTTIME_OK);
}

/* On the store's own thread, of which GNUstep knows nothing, with provider and condition of ours. */
static void test_delayed(YCFirstTime *firstTime) {
    fires = 0;
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.delay_seconds = 0.01;
    [firstTime setRule:@"later"
                  rule:YCFirstTimeRuleWithConditionFunction(ask, &holds)
       triggerFunction:fire
               context:@"later"
               options:&options
                 error:NULL];
    check_result([firstTime evaluateRules:NULL], FIRSTTIME_OK);
    check_result([firstTime waitForDelayedRules:NULL], FIRSTTIME_OK);
    check(fires == 1);
    check_result([firstTime removeRule:@"later" error:NULL], FIRSTTIME_OK);
}

#if defined(__BLOCKS__)
static void test_blocks(YCFirstTime *firstTime) {
    __block int count = 0;
    __block BOOL isOn = NO;
    firsttime_rule *parts[] = {YCFirstTimeRuleWithCondition(^{ return isOn; }),
                               YCFirstTimeRuleWithEvent(@"b", ^BOOL(YCFirstTimeDonations *donations) {
                                   return [donations count] > 1;
                               })};
    YCFirstTimeTrigger fires_b = ^(NSString *name) { count += [name isEqual:@"b"]; };
    YCFirstTimeTrigger posts_p = ^(NSString *name) { count += [name isEqual:@"p"]; };
    check_result([firstTime setRule:@"b" rule:firsttime_rule_all_of(parts, 2) trigger:fires_b options:NULL error:NULL],
                 FIRSTTIME_OK);
    check_result([firstTime donate:@"b" error:NULL], FIRSTTIME_OK);
    isOn = YES;
    check_result([firstTime donate:@"b" error:NULL], FIRSTTIME_OK);
    check(count == 1);
    firsttime_observer observer;
    check_result([firstTime observe:@"p" trigger:posts_p observer:&observer error:NULL], FIRSTTIME_OK);
    check_result([firstTime post:@"p" error:NULL], FIRSTTIME_OK);
    check(count == 2);
    check_result([firstTime removeRule:@"b" error:NULL], FIRSTTIME_OK);
    check_result([firstTime removeObserver:observer error:NULL], FIRSTTIME_OK);
}
#endif

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    exception = [NSException exceptionWithName:@"Example" reason:@"an example" userInfo:nil];
    YCFirstTime *firstTime = [[YCFirstTime alloc] initWithPath:@"store" error:NULL];
    test_events(firstTime);
    test_text();
    test_rules(firstTime);
    test_notifications(firstTime);
    test_raising(firstTime);
    test_delayed(firstTime);
#if defined(__BLOCKS__)
    test_blocks(firstTime);
#endif
    [firstTime release];
    [pool release];
    return 0;
}
