//! How is a run written? Entries as they come, in order, and the directory behind them: only the directory is ever held
//! in memory.

use super::entry::Entry;
use super::files::{run_name, write_whole};
use super::header::{HEADER_BYTES, Header, bucket_bits};
use super::manifest::NamedRun;
use super::purpose::Purpose;
use super::run::Run;
use crate::IndexError;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes handed to the system at once.
const BUFFER_BYTES: usize = 1 << 20;
/// Bytes after which the disk is waited for: others that sync meanwhile, as the store does for every post, never have
/// to wait for more of ours.
const SYNCED_BYTES: u64 = 8 << 20;

/// Writes sorted entries, of which there are at most so many, and opens the run they make.
pub(super) fn write_run(
    folder: &Path,
    generation: u64,
    purpose: Purpose,
    at_most: usize,
    entries: impl Iterator<Item = Entry>,
) -> Result<Run, IndexError> {
    let mut named = NamedRun { generation, entries: 0 };
    write_whole(folder, &run_name(generation), |file| {
        let header = write(file, generation, purpose, bucket_bits(at_most, purpose), entries)?;
        named = header.named;
        Ok(())
    })?;
    Run::open(folder, named, purpose)
}

fn write(
    file: &mut File,
    generation: u64,
    purpose: Purpose,
    bucket_bits: u32,
    entries: impl Iterator<Item = Entry>,
) -> io::Result<Header> {
    let mut output = Output::new(file);
    output.put(&[0; HEADER_BYTES])?;
    let mut directory = Directory::new(bucket_bits);
    let mut checksum = crc32fast::Hasher::new();
    let mut block = Vec::with_capacity(BUFFER_BYTES);
    for entry in entries {
        directory.add(entry)?;
        block.extend(entry.pack().to_le_bytes());
        if block.len() == BUFFER_BYTES {
            checksum.update(&block);
            output.put(&block)?;
            block.clear();
        }
    }
    checksum.update(&block);
    output.put(&block)?;
    let named = NamedRun { generation, entries: u64::from(directory.entries) };
    let directory = directory.finish();
    output.put(&directory)?;
    let header = Header {
        bucket_bits,
        named,
        entries_checksum: checksum.finalize(),
        directory_checksum: crc32fast::hash(&directory),
    };
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode(purpose))?;
    Ok(header)
}

/// A file that is synced as it grows.
struct Output<'a> {
    file: &'a mut File,
    unsynced: u64,
}

impl<'a> Output<'a> {
    fn new(file: &'a mut File) -> Self {
        Output { file, unsynced: 0 }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(BUFFER_BYTES) {
            self.file.write_all(piece)?;
            self.unsynced += piece.len() as u64;
            if self.unsynced >= SYNCED_BYTES {
                self.file.sync_data()?;
                self.unsynced = 0;
            }
        }
        Ok(())
    }
}

/// Where every bucket starts: grows as entries come.
struct Directory {
    bucket_bits: u32,
    offsets: Vec<u8>,
    entries: u32,
}

impl Directory {
    fn new(bucket_bits: u32) -> Self {
        Directory { bucket_bits, offsets: Vec::with_capacity(4 * (1 << bucket_bits) + 4), entries: 0 }
    }

    /// Starts all buckets up to that of the entry that have not started yet.
    fn add(&mut self, entry: Entry) -> io::Result<()> {
        self.start_up_to(entry.place.bucket(self.bucket_bits));
        let next = self.entries.checked_add(1);
        self.entries = next.ok_or_else(|| io::Error::other("a run holds at most 4,294,967,295 entries"))?;
        Ok(())
    }

    fn start_up_to(&mut self, bucket: usize) {
        while self.offsets.len() <= 4 * bucket {
            self.offsets.extend(self.entries.to_le_bytes());
        }
    }

    /// One offset more than there are buckets: the last is the end.
    fn finish(mut self) -> Vec<u8> {
        self.start_up_to(1 << self.bucket_bits);
        self.offsets
    }
}
