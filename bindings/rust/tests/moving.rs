//! Copies of a store, dumps, verification, repair.

mod common;
use common::*;

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use firsttime::{DumpOptions, ErrorCode, Format, ImportOptions};

fn old_file(name: &str) -> Option<Vec<u8>> {
    std::env::var_os("FT_IMPORT").map(|directory| fs::read(PathBuf::from(directory).join(name)).unwrap())
}

fn replace(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    std::str::from_utf8(bytes).unwrap().replace(old, new).into_bytes()
}

#[test]
fn every_format_comes_back() {
    let path = TemporaryPath::new();
    let store = path.open();
    for key in ["a", "b"] {
        store.mark(key).unwrap();
    }
    store.donate("opened").unwrap();
    for format in [Format::Archive, Format::ArchiveXml, Format::Defaults] {
        let bytes = store.export_bytes(format).unwrap();
        let copy = in_memory();
        let report = copy.import_bytes(&bytes, ImportOptions::new()).unwrap();
        assert_eq!((report.records_added, report.format), (2, format));
        assert_eq!(copy.export_bytes(Format::Json).unwrap(), store.export_bytes(Format::Json).unwrap());
        let file = path.0.with_file_name("copy");
        store.export(&file, format).unwrap();
        assert_eq!(fs::read(file).unwrap(), bytes);
        assert!(firsttime::verify(&bytes).unwrap().is_empty());
    }
    assert_eq!(store.export_bytes(Format::Auto).unwrap(), store.export_bytes(Format::Archive).unwrap());
    let json = String::from_utf8(store.export_bytes(Format::Json).unwrap()).unwrap();
    assert!(json.contains("\"key\": \"b\"") && json.contains("\"name\": \"opened\""));

    assert_eq!(
        code(store.import_bytes(json.as_bytes(), ImportOptions::new().format(Format::Json))),
        ErrorCode::Argument
    );
    assert_eq!(code(store.export_bytes(Format::RuleKit)), ErrorCode::Argument);
    assert_eq!(code(store.export(&path.0, Format::Auto)), ErrorCode::Argument);
    assert_eq!(code(store.export("a\0b", Format::Auto)), ErrorCode::Argument);
    assert_eq!(code(store.export(path.0.join("missing"), Format::Auto)), ErrorCode::Io);
}

#[test]
fn a_closure_is_given_all_parts_until_it_fails() {
    let store = in_memory();
    for index in 0..3000 {
        store.mark(&format!("key.{index}")).unwrap();
    }
    let (mut parts, mut bytes) = (0, Vec::new());
    let write = |part: &[u8]| {
        parts += 1;
        bytes.write_all(part)
    };
    store.export_to(Format::Archive, write).unwrap();
    assert!(parts > 3);
    assert_eq!(bytes, store.export_bytes(Format::Archive).unwrap());
    store.export_to(Format::Json, |_| store.mark("inside").map(drop)).unwrap();
    assert!(store.was_executed("inside").unwrap());

    let mut parts = 0;
    let fail = |_: &[u8]| {
        parts += 1;
        if parts < 2 {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::Other, "full"))
        }
    };
    let error = store.export_to(Format::Archive, fail).unwrap_err();
    assert_eq!((error.code(), parts), (ErrorCode::Callback, 2));
    assert_eq!(error.into_source().unwrap().to_string(), "full");
    assert_eq!(panic_of(|| store.export_to(Format::Archive, |_| silent_panic::<()>(4))), 4);
}

#[test]
fn dumps() {
    let archive = match old_file("three_plain.bplist") {
        Some(archive) => archive,
        None => return,
    };
    let shown = |options| firsttime::dump(&archive, options).unwrap();
    assert!(shown(DumpOptions::new()).contains("\"onboarding\" => "));
    assert!(shown(DumpOptions::new().json()).contains("\"onboarding\": {"));
    assert!(shown(DumpOptions::new().raw()).contains("\"$objects\" => "));
    assert!(shown(DumpOptions::new().json().raw()).contains("\"$objects\": ["));
    for wrong in ["", "bplist00"] {
        assert_eq!(code(firsttime::dump(wrong.as_bytes(), DumpOptions::new())), ErrorCode::Corrupt);
    }
}

#[test]
fn verification() {
    let xml = match old_file("three_plain.xml.plist") {
        Some(xml) => xml,
        None => return,
    };
    assert!(firsttime::verify(&xml).unwrap().is_empty());
    let problems = firsttime::verify(&replace(&xml, "<key>lastTime", "<key>lostTime")).unwrap();
    assert_eq!(problems.len(), 3);
    assert!(problems.iter().all(|problem| problem.offset > 1 && !problem.text.is_empty()));
    for wrong in ["", "bplist00"] {
        assert_eq!(firsttime::verify(wrong.as_bytes()).unwrap().len(), 1);
    }
    let newer = "<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict><key>$archiver";
    assert_eq!(code(firsttime::verify(&replace(&xml, "<key>$archiver", newer))), ErrorCode::Format);
}

#[test]
fn a_store_that_cannot_be_opened_is_repaired() {
    let path = TemporaryPath::new();
    let damage = || {
        let file = fs::OpenOptions::new().write(true).open(&path.0).unwrap();
        file.set_len(file.metadata().unwrap().len() - 40).unwrap();
        assert_eq!(code(firsttime::Store::open(&path.options())), ErrorCode::Corrupt);
    };
    let store = path.open();
    store.mark("key").unwrap();
    assert_eq!(code(firsttime::repair(&path.0, |_| ControlFlow::Continue(()))), ErrorCode::Busy);
    store.close().unwrap();
    assert!(!firsttime::repair(&path.0, |_| silent_panic(0)).unwrap());

    damage();
    let before = fs::read(&path.0).unwrap();
    assert!(!firsttime::repair(&path.0, |_| ControlFlow::Break(())).unwrap());
    assert_eq!(panic_of(|| firsttime::repair(&path.0, |_| silent_panic(5))), 5);
    assert_eq!(fs::read(&path.0).unwrap(), before);
    let mut told = Vec::new();
    let repaired = firsttime::repair(&path.0, |problem| {
        told.push(problem.text);
        ControlFlow::Continue(())
    });
    assert!(repaired.unwrap());
    assert!(told.iter().any(|text| text.contains(".corrupt-")) && told.contains(&"1 record saved".to_owned()));
    assert!(path.open().was_executed("key").unwrap());
    assert_eq!(code(firsttime::repair("missing", |_| ControlFlow::Continue(()))), ErrorCode::Io);
}
