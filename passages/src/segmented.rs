//! A document as passages see it: its normalised bytes, where its segments stand in them, and where those stand in the text.

use crate::align::Outwards;
use firstcopy_text::Document;
use std::ops::Range;

/// How many line breaks a sentence is looked for across.
const BREAKS: usize = 8;

/// A digested document.
#[derive(Clone)]
pub(crate) struct SegmentedText<'a> {
    pub document: &'a Document,
    pub bytes: &'a [u8],
    /// Where each segment ends in the bytes.
    ends: Vec<usize>,
}

impl<'a> SegmentedText<'a> {
    pub fn new(document: &'a Document) -> Self {
        let mut end = 0;
        let lengths =
            document.segments.iter().map(|segment| document.tokens.canonical(segment.tokens.clone()).len());
        let ends = lengths.map(|length| {
            end += length;
            end
        });
        SegmentedText {
            ends: ends.collect(),
            document,
            bytes: document.tokens.canonical(0..document.tokens.len()),
        }
    }

    /// Where a segment of the digest stands in the bytes.
    pub fn segment(&self, of_digest: usize) -> Range<usize> {
        let segment = self.document.digest.segments[of_digest] as usize;
        self.start_of(segment)..self.ends[segment]
    }

    /// Sentences that may have been broken: every one that ends, with 1, 2 … of the segments before it that only a line
    /// break or a block ended. Each with its place in the bytes and its tokens.
    pub fn mended(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let segments = &self.document.segments;
        let ends =
            (1..segments.len()).filter(|&last| segments[last].is_finished || last + 1 == segments.len());
        ends.flat_map(move |last| {
            let broken = (0..last).rev().take(BREAKS).take_while(|&before| !segments[before].is_finished);
            broken.map(move |first| {
                let tokens = segments[first].tokens.start..segments[last].tokens.end;
                (self.start_of(first)..self.ends[last], tokens)
            })
        })
    }

    /// The segments of the digest that begin in a range of the bytes.
    pub fn digest_in(&self, range: &Range<usize>) -> Range<usize> {
        let first_from = |offset: usize| {
            self.document.digest.segments.partition_point(|&segment| self.start_of(segment as usize) < offset)
        };
        first_from(range.start)..first_from(range.end)
    }

    /// What comes behind a place of the bytes.
    pub fn behind(&self, place: usize) -> Outwards<'a> {
        let first = self.ends.partition_point(|&end| end <= place);
        let ends = self.ends[first..].iter().map(|end| end - place).collect();
        Outwards { bytes: (&self.bytes[place..]).into(), ends }
    }

    /// What comes before a place of the bytes, from there backwards.
    pub fn before(&self, place: usize) -> Outwards<'static> {
        let count = self.ends.partition_point(|&end| end <= place);
        let ends = (0..count).rev().map(|segment| place - self.start_of(segment)).collect();
        let bytes: Vec<u8> = self.bytes[..place].iter().rev().copied().collect();
        Outwards { bytes: bytes.into(), ends }
    }

    /// Where a range of the bytes stands in the core text, in bytes of that: whole segments with what belongs to them, else
    /// whole tokens.
    pub fn place(&self, range: &Range<usize>) -> Range<usize> {
        let Document { tokens, segments, .. } = self.document;
        let first = self.ends.partition_point(|&end| end <= range.start);
        let start = match segments.get(first) {
            Some(segment) if self.start_of(first) == range.start => segment.place.start,
            Some(_) => tokens.place(tokens.at_canonical(range.start)).start,
            None => self.document.core.text.len(),
        };
        let last = self.ends.partition_point(|&end| end < range.end);
        let end = match segments.get(last) {
            Some(segment) if self.ends[last] == range.end => segment.place.end,
            Some(_) => tokens.place(tokens.at_canonical(range.end.max(1) - 1)).end,
            None => self.document.core.text.len(),
        };
        start..end.max(start)
    }

    fn start_of(&self, segment: usize) -> usize {
        segment.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// How many characters begin in some UTF-8.
pub(crate) fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte as i8 >= -0x40).count()
}
