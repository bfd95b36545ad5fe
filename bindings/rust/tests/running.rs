//! Running closures: outcomes, errors, panics, claims, threads, opening and closing.

mod common;
use common::*;

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::Duration;

use firsttime::{Claim, Error, ErrorCode, Interval, Options, Outcome, Policy, Store};

const DAY: Duration = Duration::from_secs(86400);

fn must_not_run() {
    panic!("this must not run");
}

#[test]
fn each_outcome() {
    let store = in_memory();
    let moved = String::from("moved in");
    assert_eq!(store.execute_once("key", move || drop(moved)).unwrap(), Outcome::Ran);
    assert_eq!(store.execute_once("key", must_not_run).unwrap(), Outcome::NotDue);
    let mut ran = false;
    assert_eq!(store.execute_or("key", &Policy::once(), must_not_run, || ran = true).unwrap(), Outcome::RanAfter);
    assert!(ran);
    assert_eq!(store.execute_or("both", &Policy::once(), || (), must_not_run).unwrap(), Outcome::Ran);
    assert_eq!(store.execute_once_per_version("version", || ()).unwrap(), Outcome::Ran);
    assert_eq!(store.execute_once_per_version("version", must_not_run).unwrap(), Outcome::NotDue);
    assert_eq!(store.execute_once_per_interval("interval", DAY, || ()).unwrap(), Outcome::Ran);
    let daily = Interval::daily();
    assert_eq!(store.execute_once_per_interval("interval", daily, must_not_run).unwrap(), Outcome::NotDue);
    let policy = Policy::once().per_version().per_interval(DAY).no_wait();
    assert_eq!(store.execute("policy", &policy, || ()).unwrap(), Outcome::Ran);
    assert_eq!(store.execute("seen", &policy.baseline(), must_not_run).unwrap(), Outcome::Baselined);
}

#[test]
fn an_error_leaves_it_unrecorded_and_is_the_source() {
    let store = in_memory();
    let error = store.execute_once("key", || Err::<(), _>(io::Error::new(io::ErrorKind::Other, "words"))).unwrap_err();
    assert_eq!((error.code(), error.code().name().as_str()), (ErrorCode::Callback, "FIRSTTIME_ERROR_CALLBACK"));
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "words");
    assert!(error.into_source().unwrap().downcast::<io::Error>().is_ok());
    assert!(!store.was_executed("key").unwrap());
    assert_eq!(store.execute_once("key", || Ok::<(), String>(())).unwrap(), Outcome::Ran);
    let after = || Err::<(), _>("after");
    assert_eq!(code(store.execute_or("key", &Policy::once(), must_not_run, after)), ErrorCode::Callback);
    assert_eq!(store.find("key").unwrap().unwrap().count, 1);
}

#[test]
fn a_panic_goes_on_after_the_call_and_leaves_it_unrecorded() {
    let store = in_memory();
    assert_eq!(panic_of(|| store.execute_once("key", || silent_panic::<()>(1))), 1);
    assert!(!store.was_executed("key").unwrap());
    assert_eq!(panic_of(|| store.execute("careful", &Policy::once().at_most_once(), || silent_panic::<()>(2))), 2);
    assert!(!store.was_executed("careful").unwrap());
    store.mark("key").unwrap();
    assert_eq!(panic_of(|| store.execute_or("key", &Policy::once(), || (), || silent_panic::<()>(3))), 3);
    let outer = || {
        assert_eq!(panic_of(|| store.execute_once("inner", || silent_panic::<()>(4))), 4);
        assert_eq!(code(store.execute_once("outer", || ())), ErrorCode::Reentrant);
        assert_eq!(code(store.mark("")), ErrorCode::Argument);
    };
    assert_eq!(store.execute_once("outer", outer).unwrap(), Outcome::Ran);
}

#[test]
fn failures_of_calls_inside_pass_through() {
    let store = in_memory();
    let error = store.execute_once("key", || store.mark("")).unwrap_err();
    let inner = error.into_source().unwrap().downcast::<Error>().unwrap();
    assert_eq!(inner.code(), ErrorCode::Argument);
}

