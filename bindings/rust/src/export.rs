//! Owns giving a copy of all state away.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::calls::{bytes, call};
use crate::running::Completion;
use crate::writing::{write, written};
use crate::{sys, Format, Result, Store};

impl Store {
    /// Writes a copy of everything the store holds, at one moment, to a file of its own, which is there when it is
    /// complete, or not at all.
    pub fn export(&self, path: impl AsRef<Path>, format: Format) -> Result<()> {
        let path = bytes(path.as_ref().as_os_str().as_bytes())?;
        call(|| unsafe { sys::firsttime_export(self.c(), path.as_ptr(), format as i32) }).map(drop)
    }

    /// The same to a closure, part by part. An `Err` ends it, and is the source of what this returns.
    pub fn export_to<R: Completion>(&self, format: Format, writer: impl FnMut(&[u8]) -> R) -> Result<()> {
        write(writer, |writer, context| unsafe { sys::firsttime_export_to(self.c(), format as i32, writer, context) })
    }

    /// The same as bytes.
    pub fn export_bytes(&self, format: Format) -> Result<Vec<u8>> {
        written(|writer, context| unsafe { sys::firsttime_export_to(self.c(), format as i32, writer, context) })
    }
}
