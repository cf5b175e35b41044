//! What does a run say about a place? A memory-mapped file of sorted entries, under a directory of buckets.
//!
//! Everything that could lead a read astray (lengths, offsets, checksums of header and directory) is checked when the
//! file is opened. The layout is in `docs/formats.md`; `writer.rs` writes it.

use super::FORMAT_VERSION;
use super::entry::{Entry, PLACE_BITS, PREFIX_BITS, Place, is_removed, low_of, number_of};
use super::files::run_name;
use super::found::Found;
use super::manifest::{NamedRun, long, word};
use crate::{IndexError, Rule};
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"FCRUN\0\0\0";
pub(super) const HEADER_BYTES: usize = 64;
const ENTRY_BYTES: usize = 8;
const OFFSET_BYTES: usize = 4;
/// A bucket with more entries than this is searched by halving: it holds a key that very many documents share.
const LONG_BUCKET: usize = 32;

/// The head of a run file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// The directory has 2^bits buckets.
    pub bucket_bits: u32,
    pub named: NamedRun,
    pub entries_checksum: u32,
    pub directory_checksum: u32,
}

impl Header {
    pub fn encode(&self, rule: Rule) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put =
            |offset: usize, value: &[u8]| bytes[offset..offset + value.len()].copy_from_slice(value);
        put(0, &MAGIC);
        put(8, &FORMAT_VERSION.to_le_bytes());
        put(12, &self.bucket_bits.to_le_bytes());
        put(16, &(rule.keys as u32).to_le_bytes());
        put(20, &(rule.needed as u32).to_le_bytes());
        put(24, &self.named.generation.to_le_bytes());
        put(32, &self.named.entries.to_le_bytes());
        put(40, &self.entries_checksum.to_le_bytes());
        put(44, &self.directory_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; HEADER_BYTES], rule: Rule) -> Result<Self, String> {
        if bytes[..8] != MAGIC {
            return Err("this is no run of an index".to_owned());
        }
        super::check_version(word(bytes, 8))?;
        if crc32fast::hash(&bytes[..60]) != word(bytes, 60) {
            return Err("the checksum of the header is wrong".to_owned());
        }
        super::check_rule(word(bytes, 16), word(bytes, 20), rule)?;
        Ok(Header {
            bucket_bits: word(bytes, 12),
            named: NamedRun { generation: long(bytes, 24), entries: long(bytes, 32) },
            entries_checksum: word(bytes, 40),
            directory_checksum: word(bytes, 44),
        })
    }

    /// How long a file with this header is; nothing if it cannot exist.
    fn file_bytes(&self) -> Option<u64> {
        let possible =
            (PREFIX_BITS..=32).contains(&self.bucket_bits) && u32::try_from(self.named.entries).is_ok();
        let directory = OFFSET_BYTES as u64 * ((1u64 << self.bucket_bits.min(32)) + 1);
        possible.then_some(HEADER_BYTES as u64 + ENTRY_BYTES as u64 * self.named.entries + directory)
    }
}

/// Runs that are looked at together: as many as there usually are (`writing.rs`).
const RUNS_AT_ONCE: usize = 2;
/// Entries that are compared without asking how many a bucket has. Half a cache line: a whole one would be two as a rule,
/// and takes a fifth more time (`firstcopy-bench indexes`).
const SIEVED: usize = 4;
/// Places that are looked up at a time: enough for their cache misses to overlap, few enough for registers and stack.
const PLACES_AT_ONCE: usize = 16;

/// What the first entries of as many buckets say.
#[derive(Default, Clone, Copy)]
struct Sieved {
    /// The buckets that may hold their places, a bit each.
    hopeful: u32,
    /// Of every bucket the entries that match, a bit each; from `LONG` on it must be read as a whole.
    matches: [u8; PLACES_AT_ONCE],
}

/// The bucket has more entries than were compared.
const LONG: u8 = 1 << SIEVED;

/// Where the entries of as many places are.
type Buckets = [Range<usize>; PLACES_AT_ONCE];

/// An open run.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    header: Header,
    map: Mmap,
    /// The directory once more, in large pages of memory: every lookup begins there.
    directory: Mmap,
}

impl Run {
    /// Opens the run that a manifest names.
    pub fn open(folder: &Path, named: NamedRun, rule: Rule) -> Result<Self, IndexError> {
        let path = folder.join(run_name(named.generation));
        let damaged = |reason: String| IndexError::damaged(&path, reason);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("a run that the manifest names is missing".to_owned()));
            }
            opened => opened.map_err(IndexError::io(&path))?,
        };
        // SAFETY: a run is never changed once it has its name (`write_whole`), and the folder belongs to this process
        // alone, so nothing writes to or cuts the file under the map. All reads are of bytes, inside slices.
        let map = unsafe { Mmap::map(&file) }.map_err(IndexError::io(&path))?;
        let header = checked(&map, named, rule).map_err(damaged)?;
        let directory = in_large_pages(&map[directory_start(named)..]).map_err(IndexError::io(&path))?;
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
        self.header.named.entries as usize
    }

    /// Where the buckets of some places are.
    fn locate(&self, places: &[Place], buckets: &mut Buckets) {
        let (directory, bits) = (self.directory(), self.header.bucket_bits);
        for (bucket, &place) in buckets.iter_mut().zip(places) {
            *bucket = bucket_of(directory, place.bucket(bits));
        }
    }

    /// What the first entries of the buckets say. All loads are independent and nothing branches on them, so that the
    /// processor waits for all of them at once.
    fn sieve(&self, places: &[Place], buckets: &Buckets) -> Sieved {
        let entries = self.entries();
        let mut sieved = Sieved::default();
        for (lane, (bucket, place)) in buckets.iter().zip(places).enumerate() {
            let matches = matches(entries, bucket, *place);
            sieved.matches[lane] = matches;
            sieved.hopeful |= u32::from(matches != 0) << lane;
        }
        sieved
    }

    /// Appends what the hopeful buckets say about their places.
    fn read(&self, places: &[Place], buckets: &Buckets, mut sieved: Sieved, found: &mut Vec<Found>) {
        while sieved.hopeful != 0 {
            let lane = sieved.hopeful.trailing_zeros() as usize;
            sieved.hopeful &= sieved.hopeful - 1;
            let mut bucket = buckets[lane].clone();
            if sieved.matches[lane] < LONG {
                // The last match is behind all entries that matter, the first is the first of them.
                bucket.end = bucket.end.min(bucket.start + sieved.matches[lane].ilog2() as usize + 1);
                bucket.start += sieved.matches[lane].trailing_zeros() as usize;
            }
            // The directory was checked when the run was opened, so every bucket is inside; an empty one is harmless.
            scan(self.entries().get(bucket).unwrap_or_default(), places[lane], found);
        }
    }

    /// All its entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        let (entries, directory) = (self.entries(), self.directory());
        let shift = self.header.bucket_bits - PREFIX_BITS;
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

    fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.map[HEADER_BYTES..HEADER_BYTES + ENTRY_BYTES * self.len()].as_chunks().0
    }

    fn directory(&self) -> &[[u8; OFFSET_BYTES]] {
        self.directory.as_chunks().0
    }
}

