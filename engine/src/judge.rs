//! Who was first? The verdict of one document, and of all others that a change concerns.
//!
//! The verdicts are those of judging all documents in the order of their places: a document is a duplicate of the
//! earliest original before it that it matches, and an original if there is none. So a change at one place concerns
//! only later ones: the copies of an original that ceased to be one, and whatever matches a new one. They are judged
//! anew in the order of their places, each once.

use crate::content::core_of;
use crate::error::Result;
use crate::ingest::Registrar;
use crate::matching::Match;
use crate::verdict::{Changed, verdict_name};
use firstcopy_store::{Document, HistoryEntry, Judgement, Place, State};
use firstcopy_text::Overlap;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// What sets verdicts in motion.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    /// "added", "edited", "deleted", "declared" or "withdrawn".
    pub(crate) what: &'static str,
    /// The document it happened to.
    pub(crate) id: String,
    /// When.
    pub(crate) at: i64,
}

/// The documents that have to be judged anew, in the order of their places.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: BTreeMap<Place, u32>,
    /// Documents that are in no index: they are being stored.
    absent: HashSet<u32>,
}

impl Queue {
    pub(crate) fn push(&mut self, document: &Document) {
        self.waiting.insert(document.place, document.number);
    }

    pub(crate) fn push_absent(&mut self, document: &Document) {
        self.absent.insert(document.number);
        self.push(document);
    }
}

impl Registrar {
    /// What is to be said of a document as things stand before its place.
    pub(crate) fn judge(&mut self, document: &Document) -> Result<Judgement> {
        if document.standing.is_some() {
            return Ok(no_copy());
        }
        let candidates = self.earlier_originals(document)?;
        // An earlier original with the same words comes before one that only resembles: whatever matched before it would
        // have made that one a duplicate too, unless an editor declared it to be none, and then for these words.
        let exact = candidates.iter().find_map(|other| Some((other, self.matcher.exact(document, other)?)));
        if let Some((other, found)) = exact {
            return Ok(judgement(document, other, found));
        }
        for other in &candidates {
            if let Some(found) = self.compare(document, other)? {
                return Ok(judgement(document, other, found));
            }
        }
        Ok(no_copy())
    }

    fn earlier_originals(&mut self, document: &Document) -> Result<Vec<Document>> {
        let mut found = self.candidates(document, Among::Originals)?;
        found.retain(|other| other.place < document.place);
        found.sort_by_key(|other| other.place);
        Ok(found)
    }

    /// The documents that the index nominates, and that really share enough keys.
    pub(crate) fn candidates(&mut self, document: &Document, among: Among) -> Result<Vec<Document>> {
        let index = match among {
            Among::Originals => &mut self.indexes.originals,
            Among::Copies => &mut self.indexes.copies,
        };
        let numbers = self.clocks.lookup.time(|| index.candidates(&document.keys))?;
        let mut found = Vec::new();
        for number in numbers.into_iter().filter(|&number| number != document.number) {
            found.extend(
                self.store.by_number(number)?.filter(|other| self.matcher.nominates(document, other)),
            );
        }
        Ok(found)
    }

    /// Compares the texts of two documents.
    pub(crate) fn compare(&mut self, a: &Document, b: &Document) -> Result<Option<Match>> {
        let clocks = self.clocks.clone();
        clocks.compare.time(|| {
            if let Some(found) = self.matcher.exact(a, b) {
                return Ok(Some(found));
            }
            let (of_a, of_b) = (self.shingles(a)?, self.shingles(b)?);
            Ok(self.matcher.compare(a, b, Overlap::of_sorted(&of_a, &of_b)))
        })
    }

    /// The sorted shingles of a stored document, from memory or from its content.
    fn shingles(&mut self, document: &Document) -> Result<Arc<[u64]>> {
        if let Some(known) = self.shingles.sorted(document.content) {
            return Ok(known);
        }
        let core = core_of(&self.store, document.content, &document.id)?;
        let set = core.shingles(&self.analyzer);
        self.shingles.put(document.content, set.as_slice());
        // A single content that is larger than the whole memory is not remembered.
        Ok(self.shingles.sorted(document.content).unwrap_or_else(|| set.sorted().into()))
    }

