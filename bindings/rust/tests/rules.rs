//! Events, rules, triggers, observers: what they take and give, how long closures live, what they panic with.

mod common;
use common::*;

use std::cmp::Ordering::{Equal, Greater, Less};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::Duration;

use firsttime::{version_compare, ErrorCode, Interval, Rule, RuleOptions, Store, Work};

const HOUR: Duration = Duration::from_secs(3600);

/// Whether a rule holds.
fn holds(store: &Store, rule: Rule) -> bool {
    let fired = Arc::new(AtomicU32::new(0));
    let count = fired.clone();
    let trigger = move |name: &str| {
        assert_eq!(name, "asked");
        count.fetch_add(1, Ordering::SeqCst);
    };
    store.set_rule("asked", rule, trigger, RuleOptions::new()).unwrap();
    store.evaluate_rules().unwrap();
    store.remove_rule("asked").unwrap();
    fired.load(Ordering::SeqCst) == 1
}

#[test]
fn events() {
    let store = in_memory();
    let clock = Clock::of(&store);
    assert!(store.find_donations("saved").unwrap().is_none());
    let first = clock.now();
    store.donate("saved").unwrap();
    clock.advance(HOUR);
    store.donate("saved").unwrap();
    store.donate("opened").unwrap();
    let saved = store.find_donations("saved").unwrap().unwrap();
    assert_eq!((saved.event.as_str(), saved.count), ("saved", 2));
    assert_eq!((saved.first_time, saved.last_time), (Some(first), Some(clock.now())));
    assert_eq!((saved.first_version.as_deref(), saved.last_version.as_deref()), (Some("1.9"), Some("1.9")));
    let mut names = Vec::new();
    let keep = |donations: firsttime::Donations| {
        names.push(donations.event);
        ControlFlow::Continue(())
    };
    assert!(!store.each_donations(keep).unwrap());
    assert_eq!(names, ["opened", "saved"]);
    store.reset_donations("saved").unwrap();
    assert!(store.find_donations("saved").unwrap().is_none());
    store.reset_all_donations().unwrap();
    assert!(!store.each_donations(|_| ControlFlow::Break(())).unwrap());
}

#[test]
fn what_rules_say() {
    let store = in_memory();
    let clock = Clock::of(&store);
    store.donate("saved").unwrap();
    store.donate("saved").unwrap();
    clock.advance(HOUR);
    let (always, never) = (Rule::always, Rule::never);
    for (expected, rule) in [
        (true, always()),
        (false, never()),
        (true, !never()),
        (true, always() & always()),
        (false, always() & never()),
        (true, never() | always()),
        (true, Rule::all_of([])),
        (false, Rule::any_of([])),
        (false, Rule::none_of([never(), always()])),
        (true, Rule::at_least(2, [always(), never(), always()])),
        (false, Rule::at_least(3, vec![always(), never(), always()])),
        (true, Rule::event_at_least("saved", 2)),
        (false, Rule::event_at_least("saved", 3)),
        (true, Rule::event_within("saved", HOUR)),
        (false, Rule::event_within("saved", HOUR / 2)),
        (true, Rule::event_not_within("saved", HOUR / 2)),
        (false, Rule::version_at_least("1.10")),
        (true, Rule::version_at_least("1.9.0")),
        (true, Rule::first_seen_in_current_version("saved")),
        (true, Rule::condition(|| true)),
        (true, Rule::event("saved", |donations| donations.count == 2)),
        (true, Rule::event("never", |donations| donations.count == 0 && donations.last_time.is_none())),
        (true, Rule::parse("event(\"saved\") >= 2 && !never").unwrap()),
    ] {
        let text = rule.text();
        assert_eq!(holds(&store, rule), expected, "{text}");
        if !text.contains("condition") {
            assert_eq!(Rule::parse(&text).unwrap().text(), text);
        }
    }
    assert_eq!(version_compare("1.10", "1.9").unwrap(), Greater);
    assert_eq!(version_compare("1.0", "1.0.0").unwrap(), Equal);
    assert_eq!(version_compare("2", "10").unwrap(), Less);
    assert!(version_compare(&firsttime::library_version(), "1").unwrap().is_ge());
}