#[test]
fn claims() {
    let store = in_memory();
    let once = Policy::once();
    drop(store.begin("key", &once).unwrap().unwrap());
    let claim = store.begin("key", &once).unwrap().unwrap();
    assert_eq!(code(store.begin("key", &once)), ErrorCode::Reentrant);
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(code(store.begin("key", &once.no_wait())), ErrorCode::Busy));
    });
    claim.abandon();
    let fails = || -> Result<(), Error> {
        let _claim: Option<Claim> = store.begin("key", &once)?;
        store.mark("")?;
        Ok(())
    };
    assert_eq!(code(fails()), ErrorCode::Argument);
    let claim = store.begin("key", &once).unwrap().unwrap();
    thread::spawn(move || claim.commit().unwrap()).join().unwrap();
    assert!(store.begin("key", &once).unwrap().is_none());
    assert!(store.begin("seen", &once.baseline()).unwrap().is_none());
    assert!(store.was_executed("seen").unwrap());
    let late = store.begin("late", &once).unwrap().unwrap();
    store.close().unwrap();
    assert_eq!(code(late.commit()), ErrorCode::NotRecorded);
}

#[test]
fn threads_run_each_key_once() {
    let path = TemporaryPath::new();
    let store = Arc::new(path.open());
    let (runs, panics) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let (store, runs, panics) = (store.clone(), runs.clone(), panics.clone());
            thread::spawn(move || {
                for key in 0..50 {
                    let run = || {
                        runs.fetch_add(1, Ordering::SeqCst);
                    };
                    store.execute_once(&key.to_string(), run).unwrap();
                }
                panic_of(|| store.execute_once("panics", || silent_panic::<()>(1)));
                panics.fetch_add(1, Ordering::SeqCst);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!((runs.load(Ordering::SeqCst), panics.load(Ordering::SeqCst)), (50, 8));
}

#[test]
fn a_second_thread_waits_for_the_first() {
    let store = in_memory();
    let (began, begins) = mpsc::channel();
    thread::scope(|scope| {
        let store = &store;
        scope.spawn(move || {
            let slow = || {
                began.send(()).unwrap();
                thread::yield_now();
            };
            assert_eq!(store.execute_once("key", slow).unwrap(), Outcome::Ran);
        });
        begins.recv().unwrap();
        assert_eq!(store.execute_once("key", must_not_run).unwrap(), Outcome::NotDue);
    });
}

#[test]
fn opening_and_closing() {
    let path = TemporaryPath::new();
    let store = path.open();
    store.mark("key").unwrap();
    assert_eq!(store.path().file_name(), path.0.file_name());
    assert!(!path.0.exists());
    store.flush().unwrap();
    assert!(path.0.exists());
    drop(store);
    let store = Store::open(&path.options().read_only().wait(Duration::ZERO).run_if_unwritable()).unwrap();
    assert!(store.was_executed("key").unwrap());
    assert_eq!(code(store.mark("other")), ErrorCode::ReadOnly);
    drop(store);
    std::fs::write(&path.0, "no archive").unwrap();
    assert_eq!(code(Store::open(&path.options())), ErrorCode::Corrupt);
    assert_eq!(Store::open(&path.options().recover()).unwrap().count("").unwrap(), 0);

    let nowhere = Options::new().path("/dev/null/store");
    let error = Store::open(&nowhere).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Io);
    assert!(error.to_string().contains("/dev/null"), "{error}");
    for wrong in [
        Options::new().path("a\0b"),
        Options::new().in_memory().first_weekday(9),
        Options::new().in_memory().utc_offset_minutes(5000),
        Options::new().app_id("a/b"),
    ] {
        assert_eq!(code(Store::open(&wrong)), ErrorCode::Argument);
    }
    let long = Options::new().in_memory().wait(Duration::MAX);
    assert_eq!(Store::open(&long).unwrap().path().as_os_str(), "");
}

extern "C" {
    fn fork() -> i32;
    fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

#[test]
fn only_the_parent_records_when_a_closure_forks() {
    let path = TemporaryPath::new();
    let store = path.open();
    let mut child = -1;
    let result = store.execute_once("key", || child = unsafe { fork() });
    if child == 0 {
        let forked = matches!(&result, Err(error) if error.code() == ErrorCode::Forked);
        unsafe { _exit(if forked { 0 } else { 1 }) };
    }
    let mut status = -1;
    assert_eq!((unsafe { waitpid(child, &mut status, 0) }, status), (child, 0));
    assert_eq!(result.unwrap(), Outcome::Ran);
    let child = unsafe { fork() };
    if child == 0 {
        let ran = store.execute_once("child", || ());
        unsafe { _exit(if ran.is_ok() { 0 } else { 1 }) };
    }
    assert_eq!((unsafe { waitpid(child, &mut status, 0) }, status), (child, 0));
    assert!(store.was_executed("child").unwrap());
}
