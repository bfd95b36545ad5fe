//! Run code once per install, once per app version, or once per interval, and remember it in a file.
//!
//! ```no_run
//! # fn main() -> Result<(), firsttime::Error> {
//! use firsttime::{Options, Store};
//!
//! let store = Store::open(&Options::new().app_id("org.example.app").app_version("2.1"))?;
//! store.execute_once("onboarding.v1", || println!("Welcome!"))?;
//! # Ok(())
//! # }
//! ```
//!
//! While one thread or process runs a key, the others wait, look again, and find it done. After
//! [`Outcome::Ran`] the record is on disk and survives a loss of power.
//!
//! A closure that runs a key returns nothing, or a `Result`: with an `Err` nothing is recorded, and the
//! error is the [source](std::error::Error::source) of what the call returns. One that panics isn't
//! recorded either: the panic goes on once the library has returned. On a thread of the library's own (a
//! delayed rule's trigger) it ends there, after its message.
//!
//! The manual is the library's C header, `firsttime.h`: each function here is named after its own. Strings
//! that hold a NUL are [`ErrorCode::Argument`].

#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(rust_2018_idioms)]

mod asking;
mod calls;
mod claim;
mod error;
mod events;
mod export;
mod import;
mod inspect;
mod observers;
mod options;
mod rule;
mod rule_options;
mod running;
mod store;
mod sys;
mod time;
mod triggers;
mod when;
mod writing;

pub use asking::Record;
pub use claim::Claim;
pub use error::{Error, ErrorCode, Result};
pub use events::Donations;
pub use import::{Format, ImportOptions, ImportReport};
pub use inspect::{dump, repair, verify, DumpOptions, Problem};
pub use observers::Observer;
pub use options::Options;
pub use rule::Rule;
pub use rule_options::{RuleOptions, Work};
pub use running::{Completion, Outcome};
pub use store::Store;
pub use triggers::TriggerRecord;
pub use when::{Interval, Policy, Unit};

/// The version of the library that is linked.
pub fn library_version() -> String {
    // SAFETY: the text is static.
    unsafe { calls::string(sys::firsttime_library_version()) }.unwrap_or_default()
}

/// Compares two versions by their numbers, so that "1.10" comes after "1.9". Records never do: they compare
/// byte for byte.
pub fn version_compare(left: &str, right: &str) -> Result<std::cmp::Ordering> {
    let (left, right) = (calls::text(left)?, calls::text(right)?);
    // SAFETY: both live for this call.
    Ok(unsafe { sys::firsttime_version_compare(left.as_ptr(), right.as_ptr()) }.cmp(&0))
}
