//! How are the runs of a folder opened: by the one process that writes, and by others beside it?

use super::files::{self, MANIFEST, Others};
use super::manifest::Manifest;
use super::purpose::Purpose;
use super::run::Run;
use crate::IndexError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The manifest of a folder, and the runs it names.
type Opened = (Manifest, Vec<Arc<Run>>);

/// Opens what is in a folder, or makes an empty index there; clears away what a crash left.
pub(super) fn to_write(folder: &Path, purpose: Purpose) -> Result<Opened, IndexError> {
    fs::create_dir_all(folder).map_err(IndexError::io(folder))?;
    let manifest = match Manifest::read(folder, purpose)? {
        Some(manifest) => manifest,
        None => create(folder, purpose)?,
    };
    let runs = open_runs(folder, &manifest, purpose)?;
    remove_orphans(folder, &runs)?;
    Ok((manifest, runs))
}

/// Opens what the manifest names at this moment, and changes nothing. Whoever writes may name other runs and remove these
/// meanwhile: what counts is what was opened under one and the same manifest.
pub(super) fn to_read(folder: &Path, purpose: Purpose) -> Result<Opened, IndexError> {
    let read = || Manifest::read(folder, purpose)?.ok_or_else(|| missing(folder));
    let mut manifest = read()?;
    loop {
        let runs = open_runs(folder, &manifest, purpose);
        let now = read()?;
        if now == manifest {
            return runs.map(|runs| (manifest, runs));
        }
        manifest = now;
    }
}

fn missing(folder: &Path) -> IndexError {
    IndexError::io(&folder.join(MANIFEST))(io::ErrorKind::NotFound.into())
}

fn open_runs(folder: &Path, manifest: &Manifest, purpose: Purpose) -> Result<Vec<Arc<Run>>, IndexError> {
    manifest.runs.iter().map(|named| Run::open(folder, *named, purpose).map(Arc::new)).collect()
}

/// Makes an empty index in an empty folder.
fn create(folder: &Path, purpose: Purpose) -> Result<Manifest, IndexError> {
    let others = Others::of(folder)?;
    if let Some(path) = others.runs.iter().chain(&others.foreign).next() {
        return Err(IndexError::damaged(
            path,
            "this lies where an index should be, without a manifest".to_owned(),
        ));
    }
    let manifest = Manifest::default();
    manifest.write(folder, purpose)?;
    Ok(manifest)
}

/// Removes what a crash left: files half written, runs written but not yet or no longer named.
fn remove_orphans(folder: &Path, runs: &[Arc<Run>]) -> Result<(), IndexError> {
    let others = Others::of(folder)?;
    let is_named = |path: &&PathBuf| runs.iter().any(|run| run.path() == path.as_path());
    let orphans = others.runs.iter().filter(|path| !is_named(path));
    orphans.chain(&others.unfinished).try_for_each(|path| files::remove(path))
}
