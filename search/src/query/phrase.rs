//! Which documents hold these terms one after the other, where a place may be taken by one of several?
//!
//! tantivy's own phrases know one term a place, or regular expressions that are read from the whole dictionary; and they
//! may not be excluded (`seek_danger` before their document, which `Exclude` calls, is a bug there).

use std::ops::Bound;
use std::sync::Arc;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, InvertedIndexReader, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// What may stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    /// One of these terms.
    Terms(Vec<String>),
    /// Any term that starts so.
    StartingWith(String),
}

/// Slots with their places, ascending.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    field: Field,
    slots: Arc<Vec<(u32, Slot)>>,
}

impl Phrase {
    pub fn new(field: Field, slots: Vec<(u32, Slot)>) -> Self {
        Phrase { field, slots: Arc::new(slots) }
    }

    /// One word a place.
    pub fn of_words(field: Field, words: &[String]) -> Self {
        Phrase::new(field, (0..).zip(words).map(|(at, word)| (at, Slot::Terms(vec![word.clone()]))).collect())
    }
}

impl Query for Phrase {
    fn weight(&self, _: EnableScoring) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Phrase {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let index = reader.inverted_index(self.field)?;
        let mut places = Vec::with_capacity(self.slots.len());
        for (offset, slot) in self.slots.iter() {
            let postings = slot.postings(self.field, &index)?;
            if postings.is_empty() {
                return Ok(Box::new(EmptyScorer));
            }
            places.push(Place { offset: *offset, postings, positions: Vec::new() });
        }
        // The rarest first: the others are only asked where it is.
        places.sort_by_key(|place| place.postings.iter().map(DocSet::size_hint).sum::<u32>());
        let mut scorer = InOrder { places, document: 0, starts: Vec::new(), score: boost };
        scorer.find(0);
        Ok(Box::new(scorer))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument("a phrase explains nothing".to_owned()))
    }
}

impl Slot {
    fn postings(&self, field: Field, index: &InvertedIndexReader) -> tantivy::Result<Vec<SegmentPostings>> {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let mut postings = Vec::new();
        match self {
            Slot::Terms(terms) => {
                for term in terms {
                    postings.extend(index.read_postings(&Term::from_field_text(field, term), option)?);
                }
            }
            Slot::StartingWith(start) => {
                let (Bound::Included(low), Bound::Included(high)) = starting_with(start) else {
                    return Ok(postings);
                };
                let mut terms = index.terms().range().ge(low).le(high).into_stream()?;
                while terms.advance() {
                    postings.push(index.read_postings_from_terminfo(terms.value(), option)?);
                }
            }
        }
        Ok(postings)
    }
}

/// The bounds of all terms that start so.
pub(super) fn starting_with(start: &str) -> (Bound<String>, Bound<String>) {
    (Bound::Included(start.to_owned()), Bound::Included(format!("{start}{}", char::MAX)))
}

/// The postings that may take one place.
struct Place {
    offset: u32,
    postings: Vec<SegmentPostings>,
    positions: Vec<u32>,
}

impl Place {
    /// The first document from `target` on.
    fn seek(&mut self, target: DocId) -> DocId {
        let seek = |postings: &mut SegmentPostings| {
            if postings.doc() < target { postings.seek(target) } else { postings.doc() }
        };
        self.postings.iter_mut().map(seek).min().unwrap_or(TERMINATED)
    }

    /// Where the phrase would start, ascending; positions are counted from the greatest offset on, so that none is negative.
    fn read_starts(&mut self, document: DocId, greatest: u32) {
        self.positions.clear();
        for postings in self.postings.iter_mut().filter(|postings| postings.doc() == document) {
            postings.append_positions_with_offset(greatest - self.offset, &mut self.positions);
        }
        self.positions.sort_unstable();
    }
}

/// Walks through the documents that hold a phrase.
struct InOrder {
    places: Vec<Place>,
    document: DocId,
    starts: Vec<u32>,
    score: Score,
}

impl InOrder {
    /// The first document from `target` on that holds the phrase.
    fn find(&mut self, mut target: DocId) -> DocId {
        loop {
            target = self.next_with_all(target);
            if target == TERMINATED || self.holds(target) {
                self.document = target;
                return target;
            }
            target += 1;
        }
    }

    /// The first document from `target` on that holds a term of every place.
    fn next_with_all(&mut self, mut target: DocId) -> DocId {
        let mut agreed = 0;
        while agreed < self.places.len() && target != TERMINATED {
            let document = self.places[agreed].seek(target);
            agreed = if document == target { agreed + 1 } else { 0 };
            target = document;
        }
        target
    }

    fn holds(&mut self, document: DocId) -> bool {
        let greatest = self.places.iter().map(|place| place.offset).max().unwrap_or(0);
        let (first, others) = match self.places.split_first_mut() {
            Some(places) => places,
            None => return false,
        };
        first.read_starts(document, greatest);
        std::mem::swap(&mut self.starts, &mut first.positions);
        for place in others {
            place.read_starts(document, greatest);
            self.starts.retain(|start| place.positions.binary_search(start).is_ok());
            if self.starts.is_empty() {
                return false;
            }
        }
        !self.starts.is_empty()
    }
}

impl DocSet for InOrder {
    fn advance(&mut self) -> DocId {
        if self.document == TERMINATED { TERMINATED } else { self.find(self.document + 1) }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if target <= self.document { self.document } else { self.find(target) }
    }

    fn doc(&self) -> DocId {
        self.document
    }

    fn size_hint(&self) -> u32 {
        let rarest =
            self.places.first().map(|place| place.postings.iter().map(DocSet::size_hint).sum::<u32>());
        rarest.unwrap_or(0) / 4
    }
}

impl Scorer for InOrder {
    fn score(&mut self) -> Score {
        self.score
    }
}
