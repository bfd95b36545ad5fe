//! Owns how a rule fires, and the work that an executor is given.

use std::fmt;
use std::os::raw::c_void;
use std::time::Duration;

use crate::calls::{entered, ignored};
use crate::{sys, Interval};

/// Runs work elsewhere or later; see [`RuleOptions::executor`].
pub(crate) type Executor = Box<dyn Fn(Work) + Send + Sync>;

/// How a rule fires. As it is made: at once, whenever it holds.
#[derive(Default)]
pub struct RuleOptions {
    pub(crate) frequency: Option<Interval>,
    pub(crate) throttle_name: Option<String>,
    pub(crate) limit: u64,
    pub(crate) delay: Duration,
    pub(crate) executor: Option<Executor>,
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

    /// Is given the work to run, on any thread, at any time. As it is: the thread that donates or, with a delay, one of
    /// the store's.
    pub fn executor(self, executor: impl Fn(Work) + Send + Sync + 'static) -> RuleOptions {
        RuleOptions { executor: Some(Box::new(executor)), ..self }
    }
}

/// The work that an executor is given: the rule's trigger. It runs once; one that is dropped runs then.
#[derive(Debug)]
pub struct Work {
    pub(crate) work: sys::firsttime_work,
    pub(crate) argument: *mut c_void,
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
