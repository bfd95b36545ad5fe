//! Finds libfirsttime: in the directory that FIRSTTIME_LIB_DIR names, or else by the command pkg-config.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=FIRSTTIME_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed=build.rs");
    let directory = match env::var("FIRSTTIME_LIB_DIR") {
        Ok(directory) => directory,
        Err(_) => installed(),
    };
    println!("cargo:rustc-link-search=native={directory}");
    println!("cargo:rustc-link-lib=firsttime");
}

fn installed() -> String {
    let result = Command::new("pkg-config").args(["--variable=libdir", "firsttime"]).output();
    match result {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Ok(output) => panic!(
            "pkg-config doesn't find firsttime: install the library FirstTime, or set FIRSTTIME_LIB_DIR\n{}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!("pkg-config can't be run ({error}): install it, or set FIRSTTIME_LIB_DIR"),
    }
}
