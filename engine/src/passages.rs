//! Which passages of a document were copied from documents that were stored before it, or from a source database?

use crate::content::{Core, core_of};
use crate::engine::Engine;
use crate::error::Result;
use crate::following::{Gists, apply_to_digests, digests_folder, next_changes};
use crate::reader::Reader;
use crate::verdict::Verdict;
use firstcopy_passages::{
    Copies, DigestIndex, DocumentKey, Finder, Library, Part, PassageError, Rule, Source, SourceDatabase,
};
use firstcopy_store::{Document, Store};
use firstcopy_text::{Analyzer, Digest};
use std::sync::Arc;

/// Changes that are kept in memory before what the follower wrote meanwhile is opened instead.
const MOST_CHANGES: usize = 65_536;

/// Which stored documents count as sources.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who {
    /// Originals whose content was stored before this one.
    OriginalsBefore(u32),
    /// Everybody else.
    Anybody,
}

/// The digests of a data directory, as far as its follower got and what it lacks.
#[derive(Debug)]
pub(crate) struct OwnDigests {
    index: DigestIndex,
    /// Changes that are in memory only.
    taken: usize,
}

impl OwnDigests {
    pub(crate) fn open(reader: &Reader, analyzer: &Analyzer) -> Result<Self> {
        let mut digests = Self::as_written(reader)?;
        digests.bring_up(&reader.store, analyzer)?;
        Ok(digests)
    }

    /// As far as its follower has written.
    pub(crate) fn as_written(reader: &Reader) -> Result<Self> {
        let folder = digests_folder(&reader.directory.indexes(), reader.generation()?);
        Ok(OwnDigests { index: DigestIndex::open_to_read(&folder)?, taken: 0 })
    }

    pub(crate) fn position(&self) -> u64 {
        self.index.position()
    }

    /// Whether a content is found by its digest.
    pub(crate) fn holds(&self, content: u32, digest: &Digest) -> bool {
        self.index.holds(u64::from(content), digest)
    }

    /// Whether it may take more into memory.
    pub(crate) fn has_room(&self) -> bool {
        self.taken < MOST_CHANGES
    }

    /// Takes what was stored since. What is no longer in the outbox is on the disk by now.
    pub(crate) fn bring_up(&mut self, store: &Store, analyzer: &Analyzer) -> Result<()> {
        while self.taken < MOST_CHANGES
            && let Some(changes) = next_changes(store, self.index.position())?
            && let Some(last) = changes.last()
        {
            apply_to_digests(&mut self.index, Gists::stored(store, analyzer), &changes)?;
            self.index.commit(last.position)?;
            self.taken += changes.len();
        }
        Ok(())
    }
}

/// Stored documents as a library.
pub(crate) struct Stored<'a> {
    index: &'a DigestIndex,
    store: &'a Store,
    who: Who,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(digests: &'a OwnDigests, store: &'a Store, who: Who) -> Self {
        Stored { index: &digests.index, store, who }
    }

    /// The document that has a content now, if it counts as a source.
    fn document(&self, content: u32) -> Result<Option<Document>> {
        let Some(owner) = self.store.content_owner(content)? else { return Ok(None) };
        let document = self.store.by_number(owner.document)?.filter(|document| document.content == content);
        Ok(document.filter(|document| match self.who {
            Who::OriginalsBefore(before) => content < before && document.judgement.original.is_none(),
            Who::Anybody => true,
        }))
    }
}

impl Library for Stored<'_> {
    fn parts(&self) -> &[Arc<Part>] {
        self.index.parts()
    }

    fn created_at(&self, owner: u64, _: DocumentKey) -> i64 {
        let document = self.document(owner as u32).ok().flatten();
        document.map_or(i64::MAX, |document| document.created_at.unwrap_or(document.received_at))
    }

    fn source(&self, owner: u64, _: DocumentKey) -> std::result::Result<Option<Source>, PassageError> {
        let read = || -> Result<Option<Source>> {
            let content = owner as u32;
            let Some(document) = self.document(content)? else { return Ok(None) };
            let core = match core_of(self.store, content, &document.id)? {
                Core::Text(core) => Some(core),
                Core::Features(_) => None,
            };
            let (id, url, created_at) = (document.id, document.url, document.created_at);
            Ok(core.map(|core| Source { id, url, created_at, core: Some(core) }))
        };
        read().map_err(|error| PassageError::Documents(Box::new(error)))
    }
}

/// Finds the passages of documents in what a data directory had before them, and in a source database.
#[derive(Debug)]
pub struct PassageSeeker {
    reader: Reader,
    analyzer: Arc<Analyzer>,
    own: OwnDigests,
    sources: Option<(SourceDatabase, Analyzer)>,
    rule: Rule,
}

impl Engine {
    /// Seeks passages in its originals, and in a source database if there is one.
    pub fn passage_seeker(&self, sources: Option<SourceDatabase>, rule: Rule) -> Result<PassageSeeker> {
        // The first follower to get up to the store makes the folder.
        self.catch_up()?;
        let reader = Reader::open(self.path())?;
        let own = OwnDigests::open(&reader, &self.analyzer)?;
        let sources = sources.map(|sources| {
            let analyzer = sources.settings().analyzer();
            (sources, analyzer)
        });
        Ok(PassageSeeker { reader, analyzer: self.analyzer.clone(), own, sources, rule })
    }
}

impl PassageSeeker {
    /// Adds to the verdict on a stored document which passages of it were stored before. Between the verdict and this
    /// nothing else is stored, or what is said may depend on it.
    pub fn add_to(&mut self, verdict: &mut Verdict) -> Result<()> {
        let Some(document) = self.reader.store.by_id(&verdict.id)? else { return Ok(()) };
        let Core::Text(core) = core_of(&self.reader.store, document.content, &document.id)? else {
            return Ok(());
        };
        let page = firstcopy_text::Document { id: document.id, core, ..Default::default() };
        let copies = self.copies(page, Who::OriginalsBefore(document.content))?;
        (verdict.copied_share, verdict.passages) = (Some(copies.copied_share), Some(copies.passages));
        Ok(())
    }

    fn copies(&mut self, page: firstcopy_text::Document, who: Who) -> Result<Copies> {
        self.bring_up()?;
        let page = self.analyzer.digested(page);
        let own = Stored::new(&self.own, &self.reader.store, who);
        let copies = Finder::new(&own, &self.analyzer, self.rule).copies(&page)?;
        let Some((sources, analyzer)) = &self.sources else { return Ok(copies) };
        let page = analyzer.digested(page);
        let others = Finder::new(sources, analyzer, self.rule).copies(&page)?;
        Ok(copies.and(others, &page))
    }

    fn bring_up(&mut self) -> Result<()> {
        self.own.bring_up(&self.reader.store, &self.analyzer)?;
        if !self.own.has_room() {
            self.own = OwnDigests::open(&self.reader, &self.analyzer)?;
        }
        Ok(())
    }
}
