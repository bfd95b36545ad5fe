//! Owns the open store: opening and closing it, and the seams for tests.

use std::cell::RefCell;
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::os::raw::{c_char, c_void};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::calls::{call, context, guarded, guarded_result, ignored, release, text};
use crate::{sys, time, Options, Result};

/// An open store: the records of one app, in one file. Any thread may use it, several processes may share the file, and
/// it works on in a forked child. Dropping it closes it; [`close`](Store::close) also says what could not be written.
#[derive(Debug)]
pub struct Store {
    pointer: *mut sys::firsttime_store,
}

// SAFETY: firsttime.h: a store may be used from any number of threads at once, and closed by any.
unsafe impl Send for Store {}
unsafe impl Sync for Store {}

impl Store {
    /// Opens a store.
    pub fn open(options: &Options) -> Result<Store> {
        Ok(Store { pointer: options.open()? })
    }

    /// The program's default store, which lives until the program ends.
    pub fn shared() -> Result<&'static Store> {
        static SHARED: Mutex<Option<&'static Store>> = Mutex::new(None);
        let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(store) = *shared {
            return Ok(store);
        }
        // SAFETY: needs nothing.
        let mut pointer = unsafe { sys::firsttime_shared() };
        if pointer.is_null() {
            // It gives the reason only in words: opening the same file gives its code, too.
            drop(Store::open(&Options::new())?);
            pointer = unsafe { sys::firsttime_shared() };
        }
        let store: &'static Store = Box::leak(Box::new(Store { pointer }));
        if !pointer.is_null() {
            *shared = Some(store);
        }
        Ok(store)
    }

    /// Writes what is pending and closes the store. After a failure it is closed, too.
    pub fn close(self) -> Result<()> {
        let store = ManuallyDrop::new(self);
        // SAFETY: nobody else has it: it was passed by value.
        call(|| unsafe { sys::firsttime_close(store.pointer) }).map(drop)
    }

    /// Makes the archive file current: on disk, with everything that was recorded.
    pub fn flush(&self) -> Result<()> {
        // SAFETY: here and in every other function: a store is open as long as there is a reference to it, and what is
        // passed lives for the call.
        call(|| unsafe { sys::firsttime_flush(self.c()) }).map(drop)
    }

    /// The archive file's absolute path; empty in memory.
    pub fn path(&self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        let path = unsafe { sys::firsttime_path(self.c()) };
        if path.is_null() {
            return PathBuf::new();
        }
        let bytes = unsafe { std::ffi::CStr::from_ptr(path) }.to_bytes().to_vec();
        std::ffi::OsString::from_vec(bytes).into()
    }

    /// Replaces the clock, for tests. Any thread may call it, several at once.
    pub fn set_clock<F>(&self, clock: F)
    where
        F: Fn() -> SystemTime + Send + Sync + 'static,
    {
        ignored(|| unsafe {
            sys::firsttime_set_clock(self.c(), Some(ask_clock::<F>), context(clock), Some(release::<F>))
        });
    }

    /// The system's clock again.
    pub fn reset_clock(&self) {
        ignored(|| unsafe { sys::firsttime_set_clock(self.c(), None, std::ptr::null_mut(), None) });
    }

    /// Replaces the source of the app's version. Any thread may call it, several at once.
    pub fn set_version_provider<F>(&self, provider: F)
    where
        F: Fn() -> Option<String> + Send + Sync + 'static,
    {
        ignored(|| unsafe {
            let ask = Some(ask_version::<F> as sys::firsttime_version_provider);
            sys::firsttime_set_version_provider(self.c(), ask, context(provider), Some(release::<F>))
        });
    }

    /// The version given when opening again.
    pub fn reset_version_provider(&self) {
        ignored(|| unsafe { sys::firsttime_set_version_provider(self.c(), None, std::ptr::null_mut(), None) });
    }

    pub(crate) fn c(&self) -> *mut sys::firsttime_store {
        self.pointer
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        ignored(|| unsafe { sys::firsttime_close(self.pointer) });
    }
}

extern "C" fn ask_clock<F: Fn() -> SystemTime>(context: *mut c_void) -> f64 {
    // NaN makes the call that asks fail before anything runs.
    guarded(f64::NAN, || time::to_seconds(unsafe { &*context.cast::<F>() }()))
}

extern "C" fn ask_version<F: Fn() -> Option<String>>(context: *mut c_void) -> *const c_char {
    thread_local! {
        /// Lives until the library has copied it.
        static VERSION: RefCell<CString> = RefCell::default();
    }
    // What isn't UTF-8 does the same.
    guarded_result(b"\xff\0".as_ptr().cast(), || {
        let version = match unsafe { &*context.cast::<F>() }() {
            Some(version) => text(&version)?,
            None => return Ok(std::ptr::null()),
        };
        Ok(VERSION.with(|kept| {
            *kept.borrow_mut() = version;
            kept.borrow().as_ptr()
        }))
    })
}
