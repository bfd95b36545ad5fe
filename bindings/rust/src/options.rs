//! Owns how a store is opened.

use std::mem::size_of;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::calls::{bytes, call, pointer, text_or_null};
use crate::{sys, Result};

/// How to open a store. As it is made: the file of an app that is called like the running program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    path: Option<PathBuf>,
    app_id: Option<String>,
    app_version: Option<String>,
    flags: u32,
    wait: Option<Duration>,
    utc_offset_minutes: i32,
    first_weekday: i32,
}

impl Options {
    /// The defaults.
    pub fn new() -> Options {
        Options::default()
    }

    /// The archive file.
    pub fn path(self, path: impl AsRef<Path>) -> Options {
        Options { path: Some(path.as_ref().to_owned()), ..self }
    }

    /// A name such as "org.example.app": the file is `$XDG_STATE_HOME/<app_id>/firsttime.archive`.
    pub fn app_id(self, app_id: impl Into<String>) -> Options {
        Options { app_id: Some(app_id.into()), ..self }
    }

    /// The app's version, compared byte for byte.
    pub fn app_version(self, app_version: impl Into<String>) -> Options {
        Options { app_version: Some(app_version.into()), ..self }
    }

    /// Never writes, never creates.
    pub fn read_only(self) -> Options {
        self.with(sys::FIRSTTIME_READ_ONLY)
    }

    /// No file at all.
    pub fn in_memory(self) -> Options {
        self.with(sys::FIRSTTIME_IN_MEMORY)
    }

    /// Recording doesn't wait for the disk: it survives the end of the program, but perhaps not a loss of power.
    pub fn relaxed(self) -> Options {
        self.with(sys::FIRSTTIME_RELAXED)
    }

    /// Bytes that can't be decoded are set aside, and the store starts from what could be saved.
    pub fn recover(self) -> Options {
        self.with(sys::FIRSTTIME_RECOVER)
    }

    /// Due closures run even when nothing can be recorded.
    pub fn run_if_unwritable(self) -> Options {
        self.with(sys::FIRSTTIME_RUN_IF_UNWRITABLE)
    }

    /// The longest wait for another runner of a key; zero: none. As it is: for ever.
    pub fn wait(self, limit: Duration) -> Options {
        Options { wait: Some(limit), ..self }
    }

    /// The zone of calendar intervals, in minutes east of UTC. As it is: the system's local zone.
    pub fn utc_offset_minutes(self, minutes: i32) -> Options {
        Options { utc_offset_minutes: minutes, ..self.with(sys::FIRSTTIME_FIXED_OFFSET) }
    }

    /// The day on which weeks begin: 1 Monday ... 7 Sunday.
    pub fn first_weekday(self, day: i32) -> Options {
        Options { first_weekday: day, ..self }
    }

    fn with(self, flag: u32) -> Options {
        Options { flags: self.flags | flag, ..self }
    }

    fn wait_ms(&self) -> i32 {
        match self.wait {
            None => 0,
            Some(limit) if limit.is_zero() => -1,
            Some(limit) => limit.as_millis().clamp(1, i32::MAX as u128) as i32,
        }
    }

    pub(crate) fn open(&self) -> Result<*mut sys::firsttime_store> {
        let path = self.path.as_ref().map(|path| bytes(path.as_os_str().as_bytes())).transpose()?;
        let app_id = text_or_null(self.app_id.as_deref())?;
        let app_version = text_or_null(self.app_version.as_deref())?;
        let options = sys::firsttime_options {
            size: size_of::<sys::firsttime_options>(),
            path: pointer(&path),
            app_id: pointer(&app_id),
            app_version: pointer(&app_version),
            flags: self.flags,
            wait_ms: self.wait_ms(),
            utc_offset_minutes: self.utc_offset_minutes,
            first_weekday: self.first_weekday,
        };
        let mut store = std::ptr::null_mut();
        // SAFETY: the strings live for this call.
        call(|| unsafe { sys::firsttime_open(&options, &mut store) })?;
        Ok(store)
    }
}
