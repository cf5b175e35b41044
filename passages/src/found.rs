//! From what was found, in bytes, to what is said: shares, kinds, places in characters.

use crate::library::Source;
use crate::passage::{Copies, Kind, Passage, kind, share};
use crate::search::DocumentKey;
use crate::segmented::{Places, SegmentedText, characters};
use firstcopy_text::Document;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// A source and what was computed of its text.
pub(crate) struct Known {
    pub source: Source,
    /// Its text, if it was kept.
    text: Option<(Document, Rc<Places>)>,
    /// Where its symbols begin in its part.
    pub first_symbol: usize,
}

impl Known {
    pub fn new(source: Source, text: Option<Document>, first_symbol: usize) -> Self {
        let text = text.map(|document| {
            let places = Rc::new(Places::of(&document));
            (document, places)
        });
        Known { source, text, first_symbol }
    }

    pub fn text(&self) -> Option<SegmentedText<'_>> {
        self.text.as_ref().map(|(document, places)| SegmentedText::new(document, places.clone()))
    }
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
    let kinds = kinds(page, &found);
    Copies {
        passages: found.iter().map(|one| passage(page, one, kinds[&one.key])).collect(),
        copied_share: share(page.bytes, &ranges),
        characters: characters(page.document.core.text.as_bytes()),
        copied: ranges,
    }
}

/// How the page relates to each source, by all passages it has from it.
fn kinds(page: &SegmentedText, found: &[Found]) -> BTreeMap<DocumentKey, Kind> {
    let mut sources: BTreeMap<DocumentKey, Vec<&Found>> = BTreeMap::new();
    found.iter().for_each(|one| sources.entry(one.key).or_default().push(one));
    let kind_of = |passages: &[&Found]| {
        let Some(source) = passages[0].known.text() else { return Kind::Partial };
        let in_page: Vec<_> = passages.iter().flat_map(|found| found.unedited()).collect();
        let in_source: Vec<_> = passages.iter().filter_map(|found| found.source.clone()).collect();
        kind((page, &in_page), (&source, &in_source))
    };
    sources.into_iter().map(|(key, passages)| (key, kind_of(&passages))).collect()
}

impl Found {
    /// What of the page is in the source byte for byte.
    fn unedited(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [self.page.start].into_iter().chain(self.edits.iter().map(|edit| edit.end));
        let ends = self.edits.iter().map(|edit| edit.start).chain([self.page.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    }
}

fn passage(page: &SegmentedText, one: &Found, kind: Kind) -> Passage {
    let place = page.place(&one.page);
    let source = one.known.text();
    let source_place = source
        .as_ref()
        .zip(one.source.as_ref())
        .map(|(source, range)| source.in_characters(&source.place(range)));
    let gap = |edit: &Range<usize>| {
        let place = page.in_characters(&page.place(&(edit.start..edit.end.max(edit.start + 1))));
        (place.start, if edit.is_empty() { place.start } else { place.end })
    };
    let Range { start, end } = page.in_characters(&place);
    Passage {
        source: one.known.source.id.clone(),
        source_url: one.known.source.url.clone(),
        source_created_at: one.known.source.created_at,
        kind,
        segments: one.segments.len(),
        weight: one.weight,
        start,
        end,
        source_start: source_place.as_ref().map(|place| place.start),
        source_end: source_place.map(|place| place.end),
        gaps: one.edits.iter().map(gap).collect(),
        text: page.document.core.text[place].to_owned(),
    }
}

/// How much two ranges share.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