#[test]
fn what_is_wrong_with_a_rule_shows_where_it_is_used() {
    let store = in_memory();
    let life = Arc::new(());
    let kept = || {
        let kept = life.clone();
        Rule::condition(move || Arc::strong_count(&kept) > 0)
    };
    for wrong in [
        Rule::event_at_least("", 1),
        Rule::event_at_least("a\0b", 1) & kept(),
        kept() & !(Rule::event_within("a", Duration::MAX) | kept()) & Rule::event("", |_| true),
        Rule::version_at_least(""),
        (0..300).fold(kept(), |rule, _| !rule),
    ] {
        if wrong.check().is_ok() {
            continue; // a time without end is one
        }
        assert_eq!((code(wrong.check()), wrong.text()), (ErrorCode::Argument, String::new()));
        let trigger = |_: &str| unreachable!();
        assert_eq!(code(store.set_rule("wrong", wrong, trigger, RuleOptions::new())), ErrorCode::Argument);
    }
    assert!(Rule::parse("event(").unwrap_err().to_string().contains("line 1"));
    drop(kept() & kept());
    assert_eq!(Arc::strong_count(&life), 1);
}

#[test]
fn triggers() {
    let store = in_memory();
    let clock = Clock::of(&store);
    let fired = Arc::new(Mutex::new(Vec::new()));
    let kept = fired.clone();
    let trigger = move |name: &str| kept.lock().unwrap().push(name.to_owned());
    let options = RuleOptions::new().frequency(HOUR * 24).limit(2);
    store.set_rule("prompt", Rule::always(), trigger, options).unwrap();
    assert!(store.is_rule_registered("prompt").unwrap() && !store.is_rule_registered("other").unwrap());
    for expected in [1, 1, 2, 2] {
        store.donate("started").unwrap();
        clock.advance(HOUR * 13);
        assert_eq!(fired.lock().unwrap().len(), expected);
    }
    let record = store.find_trigger("prompt").unwrap().unwrap();
    assert_eq!((record.name.as_str(), record.count), ("prompt", 2));
    store.reset_trigger("prompt").unwrap();
    assert!(store.find_trigger("prompt").unwrap().is_none());
    store.evaluate_rules().unwrap();
    store.reset_all_triggers().unwrap();
    assert_eq!(fired.lock().unwrap().len(), 3);
    assert_eq!(Arc::strong_count(&fired), 2);
    store.set_posting_rule("prompt", Rule::never(), RuleOptions::new()).unwrap();
    store.set_posting_rule("second", Rule::never(), RuleOptions::new()).unwrap();
    assert_eq!((store.rules().unwrap(), Arc::strong_count(&fired)), (vec!["prompt".into(), "second".into()], 1));

    for name in ["one", "two"] {
        let kept = fired.clone();
        let trigger = move |name: &str| kept.lock().unwrap().push(name.to_owned());
        let options = RuleOptions::new().frequency(Interval::daily()).throttle_name("prompts");
        store.set_rule(name, Rule::always(), trigger, options).unwrap();
    }
    store.evaluate_rules().unwrap();
    assert_eq!(store.find_trigger("prompts").unwrap().unwrap().count, 1);

    let kept = fired.clone();
    let trigger = move |_: &str| drop(kept.lock());
    assert_eq!(code(store.set_rule("", Rule::always(), trigger, RuleOptions::new())), ErrorCode::Argument);
    drop(store);
    assert_eq!(Arc::strong_count(&fired), 1);
}

