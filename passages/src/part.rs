//! A sealed part of a source database: the digests of some documents in one suffix array. Written once, never changed.
//!
//! The file (docs/formats.md, "Source databases"): a head, the symbols (every document's fingerprints, then an end), the
//! suffixes in order, where each bucket of them begins, how many documents end before every 256th symbol, and a number of
//! the owner's for every document.

use crate::checked::{Checked, Checksummed};
use crate::error::{PassageError, Result};
use crate::suffixes::{END, sorted, symbol};
use firstcopy_text::Digest;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

const MAGIC: [u8; 8] = *b"FCPART\0\x02";
const HEAD: usize = 64;
/// Symbols from one count of documents to the next.
const STRIDE: usize = 256;
/// Suffixes in a bucket, about: sixteen of them are one line of the processor's cache.
const BUCKET: usize = 16;

/// Buckets up to so many suffixes are looked through; in larger ones a symbol repeats itself.
const SCANNED: usize = 4 * BUCKET;

/// A segment as it is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    pub symbol: u32,
    /// Modulo 256.
    pub length: u8,
}

impl Segment {
    pub fn new(fingerprint: u32, length: u8) -> Self {
        Segment { symbol: symbol(fingerprint), length }
    }

    /// The segments of a digest.
    pub fn all(digest: &Digest) -> impl Iterator<Item = Self> {
        digest.fingerprints.iter().zip(&digest.lengths).map(|(&value, &length)| Segment::new(value, length))
    }
}

/// A sealed part.
#[derive(Debug)]
pub struct Part {
    bytes: Checked,
    head: Head,
}

/// What a part holds, and so where in it everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    documents: u64,
    suffixes: u64,
    bucket_bits: u32,
}

impl Head {
    fn new(documents: u64, suffixes: u64) -> Self {
        let buckets = (suffixes / BUCKET as u64).max(1);
        Head { documents, suffixes, bucket_bits: buckets.ilog2() }
    }

    fn to_bytes(self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..16].copy_from_slice(&self.documents.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.suffixes.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.bucket_bits.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &Checked) -> Option<Self> {
        let head = Head {
            documents: u64::from_le_bytes(bytes.array(8)),
            suffixes: u64::from_le_bytes(bytes.array(16)),
            bucket_bits: u32::from_le_bytes(bytes.array(24)),
        };
        let is_small =
            head.documents.checked_add(head.suffixes)? <= u64::from(u32::MAX) && head.bucket_bits < 32;
        (is_small && bytes.array(0) == MAGIC && head.end() == bytes.len()).then_some(head)
    }

    fn symbols(&self) -> usize {
        (self.documents + self.suffixes) as usize
    }

    fn suffixes_at(&self) -> usize {
        HEAD + 4 * self.symbols()
    }

    fn buckets_at(&self) -> usize {
        self.suffixes_at() + 4 * self.suffixes as usize
    }

    fn counts_at(&self) -> usize {
        self.buckets_at() + 4 * ((1 << self.bucket_bits) + 1)
    }

    /// Numbers of eight bytes stand at multiples of eight.
    fn owners_at(&self) -> usize {
        (self.counts_at() + 4 * self.symbols().div_ceil(STRIDE)).next_multiple_of(8)
    }

    fn end(&self) -> usize {
        self.owners_at() + 8 * self.documents as usize
    }

    fn bucket_of(&self, symbol: u32) -> usize {
        (u64::from(symbol) >> (32 - self.bucket_bits)) as usize
    }

    /// Bits of a place among the symbols. What a suffix has to spare holds the lower bits of a length.
    fn place_bits(&self) -> u32 {
        usize::BITS - self.symbols().leading_zeros()
    }

    /// A place and a length as a suffix is written.
    fn suffix(&self, place: u32, length: u8) -> u32 {
        (u64::from(place) | u64::from(length) << self.place_bits()) as u32
    }
}

/// Digests on their way into a part.
#[derive(Debug, Default)]
pub struct Digests {
    symbols: Vec<u32>,
    /// Of each symbol's segment.
    lengths: Vec<u8>,
    owners: Vec<u64>,
}

