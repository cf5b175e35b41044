//! What does a run say about a place? A memory-mapped file of sorted entries, under a directory of buckets.
//!
//! The file is checked when it is opened (`header.rs`). The layout is in `docs/formats.md`; `writer.rs` writes it.

use super::entry::{Entry, PREFIX_BITS, Place, Word, low_of, word_of};
use super::files::run_name;
use super::header::{ENTRY_BYTES, HEADER_BYTES, Header, OFFSET_BYTES};
use super::manifest::NamedRun;
use super::purpose::Purpose;
use crate::IndexError;
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A bucket with more entries than this is searched by halving: it holds a key that very many documents share, or the
/// run has few buckets.
const LONG_BUCKET: usize = 32;

/// An open run.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    header: Header,
    map: Mmap,
    /// The directory once more, in large pages of memory, if every lookup begins there and somebody waits for it.
    directory: Option<Mmap>,
}

impl Run {
    /// Opens the run that a manifest names.
    pub fn open(folder: &Path, named: NamedRun, purpose: Purpose) -> Result<Self, IndexError> {
        let path = folder.join(run_name(named.generation));
        let damaged = |reason: String| IndexError::damaged(&path, reason);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("a run that the manifest names is missing".to_owned()));
            }
            opened => opened.map_err(IndexError::io(&path))?,
        };
        // SAFETY: a run is never changed once it has its name (`write_whole`): the one process that writes to the folder
        // can only remove it, which leaves the map as it is. All reads are of bytes, inside slices.
        let map = unsafe { Mmap::map(&file) }.map_err(IndexError::io(&path))?;
        let header = Header::of_file(&map, named, purpose).map_err(damaged)?;
        let copy = purpose.is_kept_in_memory().then(|| in_large_pages(&map[header.directory_start()..]));
        let directory = copy.transpose().map_err(IndexError::io(&path))?;
        Ok(Run { path, header, map, directory })
    }

    /// Maps what the system still has in memory of a run just written, so that lookups need not.
    pub fn warm(&self) {
        // Only advice: without it the first lookup of every page takes a little longer.
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(memmap2::Advice::PopulateRead);
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn named(&self) -> NamedRun {
        self.header.named
    }

    /// Entries in it, live and removed.
    pub fn len(&self) -> usize {
        self.header.entries()
    }

    /// The directory has 2^bits buckets.
    pub fn bucket_bits(&self) -> u32 {
        self.header.bucket_bits
    }

    /// What it says about a place, ascending by number; reads no further than it is asked.
    pub fn at(&self, place: Place) -> impl Iterator<Item = Word> + '_ {
        let bucket = bucket_of(self.directory(), place.bucket(self.bucket_bits()));
        entries_at(place, self.entries().get(bucket).unwrap_or_default()).map(word_of)
    }

    /// Counts the entries of the bucket that a place falls into.
    pub fn bucket_len(&self, place: Place) -> usize {
        bucket_of(self.directory(), place.bucket(self.bucket_bits())).len()
    }

    /// Counts the entries at a place.
    pub fn count_at(&self, place: Place) -> usize {
        let bucket = bucket_of(self.directory(), place.bucket(self.bucket_bits()));
        let bucket = self.entries().get(bucket).unwrap_or_default();
        let low = |packed: &[u8; ENTRY_BYTES]| low_of(u64::from_le_bytes(*packed));
        let start = bucket.partition_point(|packed| low(packed) < place.low());
        bucket[start..].partition_point(|packed| low(packed) == place.low())
    }

    /// All its entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        let (entries, directory) = (self.entries(), self.directory());
        let shift = self.bucket_bits() - PREFIX_BITS;
        (0..1usize << PREFIX_BITS).flat_map(move |prefix| {
            let start = bucket_of(directory, prefix << shift).start;
            let end = bucket_of(directory, ((prefix + 1) << shift) - 1).end;
            let packed = entries.get(start..end).unwrap_or_default().iter();
            packed.map(move |packed| Entry::unpack(prefix as u64, u64::from_le_bytes(*packed)))
        })
    }

    /// Whether the entries are those that were written: reads them all.
    pub fn check_entries(&self) -> Result<(), IndexError> {
        if crc32fast::hash(self.entries().as_flattened()) == self.header.entries_checksum {
            Ok(())
        } else {
            Err(IndexError::damaged(&self.path, "the checksum of the entries is wrong".to_owned()))
        }
    }

    pub fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.map[HEADER_BYTES..self.header.directory_start()].as_chunks().0
    }

    pub fn directory(&self) -> &[[u8; OFFSET_BYTES]] {
        let mapped = || &self.map[self.header.directory_start()..];
        self.directory.as_deref().unwrap_or_else(mapped).as_chunks().0
    }
}

/// A copy in memory that takes few entries of the processor's page cache, where the system can do that.
fn in_large_pages(bytes: &[u8]) -> io::Result<Mmap> {
    let mut copy = MmapMut::map_anon(bytes.len())?;
    // Only advice: without it the copy is as good, but slower.
    #[cfg(target_os = "linux")]
    let _ = copy.advise(memmap2::Advice::HugePage);
    copy.copy_from_slice(bytes);
    copy.make_read_only()
}

/// Where the entries of a bucket are.
pub(super) fn bucket_of(directory: &[[u8; OFFSET_BYTES]], bucket: usize) -> Range<usize> {
    match directory.get(bucket..bucket + 2) {
        Some([start, end]) => u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize,
        _ => 0..0,
    }
}

/// The entries of a bucket at a place, packed.
pub(super) fn entries_at(place: Place, bucket: &[[u8; ENTRY_BYTES]]) -> impl Iterator<Item = u64> + '_ {
    let low = place.low();
    let before = |packed: &[u8; ENTRY_BYTES]| low_of(u64::from_le_bytes(*packed)) < low;
    let start = if bucket.len() > LONG_BUCKET { bucket.partition_point(before) } else { 0 };
    let packed = bucket[start..].iter().map(|packed| u64::from_le_bytes(*packed));
    packed.take_while(move |packed| low_of(*packed) <= low).filter(move |packed| low_of(*packed) == low)
}
