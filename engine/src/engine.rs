//! The engine as its callers see it: add, check, delete, follow, count.

use crate::appeals::take_appeal;
use crate::draft::{Analyzed, Body, Condition, Draft};
use crate::error::Result;
use crate::export::{take_received_at, take_seen};
use crate::following::Following;
use crate::open::now;
use crate::reader::{Reader, Readers};
use crate::settings::Settings;
use crate::timings::{Clocks, Timings};
use crate::verdict::Verdict;
use crate::writer::{Task, Ticket, Writer};
use firstcopy_index::IndexKind;
use firstcopy_store::Directory;
use firstcopy_text::{Analyzer, Page};
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many strangers in a row, and the next is probably one too.
const MANY: u32 = 64;

/// An open data directory.
#[derive(Debug)]
pub struct Engine {
    // In this order: the followers end before the writer, and the writer before the lock is given back.
    pub(crate) following: Option<Following>,
    pub(crate) writer: Writer,
    pub(crate) reader: Mutex<Reader>,
    pub(crate) readers: Readers,
    pub(crate) analyzer: Arc<Analyzer>,
    /// Pages since the last that was recognised.
    pub(crate) strangers: AtomicU32,
    pub(crate) clocks: Arc<Clocks>,
    pub(crate) settings: Settings,
    pub(crate) index: IndexKind,
    pub(crate) directory: Directory,
}

/// What a data directory holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Statistics {
    /// Documents, originals and duplicates.
    pub documents: u64,
    /// Originals.
    pub originals: u64,
    /// Duplicates.
    pub duplicates: u64,
    /// Earlier versions that are kept.
    pub versions: u64,
    /// Ids that were deleted and not used again.
    pub deleted: u64,
    /// Documents that the latest sweep missed.
    pub gone: u64,
    /// Changes that some follower has not taken yet.
    pub outbox: u64,
    /// Bytes of the store.
    pub store_bytes: u64,
    /// Bytes of everything that can be rebuilt.
    pub index_bytes: u64,
    /// The format of the store.
    pub format_version: u32,
    /// The generation of its features.
    pub generation: u32,
    /// What its verdicts depend on.
    pub settings: Settings,
}

impl Engine {
    /// Computes all that a page alone tells, unless these bytes are stored under its id already. On any thread.
    pub fn analyze(&self, page: Page) -> Draft {
        Draft::of(match self.recognise(&page) {
            Some(identical) => Body::Recognised { page: Box::new(page), identical },
            None => {
                let is_followed = self.following.is_some();
                Body::Analyzed(Box::new(Analyzed::new(&self.analyzer, page, is_followed, &self.clocks)))
            }
        })
    }

    /// The fingerprint of a page that is stored as it is. The writer looks again: this only saves work, and none where
    /// everything is new, so after many strangers only one in as many is looked up.
    fn recognise(&self, page: &Page) -> Option<u128> {
        let strangers = self.strangers.fetch_add(1, Ordering::Relaxed);
        if strangers > MANY && !strangers.is_multiple_of(MANY) {
            return None;
        }
        let stored = self.readers.read(|store| Ok(store.identical(&page.id)?)).ok().flatten()?;
        self.strangers.store(0, Ordering::Relaxed);
        (stored == page.content.fingerprint()).then_some(stored)
    }

    /// The same for an exported page: it was received when it says, not now.
    pub fn analyze_exported(&self, mut page: Page) -> Draft {
        let received_at = take_received_at(&mut page).map(|time| time.min(now()));
        let seen = take_seen(&mut page).map(Box::new);
        let appeal = take_appeal(&mut page).map(Box::new);
        Draft { received_at, seen, appeal, ..self.analyze(page) }
    }

    /// Hands a draft to the writer. Drafts of one thread are judged in the order in which it submits them. Waits while the
    /// writer, or search and similarity, are far behind.
    pub fn submit(&self, draft: Draft) -> Ticket {
        self.following.iter().for_each(Following::keep_pace);
        self.writer.submit(Task::Add(Box::new(draft)))
    }

    /// Judges and stores a draft. When it returns, the page is committed and synced.
    pub fn store(&self, draft: Draft) -> Result<Verdict> {
        self.writer.verdict(Task::Add(Box::new(draft)))
    }

    /// Judges and stores a page. When it returns, the page is committed and synced.
    pub fn add(&self, page: Page) -> Result<Verdict> {
        self.store(self.analyze(page))
    }

    /// The verdict that a page would get, storing nothing.
    pub fn check(&self, page: Page) -> Result<Verdict> {
        self.writer.verdict(Task::Check(Box::new(self.analyze(page))))
    }

    /// Returns the verdict on the document with this id or url, with the closest earlier document of an original; none if
    /// there is no such document. Runs in the writer, between two groups of writes.
    pub fn current_verdict(&self, id_or_url: &str) -> Result<Option<Verdict>> {
        let name = id_or_url.to_owned();
        self.writer.alone(move |registrar| match registrar.find(&name)? {
            Some(document) => registrar.current_verdict(&document).map(Some),
            None => Ok(None),
        })
    }

    /// Removes the document with this id or url, with all its versions. Returns its last verdict; none if there is no
    /// such document.
    pub fn delete(&self, id_or_url: &str) -> Result<Option<Verdict>> {
        self.delete_if(id_or_url, Condition::Anything)
    }

    /// The same, if something is so at the moment when it is removed.
    pub fn delete_if(&self, id_or_url: &str, condition: Condition) -> Result<Option<Verdict>> {
        self.writer.perform(Task::Delete(id_or_url.to_owned(), condition))
    }

    /// Where the data directory is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The duplicate index it looks candidates up in.
    pub fn index(&self) -> IndexKind {
        self.index
    }

    /// What its verdicts depend on.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the time went since it was opened.
    pub fn timings(&self) -> Timings {
        self.clocks.read()
    }

    /// What was committed, to read from.
    pub fn reader(&self) -> MutexGuard<'_, Reader> {
        // A panic of another reader leaves nothing half done: readers change nothing.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what it holds.
    pub fn statistics(&self) -> Result<Statistics> {
        self.reader().statistics()
    }
}

/// The bytes of all files in a folder; what vanishes meanwhile weighs nothing.
pub(crate) fn bytes_of(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let weight = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_of(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(weight).sum()
}
