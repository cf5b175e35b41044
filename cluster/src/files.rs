//! Files that are there wholly or not at all: written beside their place, synced, then put there.

use crate::error::{ClusterError, Result};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl Draft {
    pub fn create(path: &Path) -> Result<Self> {
        let draft = draft_of(path);
        let file = File::create(&draft).map_err(ClusterError::io(&draft))?;
        Ok(Draft { path: path.to_owned(), writer: BufWriter::with_capacity(1 << 18, file) })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(ClusterError::io(&self.path))
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<()> {
        let wrong = ClusterError::io(&self.path);
        let file = self.writer.into_inner().map_err(|error| wrong(error.into_error()))?;
        file.sync_data().map_err(&wrong)?;
        std::fs::rename(draft_of(&self.path), &self.path).map_err(wrong)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn draft_of(path: &Path) -> PathBuf {
    path.with_extension("unfinished")
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write(bytes)?;
    draft.finish()
}

pub(crate) fn open(path: &Path) -> Result<BufReader<File>> {
    Ok(BufReader::with_capacity(1 << 18, File::open(path).map_err(ClusterError::io(path))?))
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(ClusterError::io(path))
}

pub(crate) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

pub(crate) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ClusterError::io(path)(error)),
        _ => Ok(()),
    }
}

pub(crate) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(ClusterError::io(path))
}

/// A file that is read at places.
#[derive(Debug)]
pub(crate) struct Places {
    path: PathBuf,
    file: File,
    /// Bytes of it. It is whole, and stays as it is.
    pub size: u64,
}

impl Places {
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(ClusterError::io(path))?;
        let size = file.metadata().map_err(ClusterError::io(path))?.len();
        Ok(Places { path: path.to_owned(), file, size })
    }

    /// Fills `buffer` with so many bytes from a place.
    pub fn read(&self, at: u64, length: usize, buffer: &mut Vec<u8>) -> Result<()> {
        buffer.resize(length, 0);
        self.file.read_exact_at(buffer, at).map_err(ClusterError::io(&self.path))
    }
}

/// Fills an array from a reader; false at its end.
pub(crate) fn take_exact(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..])? {
            0 if filled == 0 => return Ok(false),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            more => filled += more,
        }
    }
    Ok(true)
}
