//! Owns what a failing call returns.

use std::error::Error as StdError;
use std::fmt;
use std::os::raw::c_int;

use crate::{calls, sys};

/// The result of a call that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// A wrong argument; nothing ran and nothing changed.
    Argument,
    /// A system call failed; nothing ran and nothing changed.
    Io,
    /// The bytes on disk can't be decoded. The files are left as they are.
    Corrupt,
    /// Written by a newer version of the format. The file is left as it is.
    Format,
    /// Someone else is running this key, and the wait limit passed.
    Busy,
    /// It would wait for itself: a key inside its own closure, or a claim that this thread holds.
    Reentrant,
    /// A closure returned an error, which is this one's source.
    Callback,
    /// The store can't be written; nothing ran.
    ReadOnly,
    /// The closure ran, but recording it failed. It is remembered and tried again, at the latest when closing.
    NotRecorded,
    /// The closure returned in a forked child, or the claim is its parent's: recording it is the parent's affair.
    Forked,
    /// One that this version doesn't know.
    Other(i32),
}

const CODES: [(c_int, ErrorCode); 10] = [
    (sys::FIRSTTIME_ERROR_ARGUMENT, ErrorCode::Argument),
    (sys::FIRSTTIME_ERROR_IO, ErrorCode::Io),
    (sys::FIRSTTIME_ERROR_CORRUPT, ErrorCode::Corrupt),
    (sys::FIRSTTIME_ERROR_FORMAT, ErrorCode::Format),
    (sys::FIRSTTIME_ERROR_BUSY, ErrorCode::Busy),
    (sys::FIRSTTIME_ERROR_REENTRANT, ErrorCode::Reentrant),
    (sys::FIRSTTIME_ERROR_CALLBACK, ErrorCode::Callback),
    (sys::FIRSTTIME_ERROR_READ_ONLY, ErrorCode::ReadOnly),
    (sys::FIRSTTIME_ERROR_NOT_RECORDED, ErrorCode::NotRecorded),
    (sys::FIRSTTIME_ERROR_FORKED, ErrorCode::Forked),
];

impl ErrorCode {
    fn new(result: c_int) -> ErrorCode {
        let known = CODES.iter().find(|(value, _)| *value == result);
        known.map_or(ErrorCode::Other(result), |(_, code)| *code)
    }

    fn result(self) -> c_int {
        match self {
            ErrorCode::Other(result) => result,
            known => CODES.iter().find(|(_, code)| *code == known).map_or(0, |(value, _)| *value),
        }
    }

    /// The C enumerator's name, "FIRSTTIME_ERROR_BUSY" and the like.
    pub fn name(self) -> String {
        // SAFETY: any value will do, and the text is static.
        unsafe { calls::string(sys::firsttime_result_name(self.result())) }.unwrap_or_default()
    }
}

/// A call that failed: its text says what could not be done, with which file, and why.
#[derive(Debug)]
pub struct Error {
    code: ErrorCode,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// What kind of failure it was.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What a closure returned, when this is [`ErrorCode::Callback`].
    pub fn into_source(self) -> Option<Box<dyn StdError + Send + Sync>> {
        self.source
    }

    pub(crate) fn argument(message: impl Into<String>) -> Error {
        Error { code: ErrorCode::Argument, message: message.into(), source: None }
    }

    /// This thread's last failure.
    pub(crate) fn last(result: c_int) -> Error {
        // SAFETY: the text is this thread's, until its next failure.
        let message = unsafe { calls::string(sys::firsttime_last_error()) }.unwrap_or_default();
        Error { code: ErrorCode::new(result), message, source: None }
    }

    pub(crate) fn with_source(self, source: Option<Box<dyn StdError + Send + Sync>>) -> Error {
        Error { source, ..self }
    }

    pub(crate) fn copy(&self) -> Error {
        Error { code: self.code, message: self.message.clone(), source: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn StdError + 'static))
    }
}
