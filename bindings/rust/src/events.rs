//! Owns the events, rules, triggers and observers of a store. What a rule says is the rule's affair.

use std::fmt;
use std::mem::size_of;
use std::ops::ControlFlow;
use std::os::raw::{c_char, c_int, c_void};
use std::time::{Duration, SystemTime};

use crate::asking::{closure, go_on, is_yes};
use crate::calls::{call, context, entered, guarded, ignored, pointer, release, string, text, text_or_null};
use crate::time::{from_seconds, Rounding};
use crate::{sys, Interval, Result, Rule, Store};

/// What is known of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Donations {
    /// The event's name.
    pub event: String,
    /// How often it was donated.
    pub count: u64,
    /// The time of the first donation.
    pub first_time: Option<SystemTime>,
    /// The time of the last donation.
    pub last_time: Option<SystemTime>,
    /// The app version of the first donation.
    pub first_version: Option<String>,
    /// The app version of the last donation.
    pub last_version: Option<String>,
}

impl Donations {
    pub(crate) unsafe fn from_c(shown: *const sys::firsttime_donations) -> Donations {
        let shown = unsafe { &*shown };
        Donations {
            event: unsafe { string(shown.event) }.unwrap_or_default(),
            count: shown.count,
            first_time: from_seconds(shown.first_time, Rounding::Nearest),
            last_time: from_seconds(shown.last_time, Rounding::Nearest),
            first_version: unsafe { string(shown.first_version) },
            last_version: unsafe { string(shown.last_version) },
        }
    }
}

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

/// Runs work elsewhere or later; see [`RuleOptions::executor`].
type Executor = Box<dyn Fn(Work) + Send + Sync>;

/// How a rule fires. As it is made: at once, whenever it holds.
#[derive(Default)]
pub struct RuleOptions {
    frequency: Option<Interval>,
    throttle_name: Option<String>,
    limit: u64,
    delay: Duration,
    executor: Option<Executor>,
}

impl fmt::Debug for RuleOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RuleOptions")
            .field("limit", &self.limit)
            .field("delay", &self.delay)
            .finish_non_exhaustive()
    }
}

impl RuleOptions {
    /// The defaults.
    pub fn new() -> RuleOptions {
        RuleOptions::default()
    }

    /// Fires at most once per interval.
    pub fn frequency(self, frequency: impl Into<Interval>) -> RuleOptions {
        RuleOptions { frequency: Some(frequency.into()), ..self }
    }

    /// Rules with the same one rest together. As it is: the rule's own name.
    pub fn throttle_name(self, name: impl Into<String>) -> RuleOptions {
        RuleOptions { throttle_name: Some(name.into()), ..self }
    }

    /// Fires at most this often, ever; 0: no limit.
    pub fn limit(self, limit: u64) -> RuleOptions {
        RuleOptions { limit, ..self }
    }

    /// Fires so much later, if it still holds then. As it is: inside the donation.
    pub fn delay(self, delay: Duration) -> RuleOptions {
        RuleOptions { delay, ..self }
    }

    /// Is given the work to run, on any thread, at any time. As it is: the thread that donates or, with a delay, one of the
    /// store's.
    pub fn executor(self, executor: impl Fn(Work) + Send + Sync + 'static) -> RuleOptions {
        RuleOptions { executor: Some(Box::new(executor)), ..self }
    }
}

/// The work that an executor is given: the rule's trigger. It runs once; one that is dropped runs then.
#[derive(Debug)]
pub struct Work {
    work: sys::firsttime_work,
    argument: *mut c_void,
}

// SAFETY: firsttime.h: any thread may call it.
unsafe impl Send for Work {}

impl Work {
    /// Runs it. A panic of the trigger's goes on here.
    pub fn run(self) {
        drop(self);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // SAFETY: called once, here.
        let run = || unsafe { (self.work)(self.argument) };
        if std::thread::panicking() {
            ignored(run);
        } else {
            let _ = entered(run);
        }
    }
}

/// What the library holds on to for a rule or an observer.
struct Fired<F> {
    fire: F,
    executor: Option<Executor>,
}

impl<F: Fn(&str)> Fired<F> {
    extern "C" fn fire(name: *const c_char, context: *mut c_void) {
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

/// A closure that is told of notifications, until this is dropped.
#[derive(Debug)]
#[must_use = "an observer that is dropped is told of nothing"]
pub struct Observer<'store> {
    store: &'store Store,
    number: sys::firsttime_observer,
}

impl Observer<'_> {
    /// Leaves it until the store is closed.
    pub fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Observer<'_> {
    fn drop(&mut self) {
        ignored(|| unsafe { sys::firsttime_remove_observer(self.store.c(), self.number) });
    }
}

impl Store {
    /// Counts `event`, then asks the rules.
    pub fn donate(&self, event: &str) -> Result<()> {
        let event = text(event)?;
        call(|| unsafe { sys::firsttime_donate(self.c(), event.as_ptr()) }).map(drop)
    }

    /// What is known of `event`.
    pub fn find_donations(&self, event: &str) -> Result<Option<Donations>> {
        extern "C" fn see(shown: *const sys::firsttime_donations, context: *mut c_void) -> c_int {
            guarded(1, || {
                unsafe { *context.cast::<Option<Donations>>() = Some(Donations::from_c(shown)) };
                0
            })
        }
        let event = text(event)?;
        let mut found = None;
        call(|| unsafe { sys::firsttime_find_donations(self.c(), event.as_ptr(), Some(see), closure(&mut found)) })?;
        Ok(found)
    }

    /// Shows what is known of every event, in the order of their names' bytes. True: the visitor stopped it.
    pub fn each_donations<F>(&self, mut visitor: F) -> Result<bool>
    where
        F: FnMut(Donations) -> ControlFlow<()>,
    {
        extern "C" fn see<F>(shown: *const sys::firsttime_donations, context: *mut c_void) -> c_int
        where
            F: FnMut(Donations) -> ControlFlow<()>,
        {
            guarded(1, || go_on(unsafe { (*context.cast::<F>())(Donations::from_c(shown)) }))
        }
        is_yes(call(|| unsafe { sys::firsttime_each_donations(self.c(), Some(see::<F>), closure(&mut visitor)) }))
    }

    /// Forgets `event`.
    pub fn reset_donations(&self, event: &str) -> Result<()> {
        let event = text(event)?;
        call(|| unsafe { sys::firsttime_reset_donations(self.c(), event.as_ptr()) }).map(drop)
    }

    /// Forgets every event.
    pub fn reset_all_donations(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_reset_donations(self.c(), std::ptr::null()) }).map(drop)
    }

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

    /// Calls the closure with the name whenever `name` is posted, on the thread that posts.
    pub fn observe<F>(&self, name: &str, told: F) -> Result<Observer<'_>>
    where
        F: Fn(&str) + Send + Sync + 'static,
    {
        let name = text(name)?;
        let mut number = 0;
        let context = context(Fired { fire: told, executor: None });
        call(|| unsafe {
            let release = Some(release::<Fired<F>> as sys::firsttime_release);
            sys::firsttime_observe(self.c(), name.as_ptr(), Some(Fired::<F>::fire), context, release, &mut number)
        })?;
        Ok(Observer { store: self, number })
    }

    /// Tells the observers of `name`.
    pub fn post(&self, name: &str) -> Result<()> {
        let name = text(name)?;
        call(|| unsafe { sys::firsttime_post(self.c(), name.as_ptr()) }).map(drop)
    }
}
