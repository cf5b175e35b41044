//! How does the index follow the store? Puts and removes documents, and commits with a position in the outbox.

use crate::directory::{DurableDirectory, META};
use crate::error::SearchError;
use crate::intake::{Intake, Waiting};
use crate::schema::{Entry, Fields, schema};
use crate::searcher::{Searcher, open_index, reader_of};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
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

/// The one writer of an index. Dropping it waits for merges that are under way.
pub struct SearchIndex {
    folder: PathBuf,
    fields: Fields,
    index: Index,
    /// None only while it is replaced, and after that has failed.
    writer: Option<IndexWriter<Waiting>>,
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
        let writer = Some(new_writer(&index, &fields, folder)?);
        let position = position_of(&index, folder)?;
        let reader = reader_of(&index, folder)?;
        Ok(SearchIndex {
            folder: folder.to_owned(),
            fields,
            index,
            writer,
            reader,
            intake: Arc::default(),
            position,
        })
    }

    /// Adds a document in place of whatever has its number.
    pub fn put(&mut self, entry: &Entry) -> Result<(), SearchError> {
        self.remove(entry.number)?;
        let values = self.fields.values(entry);
        let share = self.intake.admit(entry.text.len());
        let added = self.writer()?.add_document(Waiting { values, _share: share });
        added.map(drop).map_err(SearchError::of(&self.folder))
    }

    /// Removes a document, if it is there.
    pub fn remove(&mut self, number: u32) -> Result<(), SearchError> {
        let term = self.fields.number_term(number);
        self.writer()?.delete_term(term);
        Ok(())
    }

    /// Makes all that was put and removed durable, together with the position in the store's outbox it stands for.
    pub fn commit(&mut self, position: u64) -> Result<(), SearchError> {
        commit(self.writer()?, position).map_err(SearchError::of(&self.folder))?;
        self.position = position;
        self.reader.reload().map_err(SearchError::of(&self.folder))
    }

    /// Forgets what was put and removed since the last commit. Waits for merges that are under way: tantivy's own rollback
    /// does not, and one that ends meanwhile names segments which the new writer then deletes.
    pub fn rollback(&mut self) -> Result<(), SearchError> {
        // What is forgotten may have failed, too.
        let _ = self.stop();
        self.writer = Some(new_writer(&self.index, &self.fields, &self.folder)?);
        Ok(())
    }

    /// Forgets everything, durably; the position is 0 again.
    pub fn clear(&mut self) -> Result<(), SearchError> {
        self.rollback()?;
        self.writer()?.delete_all_documents().map_err(SearchError::of(&self.folder))?;
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
        let damaged = self.index.validate_checksum().map_err(SearchError::of(&self.folder))?;
        match damaged.iter().min() {
            Some(file) => Err(SearchError::damaged(&self.folder, &format!("checksum of {}", file.display()))),
            None => Ok(()),
        }
    }

    /// Waits for merges that are under way and closes the index; what was not committed is forgotten.
    pub fn close(mut self) -> Result<(), SearchError> {
        self.stop()
    }

    fn writer(&mut self) -> Result<&mut IndexWriter<Waiting>, SearchError> {
        let closed = || SearchError::damaged(&self.folder, "its last rollback failed");
        self.writer.as_mut().ok_or_else(closed)
    }

    fn stop(&mut self) -> Result<(), SearchError> {
        let stopped = self.writer.take().map_or(Ok(()), IndexWriter::wait_merging_threads);
        stopped.map_err(SearchError::of(&self.folder))
    }
}

impl Drop for SearchIndex {
    /// A merge that ended later would write over what the next writer in this process does.
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

/// Takes the lock and starts to write after the last commit.
fn new_writer(index: &Index, fields: &Fields, folder: &Path) -> Result<IndexWriter<Waiting>, SearchError> {
    let options = IndexWriterOptions::builder().memory_budget_per_thread(WRITER_MEMORY).num_merge_threads(1);
    let writer = index.writer_with_options(options.build()).map_err(SearchError::of(folder))?;
    clear_away(index, folder)?;
    // The first operation gets the number of the last commit: were it a removal, a merge before the next commit would take
    // it for done in some segments and not in others, and the document could stay in the index twice. So the first
    // operation is one that removes nothing.
    writer.delete_term(Term::from_field_u64(fields.number, u64::MAX));
    let mut policy = LogMergePolicy::default();
    policy.set_min_layer_size(SMALL_SEGMENT);
    policy.set_del_docs_ratio_before_merge(DELETED_SHARE);
    writer.set_merge_policy(Box::new(policy));
    Ok(writer)
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
    let directory = DurableDirectory::open(folder).map_err(SearchError::of(folder))?;
    let made = Index::create(directory, schema().0, IndexSettings::default());
    made.map_err(SearchError::of(folder))?;
    sync_parent(folder).map_err(&failed)
}

/// A new folder survives a power cut only when its parent is synced too.
fn sync_parent(folder: &Path) -> std::io::Result<()> {
    let absolute = std::path::absolute(folder)?;
    absolute.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
}

/// Removes what a crash left: drafts, and segments that no commit names. The writer's lock must be held.
///
/// Lists of removed documents are named after the number of an operation, and tantivy goes on counting from the last
/// commit: one that is left would block its name.
fn clear_away(index: &Index, folder: &Path) -> Result<(), SearchError> {
    let named = index.load_metas().map_err(SearchError::of(folder))?.list_segment_files();
    for file in fs::read_dir(folder).map_err(SearchError::io(folder))?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let is_hidden = name.starts_with('.') && !name.starts_with(".tmp");
        if name != META && !is_hidden && !named.contains(Path::new(&name)) {
            fs::remove_file(file.path()).map_err(SearchError::io(&file.path()))?;
        }
    }
    Ok(())
}
