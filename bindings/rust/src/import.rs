//! Owns taking in old state: files of YCFirstTime, of other installs, preferences.

use std::fmt;
use std::mem::size_of;
use std::ops::ControlFlow;
use std::os::raw::{c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::asking::go_on;
use crate::calls::{bytes, call, guarded, pointer, string, text, text_or_null};
use crate::{sys, Interval, Result, Store};

/// Formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(i32)]
pub enum Format {
    /// Import: look at the bytes. Export: as [`Archive`](Format::Archive).
    Auto = sys::FIRSTTIME_FORMAT_AUTO,
    /// A keyed archive as a binary property list.
    Archive = sys::FIRSTTIME_FORMAT_ARCHIVE,
    /// A keyed archive as an XML property list.
    ArchiveXml = sys::FIRSTTIME_FORMAT_ARCHIVE_XML,
    /// A preferences property list that holds the archive as data.
    Defaults = sys::FIRSTTIME_FORMAT_DEFAULTS,
    /// RuleKit's events: import only.
    RuleKit = sys::FIRSTTIME_FORMAT_RULEKIT,
    /// JSON, for people and scripts: export only.
    Json = sys::FIRSTTIME_FORMAT_JSON,
}

impl Format {
    fn new(value: i32) -> Format {
        let all = [Format::Archive, Format::ArchiveXml, Format::Defaults, Format::RuleKit];
        all.into_iter().find(|format| *format as i32 == value).unwrap_or(Format::Auto)
    }
}

type Skipped<'a> = &'a mut dyn FnMut(u64, &str) -> ControlFlow<()>;
type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// How to import. As it is made: look at the bytes, and take all records.
#[derive(Default)]
pub struct ImportOptions<'a> {
    format: Option<Format>,
    defaults_key: Option<&'a str>,
    intervals: Vec<(&'a str, Interval)>,
    dry_run: bool,
    skipped: Option<Skipped<'a>>,
    progress: Option<Progress<'a>>,
}

impl fmt::Debug for ImportOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ImportOptions").field("format", &self.format).finish_non_exhaustive()
    }
}

impl<'a> ImportOptions<'a> {
    /// The defaults.
    pub fn new() -> ImportOptions<'a> {
        ImportOptions::default()
    }

    /// What the bytes must be.
    pub fn format(self, format: Format) -> ImportOptions<'a> {
        ImportOptions { format: Some(format), ..self }
    }

    /// Where preferences hold the archive. As it is: "YCFirstTime".
    pub fn defaults_key(self, key: &'a str) -> ImportOptions<'a> {
        ImportOptions { defaults_key: Some(key), ..self }
    }

    /// An interval key to take from preferences, without "interval.", and its interval.
    pub fn interval(mut self, name: &'a str, interval: impl Into<Interval>) -> ImportOptions<'a> {
        self.intervals.push((name, interval.into()));
        self
    }

    /// Report what would change, and change nothing.
    pub fn dry_run(self) -> ImportOptions<'a> {
        ImportOptions { dry_run: true, ..self }
    }

    /// Is told of each entry that is left out: where, and why. `Break` stops the import, which then changes nothing.
    pub fn skipped(self, skipped: Skipped<'a>) -> ImportOptions<'a> {
        ImportOptions { skipped: Some(skipped), ..self }
    }

    /// Is told how far it has come, of how much. `Break` stops the import.
    pub fn progress(self, progress: Progress<'a>) -> ImportOptions<'a> {
        ImportOptions { progress: Some(progress), ..self }
    }
}

/// What an import did, or would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// Keys the store had no record of.
    pub records_added: u64,
    /// Keys whose imported record was newer.
    pub records_updated: u64,
    /// Keys whose record in the store was as new or newer.
    pub records_kept: u64,
    /// The same of events.
    pub events_added: u64,
    /// The same of events.
    pub events_updated: u64,
    /// The same of events.
    pub events_kept: u64,
    /// Entries left out.
    pub skipped: u64,
    /// What the bytes were.
    pub format: Format,
}

extern "C" fn see_problem(problem: *const sys::firsttime_problem, context: *mut c_void) -> c_int {
    guarded(1, || {
        let (problem, options) = unsafe { (&*problem, &mut *context.cast::<ImportOptions<'_>>()) };
        let why = unsafe { string(problem.text) }.unwrap_or_default();
        options.skipped.as_mut().map_or(0, |skipped| go_on(skipped(problem.offset, &why)))
    })
}

extern "C" fn see_progress(done: u64, total: u64, context: *mut c_void) -> c_int {
    guarded(1, || {
        let options = unsafe { &mut *context.cast::<ImportOptions<'_>>() };
        options.progress.as_mut().map_or(0, |progress| go_on(progress(done, total)))
    })
}

type Call<'a> = &'a mut dyn FnMut(*const sys::firsttime_import_options, *mut sys::firsttime_import_report) -> c_int;

fn import(mut options: ImportOptions<'_>, take: Call<'_>) -> Result<ImportReport> {
    let defaults_key = text_or_null(options.defaults_key)?;
    let names = options.intervals.iter().map(|(name, _)| text(name)).collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let intervals: Vec<_> = options.intervals.iter().map(|(_, interval)| interval.0).collect();
    let c_options = sys::firsttime_import_options {
        size: size_of::<sys::firsttime_import_options>(),
        format: options.format.unwrap_or(Format::Auto) as i32,
        defaults_key: pointer(&defaults_key),
        interval_names: names.as_ptr(),
        intervals: intervals.as_ptr(),
        interval_count: intervals.len(),
        flags: if options.dry_run { sys::FIRSTTIME_IMPORT_DRY_RUN } else { 0 },
        skipped: options.skipped.as_ref().map(|_| see_problem as _),
        progress: options.progress.as_ref().map(|_| see_progress as _),
        context: (&mut options as *mut ImportOptions<'_>).cast(),
    };
    let mut report =
        sys::firsttime_import_report { size: size_of::<sys::firsttime_import_report>(), ..Default::default() };
    call(|| take(&c_options, &mut report))?;
    Ok(ImportReport {
        records_added: report.records_added,
        records_updated: report.records_updated,
        records_kept: report.records_kept,
        events_added: report.events_added,
        events_updated: report.events_updated,
        events_kept: report.events_kept,
        skipped: report.skipped,
        format: Format::new(report.format),
    })
}

impl Store {
    /// Takes the records of an old file into the store: an archive of YCFirstTime or of this library, or preferences
    /// that hold one. All or nothing; for each key the newest last time wins.
    pub fn import_archive(&self, path: impl AsRef<Path>, options: ImportOptions<'_>) -> Result<ImportReport> {
        let path = bytes(path.as_ref().as_os_str().as_bytes())?;
        import(options, &mut |options, report| unsafe {
            sys::firsttime_import(self.c(), path.as_ptr(), options, report)
        })
    }

    /// The same from memory.
    pub fn import_bytes(&self, bytes: &[u8], options: ImportOptions<'_>) -> Result<ImportReport> {
        import(options, &mut |options, report| unsafe {
            sys::firsttime_import_bytes(self.c(), bytes.as_ptr().cast(), bytes.len(), options, report)
        })
    }
}
