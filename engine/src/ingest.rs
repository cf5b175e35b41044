//! The path of a post, read downwards: dated, judged, written, announced. And its edit, and its end.
//! Everything here happens inside one transaction of the one writer.

use crate::content::core_of;
use crate::draft::{Analyzed, Body, Draft, Request, Seen};
use crate::error::{EngineError, Result};
use crate::following::{FreshGists, Gist};
use crate::indexes::Indexes;
use crate::judge::{Among, Cause, NearestMatch, Queue, state};
use crate::matching::Matcher;
use crate::profiles::ProfileMemory;
use crate::timings::Clocks;
use crate::verdict::Verdict;
use firstcopy_store::{
    Change, Counters, Document, HistoryEntry, Judgement, Place, RequestEntry, Sighting, State, Store,
    StoreError, Tombstone,
};
use firstcopy_text::Analyzer;
use firstcopy_text::likeness::{WeightClass, Words};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Keeps the books of a data directory: store and duplicate indexes, changed together.
#[derive(Debug)]
pub(crate) struct Registrar {
    pub(crate) store: Store,
    pub(crate) indexes: Indexes,
    pub(crate) analyzer: Arc<Analyzer>,
    pub(crate) matcher: Matcher,
    pub(crate) clocks: Arc<Clocks>,
    pub(crate) counters: Counters,
    pub(crate) shingles: ShingleMemory,
    pub(crate) words: WordMemory,
    pub(crate) weights: WeightClasses,
    pub(crate) profiles: ProfileMemory,
    /// Numbers of documents and contents that were remembered since `begin`.
    pub(crate) uncommitted: Vec<u32>,
    /// Of the contents since `begin`, for the followers.
    pub(crate) gists: Vec<(u32, Gist)>,
    /// Where they take them from; none if nobody follows.
    pub(crate) fresh: Option<Arc<FreshGists>>,
    /// How far the outbox knows the indexes to have got.
    pub(crate) trimmed_to: u64,
    /// How many seconds before an existing original a claimed date may lie; without limit if none.
    pub(crate) max_backdate: Option<i64>,
}

/// 1990-01-01: nothing on the web is older.
const OLDEST: i64 = 631_152_000;
/// Seconds for which a request that must be carried out only once is remembered: a day.
const REQUESTS_REMEMBERED: i64 = 86_400;

impl Registrar {
    /// Judges and stores a page: a new document, a new version of one, or nothing new.
    pub(crate) fn add(&mut self, draft: Draft, now: i64) -> Result<Verdict> {
        let received_at = draft.received_at.unwrap_or(now.max(self.counters.last_received));
        self.counters.last_received = self.counters.last_received.max(received_at);
        if let Some(request) = &draft.request
            && let Some(verdict) = self.carried_out(request)?
        {
            return Ok(verdict);
        }
        let stored = self.store.by_id(draft.id())?;
        let version = stored.as_ref().map(|stored| stored.version);
        if !draft.condition.holds(version) {
            return Err(EngineError::OtherVersion { version });
        }
        if let Body::Analyzed(analyzed) = &draft.body
            && let Some(format) = analyzed.document.unreadable
        {
            return Err(EngineError::Unreadable { id: draft.id().to_owned(), format });
        }
        let (sweep, seen, appeal, request) = (draft.sweep, draft.seen, draft.appeal, draft.request);
        let (number, verdict) = match (stored, draft.body) {
            (Some(stored), body) if is_same(&stored, &body) => (stored.number, self.unchanged(&stored)?),
            (Some(stored), body) => (stored.number, self.edit(&stored, self.analyzed(body), received_at)?),
            (None, body) => {
                let number = self.next_number()?;
                (number, self.insert(number, self.analyzed(body), received_at)?)
            }
        };
        if let Some(seen) = seen {
            self.put_seen(number, &seen)?;
        }
        let reappeared = match sweep {
            Some(sweep) => self.store.sight(number, sweep)?,
            None => false,
        };
        if let Some(request) = request {
            self.remember_request(request, &verdict.id, now)?;
        }
        let verdict = match appeal {
            Some(decision) => self.decide_again(number, &decision, verdict)?,
            None => verdict,
        };
        Ok(Verdict { reappeared, ..verdict })
    }

    /// What became of a request that was carried out before; none if it was not.
    fn carried_out(&mut self, request: &Request) -> Result<Option<Verdict>> {
        let Some(before) = self.store.request(&request.key)? else { return Ok(None) };
        if before.fingerprint != request.fingerprint {
            return Err(EngineError::OtherRequest);
        }
        match self.store.by_id(&before.id)? {
            Some(stored) => self.unchanged(&stored).map(Some),
            None => Err(EngineError::DeletedSince { id: before.id }),
        }
    }

