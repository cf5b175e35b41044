//! Builds the shim that stands between a child and its disk (`inject.c`).

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the shim into a folder. A C compiler is there: the database is built with it.
pub fn build(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crash/inject.c");
    let library = folder.join("inject.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status()
        .unwrap();
    assert!(built.success(), "cc failed: {built}");
    library
}
