//! Owns how the library is called and how it calls back: failures become errors, and a panic in a closure waits until
//! the library has returned, then goes on. Knows nothing of what is called.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use crate::{Error, Result};

/// What a closure left for the call that it was called by.
enum Left {
    Panic(Box<dyn Any + Send>),
    Error(Error),
}

thread_local! {
    /// The calls that this thread is in, the innermost last.
    static CALLS: RefCell<Vec<Option<Left>>> = const { RefCell::new(Vec::new()) };
}

/// A number that is below zero for a failure.
pub(crate) trait Answer: Copy {
    fn failure(self) -> Option<c_int>;
}

impl Answer for c_int {
    fn failure(self) -> Option<c_int> {
        (self < 0).then_some(self)
    }
}

impl Answer for i64 {
    fn failure(self) -> Option<c_int> {
        (self < 0).then_some(self as c_int)
    }
}

/// Makes one call of the library: gives its answer or its failure. A panic in a closure goes on here.
pub(crate) fn call<T: Answer>(function: impl FnOnce() -> T) -> Result<T> {
    let answer = entered(function)?;
    match answer.failure() {
        Some(result) => Err(Error::last(result)),
        None => Ok(answer),
    }
}

/// The same for a function that has no failures of its own.
pub(crate) fn entered<T>(function: impl FnOnce() -> T) -> Result<T> {
    CALLS.with(|calls| calls.borrow_mut().push(None));
    let answer = function();
    match CALLS.with(|calls| calls.borrow_mut().pop()).flatten() {
        Some(Left::Panic(panic)) => resume_unwind(panic),
        Some(Left::Error(error)) => Err(error),
        None => Ok(answer),
    }
}

/// Makes one call whose result and panics nobody wants: for destructors.
pub(crate) fn ignored<T>(function: impl FnOnce() -> T) {
    let made = CALLS.try_with(|calls| calls.borrow_mut().push(None)).is_ok();
    function();
    if made {
        drop(CALLS.try_with(|calls| calls.borrow_mut().pop()));
    }
}

fn leave(left: Left) {
    // On a thread of the library's own there is no call: the panic hook has said it all.
    let mut left = Some(left);
    let _ = CALLS.try_with(|calls| match calls.borrow_mut().last_mut() {
        Some(innermost) if innermost.is_none() => *innermost = left.take(),
        _ => (),
    });
}

/// Calls a closure for the library. `otherwise` is what the library is told when it panics.
pub(crate) fn guarded<T>(otherwise: T, closure: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(closure)).unwrap_or_else(|panic| {
        leave(Left::Panic(panic));
        otherwise
    })
}

/// The same for one that may fail by an error that the call shall return.
pub(crate) fn guarded_result<T>(otherwise: T, closure: impl FnOnce() -> Result<T>) -> T {
    match catch_unwind(AssertUnwindSafe(closure)) {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => {
            leave(Left::Error(error));
            otherwise
        }
        Err(panic) => {
            leave(Left::Panic(panic));
            otherwise
        }
    }
}

/// Frees what the library held on to: a box that became a context.
pub(crate) extern "C" fn release<T>(context: *mut c_void) {
    guarded((), || {
        // SAFETY: made by Box::into_raw of a T, and the library releases once.
        drop(unsafe { Box::from_raw(context.cast::<T>()) });
    });
}

pub(crate) fn context<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// A string for C.
pub(crate) fn text(value: &str) -> Result<CString> {
    bytes(value.as_bytes())
}

pub(crate) fn bytes(value: &[u8]) -> Result<CString> {
    CString::new(value).map_err(|_| Error::argument("a string holds a NUL byte"))
}

pub(crate) fn text_or_null(value: Option<&str>) -> Result<Option<CString>> {
    value.map(text).transpose()
}

pub(crate) fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

/// A string from C; NULL is none.
///
/// # Safety
/// It must end with a NUL.
pub(crate) unsafe fn string(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: as the caller says.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
