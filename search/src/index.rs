//! How does the index follow the store? Puts and removes documents, and commits with a position in the outbox.

use crate::directory::{DurableDirectory, META};
use crate::error::SearchError;
use crate::intake::{Intake, Waiting};
use crate::schema::{Entry, Fields, schema};
use crate::searcher::{Searcher, open_index, reader_of};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::MmapDirectory;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::schema::Document;
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, Term};

/// Memory of postings that are not written yet.
const WRITER_MEMORY: usize = 64 << 20;
/// Segments up to so many documents count as equally small. tantivy's 10,000 would write all of these again at every
/// seventh small commit.
const SMALL_SEGMENT: u32 = 256;
/// A segment with so great a share of deleted documents is written again without them.
const DELETED_SHARE: f32 = 0.3;

/// What an index weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStatistics {
    /// Documents in the last commit.
    pub documents: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

/// The one writer of an index.
pub struct SearchIndex {
    folder: PathBuf,
    fields: Fields,
    writer: IndexWriter<Waiting>,
    reader: IndexReader,
    intake: Arc<Intake>,
    position: u64,
}

impl std::fmt::Debug for SearchIndex {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut debug = formatter.debug_struct("SearchIndex");
        debug.field("folder", &self.folder).field("position", &self.position).finish_non_exhaustive()
    }
}

impl SearchIndex {
    /// Opens the index in a folder for its one writer, or makes an empty one.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        make_if_missing(folder)?;
        let (index, fields) = open_index(folder)?;
        let position = position_of(&index, folder)?;
        let failed = SearchError::of(folder);
        let options =
            IndexWriterOptions::builder().memory_budget_per_thread(WRITER_MEMORY).num_merge_threads(1);
        let writer = index.writer_with_options(options.build()).map_err(&failed)?;
        remove_unfinished(folder)?;
        let reader = reader_of(&index, folder)?;
        let index = SearchIndex {
            folder: folder.to_owned(),
            fields,
            writer,
            reader,
            intake: Arc::default(),
            position,
        };
        index.prepare_writer()?;
        Ok(index)
    }

    /// Adds a document in place of whatever has its number.
    pub fn put(&mut self, entry: &Entry) -> Result<(), SearchError> {
        self.remove(entry.number)?;
        let values = self.fields.values(entry);
        let share = self.intake.admit(entry.text.len());
        let added = self.writer.add_document(Waiting { values, _share: share });
        added.map(drop).map_err(SearchError::of(&self.folder))
    }

    /// Removes a document, if it is there.
    pub fn remove(&mut self, number: u32) -> Result<(), SearchError> {
        self.writer.delete_term(self.fields.number_term(number));
        Ok(())
    }

    /// Makes all that was put and removed durable, together with the position in the store's outbox it stands for.
    pub fn commit(&mut self, position: u64) -> Result<(), SearchError> {
        commit(&mut self.writer, position).map_err(SearchError::of(&self.folder))?;
        self.position = position;
        self.reload()
    }

    /// Forgets what was put and removed since the last commit.
    pub fn rollback(&mut self) -> Result<(), SearchError> {
        self.writer.rollback().map_err(SearchError::of(&self.folder))?;
        self.prepare_writer()
    }

    /// Forgets everything, durably; the position is 0 again.
    pub fn clear(&mut self) -> Result<(), SearchError> {
        self.rollback()?;
        self.writer.delete_all_documents().map_err(SearchError::of(&self.folder))?;
        self.commit(0)
    }

    /// The position of the last commit; 0 if there was none.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Sees the last commit. Take another one after the next.
    pub fn searcher(&self) -> Searcher {
        Searcher::new(&self.folder, self.fields, self.reader.searcher(), self.position)
    }

    /// The numbers of all documents in the last commit, ascending.
    pub fn numbers(&self) -> Result<Vec<u32>, SearchError> {
        self.searcher().numbers()
    }

    /// What it weighs.
    pub fn statistics(&self) -> Result<SearchStatistics, SearchError> {
        let files = fs::read_dir(&self.folder).map_err(SearchError::io(&self.folder))?;
        // A merge may take a file away meanwhile.
        let bytes = files.flatten().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
        Ok(SearchStatistics { documents: self.searcher().documents(), bytes })
    }

    /// Reads every file and compares it with its checksum.
    pub fn verify(&self) -> Result<(), SearchError> {
        let damaged = self.writer.index().validate_checksum().map_err(SearchError::of(&self.folder))?;
        match damaged.iter().min() {
            Some(file) => Err(SearchError::damaged(&self.folder, &format!("checksum of {}", file.display()))),
            None => Ok(()),
        }
    }

    /// Waits until segments that are being merged are, and closes the index.
    pub fn close(self) -> Result<(), SearchError> {
        self.writer.wait_merging_threads().map_err(SearchError::of(&self.folder))
    }

    /// What a new writer of tantivy needs to count operations from the last commit on again, as it does.
    fn prepare_writer(&self) -> Result<(), SearchError> {
        // Lists of removed documents are named after an operation: one that a crash left must be gone before its name is
        // used again.
        self.writer.garbage_collect_files().wait().map_err(SearchError::of(&self.folder))?;
        // The first operation gets the number of the last commit. Were it a removal, a merge before the next commit would
        // take it for done in some segments and not in others, and the document could stay in the index twice.
        self.writer.delete_term(Term::from_field_u64(self.fields.number, u64::MAX));
        let mut policy = LogMergePolicy::default();
        policy.set_min_layer_size(SMALL_SEGMENT);
        policy.set_del_docs_ratio_before_merge(DELETED_SHARE);
        self.writer.set_merge_policy(Box::new(policy));
        Ok(())
    }

    fn reload(&self) -> Result<(), SearchError> {
        self.reader.reload().map_err(SearchError::of(&self.folder))
    }
}

