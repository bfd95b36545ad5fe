//! Asking, marking, intervals, times, seams, imports.

mod common;
use common::*;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use firsttime::{ErrorCode, Format, ImportOptions, Interval, Options, Policy, Store, Unit};

const DAY: Duration = Duration::from_secs(86400);

fn in_utc() -> (Store, Clock) {
    let store = Store::open(&Options::new().in_memory().app_version("1.0").utc_offset_minutes(0)).unwrap();
    let clock = Clock::of(&store);
    (store, clock)
}

#[test]
fn records() {
    let (store, clock) = in_utc();
    assert!(store.find("a").unwrap().is_none() && store.last_execution("a").unwrap().is_none());
    for key in ["b.2", "a", "b.1"] {
        store.mark(key).unwrap();
    }
    let record = store.find("b.1").unwrap().unwrap();
    assert_eq!((record.key.as_str(), record.count), ("b.1", 1));
    assert_eq!((record.last_time, record.first_time), (Some(clock.now()), Some(clock.now())));
    assert_eq!((record.last_version.as_deref(), record.first_version.as_deref()), (Some("1.0"), Some("1.0")));
    assert_eq!(store.last_execution("a").unwrap(), Some(clock.now()));
    let keys = |prefix| store.records(prefix).unwrap().into_iter().map(|record| record.key).collect::<Vec<_>>();
    assert_eq!(
        (keys(""), keys("b.")),
        (vec!["a".into(), "b.1".into(), "b.2".into()], vec!["b.1".into(), "b.2".into()])
    );
    assert_eq!((store.count("").unwrap(), store.count("b.").unwrap()), (3, 2));
    let mut seen = 0;
    let stop = |_| {
        seen += 1;
        ControlFlow::Break(())
    };
    assert!(store.each("", stop).unwrap());
    assert_eq!(seen, 1);
    assert_eq!(panic_of(|| store.each("", |_| silent_panic(7))), 7);
    assert_eq!((store.reset_key("a").unwrap(), store.reset_key("a").unwrap()), (true, false));
    store.reset_prefix("b.2").unwrap();
    assert_eq!(code(store.reset_prefix("")), ErrorCode::Argument);
    assert_eq!(keys(""), ["b.1"]);
    store.reset().unwrap();
    assert_eq!(store.count("").unwrap(), 0);
    for wrong in ["", "a\0b"] {
        assert_eq!(code(store.mark(wrong)), ErrorCode::Argument);
    }
}

#[test]
fn when_a_key_is_due() {
    let (store, clock) = in_utc(); // Tuesday, 14 November 2023, 22:13:20.25
    let now = clock.now();
    let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
    assert_eq!(store.next_due("key", &Policy::once()).unwrap(), Some(now));
    store.mark("key").unwrap();
    assert!(!store.is_due("key", &Policy::once()).unwrap());
    assert_eq!(store.next_due("key", &Policy::once()).unwrap(), None);
    for (interval, due) in [
        (DAY.into(), now + DAY),
        (Duration::from_millis(500).into(), now + Duration::from_millis(500)),
        (Interval::days(0.5), now + DAY / 2),
        (Interval::elapsed(3.0, Unit::Minute), now + Duration::from_secs(180)),
        (Interval::calendar(1, Unit::Month), now + DAY * 30),
        (Interval::hourly(), at(1700002800)),
        (Interval::daily(), at(1700006400)),
        (Interval::weekly(), at(1700438400)),
        (Interval::monthly(), at(1701388800)),
        (Interval::quarterly(), at(1704067200)),
        (Interval::yearly(), at(1704067200)),
    ] {
        let policy = Policy::once().per_interval(interval);
        clock.set(now);
        assert!(!store.is_due("key", &policy).unwrap());
        assert_eq!(store.next_due("key", &policy).unwrap(), Some(due), "{interval:?}");
        clock.set(due);
        assert!(store.is_due("key", &policy).unwrap());
        clock.set(due - Duration::from_micros(1));
        assert!(!store.is_due("key", &policy).unwrap());
    }
    for wrong in [Duration::ZERO.into(), Interval::elapsed(1.0, Unit::Month), Interval::days(f64::NAN)] {
        assert_eq!(code(store.is_due("key", &Policy::once().per_interval(wrong))), ErrorCode::Argument);
    }
}

#[test]
fn interval_keys() {
    let (store, _) = in_utc();
    assert!(store.should_run("prompt", Interval::monthly()).unwrap());
    store.mark_run("prompt").unwrap();
    store.mark_run("other").unwrap();
    store.mark("key").unwrap();
    assert!(!store.should_run("prompt", DAY).unwrap());
    assert!(store.was_executed("interval.prompt").unwrap());
    assert_eq!((store.reset_interval("prompt").unwrap(), store.reset_interval("prompt").unwrap()), (true, false));
    store.reset_all_intervals().unwrap();
    assert_eq!(store.count("").unwrap(), 1);
}

