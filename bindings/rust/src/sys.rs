//! Owns what firsttime.h declares, as Rust sees it. The test `header` compares it with the header.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_void};

pub const FIRSTTIME_OK: c_int = 0;
pub const FIRSTTIME_YES: c_int = 1;
pub const FIRSTTIME_RAN: c_int = 1;
pub const FIRSTTIME_RAN_AFTER: c_int = 2;
pub const FIRSTTIME_BASELINED: c_int = 3;
pub const FIRSTTIME_ERROR_ARGUMENT: c_int = -1;
pub const FIRSTTIME_ERROR_IO: c_int = -2;
pub const FIRSTTIME_ERROR_CORRUPT: c_int = -3;
pub const FIRSTTIME_ERROR_FORMAT: c_int = -4;
pub const FIRSTTIME_ERROR_BUSY: c_int = -5;
pub const FIRSTTIME_ERROR_REENTRANT: c_int = -6;
pub const FIRSTTIME_ERROR_CALLBACK: c_int = -7;
pub const FIRSTTIME_ERROR_READ_ONLY: c_int = -8;
pub const FIRSTTIME_ERROR_NOT_RECORDED: c_int = -9;
pub const FIRSTTIME_ERROR_FORKED: c_int = -10;

pub const FIRSTTIME_READ_ONLY: u32 = 1;
pub const FIRSTTIME_IN_MEMORY: u32 = 2;
pub const FIRSTTIME_RELAXED: u32 = 4;
pub const FIRSTTIME_RECOVER: u32 = 8;
pub const FIRSTTIME_RUN_IF_UNWRITABLE: u32 = 16;
pub const FIRSTTIME_FIXED_OFFSET: u32 = 32;

pub const FIRSTTIME_SECOND: i32 = 0;
pub const FIRSTTIME_MINUTE: i32 = 1;
pub const FIRSTTIME_HOUR: i32 = 2;
pub const FIRSTTIME_DAY: i32 = 3;
pub const FIRSTTIME_WEEK: i32 = 4;
pub const FIRSTTIME_MONTH: i32 = 5;
pub const FIRSTTIME_QUARTER: i32 = 6;
pub const FIRSTTIME_YEAR: i32 = 7;

pub const FIRSTTIME_PER_VERSION: u32 = 1;
pub const FIRSTTIME_PER_INTERVAL: u32 = 2;
pub const FIRSTTIME_AT_MOST_ONCE: u32 = 4;
pub const FIRSTTIME_NO_WAIT: u32 = 8;
pub const FIRSTTIME_BASELINE: u32 = 16;

pub const FIRSTTIME_FORMAT_AUTO: i32 = 0;
pub const FIRSTTIME_FORMAT_ARCHIVE: i32 = 1;
pub const FIRSTTIME_FORMAT_ARCHIVE_XML: i32 = 2;
pub const FIRSTTIME_FORMAT_DEFAULTS: i32 = 3;
pub const FIRSTTIME_FORMAT_RULEKIT: i32 = 4;
pub const FIRSTTIME_FORMAT_JSON: i32 = 5;
pub const FIRSTTIME_IMPORT_DRY_RUN: u32 = 1;
pub const FIRSTTIME_DUMP_JSON: u32 = 1;
pub const FIRSTTIME_DUMP_RAW: u32 = 2;

macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub struct $name {
                _private: [u8; 0],
            }
        )*
    };
}
opaque!(firsttime_store firsttime_claim firsttime_rule);

pub type firsttime_observer = u64;

