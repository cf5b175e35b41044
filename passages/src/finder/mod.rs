//! Which parts of a page were taken from where? The path of a page: its digest, the longest matches in the sources, each
//! verified text against text, extended and weighed.

mod judge;
mod mended;

use crate::error::Result;
use crate::found::{Found, Known, summed_up};
use crate::library::Library;
use crate::part::Segment;
use crate::passage::Copies;
use crate::search::{DocumentKey, Run, longest, shared_before};
use crate::segmented::{Places, SegmentedText};
use crate::suffixes::DEPTH;
use crate::weight::Weights;
use firstcopy_text::{Analyzer, Document};
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
/// Up to so many of those that share as much as the order of suffixes is deep are compared as far as they go.
const COMPARED_TO_THE_END: usize = 64;
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
        let segments: Vec<Segment> = Segment::all(&page.digest).collect();
        let symbols = segments.iter().map(|segment| segment.symbol).collect();
        let ranks: Vec<Vec<Range<usize>>> =
            self.library.parts().iter().map(|part| part.ranks_of(&segments)).collect();
        let known_to = known_to(&ranks, segments.len());
        let page = SegmentedText::new(page, Rc::new(Places::of(page)));
        let search = Search {
            finder: self,
            page,
            symbols,
            ranks,
            known_to,
            barred: Vec::new(),
            sources: BTreeMap::new(),
        };
        let found = search.copies();
        // Of a damaged part anything may have been found.
        self.library.parts().iter().try_for_each(|part| part.sound())?;
        found
    }
}

/// For each segment the end of the segments from there on that stand in some part.
fn known_to(ranks: &[Vec<Range<usize>>], segments: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..segments).collect();
    for segment in (0..segments).rev() {
        if ranks.iter().any(|ranks| !ranks[segment].is_empty()) {
            ends[segment] = ends.get(segment + 1).copied().unwrap_or(segments);
        }
    }
    ends
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
    /// Where each segment stands in each part.
    ranks: Vec<Vec<Range<usize>>>,
    /// How far from each segment on all stand in some part: no run goes further.
    known_to: Vec<usize>,
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
    fn best_run(&self, at: usize, covered_to: usize) -> Option<Run> {
        let reach_back = self.finder.rule.min_segments.saturating_sub(1);
        let first = if at < covered_to + reach_back { at.saturating_sub(reach_back) } else { at };
        let mut runs: Vec<Run> = (first..=at).filter_map(|start| self.run_from(start, at)).collect();
        runs.sort_by_key(|run| Reverse(run.len()));
        runs.into_iter().next()
    }

    /// The longest run that begins at a place and reaches another, in the source that has most around it, extended backwards.
    fn run_from(&self, start: usize, to: usize) -> Option<Run> {
        let finder = self.finder;
        let parts = finder.library.parts();
        // Mostly that is enough to know, and no part has to be read for it.
        let end = self.known_to[start];
        if end <= to || !self.is_worth_a_look(start..end) {
            return None;
        }
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
                let ranks = self.ranks[number][start].clone();
                longest(part, ranks, sought, allowed).map(|longest| (number, longest))
            })
            .collect();
        let length = matches.iter().map(|(_, longest)| longest.length).max()?;
        if start + length <= to || !self.is_worth_a_look(start..start + length) {
            return None;
        }
        let count: usize = matches.iter().map(|(_, longest)| longest.ranks.len()).sum();
        let looks_around = finder.rule.weigh && count <= LOOKED_AROUND;
        let goes_on = length == DEPTH && count <= COMPARED_TO_THE_END;
        let places = matches.into_iter().filter(|(_, longest)| longest.length == length).flat_map(
            |(number, longest)| longest.ranks.map(move |rank| (number, parts[number].suffix(rank))),
        );
        places
            .take(SOURCES_OF_A_RUN)
            .map(|(number, place)| self.extended(number, place, start, length))
            .map(|run| if goes_on { self.whole(run) } else { run })
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
    fn is_worth_a_look(&self, run: Range<usize>) -> bool {
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
}
