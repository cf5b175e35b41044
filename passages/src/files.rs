//! Files that are there wholly or not at all: written beside their place, synced, then put there. And manifests, which say
//! what else in a folder counts: JSON, then a line with its checksum.

use crate::error::{PassageError, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file; it has its name only once it is whole and on the disk.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let wrong = PassageError::io(path);
    let draft = path.with_extension("unfinished");
    let mut writer = BufWriter::with_capacity(1 << 18, File::create(&draft).map_err(&wrong)?);
    write(&mut writer).map_err(&wrong)?;
    let file = writer.into_inner().map_err(|error| wrong(error.into_error()))?;
    file.sync_data().map_err(&wrong)?;
    std::fs::rename(&draft, path).map_err(&wrong)?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all()).map_err(wrong)
}

/// Makes an empty file. Unlike one that is written it never has another name, so that whoever is killed left it, or nothing.
pub(crate) fn mark(path: &Path) -> Result<()> {
    let made = File::create(path).and_then(|file| file.sync_all());
    let synced = made.and_then(|()| path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all()));
    synced.map_err(PassageError::io(path))
}

pub(crate) fn write_manifest(path: &Path, manifest: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(manifest).unwrap_or_default();
    write_whole(path, |file| write!(file, "{json}\n{:08x}\n", crc32fast::hash(json.as_bytes())))
}

pub(crate) fn read_manifest<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(PassageError::io(path))?;
    let (json, checksum) = text.trim_end().rsplit_once('\n').unwrap_or_default();
    let is_sound = format!("{:08x}", crc32fast::hash(json.as_bytes())) == checksum;
    let manifest = serde_json::from_str(json).ok().filter(|_| is_sound);
    manifest.ok_or_else(|| PassageError::damaged(path, "is cut off or damaged"))
}
