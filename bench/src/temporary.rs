//! Where data directories live while they are measured.

use anyhow::{Context, Result};
use std::path::Path;
use tempfile::TempDir;

/// A folder in memory where the system has one: for what is judged, not for how fast.
pub fn in_memory() -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.context("cannot make a temporary folder")
}

/// A folder on the disk of `place`: for how fast.
pub fn on_disk(place: &Path) -> Result<TempDir> {
    std::fs::create_dir_all(place)
        .and_then(|()| tempfile::Builder::new().prefix("firstcopy-bench-").tempdir_in(place))
        .with_context(|| format!("cannot make a temporary folder in {}", place.display()))
}