impl Digests {
    /// Adds a document's digest, and the number its owner knows it by.
    pub fn push(&mut self, digest: &Digest, owner: u64) {
        for segment in Segment::all(digest) {
            self.symbols.push(segment.symbol);
            self.lengths.push(segment.length);
        }
        self.symbols.push(END);
        self.lengths.push(0);
        self.owners.push(owner);
    }

    /// These and others behind them.
    pub(crate) fn followed_by(mut self, others: Digests) -> Self {
        self.symbols.extend(others.symbols);
        self.lengths.extend(others.lengths);
        self.owners.extend(others.owners);
        self
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.owners.len()
    }

    /// How many fingerprints there are.
    pub fn segments(&self) -> usize {
        self.symbols.len() - self.owners.len()
    }

    /// Sorts them into a part that stays in memory.
    pub fn part_in_memory(&self) -> Part {
        let mut bytes = Vec::new();
        // Writing into memory does not fail.
        let _ = self.write_sections(&mut bytes);
        let bytes = Checked::in_memory(bytes);
        let head = Head::new(self.documents() as u64, self.segments() as u64);
        Part { bytes, head }
    }

    /// Sorts them into a part in a file.
    pub(crate) fn write(&self, to: impl Write) -> io::Result<()> {
        let mut file = Checksummed::new(to);
        self.write_sections(&mut file)?;
        file.finish()?.flush()
    }

    fn write_sections(&self, to: &mut impl Write) -> io::Result<()> {
        let order = sorted(&self.symbols);
        let order = order.into_iter().map(|place| Suffix {
            place,
            symbol: self.symbols[place as usize],
            length: self.lengths[place as usize],
        });
        write_part(to, self.symbols.iter().copied(), order, &self.owners)
    }
}

/// A suffix on its way into a part, with the symbol and the length of its first segment.
pub(crate) struct Suffix {
    pub place: u32,
    pub symbol: u32,
    pub length: u8,
}

/// Writes the sections of a part: its symbols, its suffixes in order, its owners' numbers.
pub(crate) fn write_part(
    to: &mut impl Write,
    symbols: impl ExactSizeIterator<Item = u32>,
    order: impl Iterator<Item = Suffix>,
    owners: &[u64],
) -> io::Result<()> {
    let count = symbols.len();
    let head = Head::new(owners.len() as u64, (count - owners.len()) as u64);
    to.write_all(&head.to_bytes())?;
    let mut counts = Vec::with_capacity(count.div_ceil(STRIDE));
    let mut ended = 0u32;
    for (place, symbol) in symbols.enumerate() {
        if place % STRIDE == 0 {
            counts.push(ended);
        }
        ended += u32::from(symbol == END);
        to.write_all(&symbol.to_le_bytes())?;
    }
    let mut buckets = vec![0u32; (1 << head.bucket_bits) + 1];
    for Suffix { place, symbol, length } in order {
        buckets[head.bucket_of(symbol) + 1] += 1;
        to.write_all(&head.suffix(place, length).to_le_bytes())?;
    }
    for bucket in 1..buckets.len() {
        buckets[bucket] += buckets[bucket - 1];
    }
    for number in buckets.iter().chain(&counts) {
        to.write_all(&number.to_le_bytes())?;
    }
    to.write_all(&[0; 8][..head.owners_at() - head.counts_at() - 4 * counts.len()])?;
    owners.iter().try_for_each(|owner| to.write_all(&owner.to_le_bytes()))
}

