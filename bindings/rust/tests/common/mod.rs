//! What the tests share: stores of a test's own.
#![allow(dead_code)] // each test uses what it needs

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use firsttime::{Error, ErrorCode, Options, Store};

pub fn in_memory() -> Store {
    Store::open(&Options::new().in_memory().app_version("1.9")).unwrap()
}

/// A path in a directory that is removed with it.
pub struct TemporaryPath(pub PathBuf);

impl TemporaryPath {
    pub fn new() -> TemporaryPath {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("firsttime-rust-{}-{}", std::process::id(), number));
        std::fs::create_dir(&directory).unwrap();
        TemporaryPath(directory.join("store.archive"))
    }

    pub fn options(&self) -> Options {
        Options::new().path(&self.0).relaxed()
    }

    pub fn open(&self) -> Store {
        Store::open(&self.options()).unwrap()
    }
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

/// A clock that stands still, in November 2023, until it is moved.
#[derive(Clone)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    pub fn of(store: &Store) -> Clock {
        let clock = Clock(Arc::new(AtomicU64::new(1_700_000_000_250_000)));
        let its = clock.clone();
        store.set_clock(move || its.now());
        clock
    }

    pub fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_micros(self.0.load(Ordering::SeqCst))
    }

    pub fn set(&self, time: SystemTime) {
        self.0.store(time.duration_since(UNIX_EPOCH).unwrap().as_micros() as u64, Ordering::SeqCst);
    }

    pub fn advance(&self, time: Duration) {
        self.set(self.now() + time);
    }
}

pub fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorCode {
    let error = result.unwrap_err();
    assert!(!error.to_string().is_empty());
    error.code()
}

/// What a closure panics with, as the number it is.
pub fn panic_of<T>(closure: impl FnOnce() -> T) -> i32 {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(closure));
    *caught.err().expect("it should panic").downcast::<i32>().unwrap()
}

/// Panics without a message on the terminal.
pub fn silent_panic<T>(number: i32) -> T {
    std::panic::resume_unwind(Box::new(number))
}
