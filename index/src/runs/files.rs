//! Which files make an index, and how does one come into being so that no crash leaves half of it?

use crate::IndexError;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The file that names all others.
pub(super) const MANIFEST: &str = "manifest";
const RUN_ENDING: &str = ".run";
const UNFINISHED_ENDING: &str = ".unfinished";

/// The name of the run of a generation.
pub(super) fn run_name(generation: u64) -> String {
    format!("{generation:010}{RUN_ENDING}")
}

/// Writes a file so that it is there whole or not at all: under another name, synced, renamed, the folder synced.
pub(super) fn write_whole(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<PathBuf, IndexError> {
    let path = folder.join(name);
    let unfinished = folder.join(format!("{name}{UNFINISHED_ENDING}"));
    let finish = || {
        let mut file = File::create(&unfinished)?;
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)?;
        sync_folder(folder)
    };
    finish().map_err(IndexError::io(&path))?;
    Ok(path)
}

/// Makes renames in a folder last; elsewhere than on Unix a folder cannot be opened, and the system sees to it.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// What else lies in the folder of an index.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Runs.
    pub runs: Vec<PathBuf>,
    /// Files that a crash left unfinished.
    pub unfinished: Vec<PathBuf>,
    /// Files that are none of ours.
    pub foreign: Vec<PathBuf>,
}

impl Others {
    /// Everything but the manifest.
    pub fn of(folder: &Path) -> Result<Self, IndexError> {
        let mut others = Others::default();
        for file in fs::read_dir(folder).map_err(IndexError::io(folder))? {
            let path = file.map_err(IndexError::io(folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match &*name {
                MANIFEST => {}
                name if name.ends_with(RUN_ENDING) => others.runs.push(path),
                name if name.ends_with(UNFINISHED_ENDING) => others.unfinished.push(path),
                _ => others.foreign.push(path),
            }
        }
        Ok(others)
    }
}

/// Removes a file that nothing names any more.
pub(super) fn remove(path: &Path) -> Result<(), IndexError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(IndexError::io(path)(error)),
        _ => Ok(()),
    }
}
