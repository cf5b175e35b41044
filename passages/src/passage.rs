//! What is said of a page: its passages, where they were taken from, and how much of it they are.

use crate::segmented::{SegmentedText, characters};
use firstcopy_text::Document;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::ops::Range;

/// A passage of a page that stands in a source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Passage {
    /// The id of the source.
    pub source: String,
    /// Where the source was published.
    pub source_url: Option<String>,
    /// When the source was created, in Unix seconds.
    #[serde(serialize_with = "as_time")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub source_created_at: Option<i64>,
    /// How the page relates to this source.
    pub kind: Kind,
    /// How many segments of the page it has.
    pub segments: usize,
    /// What its segments count for.
    pub weight: f64,
    /// Where it starts in the page's core text, in characters.
    pub start: usize,
    /// Where it ends there.
    pub end: usize,
    /// Where it starts in the source's core text, in characters; none if the source's text was not kept.
    pub source_start: Option<usize>,
    /// Where it ends there.
    pub source_end: Option<usize>,
    /// Where the page differs inside of it: from and to, in characters of the page's core text; the same where something
    /// is missing.
    pub gaps: Vec<(usize, usize)>,
    /// Its text in the page.
    pub text: String,
}

/// How a page relates to a source (sakurai-2009).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PassageKind))]
pub enum Kind {
    /// They share a passage.
    Partial,
    /// One is contained in the other.
    Inclusion,
    /// They are the same.
    Whole,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Partial => "partial",
            Kind::Inclusion => "inclusion",
            Kind::Whole => "whole",
        }
    }
}

fn as_time<S: Serializer>(seconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    let time = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    time.map(|time| time.to_string()).serialize(serializer)
}

/// What share of a text makes it the whole text: titles, dates and names around a copy are not.
const WHOLE: f64 = 0.9;

/// The passages of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Copies {
    /// In the order of the page; of those that begin at the same place the longest first.
    pub passages: Vec<Passage>,
    /// The share of the page's letters that are in a passage.
    pub copied_share: f64,
    /// The characters of the page's core text.
    pub characters: usize,
    /// Which of its normalised bytes are in a passage.
    pub(crate) copied: Vec<Range<usize>>,
}

impl Copies {
    /// What was found of a page in one library and what was found of it in another.
    pub fn and(mut self, others: Copies, page: &Document) -> Self {
        self.passages.extend(others.passages);
        self.passages.sort_by_key(|passage| (passage.start, Reverse(passage.end)));
        self.copied.extend(others.copied);
        let copied_share = share(page.tokens.canonical(0..page.tokens.len()), &self.copied);
        Copies { copied_share, ..self }
    }

    /// The share of the page's characters that are in some of its passages.
    pub fn share_of<'a>(&self, passages: impl Iterator<Item = &'a Passage>) -> f64 {
        let mut places: Vec<(usize, usize)> = passages.map(|passage| (passage.start, passage.end)).collect();
        places.sort_unstable();
        let (mut counted_to, mut count) = (0, 0);
        for (start, end) in places {
            count += end.saturating_sub(start.max(counted_to));
            counted_to = end.max(counted_to);
        }
        count as f64 / self.characters.max(1) as f64
    }

    /// How the page relates to the source it has most of.
    pub fn kind(&self) -> Option<Kind> {
        self.passages.iter().map(|passage| passage.kind).max()
    }
}

/// How a page and a source relate that share these ranges of their bytes.
pub(crate) fn kind(
    page: (&SegmentedText, &[Range<usize>]),
    source: (&SegmentedText, &[Range<usize>]),
) -> Kind {
    let is_whole = |(text, ranges): (&SegmentedText, &[Range<usize>])| share(text.bytes, ranges) >= WHOLE;
    match (is_whole(page), is_whole(source)) {
        (true, true) => Kind::Whole,
        (false, false) => Kind::Partial,
        _ => Kind::Inclusion,
    }
}

/// What share of the characters of some text these ranges of its bytes are; where they overlap it counts once.
pub(crate) fn share(text: &[u8], ranges: &[Range<usize>]) -> f64 {
    let mut ranges = ranges.to_vec();
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut counted_to, mut count) = (0, 0);
    for range in ranges {
        let start = range.start.max(counted_to);
        if start < range.end {
            count += characters(&text[start..range.end]);
            counted_to = range.end;
        }
    }
    if count == 0 { 0.0 } else { count as f64 / characters(text) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_characters_and_count_once() {
        let ranges =
            |ranges: &[(usize, usize)]| ranges.iter().map(|&(start, end)| start..end).collect::<Vec<_>>();
        assert_eq!(share(b"abcd", &ranges(&[(0, 2)])), 0.5);
        assert_eq!(share(b"abcd", &ranges(&[(1, 3), (0, 2), (1, 2)])), 0.75);
        assert_eq!(share("가나ab".as_bytes(), &ranges(&[(0, 6)])), 0.5);
        assert_eq!(share(b"", &[]), 0.0);
    }
}
