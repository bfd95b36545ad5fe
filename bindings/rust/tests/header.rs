//! The functions and callbacks that src/sys.rs declares are those of firsttime.h. FIRSTTIME_SIGNATURES is a file made
//! from the header that says what each is to the machine.

use std::collections::HashMap;

/// What a type of src/sys.rs is to the machine.
fn lowered(kind: &str) -> &str {
    match kind {
        "" => "void",
        "c_int" | "i32" => "i32",
        "u32" => "u32",
        "i64" => "i64",
        "u64" | "usize" | "firsttime_observer" => "u64",
        "f64" => "f64",
        "firsttime_interval" => "interval",
        _ => "ptr",
    }
}

/// "(key: Text, count: u64) -> c_int" or "(*mut c_void) -> c_int"
fn signature(declaration: &str) -> String {
    let (parameters, result) = declaration.rsplit_once(')').unwrap();
    let result = result.trim().trim_start_matches("->").trim().trim_end_matches(';');
    let parameters = parameters.trim_start_matches('(').split(',').map(str::trim).filter(|one| !one.is_empty());
    let kinds = parameters.map(|one| lowered(one.rsplit(": ").next().unwrap()));
    std::iter::once(lowered(result)).chain(kinds).collect::<Vec<_>>().join(" ")
}

#[test]
fn declarations_are_the_headers() {
    let header = match std::env::var_os("FIRSTTIME_SIGNATURES") {
        Some(path) => std::fs::read_to_string(path).unwrap(),
        None => return,
    };
    let header: HashMap<_, _> = header.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let source = include_str!("../src/sys.rs").replace('\n', " ");
    let mut seen = 0;
    for statement in source.split(';') {
        let declared = match (statement.split_once("pub fn "), statement.split_once("pub type firsttime_")) {
            (Some((_, function)), _) => function.split_once('(').map(|(name, rest)| (name.to_owned(), rest)),
            (None, Some((_, callback))) => callback.split_once(" = ").and_then(|(name, kind)| {
                kind.split_once("extern \"C\" fn(").map(|(_, rest)| (format!("firsttime_{name}"), rest))
            }),
            _ => None,
        };
        if let Some((name, rest)) = declared {
            assert_eq!((name.as_str(), header[name.as_str()]), (name.as_str(), signature(rest).as_str()));
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen} declarations");
}