impl Part {
    /// Opens a part; its bytes are checked as they are looked at.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let bytes = Checked::open(path)?;
        let head = Head::of_bytes(&bytes);
        bytes.sound()?;
        let head = head.ok_or_else(|| PassageError::damaged(path, "is no part of a source database"))?;
        Ok(Part { bytes, head })
    }

    /// How many documents it holds.
    pub fn documents(&self) -> u64 {
        self.head.documents
    }

    /// How many fingerprints it holds.
    pub fn segments(&self) -> u64 {
        self.head.suffixes
    }

    /// Looks at every byte.
    pub(crate) fn verify(&self) -> Result<()> {
        self.bytes.verify()
    }

    /// Whether all that was looked at so far was sound.
    pub(crate) fn sound(&self) -> Result<()> {
        self.bytes.sound()
    }

    pub(crate) fn symbols(&self) -> usize {
        self.head.symbols()
    }

    /// The symbol at a place; an end where there is none.
    #[inline]
    pub(crate) fn symbol(&self, place: usize) -> u32 {
        if place < self.head.symbols() { self.number(HEAD, place) } else { END }
    }

    /// The place of a suffix, by its rank.
    #[inline]
    pub(crate) fn suffix(&self, rank: usize) -> usize {
        let mask = (1u64 << self.head.place_bits()) - 1;
        (u64::from(self.number(self.head.suffixes_at(), rank)) & mask) as usize
    }

    /// What is known of the length of the segment that a suffix begins with: its lower bits.
    pub(crate) fn length(&self, rank: usize) -> u8 {
        (u64::from(self.number(self.head.suffixes_at(), rank)) >> self.head.place_bits()) as u8
    }

    /// The number its owner knows a document by.
    pub(crate) fn owner(&self, document: u32) -> u64 {
        u64::from_le_bytes(self.bytes.array(self.head.owners_at() + 8 * document as usize))
    }

    /// Which document the symbol at a place is of.
    pub(crate) fn document(&self, place: usize) -> u32 {
        let from = place / STRIDE;
        let before = self.number(self.head.counts_at(), from);
        let symbols = self.bytes.slice(HEAD + 4 * from * STRIDE..HEAD + 4 * place);
        before
            + symbols.as_chunks::<4>().0.iter().filter(|symbol| **symbol == END.to_le_bytes()).count() as u32
    }

    /// For each segment the ranks of the suffixes that begin with its symbol; none if all of these have another length.
    ///
    /// A part is larger than any cache. What is read for one segment does not depend on what is read for another: step by
    /// step for all of them, the processor waits for many reads at once.
    pub(crate) fn ranks_of(&self, segments: &[Segment]) -> Vec<Range<usize>> {
        let buckets: Vec<Range<usize>> =
            segments.iter().map(|segment| self.bucket(self.head.bucket_of(segment.symbol))).collect();
        let ends = buckets.iter().flat_map(|bucket| [bucket.start, bucket.end.saturating_sub(1)]);
        let read = ends.fold(0, |all, rank| all ^ self.number(self.head.suffixes_at(), rank));
        std::hint::black_box(read);
        // Most segments that are asked for are not there, and mostly the lengths alone tell.
        let mut candidates: Vec<(usize, usize)> = Vec::new();
        for (index, (segment, bucket)) in segments.iter().zip(&buckets).enumerate() {
            if bucket.len() <= SCANNED {
                candidates
                    .extend(self.places_with_length(bucket, segment.length).map(|place| (index, place)));
            }
        }
        let mut is_there: Vec<bool> = buckets.iter().map(|bucket| bucket.len() > SCANNED).collect();
        for (index, place) in candidates {
            is_there[index] |= self.symbol(place) == segments[index].symbol;
        }
        let ranks = segments.iter().zip(buckets).zip(is_there);
        ranks
            .map(|((segment, bucket), is_there)| match is_there {
                true => self.ranks_in(bucket, segment.symbol),
                false => bucket.start..bucket.start,
            })
            .collect()
    }

    /// The ranks in a bucket.
    fn bucket(&self, bucket: usize) -> Range<usize> {
        let bound = |bucket: usize| {
            (self.number(self.head.buckets_at(), bucket) as usize).min(self.head.suffixes as usize)
        };
        bound(bucket)..bound(bucket + 1)
    }

    /// The places of the suffixes of a small bucket that begin with a segment of a length.
    fn places_with_length(&self, bucket: &Range<usize>, length: u8) -> impl Iterator<Item = usize> {
        let at = |rank: usize| self.head.suffixes_at() + 4 * rank;
        let suffixes = self.bytes.slice(at(bucket.start)..at(bucket.end)).as_chunks::<4>().0;
        let bits = self.head.place_bits();
        let length = self.head.suffix(0, length);
        let places = suffixes.iter().map(move |suffix| u32::from_le_bytes(*suffix) ^ length);
        places.filter(move |&place| u64::from(place) >> bits == 0).map(|place| place as usize)
    }

    fn ranks_in(&self, bucket: Range<usize>, symbol: u32) -> Range<usize> {
        let symbol_of = |rank: usize| self.symbol(self.suffix(rank));
        let start = partition(bucket.clone(), |rank| symbol_of(rank) < symbol);
        start..partition(start..bucket.end, |rank| symbol_of(rank) == symbol)
    }

    #[inline]
    fn number(&self, section: usize, index: usize) -> u32 {
        u32::from_le_bytes(self.bytes.array(section + 4 * index))
    }
}