#[test]
fn clocks_and_versions_live_as_long_as_they_are_used() {
    let store = in_memory();
    let life = Arc::new(());
    let kept = life.clone();
    store.set_clock(move || {
        let _ = &kept;
        UNIX_EPOCH - Duration::from_millis(500)
    });
    let kept = life.clone();
    store.set_version_provider(move || {
        let _ = &kept;
        Some("a version that is longer than any buffer would be that is kept beside it".into())
    });
    assert_eq!(Arc::strong_count(&life), 3);
    store.mark("key").unwrap();
    assert_eq!(store.last_execution("key").unwrap(), Some(UNIX_EPOCH - Duration::from_millis(500)));
    assert!(store.find("key").unwrap().unwrap().last_version.unwrap().ends_with("beside it"));
    store.reset_version_provider();
    assert_eq!(Arc::strong_count(&life), 2);
    store.mark("key").unwrap();
    assert_eq!(store.find("key").unwrap().unwrap().last_version.as_deref(), Some("1.9"));
    store.set_version_provider(|| None);
    store.mark("key").unwrap();
    assert_eq!(store.find("key").unwrap().unwrap().last_version, None);
    store.reset_clock();
    assert_eq!(Arc::strong_count(&life), 1);
    let kept = life.clone();
    store.set_clock(move || {
        let _ = &kept;
        SystemTime::now()
    });
    drop(store);
    assert_eq!(Arc::strong_count(&life), 1);
}

#[test]
fn what_they_panic_with_goes_on_before_anything_runs() {
    let store = in_memory();
    store.set_clock(|| silent_panic(5));
    assert_eq!(panic_of(|| store.mark("key")), 5);
    assert_eq!(panic_of(|| store.execute_once("key", || silent_panic::<()>(0))), 5);
    store.reset_clock();
    store.set_version_provider(|| silent_panic(6));
    assert_eq!(panic_of(|| store.begin("key", &Policy::once())), 6);
    store.set_version_provider(|| Some("a\0b".into()));
    assert_eq!(code(store.execute_once("key", || silent_panic::<()>(0))), ErrorCode::Argument);
    store.reset_version_provider();
    assert!(!store.was_executed("key").unwrap());
}

#[test]
fn imports() {
    let directory = match std::env::var_os("FT_IMPORT") {
        Some(directory) => PathBuf::from(directory),
        None => return,
    };
    let (store, _) = in_utc();
    let archive = directory.join("three_plain.bplist");
    let report = store.import_archive(&archive, ImportOptions::new().dry_run()).unwrap();
    assert_eq!((report.records_added, report.format, store.count("").unwrap()), (3, Format::Archive, 0));
    let bytes = std::fs::read(&archive).unwrap();
    assert_eq!(store.import_bytes(&bytes, ImportOptions::new().format(Format::Archive)).unwrap().records_added, 3);
    assert_eq!(store.find("onboarding").unwrap().unwrap().count, 0);
    store.reset().unwrap();

    let (mut skipped, mut calls) = (0, 0);
    let mut on_skipped = |_: u64, why: &str| {
        assert!(!why.is_empty());
        skipped += 1;
        ControlFlow::Continue(())
    };
    let mut on_progress = |done: u64, total: u64| {
        assert!(done <= total);
        calls += 1;
        ControlFlow::Continue(())
    };
    let options = ImportOptions::new()
        .format(Format::Defaults)
        .defaults_key("YCFirstTime")
        .interval("reviewPrompt", Interval::monthly())
        .interval("missing", DAY)
        .skipped(&mut on_skipped)
        .progress(&mut on_progress);
    let report = store.import_archive(directory.join("preferences.plist"), options).unwrap();
    assert_eq!((report.format, report.skipped), (Format::Defaults, skipped));
    assert!(calls > 0 && store.count("").unwrap() >= 3);
    store.reset().unwrap();

    let mut stop = |_, _| ControlFlow::Break(());
    assert_eq!(code(store.import_archive(&archive, ImportOptions::new().progress(&mut stop))), ErrorCode::Callback);
    let mut panic = |_, _| silent_panic(8);
    assert_eq!(panic_of(|| store.import_archive(&archive, ImportOptions::new().progress(&mut panic))), 8);
    assert_eq!(code(store.import_bytes(b"", ImportOptions::new())), ErrorCode::Corrupt);
    assert_eq!(code(store.import_archive("missing", ImportOptions::new())), ErrorCode::Io);
    assert_eq!(store.count("").unwrap(), 0);
}
