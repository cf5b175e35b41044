//! What followers take from a content: its text, its sample and its digest. Those of a content that was stored a moment
//! ago are still in memory; of any other they are computed from what the store has.

use crate::content::{Core, unpack_core};
use crate::error::Result;
use firstcopy_store::Store;
use firstcopy_text::{Analyzer, CoreText, Document, LevelSketch};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of gists in memory: what is stored while there are so many, the followers read from the store.
const MOST_BYTES: usize = 64 << 20;

/// What followers take from one content.
#[derive(Debug)]
pub(crate) struct Gist {
    text: String,
    sketch: Vec<u64>,
    digest: Vec<u32>,
}

impl Gist {
    pub(crate) fn of(document: Document) -> Self {
        let Document { core, sketch, digest, .. } = document;
        Gist { text: core.text, sketch: sketch.into_values(), digest: digest.fingerprints }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len() + 8 * self.sketch.len() + 4 * self.digest.len()
    }
}

/// The gists of contents that were committed and that some follower has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct FreshGists(Mutex<Fresh>);

#[derive(Debug, Default)]
struct Fresh {
    gists: HashMap<u32, Arc<Gist>>,
    /// The contents in the order in which they came, with the position of their commit.
    order: VecDeque<(u64, u32)>,
    bytes: usize,
}

impl FreshGists {
    /// Keeps what was committed at a position, as far as there is room.
    pub(crate) fn put(&self, position: u64, gists: impl Iterator<Item = (u32, Gist)>) {
        let mut fresh = self.lock();
        for (content, gist) in gists {
            if fresh.bytes < MOST_BYTES {
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
    }

    fn get(&self, content: u32) -> Option<Arc<Gist>> {
        self.lock().gists.get(&content).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Fresh> {
        // Whoever panicked in between left some out, at worst: they are read from the store.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The same, looked for in memory first.
    pub(crate) fn or_fresh(self, fresh: &'a FreshGists) -> Self {
        Gists { fresh: Some(fresh), ..self }
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

    /// The fingerprints of the segments of a content.
    pub(crate) fn digest(&self, content: u32) -> Result<Vec<u32>> {
        match self.fresh(content) {
            Some(gist) => Ok(gist.digest.clone()),
            None => match self.core(content)? {
                Some(Core::Text(core)) => Ok(digest(self.analyzer, core)),
                Some(Core::Features(_)) | None => Ok(Vec::new()),
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

/// The fingerprints of the segments of a stored text.
pub(crate) fn digest(analyzer: &Analyzer, core: CoreText) -> Vec<u32> {
    analyzer.digested(Document { core, ..Document::default() }).digest.fingerprints
}
