//! A document as passages see it: its normalised bytes, where its segments stand in them, and where those stand in the text.

use crate::align::Outwards;
use firstcopy_text::Document;
use std::ops::Range;
use std::rc::Rc;

/// How many line breaks a sentence is looked for across.
const BREAKS: usize = 8;

/// A digested document.
#[derive(Clone)]
pub(crate) struct SegmentedText<'a> {
    pub document: &'a Document,
    pub bytes: &'a [u8],
    places: Rc<Places>,
}

/// What is computed once of a document, however often it is looked at.
pub(crate) struct Places {
    /// Where each segment ends in the normalised bytes.
    ends: Vec<usize>,
    /// How many characters of the core text begin before every [`STRIDE`]th byte.
    counts: Vec<usize>,
}

/// Bytes from one count of characters to the next.
const STRIDE: usize = 4096;

impl Places {
    pub fn of(document: &Document) -> Self {
        let (mut end, mut count) = (0, 0);
        let ends = document.segments.iter().map(|segment| {
            end += document.tokens.canonical(segment.tokens.clone()).len();
            end
        });
        let counts = document.core.text.as_bytes().chunks(STRIDE).map(|piece| {
            let before = count;
            count += characters(piece);
            before
        });
        Places { ends: ends.collect(), counts: counts.collect() }
    }
}

impl<'a> SegmentedText<'a> {
    pub fn new(document: &'a Document, places: Rc<Places>) -> Self {
        SegmentedText { document, bytes: document.tokens.canonical(0..document.tokens.len()), places }
    }

    /// A range of bytes of the core text in characters of it.
    pub fn in_characters(&self, place: &Range<usize>) -> Range<usize> {
        let text = self.document.core.text.as_bytes();
        let before = |offset: usize| {
            let counted =
                self.places.counts.get(offset / STRIDE).map(|count| (offset / STRIDE * STRIDE, *count));
            let (from, count) = counted.unwrap_or_else(|| {
                let last = self.places.counts.len().saturating_sub(1);
                (last * STRIDE, self.places.counts.get(last).copied().unwrap_or(0))
            });
            count + characters(&text[from..offset])
        };
        before(place.start)..before(place.end)
    }

    /// Where a segment of the digest stands in the bytes.
    pub fn segment(&self, of_digest: usize) -> Range<usize> {
        let segment = self.document.digest.segments[of_digest] as usize;
        self.start_of(segment)..self.places.ends[segment]
    }

    /// Sentences that may have been broken: every one that ends, with 1, 2 … of the segments before it that only a line
    /// break or a block ended.
    pub fn mended(&self) -> impl Iterator<Item = Range<usize>> {
        let segments = &self.document.segments;
        let ends =
            (1..segments.len()).filter(|&last| segments[last].is_finished || last + 1 == segments.len());
        ends.flat_map(move |last| {
            let broken = (0..last).rev().take(BREAKS).take_while(|&before| !segments[before].is_finished);
            broken.map(move |first| first..last + 1)
        })
    }

    /// Where some segments stand in the bytes.
    pub fn segments(&self, segments: &Range<usize>) -> Range<usize> {
        self.start_of(segments.start)..self.places.ends[segments.end - 1]
    }

    /// The segments that a range of the bytes touches.
    pub fn segments_in(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.places.ends.partition_point(|&end| end <= range.start);
        let last = self.places.ends.partition_point(|&end| end < range.end);
        first..(last + 1).min(self.places.ends.len()).max(first)
    }

    /// The tokens of some segments.
    pub fn tokens(&self, segments: &Range<usize>) -> Range<usize> {
        let all = &self.document.segments;
        all[segments.start].tokens.start..all[segments.end - 1].tokens.end
    }

    /// The segments of the digest that begin in a range of the bytes.
    pub fn digest_in(&self, range: &Range<usize>) -> Range<usize> {
        let first_from = |offset: usize| {
            self.document.digest.segments.partition_point(|&segment| self.start_of(segment as usize) < offset)
        };
        first_from(range.start)..first_from(range.end)
    }

    /// What comes behind a place of the bytes, so far.
    pub fn behind(&self, place: usize, far: usize) -> Outwards<'a> {
        let bytes = &self.bytes[place..self.bytes.len().min(place + far)];
        let first = self.places.ends.partition_point(|&end| end <= place);
        let ends = self.places.ends[first..].iter().map(|end| end - place);
        Outwards { bytes: bytes.into(), ends: ends.take_while(|&end| end <= bytes.len()).collect() }
    }

    /// What comes before a place of the bytes, from there backwards, so far.
    pub fn before(&self, place: usize, far: usize) -> Outwards<'static> {
        let bytes: Vec<u8> = self.bytes[..place].iter().rev().take(far).copied().collect();
        let count = self.places.ends.partition_point(|&end| end <= place);
        let ends = (0..count).rev().map(|segment| place - self.start_of(segment));
        Outwards { ends: ends.take_while(|&end| end <= bytes.len()).collect(), bytes: bytes.into() }
    }

    /// Where a range of the bytes stands in the core text, in bytes of that: whole segments with what belongs to them, else
    /// whole tokens.
    pub fn place(&self, range: &Range<usize>) -> Range<usize> {
        let Document { tokens, segments, .. } = self.document;
        let first = self.places.ends.partition_point(|&end| end <= range.start);
        let start = match segments.get(first) {
            Some(segment) if self.start_of(first) == range.start => segment.place.start,
            Some(_) => tokens.place(tokens.at_canonical(range.start)).start,
            None => self.document.core.text.len(),
        };
        let last = self.places.ends.partition_point(|&end| end < range.end);
        let end = match segments.get(last) {
            Some(segment) if self.places.ends[last] == range.end => segment.place.end,
            Some(_) => tokens.place(tokens.at_canonical(range.end.max(1) - 1)).end,
            None => self.document.core.text.len(),
        };
        start..end.max(start)
    }

    fn start_of(&self, segment: usize) -> usize {
        segment.checked_sub(1).map_or(0, |before| self.places.ends[before])
    }
}

/// How many characters begin in some UTF-8.
pub(crate) fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte as i8 >= -0x40).count()
}
