//! Owns running closures: what they may return, and what became of them.

use std::error::Error as StdError;
use std::os::raw::{c_int, c_void};

use crate::calls::{call, guarded, text};
use crate::{sys, ErrorCode, Interval, Policy, Result, Store};

/// What an execution did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Recorded already and not due again.
    NotDue,
    /// The closure ran, and the run is recorded: on disk, safe from a loss of power.
    Ran,
    /// Not due, and `after` ran.
    RanAfter,
    /// Never seen: recorded now, and nothing ran. See [`Policy::baseline`].
    Baselined,
}

pub(crate) type Failure = Box<dyn StdError + Send + Sync>;

/// What a closure may return: nothing, or a `Result` whose error means that the run isn't recorded.
pub trait Completion {
    /// The error, if there is one.
    fn failure(self) -> Option<Failure>;
}

impl Completion for () {
    fn failure(self) -> Option<Failure> {
        None
    }
}

impl<E: Into<Failure>> Completion for std::result::Result<(), E> {
    fn failure(self) -> Option<Failure> {
        self.err().map(Into::into)
    }
}

/// The two closures of an execution.
struct Work<First, After> {
    first: Option<First>,
    after: Option<After>,
    failure: Option<Failure>,
}

impl<First, After, R, S> Work<First, After>
where
    First: FnOnce() -> R,
    After: FnOnce() -> S,
    R: Completion,
    S: Completion,
{
    extern "C" fn run_first(context: *mut c_void) -> c_int {
        // SAFETY: the context is a Work of this type that `run` has, and the library has left alone.
        let work = unsafe { &mut *context.cast::<Self>() };
        match work.first.take() {
            Some(first) => finish(&mut work.failure, first),
            None => 1,
        }
    }

    extern "C" fn run_after(context: *mut c_void) -> c_int {
        // SAFETY: as above.
        let work = unsafe { &mut *context.cast::<Self>() };
        match work.after.take() {
            Some(after) => finish(&mut work.failure, after),
            None => 1,
        }
    }
}

/// Calls a closure for the library, and keeps its error.
pub(crate) fn finish<R: Completion>(failure: &mut Option<Failure>, closure: impl FnOnce() -> R) -> c_int {
    guarded(1, || {
        *failure = closure().failure();
        c_int::from(failure.is_some())
    })
}

type Call<'a> = &'a mut dyn FnMut(sys::firsttime_callback, Option<sys::firsttime_callback>, *mut c_void) -> c_int;

fn run<R: Completion, S: Completion>(
    first: impl FnOnce() -> R,
    after: Option<impl FnOnce() -> S>,
    execute: Call<'_>,
) -> Result<Outcome> {
    fn callbacks<First, After, R, S>(_: &Work<First, After>) -> (sys::firsttime_callback, sys::firsttime_callback)
    where
        First: FnOnce() -> R,
        After: FnOnce() -> S,
        R: Completion,
        S: Completion,
    {
        (Work::<First, After>::run_first, Work::<First, After>::run_after)
    }

    let mut work = Work { first: Some(first), after, failure: None };
    let (run_first, run_after) = callbacks(&work);
    let run_after = work.after.is_some().then_some(run_after);
    let context: *mut c_void = (&mut work as *mut Work<_, _>).cast();
    match call(|| execute(run_first, run_after, context)) {
        Ok(sys::FIRSTTIME_RAN) => Ok(Outcome::Ran),
        Ok(sys::FIRSTTIME_RAN_AFTER) => Ok(Outcome::RanAfter),
        Ok(sys::FIRSTTIME_BASELINED) => Ok(Outcome::Baselined),
        Ok(_) => Ok(Outcome::NotDue),
        Err(error) if error.code() == ErrorCode::Callback => Err(error.with_source(work.failure)),
        Err(error) => Err(error),
    }
}

const NOTHING: Option<fn()> = None;

impl Store {
    /// Runs `first` if `key` has never run on this install, and records it when it returns. See [`Completion`] for what
    /// it may return.
    pub fn execute_once<R: Completion>(&self, key: &str, first: impl FnOnce() -> R) -> Result<Outcome> {
        let key = text(key)?;
        run(first, NOTHING, &mut |first, after, context| unsafe {
            sys::firsttime_execute_once(self.c(), key.as_ptr(), Some(first), after, context)
        })
    }

    /// The same, once per app version.
    pub fn execute_once_per_version<R: Completion>(&self, key: &str, first: impl FnOnce() -> R) -> Result<Outcome> {
        let key = text(key)?;
        run(first, NOTHING, &mut |first, after, context| unsafe {
            sys::firsttime_execute_once_per_version(self.c(), key.as_ptr(), Some(first), after, context)
        })
    }

    /// The same, once per interval: a [`Duration`](std::time::Duration) or an [`Interval`].
    pub fn execute_once_per_interval<R: Completion>(
        &self,
        key: &str,
        interval: impl Into<Interval>,
        first: impl FnOnce() -> R,
    ) -> Result<Outcome> {
        let (key, interval) = (text(key)?, interval.into().0);
        run(first, NOTHING, &mut |first, after, context| unsafe {
            sys::firsttime_execute_once_per_interval(self.c(), key.as_ptr(), interval, Some(first), after, context)
        })
    }

    /// The same under any policy.
    pub fn execute<R: Completion>(&self, key: &str, policy: &Policy, first: impl FnOnce() -> R) -> Result<Outcome> {
        self.execute_with(key, policy, first, NOTHING)
    }

    /// The same, with what to do when it isn't due, which is never recorded.
    pub fn execute_or<R: Completion, S: Completion>(
        &self,
        key: &str,
        policy: &Policy,
        first: impl FnOnce() -> R,
        after: impl FnOnce() -> S,
    ) -> Result<Outcome> {
        self.execute_with(key, policy, first, Some(after))
    }

    fn execute_with<R: Completion, S: Completion>(
        &self,
        key: &str,
        policy: &Policy,
        first: impl FnOnce() -> R,
        after: Option<impl FnOnce() -> S>,
    ) -> Result<Outcome> {
        let (key, policy) = (text(key)?, policy.c());
        run(first, after, &mut |first, after, context| unsafe {
            sys::firsttime_execute(self.c(), key.as_ptr(), &policy, Some(first), after, context)
        })
    }
}
