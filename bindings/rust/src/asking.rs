//! Owns what can be asked of a store, and marked and forgotten in it.

use std::ops::ControlFlow;
use std::os::raw::{c_int, c_void};
use std::time::SystemTime;

use crate::calls::{call, guarded, string, text};
use crate::time::{from_seconds, Rounding};
use crate::{sys, Interval, Policy, Result, Store};

/// What is recorded of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The key.
    pub key: String,
    /// The app version of the last run.
    pub last_version: Option<String>,
    /// The time of the last run.
    pub last_time: Option<SystemTime>,
    /// The app version of the first run; none in legacy records.
    pub first_version: Option<String>,
    /// The time of the first run; none in legacy records.
    pub first_time: Option<SystemTime>,
    /// Runs recorded by this library; 0 in legacy records and baselines.
    pub count: u64,
}

impl Record {
    unsafe fn from_c(shown: *const sys::firsttime_record) -> Record {
        let shown = unsafe { &*shown };
        Record {
            key: unsafe { string(shown.key) }.unwrap_or_default(),
            last_version: unsafe { string(shown.last_version) },
            last_time: from_seconds(shown.last_time, Rounding::Nearest),
            first_version: unsafe { string(shown.first_version) },
            first_time: from_seconds(shown.first_time, Rounding::Nearest),
            count: shown.count,
        }
    }
}

/// What a closure that is shown things says to the library.
pub(crate) fn go_on(flow: ControlFlow<()>) -> c_int {
    c_int::from(flow.is_break())
}

/// A visitor whose context is a closure that takes the value.
extern "C" fn see<F: FnMut(Record) -> ControlFlow<()>>(
    record: *const sys::firsttime_record,
    context: *mut c_void,
) -> c_int {
    guarded(1, || go_on(unsafe { (*context.cast::<F>())(Record::from_c(record)) }))
}

pub(crate) fn closure<F>(closure: &mut F) -> *mut c_void {
    (closure as *mut F).cast()
}

pub(crate) fn is_yes(result: Result<c_int>) -> Result<bool> {
    result.map(|answer| answer == sys::FIRSTTIME_YES)
}

impl Store {
    /// Whether `key` has ever run on this install. Ignores versions and intervals.
    pub fn was_executed(&self, key: &str) -> Result<bool> {
        let key = text(key)?;
        is_yes(call(|| unsafe { sys::firsttime_was_executed(self.c(), key.as_ptr()) }))
    }

    /// Whether [`execute`](Store::execute) would run it now. Only a hint when others may run the key, too.
    pub fn is_due(&self, key: &str, policy: &Policy) -> Result<bool> {
        let key = text(key)?;
        is_yes(call(|| unsafe { sys::firsttime_is_due(self.c(), key.as_ptr(), &policy.c()) }))
    }

    /// When `key` is due next, as things stand; now when it is due already. None: never.
    pub fn next_due(&self, key: &str, policy: &Policy) -> Result<Option<SystemTime>> {
        let key = text(key)?;
        let mut time = f64::NAN;
        call(|| unsafe { sys::firsttime_next_due(self.c(), key.as_ptr(), &policy.c(), &mut time) })?;
        Ok(from_seconds(time, Rounding::Up))
    }

    /// When `key` last ran.
    pub fn last_execution(&self, key: &str) -> Result<Option<SystemTime>> {
        let key = text(key)?;
        let mut time = f64::NAN;
        call(|| unsafe { sys::firsttime_last_execution(self.c(), key.as_ptr(), &mut time) })?;
        Ok(from_seconds(time, Rounding::Nearest))
    }

    /// What is recorded of `key`.
    pub fn find(&self, key: &str) -> Result<Option<Record>> {
        fn visitor<F: FnMut(Record) -> ControlFlow<()>>(_: &F) -> sys::firsttime_record_visitor {
            see::<F>
        }
        let key = text(key)?;
        let mut found = None;
        let mut keep = |record| {
            found = Some(record);
            ControlFlow::Continue(())
        };
        let see = Some(visitor(&keep));
        call(|| unsafe { sys::firsttime_find(self.c(), key.as_ptr(), see, closure(&mut keep)) })?;
        Ok(found)
    }

    /// Shows the records whose keys begin with `prefix`, in the order of their keys' bytes, as they are at one moment.
    /// True: the visitor stopped it.
    pub fn each<F>(&self, prefix: &str, mut visitor: F) -> Result<bool>
    where
        F: FnMut(Record) -> ControlFlow<()>,
    {
        let prefix = text(prefix)?;
        is_yes(call(|| unsafe {
            sys::firsttime_each(self.c(), prefix.as_ptr(), Some(see::<F>), closure(&mut visitor))
        }))
    }

    /// The records whose keys begin with `prefix`.
    pub fn records(&self, prefix: &str) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        self.each(prefix, |record| {
            records.push(record);
            ControlFlow::Continue(())
        })?;
        Ok(records)
    }

    /// How many keys that begin with `prefix` have a record.
    pub fn count(&self, prefix: &str) -> Result<u64> {
        let prefix = text(prefix)?;
        call(|| unsafe { sys::firsttime_count(self.c(), prefix.as_ptr()) }).map(|count| count as u64)
    }

    /// Records a run of `key` now, as if its closure had just returned.
    pub fn mark(&self, key: &str) -> Result<()> {
        let key = text(key)?;
        call(|| unsafe { sys::firsttime_mark(self.c(), key.as_ptr()) }).map(drop)
    }

    /// Forgets `key`: it is due again. Whether there was a record.
    pub fn reset_key(&self, key: &str) -> Result<bool> {
        let key = text(key)?;
        is_yes(call(|| unsafe { sys::firsttime_reset_key(self.c(), key.as_ptr()) }))
    }

    /// Forgets every key that begins with `prefix`, which may not be empty: that is [`reset`](Store::reset).
    pub fn reset_prefix(&self, prefix: &str) -> Result<()> {
        let prefix = text(prefix)?;
        call(|| unsafe { sys::firsttime_reset_prefix(self.c(), prefix.as_ptr()) }).map(drop)
    }

    /// Forgets every execution record; events and triggers stay.
    pub fn reset(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_reset(self.c()) }).map(drop)
    }

    /// Whether the interval key `name` was never marked, or `interval` has passed since. Ask, do,
    /// [mark](Store::mark_run).
    pub fn should_run(&self, name: &str, interval: impl Into<Interval>) -> Result<bool> {
        let (name, interval) = (text(name)?, interval.into().0);
        is_yes(call(|| unsafe { sys::firsttime_should_run(self.c(), name.as_ptr(), interval) }))
    }

    /// Records that what `name` stands for ran now.
    pub fn mark_run(&self, name: &str) -> Result<()> {
        let name = text(name)?;
        call(|| unsafe { sys::firsttime_mark_run(self.c(), name.as_ptr()) }).map(drop)
    }

    /// Forgets the interval key `name`. Whether it was marked.
    pub fn reset_interval(&self, name: &str) -> Result<bool> {
        let name = text(name)?;
        is_yes(call(|| unsafe { sys::firsttime_reset_interval(self.c(), name.as_ptr()) }))
    }

    /// Forgets every interval key, and no other.
    pub fn reset_all_intervals(&self) -> Result<()> {
        call(|| unsafe { sys::firsttime_reset_all_intervals(self.c()) }).map(drop)
    }
}
