//! Where are the texts of all versions? In one temporary file, one after the other, gone when the process is.

use super::error::HistoryError;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The file while it is written.
#[derive(Debug)]
pub(super) struct SpoolWriter {
    file: BufWriter<File>,
    length: u64,
}

/// The file while it is read, by one thread at a time.
#[derive(Debug)]
pub(super) struct Spool(Mutex<File>);

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    offset: u64,
    length: u32,
    /// Of the text itself.
    unpacked: u32,
}

impl SpoolWriter {
    pub fn create(folder: Option<&Path>) -> Result<Self, HistoryError> {
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder),
            None => tempfile::tempfile(),
        };
        let file = file.map_err(HistoryError::spool("made"))?;
        Ok(SpoolWriter { file: BufWriter::new(file), length: 0 })
    }

    pub fn push(&mut self, packed: &[u8], unpacked: u32) -> Result<Piece, HistoryError> {
        let piece = Piece { offset: self.length, length: packed.len() as u32, unpacked };
        self.file.write_all(packed).map_err(HistoryError::spool("written"))?;
        self.length += packed.len() as u64;
        Ok(piece)
    }

    pub fn finish(self) -> Result<Spool, HistoryError> {
        let file =
            self.file.into_inner().map_err(|error| HistoryError::spool("written")(error.into_error()))?;
        Ok(Spool(Mutex::new(file)))
    }
}

impl Spool {
    pub fn text(&self, piece: Piece) -> Result<String, HistoryError> {
        let packed = self.bytes(piece).map_err(HistoryError::spool("read"))?;
        let text = zstd::bulk::decompress(&packed, piece.unpacked as usize)
            .map_err(HistoryError::spool("unpacked"))?;
        // It was a text when it was packed.
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn bytes(&self, piece: Piece) -> std::io::Result<Vec<u8>> {
        let mut packed = vec![0; piece.length as usize];
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(piece.offset))?;
        file.read_exact(&mut packed)?;
        Ok(packed)
    }
}
