//! Owns a key that was taken without a closure.

use std::mem::ManuallyDrop;

use crate::calls::{call, ignored, text};
use crate::{sys, Policy, Result, Store};

/// A key that is yours to run, for work that ends later or on another thread. While it is open nobody else runs the
/// key. [`commit`](Claim::commit) records the run; dropping it doesn't, and the key stays due.
#[derive(Debug)]
#[must_use = "a claim that is dropped records nothing"]
pub struct Claim {
    pointer: *mut sys::firsttime_claim,
}

// SAFETY: firsttime.h: the claim belongs to no thread: any may end it. A shared one has no functions.
unsafe impl Send for Claim {}
unsafe impl Sync for Claim {}

impl Claim {
    /// Records the run. The claim is over, whatever comes of it.
    pub fn commit(self) -> Result<()> {
        let claim = ManuallyDrop::new(self);
        // SAFETY: nobody else has it, and it isn't dropped.
        call(|| unsafe { sys::firsttime_commit(claim.pointer) }).map(drop)
    }

    /// Gives the key back and records nothing, as dropping does.
    pub fn abandon(self) {}
}

impl Drop for Claim {
    fn drop(&mut self) {
        // SAFETY: it wasn't committed.
        ignored(|| unsafe { sys::firsttime_abandon(self.pointer) });
    }
}

impl Store {
    /// Takes `key` if it is due. None: it isn't, or it was recorded now as a [baseline](Policy::baseline).
    pub fn begin(&self, key: &str, policy: &Policy) -> Result<Option<Claim>> {
        let key = text(key)?;
        let mut claim = std::ptr::null_mut();
        call(|| unsafe { sys::firsttime_begin(self.c(), key.as_ptr(), &policy.c(), &mut claim) })?;
        Ok((!claim.is_null()).then(|| Claim { pointer: claim }))
    }
}