#[test]
fn panics_go_on() {
    let store = in_memory();
    store.set_rule("panics", Rule::always(), |_| silent_panic(1), RuleOptions::new()).unwrap();
    assert_eq!(panic_of(|| store.donate("event")), 1);
    assert_eq!(store.find_donations("event").unwrap().unwrap().count, 1);
    store.set_rule("panics", Rule::condition(|| silent_panic(2)), |_| unreachable!(), RuleOptions::new()).unwrap();
    assert_eq!(panic_of(|| store.evaluate_rules()), 2);
    store.remove_rule("panics").unwrap();
    let observer = store.observe("posted", |_| silent_panic(3)).unwrap();
    assert_eq!(panic_of(|| store.post("posted")), 3);
    drop(observer);
    store.post("posted").unwrap();
    assert_eq!(panic_of(|| store.each_donations(|_| silent_panic(4))), 4);
}

#[test]
fn delays() {
    let store = in_memory();
    let (sender, fired) = mpsc::channel();
    let sender = Mutex::new(sender);
    let trigger = move |_: &str| sender.lock().unwrap().send(thread::current().id()).unwrap();
    let options = RuleOptions::new().delay(Duration::from_millis(5));
    store.set_rule("later", Rule::always(), trigger, options).unwrap();
    store.donate("event").unwrap();
    store.wait_for_delayed_rules().unwrap();
    assert_ne!(fired.recv().unwrap(), thread::current().id());
    // On the store's thread nobody waits for a panic.
    let options = RuleOptions::new().delay(Duration::from_millis(5));
    store.set_rule("later", Rule::always(), |_| silent_panic(1), options).unwrap();
    store.donate("event").unwrap();
    store.wait_for_delayed_rules().unwrap();
}

#[test]
fn executors() {
    let store = in_memory();
    let queue = Arc::new(Mutex::new(Vec::<Work>::new()));
    let fired = Arc::new(AtomicU32::new(0));
    let options = || {
        let queue = queue.clone();
        RuleOptions::new().executor(move |work| queue.lock().unwrap().push(work))
    };
    let next = || queue.lock().unwrap().pop().unwrap();
    let count = fired.clone();
    let trigger = move |_: &str| {
        count.fetch_add(1, Ordering::SeqCst);
    };
    store.set_rule("queued", Rule::always(), trigger, options()).unwrap();
    store.donate("event").unwrap();
    assert_eq!(fired.load(Ordering::SeqCst), 0);
    let work = next();
    thread::spawn(move || work.run()).join().unwrap();
    assert_eq!(fired.load(Ordering::SeqCst), 1);
    store.donate("event").unwrap();
    drop(next());
    assert_eq!(fired.load(Ordering::SeqCst), 2);
    store.set_rule("queued", Rule::always(), |_| silent_panic(1), options()).unwrap();
    store.donate("event").unwrap();
    assert_eq!(panic_of(|| next().run()), 1);
    store.donate("event").unwrap();
    drop(store);
    next().run(); // frees itself only
    assert_eq!((Arc::strong_count(&queue), Arc::strong_count(&fired)), (1, 1));
}

#[test]
fn observers() {
    let store = in_memory();
    let told = Arc::new(Mutex::new(String::new()));
    let teller = || {
        let told = told.clone();
        move |name: &str| told.lock().unwrap().push_str(name)
    };
    let observer = store.observe("name", teller()).unwrap();
    store.post("name").unwrap();
    store.post("other").unwrap();
    store.set_posting_rule("name", Rule::always(), RuleOptions::new()).unwrap();
    store.donate("event").unwrap();
    drop(observer);
    store.post("name").unwrap();
    assert_eq!((told.lock().unwrap().as_str(), Arc::strong_count(&told)), ("namename", 1));
    store.observe("kept", teller()).unwrap().keep();
    store.post("kept").unwrap();
    assert_eq!(code(store.observe("", teller())), ErrorCode::Argument);
    assert_eq!((told.lock().unwrap().as_str(), Arc::strong_count(&told)), ("namenamekept", 2));
    drop(store);
    assert_eq!(Arc::strong_count(&told), 1);
}
