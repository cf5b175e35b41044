//! From what was found, in bytes, to what is said: shares, kinds, places in characters.

use crate::library::Source;
use crate::passage::{Copies, Kind, Passage, kind, share};
use crate::search::DocumentKey;
use crate::segmented::{SegmentedText, characters};
use firstcopy_text::Document;
use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;

/// A source and what was computed of its text.
pub(crate) struct Known {
    pub source: Source,
    pub text: Option<Document>,
}

/// A passage in normalised bytes.
pub(crate) struct Found {
    pub key: DocumentKey,
    pub known: Rc<Known>,
    pub page: Range<usize>,
    pub source: Option<Range<usize>>,
    /// Where the page differs inside of it.
    pub edits: Vec<Range<usize>>,
    /// The segments of the page's digest that it has.
    pub segments: Range<usize>,
    pub weight: f64,
}

/// All that is said of a page.
pub(crate) fn summed_up(page: &SegmentedText, mut found: Vec<Found>) -> Copies {
    found.sort_by_key(|found| (found.page.start, Reverse(found.page.end)));
    let ranges: Vec<Range<usize>> = found.iter().flat_map(Found::unedited).collect();
    let copied_share = share(page.bytes, &ranges);
    let passages = found.iter().map(|one| passage(page, one, &found)).collect();
    let characters = characters(page.document.core.text.as_bytes());
    Copies { passages, copied_share, characters, copied: ranges }
}

impl Found {
    /// What of the page is in the source byte for byte.
    fn unedited(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [self.page.start].into_iter().chain(self.edits.iter().map(|edit| edit.end));
        let ends = self.edits.iter().map(|edit| edit.start).chain([self.page.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    }
}

fn passage(page: &SegmentedText, one: &Found, all: &[Found]) -> Passage {
    let text = &page.document.core.text;
    let place = page.place(&one.page);
    let source_text = one.known.text.as_ref().map(SegmentedText::new);
    let source_place = source_text
        .as_ref()
        .zip(one.source.as_ref())
        .map(|(source, range)| in_characters(&source.document.core.text, &source.place(range)));
    let gap = |edit: &Range<usize>| {
        let place = in_characters(text, &page.place(&(edit.start..edit.end.max(edit.start + 1))));
        (place.start, if edit.is_empty() { place.start } else { place.end })
    };
    let Range { start, end } = in_characters(text, &place);
    Passage {
        source: one.known.source.id.clone(),
        source_url: one.known.source.url.clone(),
        source_created_at: one.known.source.created_at,
        kind: source_text.as_ref().map_or(Kind::Partial, |source| kind_of(page, source, one.key, all)),
        segments: one.segments.len(),
        weight: one.weight,
        start,
        end,
        source_start: source_place.as_ref().map(|place| place.start),
        source_end: source_place.map(|place| place.end),
        gaps: one.edits.iter().map(gap).collect(),
        text: text[place].to_owned(),
    }
}

fn in_characters(text: &str, place: &Range<usize>) -> Range<usize> {
    let start = characters(&text.as_bytes()[..place.start]);
    start..start + characters(&text.as_bytes()[place.clone()])
}

/// How the page relates to a source, by all passages it has from it.
fn kind_of(page: &SegmentedText, source: &SegmentedText, key: DocumentKey, all: &[Found]) -> Kind {
    let of_source = || all.iter().filter(|found| found.key == key);
    let in_page: Vec<_> = of_source().flat_map(Found::unedited).collect();
    let in_source: Vec<_> = of_source().filter_map(|found| found.source.clone()).collect();
    kind((page, &in_page), (source, &in_source))
}

/// How much two ranges share.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
