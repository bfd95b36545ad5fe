//! Owns events: what was donated.

use std::ops::ControlFlow;
use std::os::raw::{c_int, c_void};
use std::time::SystemTime;

use crate::asking::{closure, go_on, is_yes};
use crate::calls::{call, guarded, string, text};
use crate::time::{from_seconds, Rounding};
use crate::{sys, Result, Store};

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
}
