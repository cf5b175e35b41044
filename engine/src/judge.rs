//! Who was first? The verdict of one document, and of all others that a change concerns.
//!
//! The verdicts are those of judging all documents in the order of their places: a document is a duplicate of the
//! earliest original before it that it matches, and an original if there is none. So a change at one place concerns
//! only later ones: the copies of an original that ceased to be one, and whatever matches a new one. They are judged
//! anew in the order of their places, each once.

use crate::content::{compared_words, core_of};
use crate::error::Result;
use crate::ingest::Registrar;
use crate::matching::{Match, WordMatch};
use crate::verdict::{Changed, verdict_name};
use firstcopy_index::{KeyHolder, SharedKeys};
use firstcopy_store::{Document, HistoryEntry, Judgement, Place, State};
use firstcopy_text::Overlap;
use firstcopy_text::likeness::{self, WeightClass, Words};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Documents that are looked at to find the closest earlier one, from those that share the most keys on.
const NEAREST_TRIED: usize = 16;

/// Candidates that are looked at, those that share the rarest keys first, and those of them that are compared word for word.
/// A document shares its rarest keys with what it is a copy of: only where very many documents share parts of each other are
/// there more, and a copy is among the first. Without a bound, every page of a template would be compared with all others.
const CANDIDATES_TRIED: usize = 256;
const CANDIDATES_COMPARED: usize = 16;

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
    /// Judges a document by the originals before its place.
    pub(crate) fn judge(&mut self, document: &Document) -> Result<Judgement> {
        Ok(self.judge_and_find_nearest(document, false)?.0)
    }

    /// Judges a document and, if it is asked for and the document is an original, finds the closest earlier one.
    pub(crate) fn judge_and_find_nearest(
        &mut self,
        document: &Document,
        wants_nearest: bool,
    ) -> Result<(Judgement, Option<NearestMatch>)> {
        let shared = self.shared(document, Among::Originals)?;
        let mut compared = HashMap::new();
        if document.standing.is_none() {
            let candidates = self.earlier_originals(document, &shared)?;
            // An earlier original with the same words comes before one that only resembles: whatever matched before it
            // would have made that one a duplicate too, unless an editor declared it to be none, and then for these words.
            for other in &candidates {
                if let Some(found) = self.matcher.exact(document, other) {
                    return Ok((judgement(document, other, found), None));
                }
            }
            for other in candidates {
                match self.compare(document, &other)? {
                    Compared::Match(found) => return Ok((judgement(document, &other, found), None)),
                    Compared::Different(Some(words)) => drop(compared.insert(other.number, words)),
                    Compared::Different(None) => {}
                }
            }
        }
        let nearest = if wants_nearest { self.find_nearest(document, shared, &compared)? } else { None };
        Ok((no_copy(), nearest))
    }

    /// Finds the earlier originals that a document may be a copy of, in the order of their places.
    fn earlier_originals(&mut self, document: &Document, shared: &SharedKeys) -> Result<Vec<Document>> {
        let class = WeightClass::of(document.weight);
        let mut holders = Vec::new();
        for &holder in &shared.holders {
            holders.extend(self.may_match(class, holder, shared.skipped)?.then_some(holder));
        }
        let rank = |holder: &KeyHolder| (Reverse(holder.rarity), holder.number);
        if holders.len() > CANDIDATES_TRIED {
            holders.select_nth_unstable_by_key(CANDIDATES_TRIED, rank);
            holders.truncate(CANDIDATES_TRIED);
        }
        holders.sort_unstable_by_key(rank);
        let mut found = Vec::new();
        for holder in holders {
            if found.len() == CANDIDATES_COMPARED {
                break;
            }
            if self.is_ruled_out(document.number, holder.number) {
                continue;
            }
            if let Some(other) = self.store.by_number(holder.number)?
                && other.place < document.place
                && self.matcher.nominates(document, &other)
                && self.has_fitting_profile(document, &other)?
            {
                found.push(other);
            }
        }
        found.sort_by_key(|other| other.place);
        Ok(found)
    }

    /// Whether a holder of shared keys may share enough of them with a document of this class, by the weights of both.
    fn may_match(&mut self, class: WeightClass, holder: KeyHolder, skipped: u32) -> Result<bool> {
        let of_holder = match self.weights.get(holder.number) {
            Some(class) => class,
            None => {
                let Some(other) = self.store.by_number(holder.number)? else { return Ok(false) };
                let class = WeightClass::of(other.weight);
                self.weights.put(holder.number, class);
                class
            }
        };
        Ok((holder.keys + skipped) as usize >= self.matcher.least_keys(class, of_holder))
    }

    /// Whether profiles that are in memory rule out that one of two documents is a copy of the other.
    fn is_ruled_out(&self, a: u32, b: u32) -> bool {
        let min_likeness = self.matcher.profiled_likeness();
        min_likeness.and_then(|min_likeness| self.profiles.may_be_copies(a, b, min_likeness)) == Some(false)
    }

    /// Whether one of two documents may be a copy of the other, by their profiles. Only edited copies and excerpts are known
    /// to have words in common: where other relations make a duplicate, true.
    fn has_fitting_profile(&mut self, document: &Document, other: &Document) -> Result<bool> {
        let Some(min_likeness) = self.matcher.profiled_likeness() else { return Ok(true) };
        if !self.matcher.compares_words(document, other) {
            return Ok(true);
        }
        let known = self.profiles.may_be_copies(document.number, other.number, min_likeness);
        if let Some(may_be_copies) = known {
            return Ok(may_be_copies);
        }
        for either in [document, other] {
            let words = self.words(either)?;
            self.profiles.put(either.number, &words);
        }
        // Both may have the same slot of the cache.
        Ok(self.profiles.may_be_copies(document.number, other.number, min_likeness).unwrap_or(true))
    }

    /// Finds the earlier original that shares the most keys with a document, and compares it if that was not done. Which one
    /// it is does not depend on what is in memory.
    fn find_nearest(
        &mut self,
        document: &Document,
        shared: SharedKeys,
        compared: &HashMap<u32, WordMatch>,
    ) -> Result<Option<NearestMatch>> {
        if !self.matcher.is_by_likeness() {
            return Ok(None);
        }
        let mut holders = shared.holders;
        let rank = |holder: &KeyHolder| (Reverse(holder.keys), Reverse(holder.rarity), holder.number);
        if holders.len() > NEAREST_TRIED {
            holders.select_nth_unstable_by_key(NEAREST_TRIED, rank);
            holders.truncate(NEAREST_TRIED);
        }
        holders.sort_unstable_by_key(rank);
        for KeyHolder { number, .. } in holders {
            let Some(other) = self.store.by_number(number)? else { continue };
            if other.place >= document.place || !self.matcher.compares_words(document, &other) {
                continue;
            }
            let words = match compared.get(&number) {
                Some(&words) => words,
                None => self.compare_words(document, &other)?,
            };
            return Ok((words.covered > 0.0).then_some(NearestMatch { document: other, words }));
        }
        Ok(None)
    }

    /// Looks up the documents that share keys with one.
    fn shared(&mut self, document: &Document, among: Among) -> Result<SharedKeys> {
        let index = match among {
            Among::Originals => &mut self.indexes.originals,
            Among::Copies => &mut self.indexes.copies,
        };
        let preferred = self.matcher.preferred_keys();
        let mut shared = self.clocks.lookup.time(|| index.shared(&document.keys, preferred))?;
        shared.holders.retain(|holder| holder.number != document.number);
        Ok(shared)
    }

    /// Finds all documents that share enough keys with one, unless its profile rules a copy out.
    pub(crate) fn candidates(&mut self, document: &Document, among: Among) -> Result<Vec<Document>> {
        let shared = self.shared(document, among)?;
        let class = WeightClass::of(document.weight);
        let mut found = Vec::new();
        for holder in shared.holders {
            if self.may_match(class, holder, shared.skipped)?
                && !self.is_ruled_out(document.number, holder.number)
                && let Some(other) = self.store.by_number(holder.number)?
                && self.matcher.nominates(document, &other)
            {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// Whether a document is a copy of an earlier one.
    pub(crate) fn is_copy(&mut self, document: &Document, earlier: &Document) -> Result<bool> {
        if self.matcher.exact(document, earlier).is_some() {
            return Ok(true);
        }
        Ok(matches!(self.compare(document, earlier)?, Compared::Match(_)))
    }

    /// Compares the texts of a document and an earlier one whose words are not the same.
    fn compare(&mut self, document: &Document, earlier: &Document) -> Result<Compared> {
        let clocks = self.clocks.clone();
        clocks.compare.time(|| {
            if !self.matcher.compares_words(document, earlier) {
                let overlap = self.overlap(document, earlier)?;
                let found = self.matcher.by_overlap(document, earlier, overlap);
                return Ok(found.map_or(Compared::Different(None), Compared::Match));
            }
            let words = self.compare_words(document, earlier)?;
            if !self.matcher.is_duplicate(words.relation) {
                return Ok(Compared::Different(Some(words)));
            }
            let overlap = self.overlap(document, earlier)?;
            Ok(Compared::Match(self.matcher.by_words(document, earlier, words, overlap)))
        })
    }

    fn overlap(&mut self, a: &Document, b: &Document) -> Result<Overlap> {
        let (of_a, of_b) = (self.shingles(a)?, self.shingles(b)?);
        Ok(Overlap::of_sorted(&of_a, &of_b))
    }

    /// Aligns the words of a document with those of an earlier one.
    fn compare_words(&mut self, document: &Document, earlier: &Document) -> Result<WordMatch> {
        let (of_earlier, of_document) = (self.words(earlier)?, self.words(document)?);
        Ok(self.matcher.word_match(&likeness::compare(&of_earlier, &of_document)))
    }

    /// Returns the words of a stored document, from memory or from its content.
    fn words(&mut self, document: &Document) -> Result<Arc<Words>> {
        if let Some(known) = self.words.get(document.content) {
            return Ok(known);
        }
        let words = compared_words(&self.store, &self.analyzer, document)?;
        Ok(self.words.put(document.content, words))
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

/// The result of comparing a document with an earlier one.
pub(crate) enum Compared {
    /// It is a copy.
    Match(Match),
    /// It is none; how the words match if they were compared.
    Different(Option<WordMatch>),
}

/// The closest earlier document of one that is no copy.
pub(crate) struct NearestMatch {
    pub(crate) document: Document,
    pub(crate) words: WordMatch,
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
        attribution: attribution(document, original).map(str::to_owned),
        relation: found.words.map(|words| words.relation.name().to_owned()),
        likeness: found.words.map_or(0.0, |words| words.likeness),
        covered: found.words.map_or(0.0, |words| words.covered),
        original_covered: found.words.map_or(0.0, |words| words.original_covered),
    }
}

/// Whether the copy says where it is from, or is by the same author.
fn attribution(document: &Document, original: &Document) -> Option<&'static str> {
    let source = document.source_url.as_deref();
    if source.is_some_and(|source| original.url.as_deref() == Some(source) || original.id == source) {
        return Some("declared");
    }
    let author = |document: &Document| document.author.as_deref().map(|author| author.trim().to_lowercase());
    let same = author(document).is_some_and(|name| !name.is_empty() && author(original) == Some(name));
    same.then_some("same_author")
}
