//! Owns the rules that are set on a store, and how often they have fired. What a rule says is the rule's affair.

use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_void};
use std::time::SystemTime;

use crate::asking::{closure, is_yes};
use crate::calls::{call, context, guarded, pointer, release, string, text, text_or_null};
use crate::rule_options::Executor;
use crate::time::{from_seconds, Rounding};
use crate::{sys, Result, Rule, RuleOptions, Store, Work};

/// How often a rule has fired, and when last.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TriggerRecord {
    /// The rule's name, or the throttle's.
    pub name: String,
    /// When it fired last.
    pub last_time: Option<SystemTime>,
    /// How often.
    pub count: u64,
}

/// What the library holds on to for a rule or an observer.
pub(crate) struct Fired<F> {
    pub(crate) fire: F,
    pub(crate) executor: Option<Executor>,
}

impl<F: Fn(&str)> Fired<F> {
    pub(crate) extern "C" fn fire(name: *const c_char, context: *mut c_void) {
        guarded((), || unsafe { ((*context.cast::<Self>()).fire)(&string(name).unwrap_or_default()) });
    }

    extern "C" fn execute(queue: *mut c_void, work: sys::firsttime_work, argument: *mut c_void) {
        let work = Work { work, argument };
        guarded((), || {
            if let Some(executor) = unsafe { &(*queue.cast::<Self>()).executor } {
                executor(work);
            }
        });
    }
}

impl Store {
    /// Calls `trigger` with the rule's name whenever `rule` holds at a donation.
    pub fn set_rule<F>(&self, name: &str, rule: Rule, trigger: F, options: RuleOptions) -> Result<()>
    where
        F: Fn(&str) + Send + Sync + 'static,
    {
        self.set(name, rule, Some(Fired::<F>::fire), trigger, options)
    }

    /// The same without a trigger: posts the rule's name. See [`observe`](Store::observe).
    pub fn set_posting_rule(&self, name: &str, rule: Rule, options: RuleOptions) -> Result<()> {
        self.set(name, rule, None, |_: &str| (), options)
    }

    fn set<F: Fn(&str)>(
        &self,
        name: &str,
        rule: Rule,
        trigger: Option<sys::firsttime_trigger>,
        fire: F,
        options: RuleOptions,
    ) -> Result<()> {
        let name = text(name)?;
        let throttle_name = text_or_null(options.throttle_name.as_deref())?;
        let rule = rule.into_c()?;
        let execute = options.executor.as_ref().map(|_| Fired::<F>::execute as _);
        // The library owns the rule and the context from here on, whatever comes of the call.
        let context = context(Fired { fire, executor: options.executor });
        let none = sys::firsttime_interval { count: 0.0, unit: 0, kind: 0 };
        let options = sys::firsttime_rule_options {
            size: size_of::<sys::firsttime_rule_options>(),
            frequency: options.frequency.map_or(none, |frequency| frequency.0),
            throttle_name: pointer(&throttle_name),
            limit: options.limit,
            delay_seconds: options.delay.as_secs_f64(),
            executor: execute,
            queue: context,
            release: Some(release::<Fired<F>>),
        };
        call(|| unsafe { sys::firsttime_set_rule(self.c(), name.as_ptr(), rule, trigger, context, &options) }).map(drop)
    }

    /// Removes the rule, if there is one. What was counted of it stays.
    pub fn remove_rule(&self, name: &str) -> Result<()> {
        let name = text(name)?;
        call(|| unsafe { sys::firsttime_remove_rule(self.c(), name.as_ptr()) }).map(drop)
    }

    /// Whether there is a rule of this name.
    pub fn is_rule_registered(&self, name: &str) -> Result<bool> {
        let name = text(name)?;
        is_yes(call(|| unsafe { sys::firsttime_is_rule_registered(self.c(), name.as_ptr()) }))
    }

    /// The rules' names, in the order in which they were first set.
    pub fn rules(&self) -> Result<Vec<String>> {
        extern "C" fn see(name: *const c_char, context: *mut c_void) -> c_int {
            guarded(1, || {
                unsafe { (*context.cast::<Vec<String>>()).extend(string(name)) };
                0
            })
        }
        let mut names = Vec::new();
        call(|| unsafe { sys::firsttime_each_rule(self.c(), Some(see), closure(&mut names)) })?;
        Ok(names)
    }

    /// How often the rule or the throttle that is called `name` has fired.
    pub fn find_trigger(&self, name: &str) -> Result<Option<TriggerRecord>> {
        extern "C" fn see(shown: *const sys::firsttime_trigger_record, context: *mut c_void) -> c_int {
            guarded(1, || {
                let shown = unsafe { &*shown };
                let record = TriggerRecord {
                    name: unsafe { string(shown.name) }.unwrap_or_default(),
                    last_time: from_seconds(shown.last_time, Rounding::Nearest),
                    count: shown.count,
                };
                unsafe { *context.cast::<Option<TriggerRecord>>() = Some(record) };
                0
            })
        }
        let name = text(name)?;
        let mut found = None;
        call(|| unsafe { sys::firsttime_find_trigger(self.c(), name.as_ptr(), Some(see), closure(&mut found)) })?;
        Ok(found)
    }

    /// Forgets how often the rule or the throttle has fired.
    pub fn reset_trigger(&self, name: &str) -> Result<()> {
        let name = text(name)?;
        call(|| unsafe { sys::firsttime_reset_trigger(self.c(), name.as_ptr()) }).map(drop)
    }

    /// Forgets it of all.
    pub fn reset_all_triggers(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_reset_trigger(self.c(), std::ptr::null()) }).map(drop)
    }

    /// Asks the rules without a donation.
    pub fn evaluate_rules(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_evaluate_rules(self.c()) }).map(drop)
    }

    /// Waits until no rule waits for its delay.
    pub fn wait_for_delayed_rules(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_wait_for_delayed_rules(self.c()) }).map(drop)
    }
}
