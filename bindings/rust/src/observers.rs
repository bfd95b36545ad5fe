//! Owns notifications: names that are posted, and closures that are told.

use crate::calls::{call, context, ignored, release, text};
use crate::triggers::Fired;
use crate::{sys, Result, Store};

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