    /// Judges everything in the queue, and whatever that concerns in turn. Returns whose verdict changed.
    pub(crate) fn settle(&mut self, mut queue: Queue, cause: &Cause) -> Result<Vec<Changed>> {
        let mut changed = Vec::new();
        while let Some((_, number)) = queue.waiting.pop_first() {
            let Some(mut document) = self.store.by_number(number)? else { continue };
            let judgement = self.judge(&document)?;
            let is_new = queue.absent.remove(&number);
            let was = if is_new { State::Absent } else { state(&document) };
            if judgement == document.judgement && !is_new {
                continue;
            }
            if !is_new {
                self.remember(&document, cause)?;
            }
            document.judgement = judgement;
            self.store.judge(number, &document.judgement)?;
            if !is_new {
                changed.push(self.changed(&document)?);
            }
            self.moved(&document, was, &mut queue)?;
        }
        Ok(changed)
    }

    /// A document's state may have changed: the followers learn it, and those whom it concerns are judged anew.
    fn moved(&mut self, document: &Document, was: State, queue: &mut Queue) -> Result<()> {
        let now = state(document);
        if was == now {
            return Ok(());
        }
        self.announce(document, was, now)?;
        if was == State::Original {
            self.push_copies(document.number, queue)?;
        }
        if now == State::Original {
            self.push_later(document, queue)?;
        }
        Ok(())
    }

    /// Whoever was a copy of this one needs another original, or becomes one.
    pub(crate) fn push_copies(&mut self, number: u32, queue: &mut Queue) -> Result<()> {
        for copy in self.store.copies(number)? {
            if let Some(document) = self.store.by_number(copy)? {
                queue.push(&document);
            }
        }
        Ok(())
    }

    /// Later documents that may be copies of this new original: other originals, and copies of later ones.
    pub(crate) fn push_later(&mut self, document: &Document, queue: &mut Queue) -> Result<()> {
        for other in self.candidates(document, Among::Originals)? {
            if other.place > document.place {
                queue.push(&other);
            }
        }
        for other in self.candidates(document, Among::Copies)? {
            let original = match other.judgement.original {
                Some(number) => self.store.by_number(number)?,
                None => None,
            };
            let keeps = original.is_some_and(|original| original.place < document.place)
                && self.matcher.exact(&other, document).is_none();
            if other.place > document.place && !keeps {
                queue.push(&other);
            }
        }
        Ok(())
    }

    /// Writes down the verdict that a document had until now.
    pub(crate) fn remember(&mut self, document: &Document, cause: &Cause) -> Result<()> {
        let judgement = &document.judgement;
        let original = self.original_id(document)?;
        let entry = HistoryEntry {
            at: cause.at,
            cause: cause.what.to_owned(),
            cause_id: Some(cause.id.clone()),
            version: document.version,
            verdict: Some(verdict_name(judgement.original).to_owned()),
            original,
            reason: Some(judgement.reason.clone()),
            resemblance: judgement.original.map(|_| judgement.resemblance),
        };
        Ok(self.store.remember(&document.id, &entry)?)
    }

    fn changed(&self, document: &Document) -> Result<Changed> {
        let original = self.original_id(document)?;
        Ok(Changed { id: document.id.clone(), verdict: verdict_name(document.judgement.original), original })
    }

    fn original_id(&self, document: &Document) -> Result<Option<String>> {
        let Some(number) = document.judgement.original else { return Ok(None) };
        Ok(self.store.by_number(number)?.map(|original| original.id))
    }
}

/// Which documents are looked through.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Among {
    Originals,
    Copies,
}

/// What a document is to the followers.
pub(crate) fn state(document: &Document) -> State {
    if document.judgement.original.is_some() { State::Duplicate } else { State::Original }
}

/// What is said of an original.
fn no_copy() -> Judgement {
    Judgement { reason: "none".to_owned(), ..Judgement::default() }
}

fn judgement(document: &Document, original: &Document, found: Match) -> Judgement {
    Judgement {
        original: Some(original.number),
        shared_features: found.shared_features,
        resemblance: found.resemblance,
        containment: found.containment,
        reason: found.reason.to_owned(),
        relation: relation(document, original).map(str::to_owned),
    }
}

/// Whether the copy says where it is from, or is by the same author.
fn relation(document: &Document, original: &Document) -> Option<&'static str> {
    let source = document.source_url.as_deref();
    if source.is_some_and(|source| original.url.as_deref() == Some(source) || original.id == source) {
        return Some("declared");
    }
    let author = |document: &Document| document.author.as_deref().map(|author| author.trim().to_lowercase());
    let same = author(document).is_some_and(|name| !name.is_empty() && author(original) == Some(name));
    same.then_some("same_author")
}
