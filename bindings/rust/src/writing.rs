//! Owns how the library writes to a closure. Knows nothing of what is written.

use std::os::raw::{c_int, c_void};

use crate::asking::closure;
use crate::calls::call;
use crate::running::{finish, Completion, Failure};
use crate::{sys, ErrorCode, Result};

/// A closure that is given the parts, and the error that it ended with.
struct Writing<F> {
    writer: F,
    failure: Option<Failure>,
}

extern "C" fn take<F, R>(bytes: *const c_void, length: usize, context: *mut c_void) -> c_int
where
    F: FnMut(&[u8]) -> R,
    R: Completion,
{
    // SAFETY: the context is a Writing of this type that `write` has, and the bytes are ours for this call.
    let (writing, part) =
        unsafe { (&mut *context.cast::<Writing<F>>(), std::slice::from_raw_parts(bytes.cast::<u8>(), length)) };
    let Writing { writer, failure } = writing;
    finish(failure, || writer(part))
}

/// Makes a call that writes to `writer`, whose error is the source of the call's.
pub(crate) fn write<F, R>(
    writer: F,
    make: impl FnOnce(Option<sys::firsttime_writer>, *mut c_void) -> c_int,
) -> Result<()>
where
    F: FnMut(&[u8]) -> R,
    R: Completion,
{
    let mut writing = Writing { writer, failure: None };
    match call(|| make(Some(take::<F, R>), closure(&mut writing))) {
        Ok(_) => Ok(()),
        Err(error) if error.code() == ErrorCode::Callback => Err(error.with_source(writing.failure)),
        Err(error) => Err(error),
    }
}

/// The same, all in one.
pub(crate) fn written(make: impl FnOnce(Option<sys::firsttime_writer>, *mut c_void) -> c_int) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(|part: &[u8]| bytes.extend_from_slice(part), make)?;
    Ok(bytes)
}