    fn remember_request(&mut self, request: Request, id: &str, now: i64) -> Result<()> {
        let entry = RequestEntry { fingerprint: request.fingerprint, id: id.to_owned() };
        Ok(self.store.put_request(&request.key, &entry, now, now - REQUESTS_REMEMBERED)?)
    }

    /// What sweeps of this directory saw is left as it is.
    fn put_seen(&mut self, number: u32, seen: &Seen) -> Result<()> {
        if self.store.sighting(number)?.is_none() {
            self.store.put_sighting(&Sighting { number, ..seen.sighting }, &seen.absences)?;
        }
        Ok(())
    }

    /// A page that was recognised may have changed since then.
    fn analyzed(&self, body: Body) -> Analyzed {
        match body {
            Body::Analyzed(analyzed) => *analyzed,
            Body::Recognised { page, .. } => {
                Analyzed::new(&self.analyzer, *page, self.fresh.is_some(), &self.clocks)
            }
        }
    }

    fn unchanged(&mut self, stored: &Document) -> Result<Verdict> {
        Ok(Verdict { unchanged: true, ..self.current_verdict(stored)? })
    }

    /// Returns the verdict on a stored document; that of an original names the closest earlier document.
    pub(crate) fn current_verdict(&mut self, stored: &Document) -> Result<Verdict> {
        let verdict = self.verdict(stored)?;
        if !verdict.is_original() {
            return Ok(verdict);
        }
        let nearest = self.judge_and_find_nearest(stored, true)?.1;
        self.complete(verdict, stored.number, nearest.as_ref())
    }

    fn insert(&mut self, number: u32, mut draft: Analyzed, received_at: i64) -> Result<Verdict> {
        let mut document = record(&draft, number, received_at);
        if let Some(buried) = self.store.unbury(&document.id)? {
            document.version = buried.version + 1;
            self.store.remember(&document.id, &reposted(&document))?;
        }
        self.keep_for_comparing(number, number, &mut draft);
        let clocks = self.clocks.clone();
        clocks.write.time(|| self.store.put_content(number, number, &draft.content))?;
        document.place = self.place(&mut document, number)?;
        let (judgement, nearest) = self.judge_and_find_nearest(&document, true)?;
        document.judgement = judgement;
        clocks.write.time(|| self.store.insert(&document))?;
        self.weights.put(number, WeightClass::of(document.weight));
        self.announce(&document, State::Absent, state(&document))?;
        self.keep_gist(number, draft);
        let mut queue = Queue::default();
        // Most posts are the latest of all, and so concern no other.
        if state(&document) == State::Original && document.place.judged_at < self.counters.last_judged {
            self.push_later(&document, &mut queue)?;
        }
        self.counters.last_judged = self.counters.last_judged.max(document.place.judged_at);
        let cause = Cause { what: "added", id: document.id.clone(), at: received_at };
        let changed = self.settle(queue, &cause)?;
        let verdict = Verdict { changed, ..self.verdict(&document)? };
        self.complete(verdict, number, nearest.as_ref())
    }

    /// Completes the verdict of an original: what the closest earlier document is to it, or that there is no other one.
    fn complete(&self, verdict: Verdict, number: u32, nearest: Option<&NearestMatch>) -> Result<Verdict> {
        let is_alone = nearest.is_none() && self.store.is_only_document(number)?;
        let verdict = verdict.with_nearest(nearest);
        Ok(if is_alone { verdict.summarized(true) } else { verdict })
    }

    /// Remembers what comparing needs of a new content: a post that many copy is unpacked once.
    fn keep_for_comparing(&mut self, number: u32, content: u32, draft: &mut Analyzed) {
        self.uncommitted.extend([number, content]);
        self.shingles.put(content, draft.document.shingles.as_slice());
        if self.matcher.is_by_likeness() {
            self.profiles.put(number, &draft.document.words);
            self.words.put(content, std::mem::take(&mut draft.document.words));
        }
    }