#[repr(C)]
pub struct firsttime_options {
    pub size: usize,
    pub path: *const c_char,
    pub app_id: *const c_char,
    pub app_version: *const c_char,
    pub flags: u32,
    pub wait_ms: i32,
    pub utc_offset_minutes: i32,
    pub first_weekday: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct firsttime_interval {
    pub count: f64,
    pub unit: i32,
    pub kind: i32,
}

#[repr(C)]
pub struct firsttime_policy {
    pub size: usize,
    pub flags: u32,
    pub interval: firsttime_interval,
}

#[repr(C)]
pub struct firsttime_record {
    pub size: usize,
    pub key: *const c_char,
    pub last_version: *const c_char,
    pub last_time: f64,
    pub first_version: *const c_char,
    pub first_time: f64,
    pub count: u64,
}

#[repr(C)]
pub struct firsttime_donations {
    pub size: usize,
    pub event: *const c_char,
    pub count: u64,
    pub first_time: f64,
    pub last_time: f64,
    pub first_version: *const c_char,
    pub last_version: *const c_char,
}

#[repr(C)]
pub struct firsttime_rule_options {
    pub size: usize,
    pub frequency: firsttime_interval,
    pub throttle_name: *const c_char,
    pub limit: u64,
    pub delay_seconds: f64,
    pub executor: Option<firsttime_executor>,
    pub queue: *mut c_void,
    pub release: Option<firsttime_release>,
}

#[repr(C)]
pub struct firsttime_trigger_record {
    pub size: usize,
    pub name: *const c_char,
    pub last_time: f64,
    pub count: u64,
}

#[repr(C)]
pub struct firsttime_problem {
    pub size: usize,
    pub offset: u64,
    pub text: *const c_char,
}

#[repr(C)]
pub struct firsttime_import_options {
    pub size: usize,
    pub format: i32,
    pub defaults_key: *const c_char,
    pub interval_names: *const *const c_char,
    pub intervals: *const firsttime_interval,
    pub interval_count: usize,
    pub flags: u32,
    pub skipped: Option<firsttime_problem_visitor>,
    pub progress: Option<firsttime_progress>,
    pub context: *mut c_void,
}

#[repr(C)]
#[derive(Default)]
pub struct firsttime_import_report {
    pub size: usize,
    pub records_added: u64,
    pub records_updated: u64,
    pub records_kept: u64,
    pub events_added: u64,
    pub events_updated: u64,
    pub events_kept: u64,
    pub skipped: u64,
    pub format: i32,
}

pub type firsttime_clock = extern "C" fn(*mut c_void) -> f64;
pub type firsttime_version_provider = extern "C" fn(*mut c_void) -> *const c_char;
pub type firsttime_release = extern "C" fn(*mut c_void);
pub type firsttime_callback = extern "C" fn(*mut c_void) -> c_int;
pub type firsttime_record_visitor = extern "C" fn(*const firsttime_record, *mut c_void) -> c_int;
pub type firsttime_donations_visitor = extern "C" fn(*const firsttime_donations, *mut c_void) -> c_int;
pub type firsttime_condition = extern "C" fn(*mut c_void) -> c_int;
pub type firsttime_event_condition = extern "C" fn(*const firsttime_donations, *mut c_void) -> c_int;
pub type firsttime_work = unsafe extern "C" fn(*mut c_void);
pub type firsttime_executor = extern "C" fn(*mut c_void, firsttime_work, *mut c_void);
pub type firsttime_trigger = extern "C" fn(*const c_char, *mut c_void);
pub type firsttime_name_visitor = extern "C" fn(*const c_char, *mut c_void) -> c_int;
pub type firsttime_trigger_visitor = extern "C" fn(*const firsttime_trigger_record, *mut c_void) -> c_int;
pub type firsttime_problem_visitor = extern "C" fn(*const firsttime_problem, *mut c_void) -> c_int;
pub type firsttime_progress = extern "C" fn(u64, u64, *mut c_void) -> c_int;
pub type firsttime_writer = extern "C" fn(*const c_void, usize, *mut c_void) -> c_int;

type Store = *mut firsttime_store;
type Text = *const c_char;
type Policy = *const firsttime_policy;
type Callback = Option<firsttime_callback>;
type Release = Option<firsttime_release>;
type Rule = *mut firsttime_rule;
type Rules = *const *mut firsttime_rule;
type Context = *mut c_void;

extern "C" {
    pub fn firsttime_result_name(result: c_int) -> Text;
    pub fn firsttime_last_error() -> Text;
    pub fn firsttime_library_version() -> Text;

    pub fn firsttime_open(options: *const firsttime_options, store_out: *mut Store) -> c_int;
    pub fn firsttime_close(store: Store) -> c_int;
    pub fn firsttime_flush(store: Store) -> c_int;
    pub fn firsttime_shared() -> Store;
    pub fn firsttime_path(store: *const firsttime_store) -> Text;
    pub fn firsttime_set_clock(store: Store, clock: Option<firsttime_clock>, context: Context, release: Release);
    pub fn firsttime_set_version_provider(
        store: Store,
        provider: Option<firsttime_version_provider>,
        context: Context,
        release: Release,
    );

    pub fn firsttime_days(days: f64) -> firsttime_interval;
    pub fn firsttime_elapsed(count: f64, unit: i32) -> firsttime_interval;
    pub fn firsttime_calendar(count: f64, unit: i32) -> firsttime_interval;
    pub fn firsttime_period(count: f64, unit: i32) -> firsttime_interval;

    pub fn firsttime_execute_once(store: Store, key: Text, first: Callback, after: Callback, context: Context)
        -> c_int;
    pub fn firsttime_execute_once_per_version(
        store: Store,
        key: Text,
        first: Callback,
        after: Callback,
        context: Context,
    ) -> c_int;
    pub fn firsttime_execute_once_per_interval(
        store: Store,
        key: Text,
        interval: firsttime_interval,
        first: Callback,
        after: Callback,
        context: Context,
    ) -> c_int;
    pub fn firsttime_execute(
        store: Store,
        key: Text,
        policy: Policy,
        first: Callback,
        after: Callback,
        context: Context,
    ) -> c_int;
    pub fn firsttime_begin(store: Store, key: Text, policy: Policy, claim_out: *mut *mut firsttime_claim) -> c_int;
    pub fn firsttime_commit(claim: *mut firsttime_claim) -> c_int;
    pub fn firsttime_abandon(claim: *mut firsttime_claim);

    pub fn firsttime_was_executed(store: Store, key: Text) -> c_int;
    pub fn firsttime_is_due(store: Store, key: Text, policy: Policy) -> c_int;
    pub fn firsttime_next_due(store: Store, key: Text, policy: Policy, time_out: *mut f64) -> c_int;
    pub fn firsttime_last_execution(store: Store, key: Text, time_out: *mut f64) -> c_int;
    pub fn firsttime_find(
        store: Store,
        key: Text,
        visitor: Option<firsttime_record_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_each(
        store: Store,
        prefix: Text,
        visitor: Option<firsttime_record_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_count(store: Store, prefix: Text) -> i64;
    pub fn firsttime_mark(store: Store, key: Text) -> c_int;
    pub fn firsttime_reset_key(store: Store, key: Text) -> c_int;
    pub fn firsttime_reset_prefix(store: Store, prefix: Text) -> c_int;
    pub fn firsttime_reset(store: Store) -> c_int;

    pub fn firsttime_should_run(store: Store, name: Text, interval: firsttime_interval) -> c_int;
    pub fn firsttime_mark_run(store: Store, name: Text) -> c_int;
    pub fn firsttime_reset_interval(store: Store, name: Text) -> c_int;
    pub fn firsttime_reset_all_intervals(store: Store) -> c_int;

    pub fn firsttime_donate(store: Store, event: Text) -> c_int;
    pub fn firsttime_find_donations(
        store: Store,
        event: Text,
        visitor: Option<firsttime_donations_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_each_donations(
        store: Store,
        visitor: Option<firsttime_donations_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_reset_donations(store: Store, event: Text) -> c_int;

    pub fn firsttime_rule_always() -> Rule;
    pub fn firsttime_rule_never() -> Rule;
    pub fn firsttime_rule_not(rule: Rule) -> Rule;
    pub fn firsttime_rule_all_of(rules: Rules, count: usize) -> Rule;
    pub fn firsttime_rule_any_of(rules: Rules, count: usize) -> Rule;
    pub fn firsttime_rule_none_of(rules: Rules, count: usize) -> Rule;
    pub fn firsttime_rule_at_least(quorum: usize, rules: Rules, count: usize) -> Rule;
    pub fn firsttime_rule_condition(condition: Option<firsttime_condition>, context: Context, release: Release)
        -> Rule;
    pub fn firsttime_rule_event(
        event: Text,
        condition: Option<firsttime_event_condition>,
        context: Context,
        release: Release,
    ) -> Rule;
    pub fn firsttime_rule_event_at_least(event: Text, count: u64) -> Rule;
    pub fn firsttime_rule_event_within(event: Text, seconds: f64) -> Rule;
    pub fn firsttime_rule_event_not_within(event: Text, seconds: f64) -> Rule;
    pub fn firsttime_rule_version_at_least(version: Text) -> Rule;
    pub fn firsttime_rule_first_seen_in_current_version(event: Text) -> Rule;
    pub fn firsttime_rule_parse(text: Text) -> Rule;
    pub fn firsttime_rule_free(rule: Rule);
    pub fn firsttime_rule_text(rule: *const firsttime_rule, buffer: *mut c_char, capacity: usize) -> usize;
    pub fn firsttime_version_compare(left: Text, right: Text) -> c_int;

    pub fn firsttime_set_rule(
        store: Store,
        name: Text,
        rule: Rule,
        trigger: Option<firsttime_trigger>,
        context: Context,
        options: *const firsttime_rule_options,
    ) -> c_int;
    pub fn firsttime_remove_rule(store: Store, name: Text) -> c_int;
    pub fn firsttime_is_rule_registered(store: Store, name: Text) -> c_int;
    pub fn firsttime_each_rule(store: Store, visitor: Option<firsttime_name_visitor>, context: Context) -> c_int;
    pub fn firsttime_find_trigger(
        store: Store,
        name: Text,
        visitor: Option<firsttime_trigger_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_reset_trigger(store: Store, name: Text) -> c_int;
    pub fn firsttime_evaluate_rules(store: Store) -> c_int;
    pub fn firsttime_wait_for_delayed_rules(store: Store) -> c_int;

    pub fn firsttime_observe(
        store: Store,
        name: Text,
        trigger: Option<firsttime_trigger>,
        context: Context,
        release: Release,
        observer_out: *mut firsttime_observer,
    ) -> c_int;
    pub fn firsttime_remove_observer(store: Store, observer: firsttime_observer) -> c_int;
    pub fn firsttime_post(store: Store, name: Text) -> c_int;

    pub fn firsttime_import(
        store: Store,
        path: Text,
        options: *const firsttime_import_options,
        report_out: *mut firsttime_import_report,
    ) -> c_int;
    pub fn firsttime_import_bytes(
        store: Store,
        bytes: *const c_void,
        length: usize,
        options: *const firsttime_import_options,
        report_out: *mut firsttime_import_report,
    ) -> c_int;

    pub fn firsttime_export(store: Store, path: Text, format: i32) -> c_int;
    pub fn firsttime_export_to(store: Store, format: i32, writer: Option<firsttime_writer>, context: Context) -> c_int;
    pub fn firsttime_dump_bytes(
        bytes: *const c_void,
        length: usize,
        flags: u32,
        writer: Option<firsttime_writer>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_verify_bytes(
        bytes: *const c_void,
        length: usize,
        visitor: Option<firsttime_problem_visitor>,
        context: Context,
    ) -> c_int;
    pub fn firsttime_repair(path: Text, visitor: Option<firsttime_problem_visitor>, context: Context) -> c_int;
}

/// The layout and the values that FIRSTTIME_LAYOUT, a file made from the header, has.
#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::mem::{size_of, size_of_val, MaybeUninit};

    fn header() -> Option<HashMap<String, String>> {
        let text = std::fs::read_to_string(std::env::var_os("FIRSTTIME_LAYOUT")?).unwrap();
        Some(text.lines().map(split).collect())
    }

    /// "sizeof firsttime_interval 16", "firsttime_interval.unit 8, 4 bytes", "FIRSTTIME_YES 1"
    fn split(line: &str) -> (String, String) {
        let at = if line.starts_with("sizeof ") { line.rfind(' ') } else { line.find(' ') };
        let (name, value) = line.split_at(at.unwrap());
        (name.to_owned(), value.trim().to_owned())
    }

    macro_rules! layouts {
        ($header:ident, $($struct:ident { $($member:ident)* })*) => {
            $(
                assert_eq!($header[concat!("sizeof ", stringify!($struct))], size_of::<$struct>().to_string());
                let value = MaybeUninit::<$struct>::zeroed();
                let value = unsafe { &*value.as_ptr() };
                let start = value as *const $struct as usize;
                $(
                    let place = &value.$member as *const _ as usize - start;
                    let name = concat!(stringify!($struct), ".", stringify!($member));
                    let found = format!("{}, {} bytes", place, size_of_val(&value.$member));
                    assert_eq!((name, &*$header[name]), (name, &*found));
                )*
                let members = [$(stringify!($member)),*].len();
                let prefix = concat!(stringify!($struct), ".");
                assert_eq!(members, $header.keys().filter(|name| name.starts_with(prefix)).count());
            )*
        };
    }

    #[test]
    fn structs_are_laid_out_as_in_the_header() {
        let header = match header() {
            Some(header) => header,
            None => return,
        };
        layouts! { header,
            firsttime_options { size path app_id app_version flags wait_ms utc_offset_minutes first_weekday }
            firsttime_interval { count unit kind }
            firsttime_policy { size flags interval }
            firsttime_record { size key last_version last_time first_version first_time count }
            firsttime_donations { size event count first_time last_time first_version last_version }
            firsttime_rule_options { size frequency throttle_name limit delay_seconds executor queue release }
            firsttime_trigger_record { size name last_time count }
            firsttime_problem { size offset text }
            firsttime_import_options {
                size format defaults_key interval_names intervals interval_count flags skipped progress context
            }
            firsttime_import_report {
                size records_added records_updated records_kept events_added events_updated events_kept skipped format
            }
        }
    }

    #[test]
    fn constants_are_the_headers() {
        let header = match header() {
            Some(header) => header,
            None => return,
        };
        let mut seen = 0;
        for line in include_str!("sys.rs").lines().filter(|line| line.starts_with("pub const FIRSTTIME_")) {
            let (name, rest) = line["pub const ".len()..].split_once(": ").unwrap();
            let value = rest.split_once(" = ").unwrap().1.trim_end_matches(';');
            assert_eq!((name, &*header[name]), (name, value));
            seen += 1;
        }
        assert!(seen > 35, "{seen} constants");
    }
}
