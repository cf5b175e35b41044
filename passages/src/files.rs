//! Files that are there wholly or not at all: written beside their place, synced, then put there.

use crate::error::{PassageError, Result};
use std::fs::File;
use std::io::{self, BufWriter};
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
