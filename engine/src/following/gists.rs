//! What followers take from a content: its text, its sample and its digest. Those of a content that was stored a moment
//! ago are still in memory; of any other they are computed from what the store has.

use crate::content::{Core, unpack_core};
use crate::error::Result;
use crate::reader::Reader;
use firstcopy_store::Store;
use firstcopy_text::{Analyzer, CoreText, Digest, Document, LevelSketch};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of gists in memory: some pieces of what followers take at a time, of usual posts.
const MOST_BYTES: usize = 128 << 20;

/// What followers take from one content.
#[derive(Debug)]
pub(crate) struct Gist {
    text: String,
    sketch: Vec<u64>,
    digest: Digest,
}

impl Gist {
    pub(crate) fn of(document: Document) -> Self {
        let Document { core, sketch, digest, .. } = document;
        Gist { text: core.text, sketch: sketch.into_values(), digest }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len() + 8 * self.sketch.len() + 9 * self.digest.fingerprints.len()
    }
}

/// The gists of contents that were committed and that some follower has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct FreshGists {
    fresh: Mutex<Fresh>,
    has_room: Condvar,
}

#[derive(Debug, Default)]
struct Fresh {
    gists: HashMap<u32, Arc<Gist>>,
    /// The contents in the order in which they came, with the position of their commit.
    order: VecDeque<(u64, u32)>,
    bytes: usize,
    /// Nobody follows any more.
    is_closed: bool,
}

impl Fresh {
    fn has_room(&self) -> bool {
        self.is_closed || self.bytes < MOST_BYTES
    }
}

impl FreshGists {
    /// Waits while there is no room. Whoever stores many documents at once does, so that the followers take them from
    /// here; who does not leaves them to be read from the store.
    pub(crate) fn wait_for_room(&self) {
        let waited = self.has_room.wait_while(self.lock(), |fresh| !fresh.has_room());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Keeps what was committed at a position, as far as there is room.
    pub(crate) fn put(&self, position: u64, gists: impl Iterator<Item = (u32, Gist)>) {
        let mut fresh = self.lock();
        for (content, gist) in gists {
            if fresh.has_room() && !fresh.is_closed {
                fresh.bytes += gist.bytes();
                fresh.order.push_back((position, content));
                fresh.gists.insert(content, Arc::new(gist));
            }
        }
    }

    /// Lets go of what was committed up to a position.
    pub(crate) fn release(&self, position: u64) {
        let mut fresh = self.lock();
        while let Some((_, content)) = fresh.order.pop_front_if(|(committed, _)| *committed <= position) {
            let gist = fresh.gists.remove(&content);
            fresh.bytes -= gist.map_or(0, |gist| gist.bytes());
        }
        self.has_room.notify_all();
    }

    /// Lets go of everything, because nobody follows any more.
    pub(crate) fn close(&self) {
        *self.lock() = Fresh { is_closed: true, ..Fresh::default() };
        self.has_room.notify_all();
    }

    fn get(&self, content: u32) -> Option<Arc<Gist>> {
        self.lock().gists.get(&content).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Fresh> {
        // Whoever panicked in between left some out, at worst: they are read from the store.
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A follower's own view of the store, and of the gists.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) store: Store,
    analyzer: Arc<Analyzer>,
    fresh: Arc<FreshGists>,
}

impl View {
    pub(crate) fn open(path: &Path, analyzer: Arc<Analyzer>, fresh: Arc<FreshGists>) -> Result<Self> {
        Ok(View { store: Reader::open(path)?.store, analyzer, fresh })
    }

    pub(crate) fn gists(&self) -> Gists<'_> {
        Gists { fresh: Some(&self.fresh), ..Gists::stored(&self.store, &self.analyzer) }
    }
}

/// Where followers take gists from. Of a content that has gone, or cannot be read, they are empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gists<'a> {
    store: &'a Store,
    analyzer: &'a Analyzer,
    fresh: Option<&'a FreshGists>,
}

impl<'a> Gists<'a> {
    /// Those of a store alone.
    pub(crate) fn stored(store: &'a Store, analyzer: &'a Analyzer) -> Self {
        Gists { store, analyzer, fresh: None }
    }

    /// Whether documents are compared by their words, so that their keys belong in the postings.
    pub(crate) fn are_by_likeness(&self) -> bool {
        self.analyzer.is_by_likeness()
    }

