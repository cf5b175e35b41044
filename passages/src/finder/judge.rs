//! What a run turns out to be: its texts are compared, it is stretched as far as it reaches, and weighed.

use super::{Judged, Rule, Search};
use crate::align::{Reach, reach};
use crate::error::Result;
use crate::found::{Found, Known, overlap};
use crate::library::Library;
use crate::search::{DocumentKey, Run, start_of_document};
use crate::segmented::SegmentedText;
use firstcopy_text::{Document, MAX_TEXT};
use std::ops::Range;
use std::rc::Rc;

impl<L: Library> Search<'_, '_, L> {
    pub(super) fn weight(&self, segment: usize) -> f64 {
        if !self.counts(segment) {
            return 0.0;
        }
        let bytes = self.page.segment(segment).len();
        let occurrences = self.ranks.iter().map(|ranks| ranks[segment].len()).sum();
        self.finder.weights.of(bytes, occurrences)
    }

    fn counts(&self, segment: usize) -> bool {
        let segment = self.page.document.digest.segments[segment] as usize;
        self.page.document.segments[segment].characters >= self.finder.rule.min_segment_chars
    }

    /// Looks at the texts.
    pub(super) fn judged(&mut self, run: &Run, at: usize) -> Result<Judged> {
        let Some(known) = self.source(run.key, run.place)? else { return Ok(Judged::NoSource) };
        let found = match known.text() {
            Some(text) => self.compared(run, at, known.clone(), &text),
            None => Some(self.believed(run, known.clone())),
        };
        Ok(found.filter(|found| self.is_passage(found)).map_or(Judged::Nothing, Judged::Passage))
    }

    pub(super) fn is_passage(&self, found: &Found) -> bool {
        let Rule { min_segments, weigh, .. } = self.finder.rule;
        let count = || found.segments.clone().filter(|&segment| self.counts(segment)).count();
        if weigh { found.weight >= min_segments as f64 } else { count() >= min_segments }
    }

    /// A source that is not the page itself, with its text if it has one.
    pub(super) fn source(&mut self, key: DocumentKey, place: usize) -> Result<Option<Rc<Known>>> {
        if let Some(known) = self.sources.get(&key) {
            return Ok(known.clone());
        }
        let part = &self.finder.library.parts()[key.part];
        let owner = part.owner(key.document);
        let own_id = &self.page.document.id;
        let is_page = self.finder.library.id(owner, key)?.is_some_and(|id| id == *own_id);
        let source = if is_page { None } else { self.finder.library.source(owner, key)? };
        let other = source.filter(|source| source.id != *own_id);
        let known = other.map(|mut source| {
            let digested = |core| self.finder.analyzer.digested(Document { core, ..Document::default() });
            let text = source.core.take().map(digested);
            Rc::new(Known::new(source, text, start_of_document(part, place)))
        });
        self.sources.insert(key, known.clone());
        Ok(known)
    }

    /// A run whose source has no text: fingerprints alone tell.
    fn believed(&mut self, run: &Run, known: Rc<Known>) -> Found {
        let segments = run.start..run.end;
        let page = self.page.segment(run.start).start..self.page.segment(run.end - 1).end;
        let weight = self.weight_of(&segments, &[]);
        Found { key: run.key, known, page, source: None, edits: Vec::new(), segments, weight }
    }

    /// The part of a run around a place that really is the same text, extended if the rule says so.
    fn compared(&mut self, run: &Run, at: usize, known: Rc<Known>, text: &SegmentedText) -> Option<Found> {
        let source_start = run.place - known.first_symbol;
        let source_of = |segment: usize| source_start + (segment - run.start);
        let is_same = |segment: &usize| {
            let source = source_of(*segment);
            source < text.document.digest.segments.len()
                && text.bytes[text.segment(source)] == self.page.bytes[self.page.segment(*segment)]
        };
        let middle = at.max(run.start);
        let start = (run.start..middle).rev().take_while(is_same).last().unwrap_or(middle);
        let end = (middle..run.end).take_while(is_same).last().map(|last| last + 1)?;
        let page = self.page.segment(start).start..self.page.segment(end - 1).end;
        let source = text.segment(source_of(start)).start..text.segment(source_of(end - 1)).end;
        Some(self.weighed(run.key, known, page, source, text))
    }

    /// What two ranges of bytes that agree are worth, stretched if the rule says so.
    pub(super) fn weighed(
        &mut self,
        key: DocumentKey,
        known: Rc<Known>,
        page: Range<usize>,
        source: Range<usize>,
        text: &SegmentedText,
    ) -> Found {
        let segments = self.page.digest_in(&page);
        let edits = Vec::new();
        let found = Found { key, known, page, source: Some(source.clone()), edits, segments, weight: 0.0 };
        let found = if self.finder.rule.weigh { self.stretched(found, &source, text) } else { found };
        // A sentence that was broken into many lines is still one: the source may know.
        let in_source = text.digest_in(found.source.as_ref().unwrap_or(&source));
        let of_source: f64 =
            in_source.map(|segment| self.finder.weights.of(text.segment(segment).len(), 1)).sum();
        let weight = self.weight_of(&found.segments, &found.edits).min(of_source);
        Found { weight, ..found }
    }

    /// A passage as far as it reaches on both sides.
    fn stretched(&self, found: Found, source: &Range<usize>, text: &SegmentedText) -> Found {
        let agreed = found.page.len();
        let before = reach_far(|far| {
            reach(&self.page.before(found.page.start, far), &text.before(source.start, far), agreed)
        });
        let behind = reach_far(|far| {
            reach(&self.page.behind(found.page.end, far), &text.behind(source.end, far), agreed)
        });
        let edits_before = before
            .edits
            .iter()
            .rev()
            .map(|(edit, _)| found.page.start - edit.end..found.page.start - edit.start);
        let edits_behind =
            behind.edits.iter().map(|(edit, _)| found.page.end + edit.start..found.page.end + edit.end);
        let page = found.page.start - before.page..found.page.end + behind.page;
        Found {
            edits: edits_before.chain(edits_behind).collect(),
            segments: self.page.digest_in(&page),
            page,
            source: Some(source.start - before.source..source.end + behind.source),
            ..found
        }
    }

    /// What segments count for; what was edited does not.
    fn weight_of(&mut self, segments: &Range<usize>, edits: &[Range<usize>]) -> f64 {
        segments
            .clone()
            .map(|segment| {
                let place = self.page.segment(segment);
                let edited: usize = edits.iter().map(|edit| overlap(edit, &place)).sum();
                self.weight(segment) * (1.0 - edited as f64 / place.len().max(1) as f64)
            })
            .sum()
    }
}

/// How far texts are looked at around a passage, at first.
const FIRST_FAR: usize = 1 << 12;

/// Looks further as long as what was looked at was nearly used up: most passages end near by, and texts may be long.
fn reach_far(reach: impl Fn(usize) -> Reach) -> Reach {
    let mut far = FIRST_FAR;
    loop {
        let reached = reach(far);
        if reached.seen < far || far > MAX_TEXT {
            return reached;
        }
        far *= 4;
    }
}
