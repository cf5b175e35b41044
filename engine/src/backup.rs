//! A backup: one state of the store, with its seeds and settings, while others go on writing.

use crate::error::{EngineError, Result};
use crate::reader::Reader;
use firstcopy_store::StoreError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

impl Reader {
    /// Copies the data directory to a place where nothing is yet. What can be rebuilt is left out: opening the copy
    /// rebuilds it. The place appears only when the copy is complete and synced.
    pub fn backup(&self, target: &Path) -> Result<()> {
        self.backup_with(target, |_| Ok(()))
    }

    /// The same, with files that others keep in the data directory: `more` puts them into the copy. It comes before the
    /// store, so that whoever follows the store is never ahead of it in a copy.
    pub fn backup_with(&self, target: &Path, more: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
        if target.exists() {
            return Err(EngineError::Exists(target.to_owned()));
        }
        let draft = with_suffix(target, ".partial");
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| EngineError::Store(StoreError::io(&path, source))
        };
        if draft.exists() {
            std::fs::remove_dir_all(&draft).map_err(io(&draft))?;
        }
        std::fs::create_dir_all(&draft).map_err(io(&draft))?;
        self.directory.copy_small_files(&draft)?;
        more(&draft).map_err(io(&draft))?;
        let name = self.directory.database().file_name().map(OsString::from).unwrap_or_default();
        self.store.copy_to(&draft.join(name))?;
        std::fs::rename(&draft, target).map_err(io(target))?;
        let parent =
            target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::File::open(parent).and_then(|folder| folder.sync_all()).map_err(io(parent))
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(suffix);
    path.with_file_name(name)
}