    /// Other content under the same id: a new version, judged anew. It keeps its place in the order only as far as it
    /// still is the same text: who empties an old post to fill it with a stranger's text was not first with that.
    fn edit(&mut self, stored: &Document, mut draft: Analyzed, received_at: i64) -> Result<Verdict> {
        let content = self.next_number()?;
        let mut document = record(&draft, content, received_at);
        document.number = stored.number;
        document.version = stored.version + 1;
        self.keep_for_comparing(stored.number, content, &mut draft);
        self.store.put_content(content, stored.number, &draft.content)?;
        self.weights.put(document.number, WeightClass::of(document.weight));
        document.place = self.place(&mut document, content)?;
        if self.is_copy(&document, stored)? {
            document.place.arrival = stored.place.arrival;
            if document.created_at.is_none() {
                document.place.judged_at = stored.natural_judged_at.unwrap_or(stored.place.judged_at);
            }
            document.declare(stored.standing);
        } else {
            self.lapse(stored, received_at)?;
        }
        let cause = Cause { what: "edited", id: document.id.clone(), at: received_at };
        self.remember(stored, &cause)?;
        self.store.keep_version(stored)?;
        self.store.replace(&document)?;
        self.announce(stored, state(stored), State::Absent)?;
        self.keep_gist(content, draft);
        let mut queue = Queue::default();
        if state(stored) == State::Original {
            self.push_copies(stored.number, &mut queue)?;
        }
        queue.push_absent(&document);
        self.counters.last_judged = self.counters.last_judged.max(document.place.judged_at);
        let changed = self.settle(queue, &cause)?;
        let judged = self.store.by_number(document.number)?.unwrap_or(document);
        let (_, nearest) = self.judge_and_find_nearest(&judged, true)?;
        let verdict = Verdict { changed, ..self.verdict(&judged)? };
        self.complete(verdict, judged.number, nearest.as_ref())
    }

    /// Removes a document; if it was an original, its copies are judged anew. Returns its last verdict.
    pub(crate) fn delete(&mut self, document: &Document, now: i64) -> Result<Verdict> {
        let last = self.verdict(document)?;
        let at = now.max(self.counters.last_received);
        let cause = Cause { what: "deleted", id: document.id.clone(), at };
        self.remember(document, &cause)?;
        self.announce_end(document)?;
        let mut queue = Queue::default();
        if state(document) == State::Original {
            self.push_copies(document.number, &mut queue)?;
        }
        // Its copies are judged while it is still there: their history says whose copies they were.
        let changed = self.settle(queue, &cause)?;
        self.store.remove(document)?;
        self.store.bury(&Tombstone {
            id: document.id.clone(),
            url: document.url.clone(),
            deleted_at: at,
            version: document.version,
        })?;
        Ok(Verdict { changed, ..last })
    }

    fn keep_gist(&mut self, content: u32, draft: Analyzed) {
        if self.fresh.is_some() {
            self.gists.push((content, Gist::of(draft.document)));
        }
    }

    /// Where a new content stands in the order: at its claimed date if that can be believed, else when it was received.
    fn place(&mut self, document: &mut Document, arrival: u32) -> Result<Place> {
        let received = Place { judged_at: document.received_at, arrival };
        let Some(created_at) = document.created_at else { return Ok(received) };
        let doubt = match created_at {
            _ if created_at > document.received_at => "lies in the future",
            _ if created_at < OLDEST => "lies before 1990",
            _ => "",
        };
        if !doubt.is_empty() {
            document.warnings.push(format!("created_at {doubt}: judged by received_at"));
            return Ok(received);
        }
        let claimed = Place { judged_at: created_at, arrival };
        document.backdated = self.is_backdated(document, created_at)?;
        if document.backdated {
            document.warnings.push(
                "created_at lies too far before an existing original: judged by received_at".to_owned(),
            );
        }
        Ok(if document.backdated { received } else { claimed })
    }

