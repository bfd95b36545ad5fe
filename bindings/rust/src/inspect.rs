//! Owns showing and checking bytes, whosever they are, and repairing a store that can't be opened.

use std::ops::ControlFlow;
use std::os::raw::{c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::asking::{closure, go_on, is_yes};
use crate::calls::{bytes, call, guarded, string};
use crate::writing::written;
use crate::{sys, ErrorCode, Result};

/// Something that is wrong with bytes, or that a repair does about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Bytes from the start; for XML the line.
    pub offset: u64,
    /// In words.
    pub text: String,
}

/// A visitor whose context is a closure that takes the problem.
extern "C" fn see<F>(problem: *const sys::firsttime_problem, context: *mut c_void) -> c_int
where
    F: FnMut(Problem) -> ControlFlow<()>,
{
    guarded(1, || {
        // SAFETY: the library shows one, and the context is the closure that the call was made with.
        let (problem, visitor) = unsafe { (&*problem, &mut *context.cast::<F>()) };
        let text = unsafe { string(problem.text) }.unwrap_or_default();
        go_on(visitor(Problem { offset: problem.offset, text }))
    })
}

fn visitor<F: FnMut(Problem) -> ControlFlow<()>>(_: &F) -> Option<sys::firsttime_problem_visitor> {
    Some(see::<F>)
}

/// How [`dump`] shows bytes. As it is made: as text for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DumpOptions {
    flags: u32,
}

impl DumpOptions {
    /// The defaults.
    pub fn new() -> DumpOptions {
        DumpOptions::default()
    }

    /// JSON, for scripts.
    pub fn json(self) -> DumpOptions {
        DumpOptions { flags: self.flags | sys::FIRSTTIME_DUMP_JSON }
    }

    /// UIDs as they stand, also in a keyed archive.
    pub fn raw(self) -> DumpOptions {
        DumpOptions { flags: self.flags | sys::FIRSTTIME_DUMP_RAW }
    }
}

/// Shows any property list, binary or XML, as text. The objects of a keyed archive stand where its UIDs lead.
pub fn dump(bytes: &[u8], options: DumpOptions) -> Result<String> {
    let text = written(|writer, context| unsafe {
        sys::firsttime_dump_bytes(bytes.as_ptr().cast(), bytes.len(), options.flags, writer, context)
    })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Everything that is wrong with a property list, a keyed archive, or one of this library's; none: it is sound. What is
/// sound, but a newer version's, is [`ErrorCode::Format`].
pub fn verify(bytes: &[u8]) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let mut keep = |problem| {
        problems.push(problem);
        ControlFlow::Continue(())
    };
    let see = visitor(&keep);
    let verified =
        call(|| unsafe { sys::firsttime_verify_bytes(bytes.as_ptr().cast(), bytes.len(), see, closure(&mut keep)) });
    match verified {
        Err(error) if error.code() != ErrorCode::Corrupt => Err(error),
        _ => Ok(problems),
    }
}

/// Repairs a store that can't be opened, while no program has it open: what can't be decoded is kept beside it under
/// another name, and the store starts from every record that could be saved.
///
/// `told` is told, before anything is changed, of what is wrong and what will be done about it. `Break`: nothing is
/// changed. True: repaired. False: it can be opened as it is, or `told` said no.
pub fn repair<F>(path: impl AsRef<Path>, mut told: F) -> Result<bool>
where
    F: FnMut(Problem) -> ControlFlow<()>,
{
    let path = bytes(path.as_ref().as_os_str().as_bytes())?;
    match is_yes(call(|| unsafe { sys::firsttime_repair(path.as_ptr(), Some(see::<F>), closure(&mut told)) })) {
        Err(error) if error.code() == ErrorCode::Callback => Ok(false),
        answer => answer,
    }
}
