//! What an output folder was begun with: settings and inputs, written down first of all and compared by whoever goes on.

use crate::error::{ClusterError, Result};
use crate::files;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An input, as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path, or `-`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified: u64,
}

/// What an output folder holds: the first thing that is written into it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub format: u32,
    /// Unlike that of any other: what lies in a folder that others use, too, is called by it.
    pub run: String,
    pub settings: Settings,
    /// Whether the first sweep is a reference: what the others are compared with, and nothing of it is a copy.
    #[serde(default)]
    pub has_reference: bool,
    pub sweeps: Vec<Sweep>,
}

/// Inputs that are read together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sweep {
    pub inputs: Vec<InputFile>,
    /// Documents before it.
    pub first: u32,
    /// Documents up to its end, once it is read.
    pub end: Option<u32>,
}

/// The format of all files of an output folder.
pub(crate) const FORMAT: u32 = 2;
/// Nothing is written among files that are not ours. What a run has left that was cut off at once is.
pub(crate) fn refuse_strangers(folder: &Path) -> Result<()> {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<PathBuf>>()
    };
    let is_draft = |path: &PathBuf| path.extension().is_some_and(|end| end == "unfinished");
    let is_ours = |path: &PathBuf| *path == work_of(folder) && entries(path).iter().all(is_draft);
    match entries(folder).iter().all(is_ours) {
        true => Ok(()),
        false => {
            let reason = "is not empty, and not the output of an earlier run: name another folder".to_owned();
            Err(ClusterError::Damaged { path: folder.to_owned(), reason })
        }
    }
}

pub(crate) fn unique_name() -> String {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{:x}-{}", since.as_nanos(), std::process::id())
}

pub(crate) fn work_of(folder: &Path) -> PathBuf {
    folder.join("work")
}

pub(crate) fn manifest_of(folder: &Path) -> PathBuf {
    work_of(folder).join("manifest.json")
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| ClusterError::io(path)(error.into()))?;
    bytes.push(b'\n');
    files::write(path, &bytes)
}

pub(crate) fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    serde_json::from_slice(&files::read(path)?).map_err(|_| ClusterError::damaged(path))
}
