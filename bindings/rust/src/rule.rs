//! Owns rules: what they are made of. Registers none: that is a store's.

use std::ops::{BitAnd, BitOr, Not};
use std::os::raw::{c_int, c_void};
use std::time::Duration;

use crate::calls::{call, context, guarded, ignored, release, text};
use crate::{sys, Donations, Error, Result};

/// A condition over events, versions, and whatever closures say. Combine rules with `&`, `|` and `!`.
///
/// What is wrong with one, or with a part of it, shows where it is used, or by [`check`](Rule::check).
///
/// ```
/// # use firsttime::Rule;
/// # use std::time::Duration;
/// let rule = Rule::event_at_least("document.saved", 3)
///     & !Rule::event_within("prompt.shown", Duration::from_secs(86400));
/// rule.check()?;
/// # Ok::<(), firsttime::Error>(())
/// ```
#[derive(Debug)]
pub struct Rule {
    /// Null when there is an error.
    pointer: *mut sys::firsttime_rule,
    error: Option<Error>,
}

// SAFETY: firsttime.h: a rule never changes, and any thread may use it. Its closures are Send and Sync.
unsafe impl Send for Rule {}
unsafe impl Sync for Rule {}

impl Rule {
    /// Holds.
    pub fn always() -> Rule {
        // SAFETY: here and below: the constructors check what they are given, and what is passed lives for the call.
        Rule::made(|| unsafe { sys::firsttime_rule_always() })
    }

    /// Doesn't hold.
    pub fn never() -> Rule {
        Rule::made(|| unsafe { sys::firsttime_rule_never() })
    }

    /// Holds when all of them hold.
    pub fn all_of(rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::group(rules, |rules, count| unsafe { sys::firsttime_rule_all_of(rules, count) })
    }

    /// Holds when any of them holds.
    pub fn any_of(rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::group(rules, |rules, count| unsafe { sys::firsttime_rule_any_of(rules, count) })
    }

    /// Holds when none of them holds.
    pub fn none_of(rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::group(rules, |rules, count| unsafe { sys::firsttime_rule_none_of(rules, count) })
    }

    /// Holds when at least `quorum` of them hold.
    pub fn at_least(quorum: usize, rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::group(rules, |rules, count| unsafe { sys::firsttime_rule_at_least(quorum, rules, count) })
    }

    /// Holds when the closure says so.
    pub fn condition<F>(condition: F) -> Rule
    where
        F: Fn() -> bool + Send + Sync + 'static,
    {
        extern "C" fn ask<F: Fn() -> bool>(context: *mut c_void) -> c_int {
            guarded(0, || c_int::from(unsafe { &*context.cast::<F>() }()))
        }
        Rule::made(|| unsafe { sys::firsttime_rule_condition(Some(ask::<F>), context(condition), Some(release::<F>)) })
    }

    /// Holds when the closure says so of what is known of `event`.
    pub fn event<F>(event: &str, condition: F) -> Rule
    where
        F: Fn(&Donations) -> bool + Send + Sync + 'static,
    {
        extern "C" fn ask<F: Fn(&Donations) -> bool>(
            shown: *const sys::firsttime_donations,
            context: *mut c_void,
        ) -> c_int {
            guarded(0, || c_int::from(unsafe { (*context.cast::<F>())(&Donations::from_c(shown)) }))
        }
        Rule::named(event, |event| unsafe {
            sys::firsttime_rule_event(event, Some(ask::<F>), context(condition), Some(release::<F>))
        })
    }

    /// Holds when `event` was donated at least `count` times.
    pub fn event_at_least(event: &str, count: u64) -> Rule {
        Rule::named(event, |event| unsafe { sys::firsttime_rule_event_at_least(event, count) })
    }

    /// Holds when `event` was last donated at most `time` ago.
    pub fn event_within(event: &str, time: Duration) -> Rule {
        Rule::named(event, |event| unsafe { sys::firsttime_rule_event_within(event, time.as_secs_f64()) })
    }

