//! Which parts of a page were taken from where? The path of a page: its digest, the longest matches in the sources, each
//! verified text against text, extended and weighed.

use crate::align::{Reach, reach};
use crate::error::Result;
use crate::found::{Found, Known, overlap, summed_up};
use crate::library::Library;
use crate::passage::Copies;
use crate::search::{DocumentKey, Run, longest, shared_before, start_of_document};
use crate::segmented::{Places, SegmentedText};
use crate::suffixes::symbol;
use crate::weight::Weights;
use firstcopy_text::{Analyzer, Document, MAX_TEXT};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// What makes a passage.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// How many segments, or how much weight, a passage has at least (sakurai-2009: 3).
    pub min_segments: usize,
    /// Normalised characters below which a segment counts for nothing (sakurai-2009: 5). The digests have their own least,
    /// which must not be larger.
    pub min_segment_chars: usize,
    /// Counts segments by how long and how rare they are, looks beyond where sentences were cut, and bridges edits. Else
    /// every segment counts one, as in sakurai-2009.
    pub weigh: bool,
    /// Lists every source of a passage, not only the best.
    pub all_sources: bool,
}

impl Default for Rule {
    fn default() -> Self {
        Rule { min_segments: 3, min_segment_chars: 5, weigh: true, all_sources: false }
    }
}

/// The share of the least weight from which on the texts are looked at: around it there may be more than its segments tell.
const NEAR_MISS: f64 = 0.5;
/// How many sources of a near miss are looked at.
const NEAR_MISSES: usize = 4;
/// Of the sources that have a run, so many are looked at for the best.
const SOURCES_OF_A_RUN: usize = 1 << 12;
/// Up to so many of them are compared by what is around the run; of more, the earliest of the longest is taken.
const LOOKED_AROUND: usize = 1024;
/// How far backwards they are compared.
const BACKWARDS: usize = 64;
/// How many segments around a run tell which of its sources has more of the page.
const SURROUNDINGS: usize = 8;

/// Finds the passages of pages.
#[derive(Debug)]
pub struct Finder<'a, L> {
    library: &'a L,
    analyzer: &'a Analyzer,
    rule: Rule,
    weights: Weights,
}

impl<'a, L: Library> Finder<'a, L> {
    /// Looks in a library; the analyzer is the one its digests were made with.
    pub fn new(library: &'a L, analyzer: &'a Analyzer, rule: Rule) -> Self {
        let documents = library.parts().iter().map(|part| part.documents()).sum();
        Finder { library, analyzer, rule, weights: Weights::new(documents) }
    }

    /// The passages of a page that was digested ([`Analyzer::digested`]). A source with the page's own id is the page.
    pub fn copies(&self, page: &Document) -> Result<Copies> {
        let symbols: Vec<u32> =
            page.digest.fingerprints.iter().map(|&fingerprint| symbol(fingerprint)).collect();
        let occurrences = vec![None; symbols.len()];
        let page = SegmentedText::new(page, Rc::new(Places::of(page)));
        let search =
            Search { finder: self, page, symbols, occurrences, barred: Vec::new(), sources: BTreeMap::new() };
        let found = search.copies();
        // Of a damaged part anything may have been found.
        self.library.parts().iter().try_for_each(|part| part.sound())?;
        found
    }
}

/// A source that is not looked at before this segment of the page.
struct Barred {
    key: DocumentKey,
    until: usize,
}

/// What a run turned out to be.
enum Judged {
    Passage(Found),
    /// Too little, or a coincidence of fingerprints.
    Nothing,
    /// Of the page itself, or of a document that is no source any more.
    NoSource,
}

/// The search through one page.
struct Search<'a, 'l, L> {
    finder: &'a Finder<'l, L>,
    page: SegmentedText<'a>,
    symbols: Vec<u32>,
    /// How often each segment stands in the sources, as far as it was asked.
    occurrences: Vec<Option<usize>>,
    barred: Vec<Barred>,
    sources: BTreeMap<DocumentKey, Option<Rc<Known>>>,
}

impl<L: Library> Search<'_, '_, L> {
    /// From left to right: the longest run at each place, extended backwards; what it covers is not searched again.
    fn copies(mut self) -> Result<Copies> {
        let mut found: Vec<Found> = Vec::new();
        let (mut at, mut covered_to, mut misses) = (0, 0, 0);
        while at < self.symbols.len() {
            let run = self.best_run(at, covered_to).filter(|_| misses < NEAR_MISSES);
            let Some(run) = run else {
                (at, misses) = (at + 1, 0);
                self.unbar(at);
                continue;
            };
            match self.judged(&run, at)? {
                Judged::NoSource => self.bar(run.key, usize::MAX),
                Judged::Nothing => {
                    self.bar(run.key, at + 1);
                    misses += 1;
                }
                Judged::Passage(passage) => {
                    let end = passage.segments.end.max(at + 1);
                    if self.finder.rule.all_sources {
                        self.bar(run.key, end);
                    } else {
                        (at, covered_to) = (end, end);
                        self.unbar(at);
                    }
                    misses = 0;
                    found.push(passage);
                }
            }
        }
        if self.finder.rule.weigh {
            self.look_across_breaks(&mut found)?;
        }
        Ok(summed_up(&self.page, found))
    }