    /// Whether the claimed date would take the place of an original that is later by more than is allowed.
    fn is_backdated(&mut self, document: &Document, created_at: i64) -> Result<bool> {
        let Some(allowed) = self.max_backdate else { return Ok(false) };
        for other in self.candidates(document, Among::Originals)? {
            let earlier_by = other.place.judged_at.saturating_sub(created_at);
            if earlier_by > allowed && self.is_copy(document, &other)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells the followers, and the indexes at once, that a document is something else now.
    pub(crate) fn announce(&mut self, document: &Document, was: State, now: State) -> Result<()> {
        let clocks = self.clocks.clone();
        clocks.write.time(|| {
            let change = self.announce_to_followers(document, was, now)?;
            self.indexes.apply(&change)
        })
    }

    /// Tells the followers that a document is something else now.
    pub(crate) fn announce_to_followers(
        &mut self,
        document: &Document,
        was: State,
        now: State,
    ) -> Result<Change> {
        let change = self.change(document, was, now);
        self.put_in_outbox(change)
    }

    /// Tells the followers that a document and all its contents go, with what can be computed of them only now.
    fn announce_end(&mut self, document: &Document) -> Result<()> {
        for content in self.store.contents_of(document.number)? {
            // What cannot be read any more was never in a follower that could not read it either, or stays there unseen.
            let forgotten = match core_of(&self.store, content, &document.id) {
                Ok(core) => core.sketch(&self.analyzer).values().to_vec(),
                Err(EngineError::Content { .. }) => Vec::new(),
                Err(error) => return Err(error),
            };
            let was = if content == document.content { state(document) } else { State::Absent };
            let change =
                Change { content, forgotten: Some(forgotten), ..self.change(document, was, State::Absent) };
            let change = self.put_in_outbox(change)?;
            self.indexes.apply(&change)?;
        }
        Ok(())
    }

    fn put_in_outbox(&mut self, change: Change) -> Result<Change> {
        self.counters.position += 1;
        let change = Change { position: self.counters.position, ..change };
        self.store.announce(std::slice::from_ref(&change))?;
        Ok(change)
    }

    /// A change of a document's present content.
    pub(crate) fn change(&self, document: &Document, was: State, now: State) -> Change {
        Change {
            position: self.counters.position,
            number: document.number,
            id: document.id.clone(),
            content: document.content,
            was,
            now,
            keys: document.keys.clone(),
            forgotten: None,
        }
    }

    /// The verdict that the store holds of a document.
    pub(crate) fn verdict(&self, document: &Document) -> Result<Verdict> {
        let original = match document.judgement.original {
            Some(number) => self.store.by_number(number)?,
            None => None,
        };
        let appeal = crate::appeals::standing_appeal(&self.store, document)?;
        Ok(Verdict { appeal, ..Verdict::of(document, original.as_ref()) })
    }

    fn next_number(&mut self) -> Result<u32> {
        let used_up = || StoreError::Unusable {
            path: "store.sqlite".into(),
            reason: "has given all its 2^31 numbers: begin a new data directory".to_owned(),
        };
        self.counters.give_number().ok_or_else(|| EngineError::Store(used_up()))
    }
}

/// Whether a page says nothing new under its id.
fn is_same(stored: &Document, body: &Body) -> bool {
    match body {
        Body::Recognised { identical, .. } => stored.identical == *identical,
        Body::Analyzed(analyzed) => {
            let whole = &analyzed.document.whole;
            stored.identical == whole.identical && stored.lexical == whole.lexical
        }
    }
}

/// The record of a new content, not yet placed or judged.
fn record(draft: &Analyzed, content: u32, received_at: i64) -> Document {
    let document = &draft.document;
    let source_url = document.metadata.get("source_url").and_then(serde_json::Value::as_str);
    Document {
        number: content,
        id: document.id.clone(),
        url: document.url.clone(),
        title: document.title.clone(),
        author: document.author.clone(),
        language: document.language.clone(),
        source_url: source_url.map(str::to_owned),
        metadata: (!document.metadata.is_empty())
            .then(|| serde_json::Value::Object(document.metadata.clone()).to_string()),
        created_at: document.created_at,
        received_at,
        place: Place::default(),
        standing: None,
        natural_judged_at: None,
        backdated: false,
        version: 1,
        content,
        tokens: document.tokens.len() as u32,
        shingles: document.shingles.len() as u32,
        weight: u32::try_from(document.words.total_weight()).unwrap_or(u32::MAX),
        kept_share: f64::from(document.kept_share),
        identical: document.whole.identical,
        lexical: document.whole.lexical,
        features: document.features.0.clone(),
        keys: document.candidate_keys.0.clone(),
        warnings: document.warnings.clone(),
        judgement: Judgement::default(),
    }
}

fn reposted(document: &Document) -> HistoryEntry {
    HistoryEntry {
        at: document.received_at,
        cause: "posted again".to_owned(),
        cause_id: Some(document.id.clone()),
        version: document.version,
        ..HistoryEntry::default()
    }
}

/// The shingles of contents that were stored or compared lately: a post that many copy is unpacked once.
#[derive(Debug)]
pub(crate) struct ShingleMemory {
    sets: lru::LruCache<u32, Remembered>,
    held: usize,
}

/// Most contents are compared with nothing: they are sorted only when they are.
#[derive(Debug)]
enum Remembered {
    AsTheyCame(Box<[u64]>),
    Sorted(Arc<[u64]>),
}

/// Shingles in memory: 64 MiB of them.
const REMEMBERED: usize = 8 << 20;
/// Contents in memory, however short they are.
const REMEMBERED_CONTENTS: NonZeroUsize = NonZeroUsize::new(65_536).unwrap();

impl ShingleMemory {
    pub(crate) fn new() -> Self {
        ShingleMemory { sets: lru::LruCache::new(REMEMBERED_CONTENTS), held: 0 }
    }

    /// The shingles of a content, ascending.
    pub(crate) fn sorted(&mut self, content: u32) -> Option<Arc<[u64]>> {
        let remembered = self.sets.get_mut(&content)?;
        if let Remembered::AsTheyCame(shingles) = remembered {
            shingles.sort_unstable();
            *remembered = Remembered::Sorted(std::mem::take(shingles).into());
        }
        match remembered {
            Remembered::Sorted(shingles) => Some(shingles.clone()),
            Remembered::AsTheyCame(_) => None,
        }
    }

    pub(crate) fn put(&mut self, content: u32, shingles: &[u64]) {
        self.held += shingles.len();
        let replaced = self.sets.push(content, Remembered::AsTheyCame(shingles.into()));
        self.held -= replaced.map_or(0, |(_, replaced)| replaced.len());
        while self.held > REMEMBERED
            && let Some((_, oldest)) = self.sets.pop_lru()
        {
            self.held -= oldest.len();
        }
    }

    /// After a rollback numbers are given again, to other contents.
    pub(crate) fn clear(&mut self) {
        self.sets.clear();
        self.held = 0;
    }
}

impl Remembered {
    fn len(&self) -> usize {
        match self {
            Remembered::AsTheyCame(shingles) => shingles.len(),
            Remembered::Sorted(shingles) => shingles.len(),
        }
    }
}

/// The words of contents that were stored or compared lately.
#[derive(Debug)]
pub(crate) struct WordMemory {
    texts: lru::LruCache<u32, Arc<Words>>,
    held: usize,
}

/// Bytes of words in memory.
const REMEMBERED_WORD_BYTES: usize = 128 << 20;

impl WordMemory {
    pub(crate) fn new() -> Self {
        WordMemory { texts: lru::LruCache::new(REMEMBERED_CONTENTS), held: 0 }
    }

    pub(crate) fn get(&mut self, content: u32) -> Option<Arc<Words>> {
        self.texts.get(&content).cloned()
    }

    /// Remembers the words of a content; returns them to be shared.
    pub(crate) fn put(&mut self, content: u32, mut words: Words) -> Arc<Words> {
        words.shrink_to_fit();
        self.held += words.bytes();
        let words = Arc::new(words);
        let replaced = self.texts.push(content, words.clone());
        self.held -= replaced.map_or(0, |(_, replaced)| replaced.bytes());
        while self.held > REMEMBERED_WORD_BYTES
            && let Some((_, oldest)) = self.texts.pop_lru()
        {
            self.held -= oldest.bytes();
        }
        words
    }

    /// Forgets some contents: after a rollback their numbers are given again.
    fn forget(&mut self, contents: &[u32]) {
        for content in contents {
            self.held -= self.texts.pop(content).map_or(0, |words| words.bytes());
        }
    }
}

/// The classes of the weights of documents that were stored or looked at, a byte for every number: most holders of shared keys
/// are ruled out by them alone.
#[derive(Debug, Default)]
pub(crate) struct WeightClasses {
    by_number: Vec<WeightClass>,
}

impl WeightClasses {
    pub(crate) fn get(&self, number: u32) -> Option<WeightClass> {
        self.by_number.get(number as usize).copied().filter(|class| class.is_known())
    }

    pub(crate) fn put(&mut self, number: u32, class: WeightClass) {
        let index = number as usize;
        if index >= self.by_number.len() {
            self.by_number.resize(index + 1, WeightClass::default());
        }
        self.by_number[index] = class;
    }

    /// Forgets some documents: after a rollback their numbers are given again, or their contents are what they were.
    fn forget(&mut self, numbers: &[u32]) {
        for &number in numbers {
            if let Some(class) = self.by_number.get_mut(number as usize) {
                *class = WeightClass::default();
            }
        }
    }
}

impl Registrar {
    /// Forgets what was remembered of contents that a rollback took back.
    pub(crate) fn forget_uncommitted(&mut self) {
        let uncommitted = std::mem::take(&mut self.uncommitted);
        self.weights.forget(&uncommitted);
        self.profiles.forget(&uncommitted);
        self.words.forget(&uncommitted);
    }
}