    /// Holds when `event` was last donated more than `time` ago, or never.
    pub fn event_not_within(event: &str, time: Duration) -> Rule {
        Rule::named(event, |event| unsafe { sys::firsttime_rule_event_not_within(event, time.as_secs_f64()) })
    }

    /// Holds when the app's version is `version` or a later one.
    pub fn version_at_least(version: &str) -> Rule {
        Rule::named(version, |version| unsafe { sys::firsttime_rule_version_at_least(version) })
    }

    /// Holds when `event` was first donated in the app's current version.
    pub fn first_seen_in_current_version(event: &str) -> Rule {
        Rule::named(event, |event| unsafe { sys::firsttime_rule_first_seen_in_current_version(event) })
    }

    /// Reads what [`text`](Rule::text) writes.
    pub fn parse(text: &str) -> Result<Rule> {
        let mut rule = Rule::named(text, |text| unsafe { sys::firsttime_rule_parse(text) });
        rule.error.take().map_or(Ok(rule), Err)
    }

    /// The rule as text; "" when something is wrong with it.
    pub fn text(&self) -> String {
        if self.pointer.is_null() {
            return String::new();
        }
        let length = unsafe { sys::firsttime_rule_text(self.pointer, std::ptr::null_mut(), 0) };
        let mut buffer = vec![0u8; length + 1];
        unsafe { sys::firsttime_rule_text(self.pointer, buffer.as_mut_ptr().cast(), buffer.len()) };
        buffer.pop();
        String::from_utf8_lossy(&buffer).into_owned()
    }

    /// What is wrong with it.
    pub fn check(&self) -> Result<()> {
        self.error.as_ref().map_or(Ok(()), |error| Err(error.copy()))
    }

    /// The library's rule, owned by the caller.
    pub(crate) fn into_c(mut self) -> Result<*mut sys::firsttime_rule> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::replace(&mut self.pointer, std::ptr::null_mut())),
        }
    }

    fn made(make: impl FnOnce() -> *mut sys::firsttime_rule) -> Rule {
        let mut pointer = std::ptr::null_mut();
        let made = call(|| {
            pointer = make();
            if pointer.is_null() {
                sys::FIRSTTIME_ERROR_ARGUMENT
            } else {
                sys::FIRSTTIME_OK
            }
        });
        Rule { pointer, error: made.err() }
    }

    fn named(name: &str, make: impl FnOnce(*const std::os::raw::c_char) -> *mut sys::firsttime_rule) -> Rule {
        match text(name) {
            Ok(name) => Rule::made(|| make(name.as_ptr())),
            Err(error) => Rule { pointer: std::ptr::null_mut(), error: Some(error) },
        }
    }

    fn group(
        rules: impl IntoIterator<Item = Rule>,
        make: impl FnOnce(*const *mut sys::firsttime_rule, usize) -> *mut sys::firsttime_rule,
    ) -> Rule {
        let mut rules: Vec<Rule> = rules.into_iter().collect();
        if let Some(error) = rules.iter_mut().find_map(|rule| rule.error.take()) {
            return Rule { pointer: std::ptr::null_mut(), error: Some(error) };
        }
        let pointers: Vec<_> =
            rules.iter_mut().map(|rule| std::mem::replace(&mut rule.pointer, std::ptr::null_mut())).collect();
        Rule::made(|| make(pointers.as_ptr(), pointers.len()))
    }
}

impl Drop for Rule {
    fn drop(&mut self) {
        ignored(|| unsafe { sys::firsttime_rule_free(self.pointer) });
    }
}

impl BitAnd for Rule {
    type Output = Rule;
    fn bitand(self, other: Rule) -> Rule {
        Rule::all_of([self, other])
    }
}

impl BitOr for Rule {
    type Output = Rule;
    fn bitor(self, other: Rule) -> Rule {
        Rule::any_of([self, other])
    }
}

impl Not for Rule {
    type Output = Rule;
    fn not(self) -> Rule {
        match self.into_c() {
            Ok(pointer) => Rule::made(|| unsafe { sys::firsttime_rule_not(pointer) }),
            Err(error) => Rule { pointer: std::ptr::null_mut(), error: Some(error) },
        }
    }
}