/// The first of a range for which `before` does not hold; it holds for all before that.
pub(crate) fn partition(range: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end.max(range.start));
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The digest of segments with these fingerprints, all as long as these tell.
    pub(crate) fn digest(fingerprints: &[u32]) -> Digest {
        let lengths = fingerprints.iter().map(|&fingerprint| length(fingerprint)).collect();
        Digest { fingerprints: fingerprints.to_vec(), lengths, segments: Vec::new() }
    }

    pub(crate) fn length(fingerprint: u32) -> u8 {
        (fingerprint.wrapping_mul(2_654_435_761) >> 24) as u8
    }

    /// The ranks of a segment with this fingerprint.
    pub(crate) fn ranks(part: &Part, fingerprint: u32) -> Range<usize> {
        part.ranks_of(&[Segment::new(fingerprint, length(fingerprint))]).remove(0)
    }

    pub(crate) fn part(documents: &[Vec<u32>]) -> Part {
        let mut digests = Digests::default();
        for (number, document) in (100..).zip(documents) {
            digests.push(&digest(document), number);
        }
        digests.part_in_memory()
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        let mut digests = Digests::default();
        digests.push(&digest(&[5, 6, 5]), 7);
        digests.push(&digest(&[]), 8);
        digests.push(&digest(&[0, u32::MAX]), 9);
        digests.write(std::fs::File::create(&path).unwrap()).unwrap();
        let part = Part::open(&path).unwrap();
        part.verify().unwrap();
        assert_eq!((part.documents(), part.segments(), part.symbols()), (3, 5, 8));
        assert_eq!((0..3).map(|document| part.owner(document)).collect::<Vec<_>>(), [7, 8, 9]);
        assert_eq!((0..8).map(|place| part.document(place)).collect::<Vec<_>>(), [0, 0, 0, 0, 1, 2, 2, 2]);
        std::fs::write(&path, b"something else").unwrap();
        assert!(Part::open(&path).is_err());
    }

    proptest! {
        #[test]
        fn a_symbol_is_found_wherever_it_is(documents in prop::collection::vec(prop::collection::vec(prop_oneof![0u32..9, any::<u32>()], 0..40), 0..30)) {
            let part = part(&documents);
            let all: Vec<(u32, u32)> = (0..).zip(&documents).flat_map(|(number, document)| document.iter().map(move |&value| (number, value))).collect();
            let asked: Vec<Segment> = all.iter().map(|&(_, value)| Segment::new(value, length(value))).collect();
            for (&(_, value), ranks) in all.iter().zip(part.ranks_of(&asked)) {
                let mut found: Vec<u32> = ranks.map(|rank| part.document(part.suffix(rank))).collect();
                found.sort_unstable();
                let expected: Vec<u32> = all.iter().filter(|(_, other)| symbol(*other) == symbol(value)).map(|(number, _)| *number).collect();
                prop_assert_eq!(found, expected);
            }
            prop_assert!(ranks(&part, 4_000_000_000).is_empty() || all.iter().any(|(_, value)| *value == 4_000_000_000));
        }
    }

    #[test]
    fn a_segment_of_another_length_is_another() {
        let part = part(&[vec![5, 6, 7], vec![900, 6]]);
        let other = Segment::new(6, length(6) ^ 1);
        let found: Vec<usize> =
            part.ranks_of(&[Segment::new(6, length(6)), other]).iter().map(Range::len).collect();
        assert_eq!(found, [2, 0]);
    }
}
