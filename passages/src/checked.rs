//! Bytes of a file that are checked when they are first looked at: a file of gigabytes is opened at once, and nothing that
//! was damaged is ever believed. A file is its bytes, then a checksum for each block of them, then one for those.

use crate::error::{PassageError, Result};
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Bytes under one checksum.
const BLOCK: usize = 1 << 16;
const CHECKSUM: usize = 4;

/// The bytes of a file, or some that are in memory and need no checking.
#[derive(Debug)]
pub(crate) struct Checked {
    bytes: Bytes,
    length: usize,
    /// A bit for every block that was found sound.
    sound: Vec<AtomicU64>,
    is_damaged: AtomicBool,
}

#[derive(Debug)]
enum Bytes {
    Mapped { map: Mmap, path: PathBuf },
    Memory(Vec<u8>),
}

impl Checked {
    /// Opens a file that [`Checksummed`] wrote.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(PassageError::io(path))?;
        // SAFETY: a file is never changed once it has its name: whoever writes to the folder can only remove it, which
        // leaves the map as it is. All reads are of bytes, inside slices.
        let map = unsafe { Mmap::map(&file) }.map_err(PassageError::io(path))?;
        let length =
            checked_length(&map).ok_or_else(|| PassageError::damaged(path, "is cut off or damaged"))?;
        let sound = (0..length.div_ceil(BLOCK).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Checked {
            bytes: Bytes::Mapped { map, path: path.to_owned() },
            length,
            sound,
            is_damaged: false.into(),
        })
    }

    pub fn in_memory(bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        Checked { bytes: Bytes::Memory(bytes), length, sound: Vec::new(), is_damaged: false.into() }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// So many bytes from a place; zeros if the file has no such place.
    #[inline]
    pub fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let bytes = match &self.bytes {
            Bytes::Memory(bytes) => bytes.as_slice(),
            Bytes::Mapped { map, .. } => {
                self.look_at(map, at);
                map
            }
        };
        bytes.get(at..at + N).and_then(|slice| slice.first_chunk()).copied().unwrap_or([0; N])
    }

    /// The bytes between two places; none if the file has no such places.
    pub fn slice(&self, places: Range<usize>) -> &[u8] {
        let bytes = match &self.bytes {
            Bytes::Memory(bytes) => bytes.as_slice(),
            Bytes::Mapped { map, .. } => {
                self.look_at(map, places.start);
                self.look_at(map, places.end);
                map
            }
        };
        bytes.get(places).unwrap_or_default()
    }

    /// What was looked at so far was sound; else an error that names the file.
    pub fn sound(&self) -> Result<()> {
        match &self.bytes {
            Bytes::Mapped { path, .. } if self.is_damaged.load(Relaxed) => {
                Err(PassageError::damaged(path, "a block does not have the checksum it was written with"))
            }
            _ => Ok(()),
        }
    }

    /// Looks at every block.
    pub fn verify(&self) -> Result<()> {
        if let Bytes::Mapped { map, .. } = &self.bytes {
            (0..self.length).step_by(BLOCK).for_each(|at| self.look_at(map, at));
        }
        self.sound()
    }

    /// Checks the block around a place, if it was not checked before. Numbers are aligned, so none is in two blocks.
    #[inline]
    fn look_at(&self, map: &[u8], at: usize) {
        let block = at / BLOCK;
        let Some(bits) = self.sound.get(block / 64) else { return };
        let bit = 1 << (block % 64);
        if bits.load(Relaxed) & bit == 0 {
            self.check(map, block);
            bits.fetch_or(bit, Relaxed);
        }
    }

    #[cold]
    fn check(&self, map: &[u8], block: usize) {
        let bytes = &map[block * BLOCK..self.length.min((block + 1) * BLOCK)];
        let place = self.length + block * CHECKSUM;
        if map[place..place + CHECKSUM] != crc32fast::hash(bytes).to_le_bytes() {
            self.is_damaged.store(true, Relaxed);
        }
    }
}

/// How many bytes come before the checksums, if those are sound.
fn checked_length(file: &[u8]) -> Option<usize> {
    let (file, last) = file.split_last_chunk::<CHECKSUM>()?;
    let (_, length) = file.split_last_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let checksums = length.div_ceil(BLOCK).checked_mul(CHECKSUM)?;
    let is_whole = length.checked_add(checksums)?.checked_add(8)? == file.len();
    (is_whole && crc32fast::hash(&file[length..]).to_le_bytes() == *last).then_some(length)
}

/// Writes what [`Checked`] reads.
pub(crate) struct Checksummed<W> {
    to: W,
    block: crc32fast::Hasher,
    length: u64,
    checksums: Vec<u8>,
}

impl<W: Write> Checksummed<W> {
    pub fn new(to: W) -> Self {
        Checksummed { to, block: crc32fast::Hasher::new(), length: 0, checksums: Vec::new() }
    }

    /// Writes the checksums.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.length.is_multiple_of(BLOCK as u64) {
            self.end_block();
        }
        self.checksums.extend(self.length.to_le_bytes());
        self.to.write_all(&self.checksums)?;
        self.to.write_all(&crc32fast::hash(&self.checksums).to_le_bytes())?;
        Ok(self.to)
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.checksums.extend(block.finalize().to_le_bytes());
    }
}

impl<W: Write> Write for Checksummed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BLOCK - (self.length % BLOCK as u64) as usize;
        let taken = &bytes[..bytes.len().min(room)];
        self.to.write_all(taken)?;
        self.block.update(taken);
        self.length += taken.len() as u64;
        if taken.len() == room {
            self.end_block();
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut file = Checksummed::new(Vec::new());
        file.write_all(bytes).unwrap();
        file.finish().unwrap()
    }

    fn read(file: &[u8]) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, file).unwrap();
        let checked = Checked::open(&path)?;
        assert_eq!(checked.array::<2>(checked.len() - 2).len(), 2);
        checked.verify()
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let bytes: Vec<u8> = (0..BLOCK * 2 + 100).map(|at| (at % 251) as u8).collect();
        let file = written(&bytes);
        read(&file).unwrap();
        for at in (0..file.len()).step_by(997).chain(file.len() - 20..file.len()) {
            let mut flipped = file.clone();
            flipped[at] ^= 4;
            assert!(read(&flipped).is_err(), "flipped at {at}");
            if at > 0 {
                assert!(read(&file[..at]).is_err(), "cut at {at}");
            }
        }
    }

    #[test]
    fn whole_blocks_have_no_block_behind_them() {
        read(&written(&vec![1; BLOCK * 2])).unwrap();
    }
}