fn commit<D: Document>(writer: &mut IndexWriter<D>, position: u64) -> tantivy::Result<()> {
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&position.to_string());
    prepared.commit().map(drop)
}

/// The position that the last commit carries.
pub(crate) fn position_of(index: &Index, folder: &Path) -> Result<u64, SearchError> {
    let meta = index.load_metas().map_err(SearchError::of(folder))?;
    let Some(payload) = meta.payload else { return Ok(0) };
    payload.parse().map_err(|_| SearchError::damaged(folder, "its last commit names no position"))
}

/// Makes an empty index where there is nothing, or only what a making left that was cut off.
fn make_if_missing(folder: &Path) -> Result<(), SearchError> {
    let failed = SearchError::io(folder);
    fs::create_dir_all(folder).map_err(&failed)?;
    if folder.join(META).exists() {
        return Ok(());
    }
    let files = fs::read_dir(folder).map_err(&failed)?;
    if files.flatten().any(|file| !file.file_name().to_string_lossy().starts_with('.')) {
        return Err(SearchError::damaged(folder, "the file that names all others is missing"));
    }
    let directory = MmapDirectory::open(folder).map_err(|error| SearchError::of(folder)(error.into()))?;
    let made = Index::create(DurableDirectory(directory), schema().0, IndexSettings::default());
    made.map_err(SearchError::of(folder))?;
    sync_parent(folder).map_err(&failed)
}

/// A new folder survives a power cut only when its parent is synced too.
fn sync_parent(folder: &Path) -> std::io::Result<()> {
    let absolute = std::path::absolute(folder)?;
    absolute.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
}

/// Removes drafts of small files that a crash left; tantivy does not know them. The writer's lock must be held.
fn remove_unfinished(folder: &Path) -> Result<(), SearchError> {
    for file in fs::read_dir(folder).map_err(SearchError::io(folder))?.flatten() {
        if file.file_name().to_string_lossy().starts_with(".tmp") {
            fs::remove_file(file.path()).map_err(SearchError::io(&file.path()))?;
        }
    }
    Ok(())
}
