//! How does a file come into being? Beside its place under another name, compressed as its original was, and put
//! there when it is whole. One that is given up leaves nothing behind.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::RewriteError;
use crate::compression::Packing;

/// Large enough that a system call is rare.
const BUFFER: usize = 256 * 1024;

/// A file that is being written.
pub(super) struct Output {
    file: BufWriter<File>,
    path: PathBuf,
    bytes: u64,
    finished: bool,
}

impl Output {
    /// Begins a file, and the folders it is to lie in.
    pub(super) fn create(path: &Path) -> Result<Self, RewriteError> {
        let (wrong, unfinished) = (RewriteError::write(path), unfinished(path));
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(&wrong)?;
        check_vacant(path)?;
        let file = File::create_new(&unfinished).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RewriteError::exists(&unfinished),
            _ => wrong(error),
        })?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Output { file, path: path.to_owned(), bytes: 0, finished: false })
    }

    /// Puts the file in its place and says how large it is. It is not synced: the originals are still there, and a
    /// folder of a million pages would take hours.
    pub(super) fn finish(mut self) -> Result<u64, RewriteError> {
        let wrong = RewriteError::write(&self.path);
        self.file.flush().map_err(&wrong)?;
        check_vacant(&self.path)?;
        fs::rename(unfinished(&self.path), &self.path).map_err(&wrong)?;
        self.finished = true;
        Ok(self.bytes)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to be told, and a remainder says by its name what it is.
            let _ = fs::remove_file(unfinished(&self.path));
        }
    }
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

fn check_vacant(path: &Path) -> Result<(), RewriteError> {
    match path.symlink_metadata() {
        Ok(_) => Err(RewriteError::exists(path)),
        Err(_) => Ok(()),
    }
}

/// Compresses what is written.
pub(super) enum Packed<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packed<W> {
    pub(super) fn new(inner: W, packing: Packing) -> io::Result<Self> {
        Ok(match packing {
            Packing::Plain => Packed::Plain(inner),
            Packing::Gzip => Packed::Gzip(GzEncoder::new(inner, Compression::default())),
            Packing::Zstd => Packed::Zstd(zstd::Encoder::new(inner, zstd::DEFAULT_COMPRESSION_LEVEL)?),
        })
    }

    /// Ends the compressed stream.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Packed::Plain(inner) => Ok(inner),
            Packed::Gzip(encoder) => encoder.finish(),
            Packed::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packed::Plain(inner) => inner.write(bytes),
            Packed::Gzip(encoder) => encoder.write(bytes),
            Packed::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packed::Plain(inner) => inner.flush(),
            Packed::Gzip(encoder) => encoder.flush(),
            Packed::Zstd(encoder) => encoder.flush(),
        }
    }
}