/// Appends what runs, given from the newest to the oldest, say about the places. In passes over all runs, so that the
/// cache misses of all places in all runs overlap: first the directories, then the entries.
pub(super) fn collect(runs: &[Arc<Run>], places: &[Place], found: &mut Vec<Found>) {
    for runs in runs.chunks(RUNS_AT_ONCE) {
        for places in places.chunks(PLACES_AT_ONCE) {
            let mut buckets = [const { [const { 0..0 }; PLACES_AT_ONCE] }; RUNS_AT_ONCE];
            let mut sieved = [Sieved::default(); RUNS_AT_ONCE];
            for (run, buckets) in runs.iter().zip(&mut buckets) {
                run.locate(places, buckets);
            }
            for ((run, buckets), sieved) in runs.iter().zip(&buckets).zip(&mut sieved) {
                *sieved = run.sieve(places, buckets);
            }
            for ((run, buckets), sieved) in runs.iter().zip(&buckets).zip(sieved) {
                run.read(places, buckets, sieved, found);
            }
        }
    }
}

/// Where the directory of a run begins.
fn directory_start(named: NamedRun) -> usize {
    HEADER_BYTES + ENTRY_BYTES * named.entries as usize
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

/// Reads the header and makes sure that no read can be led outside.
fn checked(map: &[u8], named: NamedRun, rule: Rule) -> Result<Header, String> {
    let bytes = map.first_chunk().ok_or("the run is cut off")?;
    let header = Header::decode(bytes, rule)?;
    if header.named != named {
        return Err("this is another run than the manifest names".to_owned());
    }
    if header.file_bytes() != Some(map.len() as u64) {
        return Err("the run has another length than its header says".to_owned());
    }
    let directory = &map[directory_start(named)..];
    if crc32fast::hash(directory) != header.directory_checksum {
        return Err("the checksum of the directory is wrong".to_owned());
    }
    let offsets = || directory.as_chunks().0.iter().map(|offset| u32::from_le_bytes(*offset));
    if !offsets().is_sorted() || offsets().next_back().map(u64::from) != Some(named.entries) {
        return Err("the directory points outside the run".to_owned());
    }
    Ok(header)
}

/// Where the entries of a bucket are.
fn bucket_of(directory: &[[u8; OFFSET_BYTES]], bucket: usize) -> Range<usize> {
    match directory.get(bucket..bucket + 2) {
        Some([start, end]) => u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize,
        _ => 0..0,
    }
}

/// Which of the first entries of a bucket match a place. Always compares as many, whether they belong to the bucket or
/// not: what follows has other places, as a rule, and is not read afterwards.
fn matches(entries: &[[u8; ENTRY_BYTES]], bucket: &Range<usize>, place: Place) -> u8 {
    let Some(few) = entries.get(bucket.start..).and_then(|rest| rest.first_chunk::<SIEVED>()) else {
        return LONG;
    };
    let low = place.low();
    let mut matches = u8::from(bucket.len() > SIEVED) << SIEVED;
    for (i, packed) in few.iter().enumerate() {
        matches |= u8::from(low_of(u64::from_le_bytes(*packed)) == low) << i;
    }
    matches
}

fn scan(bucket: &[[u8; ENTRY_BYTES]], place: Place, found: &mut Vec<Found>) {
    let low = place.low();
    let before = |packed: &[u8; ENTRY_BYTES]| low_of(u64::from_le_bytes(*packed)) < low;
    let start = if bucket.len() > LONG_BUCKET { bucket.partition_point(before) } else { 0 };
    for packed in bucket[start..].iter().map(|packed| u64::from_le_bytes(*packed)) {
        if low_of(packed) > low {
            break;
        }
        if low_of(packed) == low {
            found.push(Found::new(place, number_of(packed), is_removed(packed), found.len()));
        }
    }
}

/// How many bits choose the bucket of a run with up to so many entries: two to four entries a bucket, so that few have
/// more than are compared at once, and a directory of one to two bytes an entry.
pub(super) fn bucket_bits(entries: usize) -> u32 {
    (entries / 2).max(1).ilog2().clamp(PREFIX_BITS, 32.min(PLACE_BITS))
}