    /// Where nothing was found, sentences may have been broken: the same, put together again, may stand in a source.
    fn look_across_breaks(&mut self, found: &mut Vec<Found>) -> Result<()> {
        let page = self.page.clone();
        let mut covered = vec![false; page.document.segments.len()];
        found.iter().for_each(|found| covered[page.segments_in(&found.page)].fill(true));
        for segments in page.mended() {
            if covered[segments.clone()].contains(&true) {
                continue;
            }
            let place = page.segments(&segments);
            let sought =
                self.finder.analyzer.segment_fingerprint(&page.document.tokens, page.tokens(&segments));
            for key_and_place in self.places_of(symbol(sought), place.len()) {
                let passage = self.mended_passage(key_and_place, &place)?;
                if let Some(passage) = passage.filter(|found| self.is_passage(found)) {
                    covered[page.segments_in(&passage.page)].fill(true);
                    found.push(passage);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The first few places of a segment of so many bytes in the sources, if it is worth a look.
    fn places_of(&self, sought: u32, bytes: usize) -> Vec<(DocumentKey, usize)> {
        let parts = self.finder.library.parts();
        let ranks: Vec<Range<usize>> = parts.iter().map(|part| part.ranks_of(sought)).collect();
        let occurrences = ranks.iter().map(Range::len).sum();
        let least = self.finder.rule.min_segments as f64 * NEAR_MISS;
        if occurrences == 0 || self.finder.weights.of(bytes, occurrences) < least {
            return Vec::new();
        }
        let places = parts.iter().zip(ranks).enumerate().flat_map(|(number, (part, ranks))| {
            ranks.map(move |rank| {
                let place = part.suffix(rank);
                (DocumentKey { part: number, document: part.document(place) }, place)
            })
        });
        let mut places: Vec<_> =
            places.filter(|(key, _)| self.is_allowed(*key, 0)).take(LOOKED_AROUND).collect();
        places.sort_by_key(|(key, place)| {
            let owner = parts[key.part].owner(key.document);
            (self.finder.library.created_at(owner, *key), *key, *place)
        });
        places.truncate(NEAR_MISSES);
        places
    }

    /// A sentence that was put together, and what is around it.
    fn mended_passage(
        &mut self,
        (key, place): (DocumentKey, usize),
        page: &Range<usize>,
    ) -> Result<Option<Found>> {
        let Some(known) = self.source(key, place)? else { return Ok(None) };
        let Some(text) = known.text() else { return Ok(None) };
        let document = text.document;
        let segment = place - known.first_symbol;
        if segment >= document.digest.segments.len()
            || text.bytes[text.segment(segment)] != self.page.bytes[page.clone()]
        {
            return Ok(None);
        }
        Ok(Some(self.weighed(key, known.clone(), page.clone(), text.segment(segment), &text)))
    }

    fn bar(&mut self, key: DocumentKey, until: usize) {
        self.barred.push(Barred { key, until });
    }

    /// Forgets whom no search from a place on could meet.
    fn unbar(&mut self, at: usize) {
        let first = at.saturating_sub(self.finder.rule.min_segments);
        self.barred.retain(|barred| barred.until > first);
    }

    fn is_allowed(&self, key: DocumentKey, start: usize) -> bool {
        !self.barred.iter().any(|barred| barred.key == key && start < barred.until)
    }

    /// The longest run that covers a place. Such a run may begin in what is covered already.
    fn best_run(&mut self, at: usize, covered_to: usize) -> Option<Run> {
        let reach_back = self.finder.rule.min_segments.saturating_sub(1);
        let first = if at < covered_to + reach_back { at.saturating_sub(reach_back) } else { at };
        let mut runs: Vec<Run> = (first..=at).filter_map(|start| self.run_from(start, at)).collect();
        runs.sort_by_key(|run| Reverse(run.len()));
        runs.into_iter().next()
    }

    /// The longest run that begins at a place and reaches another, in the source that has most around it, extended backwards.
    fn run_from(&mut self, start: usize, to: usize) -> Option<Run> {
        let finder = self.finder;
        let parts = finder.library.parts();
        let sought = &self.symbols[start..];
        let matches: Vec<_> = parts
            .iter()
            .enumerate()
            .filter_map(|(number, part)| {
                let allowed = |place: usize| {
                    self.barred.is_empty()
                        || self
                            .is_allowed(DocumentKey { part: number, document: part.document(place) }, start)
                };
                longest(part, sought, allowed).map(|longest| (number, longest))
            })
            .collect();
        let length = matches.iter().map(|(_, longest)| longest.length).max()?;
        if start + length <= to || !self.is_worth_a_look(start..start + length) {
            return None;
        }
        let count: usize = matches.iter().map(|(_, longest)| longest.ranks.len()).sum();
        let looks_around = finder.rule.weigh && count <= LOOKED_AROUND;
        let places = matches.into_iter().filter(|(_, longest)| longest.length == length).flat_map(
            |(number, longest)| longest.ranks.map(move |rank| (number, parts[number].suffix(rank))),
        );
        places
            .take(SOURCES_OF_A_RUN)
            .map(|(number, place)| self.extended(number, place, start, length))
            .map(|run| (if looks_around { self.company(&run) } else { 0 }, run))
            .filter(|(_, run)| self.is_allowed(run.key, start))
            .min_by_key(|(company, run)| {
                let owner = parts[run.key.part].owner(run.key.document);
                (
                    Reverse(run.len()),
                    Reverse(*company),
                    finder.library.created_at(owner, run.key),
                    run.key,
                    run.place,
                )
            })
            .map(|(_, run)| self.whole(run))
    }

    /// A match extended backwards, as far as is needed to choose among many.
    fn extended(&self, number: usize, place: usize, start: usize, length: usize) -> Run {
        let part = &self.finder.library.parts()[number];
        let back = shared_before(part, place, &self.symbols[start.saturating_sub(BACKWARDS)..start]);
        let key = DocumentKey { part: number, document: part.document(place) };
        Run { key, start: start - back, end: start + length, place: place - back }
    }

    /// A run as far as it goes on both sides.
    fn whole(&self, run: Run) -> Run {
        let part = &self.finder.library.parts()[run.key.part];
        let back = shared_before(part, run.place, &self.symbols[..run.start]);
        let behind = self.symbols[run.end..].iter().zip(run.place + run.len()..);
        let more = behind.take_while(|(symbol, place)| part.symbol(*place) == **symbol).count();
        Run { start: run.start - back, end: run.end + more, place: run.place - back, ..run }
    }

    /// How much of what is around a run in the page stands around it in the source, too.
    fn company(&self, run: &Run) -> usize {
        let part = &self.finder.library.parts()[run.key.part];
        let around_before = &self.symbols[run.start.saturating_sub(SURROUNDINGS)..run.start];
        let around_behind = &self.symbols[run.end..self.symbols.len().min(run.end + SURROUNDINGS)];
        let is_around = |symbol: u32| around_before.contains(&symbol) || around_behind.contains(&symbol);
        let before = (run.place.saturating_sub(SURROUNDINGS)..run.place).rev();
        let behind = run.place + run.len()..run.place + run.len() + SURROUNDINGS;
        let same_document = |place: &usize| part.symbol(*place) != crate::suffixes::END;
        let count = |places: &mut dyn Iterator<Item = usize>| {
            places.take_while(same_document).filter(|&place| is_around(part.symbol(place))).count()
        };
        count(&mut before.into_iter()) + count(&mut behind.into_iter())
    }

    /// Whether a run may be a passage, or be inside of one.
    fn is_worth_a_look(&mut self, run: Range<usize>) -> bool {
        let Rule { min_segments, weigh, .. } = self.finder.rule;
        if !weigh {
            return run.len() >= min_segments;
        }
        let least = min_segments as f64 * NEAR_MISS;
        let mut weight = 0.0;
        run.into_iter().any(|segment| {
            weight += self.weight(segment);
            weight >= least
        })
    }

    fn weight(&mut self, segment: usize) -> f64 {
        if !self.counts(segment) {
            return 0.0;
        }
        let bytes = self.page.segment(segment).len();
        let occurrences = self.occurrences(segment);
        self.finder.weights.of(bytes, occurrences)
    }

    fn counts(&self, segment: usize) -> bool {
        let segment = self.page.document.digest.segments[segment] as usize;
        self.page.document.segments[segment].characters >= self.finder.rule.min_segment_chars
    }

    fn occurrences(&mut self, segment: usize) -> usize {
        let symbol = self.symbols[segment];
        let count = || self.finder.library.parts().iter().map(|part| part.ranks_of(symbol).len()).sum();
        *self.occurrences[segment].get_or_insert_with(count)
    }

    /// Looks at the texts.
    fn judged(&mut self, run: &Run, at: usize) -> Result<Judged> {
        let Some(known) = self.source(run.key, run.place)? else { return Ok(Judged::NoSource) };
        let found = match known.text() {
            Some(text) => self.compared(run, at, known.clone(), &text),
            None => Some(self.believed(run, known.clone())),
        };
        Ok(found.filter(|found| self.is_passage(found)).map_or(Judged::Nothing, Judged::Passage))
    }

    fn is_passage(&self, found: &Found) -> bool {
        let Rule { min_segments, weigh, .. } = self.finder.rule;
        let count = || found.segments.clone().filter(|&segment| self.counts(segment)).count();
        if weigh { found.weight >= min_segments as f64 } else { count() >= min_segments }
    }

    /// A source that is not the page itself, with its text if it has one.
    fn source(&mut self, key: DocumentKey, place: usize) -> Result<Option<Rc<Known>>> {
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
    fn weighed(
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