    /// The text of a content.
    pub(crate) fn text(&self, content: u32) -> Result<String> {
        match self.fresh(content) {
            Some(gist) => Ok(gist.text.clone()),
            None => Ok(self.core(content)?.and_then(Core::into_text).unwrap_or_default()),
        }
    }

    /// The sample of a content.
    pub(crate) fn sketch(&self, content: u32) -> Result<Vec<u64>> {
        match self.fresh(content) {
            Some(gist) => Ok(gist.sketch.clone()),
            None => {
                let sketch = self.core(content)?.map(|core| core.sketch(self.analyzer));
                Ok(sketch.map_or_else(Vec::new, LevelSketch::into_values))
            }
        }
    }

    /// The digest of a content.
    pub(crate) fn digest(&self, content: u32) -> Result<Digest> {
        match self.fresh(content) {
            Some(gist) => Ok(gist.digest.clone()),
            None => match self.core(content)? {
                Some(Core::Text(core)) => Ok(digest(self.analyzer, core)),
                Some(Core::Features(_)) | None => Ok(Digest::default()),
            },
        }
    }

    fn fresh(&self, content: u32) -> Option<Arc<Gist>> {
        self.fresh.and_then(|fresh| fresh.get(content))
    }

    fn core(&self, content: u32) -> Result<Option<Core>> {
        Ok(self.store.core(content)?.and_then(|packed| unpack_core(&packed).ok()))
    }
}

/// The digest of a stored text.
pub(crate) fn digest(analyzer: &Analyzer, core: CoreText) -> Digest {
    analyzer.digested(Document { core, ..Document::default() }).digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Analyzed;
    use crate::timings::Clocks;
    use firstcopy_text::{Content, Feature, Page, Parameters, Seed};

    fn page(content: Content) -> Page {
        Page { content, ..Page::default() }
    }

    #[test]
    fn fresh_ones_are_those_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(&folder.path().join("store.sqlite"), "").unwrap();
        let analyzer = Analyzer::new(Parameters::default(), &Seed::new([7; 32]));
        let words: String = (0..400).map(|number| format!("word{number}. ")).collect();
        let pages = [
            page(Content::text(words.clone())),
            page(Content::html(format!("<p>{words}</p><p>오늘은 날씨가 좋다. 어제는 비가 왔다.</p>"))),
            page(Content::text(String::new())),
            page(Content::Features(
                (0..50).map(|number| Feature::Name(format!("feature {number}"))).collect(),
            )),
        ];
        let fresh = FreshGists::default();
        store.begin().unwrap();
        for (content, page) in (1..).zip(pages) {
            let analyzed = Analyzed::new(&analyzer, page, true, &Clocks::default());
            store.put_content(content, content, &analyzed.content).unwrap();
            fresh.put(u64::from(content), [(content, Gist::of(analyzed.document))].into_iter());
        }
        store.commit().unwrap();
        let stored = Gists::stored(&store, &analyzer);
        let in_memory = Gists { fresh: Some(&fresh), ..stored };
        for content in 1..=4 {
            assert!(fresh.get(content).is_some());
            assert_eq!(in_memory.text(content).unwrap(), stored.text(content).unwrap(), "{content}");
            assert_eq!(in_memory.sketch(content).unwrap(), stored.sketch(content).unwrap(), "{content}");
            assert_eq!(in_memory.digest(content).unwrap(), stored.digest(content).unwrap(), "{content}");
        }
        assert!(!stored.digest(2).unwrap().fingerprints.is_empty() && !stored.sketch(4).unwrap().is_empty());
        fresh.release(3);
        assert!(fresh.get(3).is_none() && fresh.get(4).is_some());
        fresh.release(4);
        assert_eq!(fresh.lock().bytes, 0);
    }

    #[test]
    fn memory_is_bounded() {
        let fresh = FreshGists::default();
        let gist =
            || Gist { text: "x".repeat(MOST_BYTES / 4), sketch: Vec::new(), digest: Digest::default() };
        fresh.put(1, (1..=9).map(|content| (content, gist())));
        assert!(fresh.get(4).is_some() && fresh.get(5).is_none());
        fresh.release(1);
        fresh.put(2, (9..=12).map(|content| (content, gist())));
        assert!(fresh.get(9).is_some());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| fresh.wait_for_room());
            fresh.release(2);
            waiting.join().unwrap();
        });
        fresh.put(3, (13..=16).map(|content| (content, gist())));
        fresh.close();
        fresh.wait_for_room();
        fresh.put(4, [(17, gist())].into_iter());
        assert!(fresh.get(13).is_none() && fresh.get(17).is_none());
    }
}
