//! The program's default store. A program of its own, since it changes the environment, which other threads read.

mod common;
use common::*;

use firsttime::{ErrorCode, Store};

#[test]
fn the_shared_store() {
    std::env::set_var("XDG_STATE_HOME", "/dev/null");
    assert_eq!(code(Store::shared()), ErrorCode::Io);
    let path = TemporaryPath::new();
    std::env::set_var("XDG_STATE_HOME", path.0.parent().unwrap());
    let store = Store::shared().unwrap();
    store.mark("key").unwrap();
    assert!(Store::shared().unwrap().was_executed("key").unwrap());
    assert!(std::ptr::eq(store, Store::shared().unwrap()));
}
