//! A source database: a folder with documents others may have copied from. `sources.json` says which parts count, and is
//! replaced as a whole: a run that was cut off leaves the database as it was.

use crate::documents::{DocumentWriter, Documents, Extent};
use crate::error::{PassageError, Result};
use crate::files::{mark, read_manifest, write_manifest};
use crate::library::{Library, Source};
use crate::part::{Digests, Part};
use crate::parts::PartList;
use crate::search::DocumentKey;
use firstcopy_text::{Analyzer, Document, Parameters, Seed, SegmentRules};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the format of source databases (docs/formats.md).
pub const FORMAT_VERSION: u32 = 1;
const MANIFEST: &str = "sources.json";
const LOCK: &str = "lock";
/// Stands in a folder that was empty when a build began there, until it has finished.
const BEGUN: &str = "begun";
/// Memory that sorting takes for a segment.
const BYTES_TO_SORT: u64 = 24;

/// What the digests of a source database depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceSettings {
    /// Normalised characters below which a segment is left out (sakurai-2009: 5).
    pub min_segment_chars: usize,
    /// What ends a sentence; the usual characters if absent.
    pub separators: Option<String>,
    /// Whether the texts are kept: without them passages are not verified, and have no places in the sources.
    pub texts: bool,
}

impl Default for SourceSettings {
    fn default() -> Self {
        SourceSettings { min_segment_chars: 5, separators: None, texts: true }
    }
}

impl SourceSettings {
    /// Makes digests the way they say.
    pub fn analyzer(&self) -> Analyzer {
        let segments = self.separators.as_deref().map_or_else(SegmentRules::default, SegmentRules::new);
        let parameters =
            Parameters { min_segment_chars: self.min_segment_chars, segments, ..Parameters::default() };
        Analyzer::new(parameters, &Seed::PUBLIC)
    }
}

/// What counts in a source database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    settings: SourceSettings,
    documents: Extent,
    parts: PartList,
}

impl Manifest {
    fn new(settings: SourceSettings) -> Self {
        Manifest {
            format: FORMAT_VERSION,
            settings,
            documents: Extent::default(),
            parts: PartList::default(),
        }
    }

    fn read(folder: &Path) -> Result<Self> {
        let manifest: Manifest = read_manifest(&folder.join(MANIFEST)).map_err(|error| match error {
            PassageError::Io { source, .. } if is_missing(&source) => PassageError::Other {
                path: folder.to_owned(),
                what: "is no source database: make one with `firstcopy sources build INPUT… -o DB`"
                    .to_owned(),
            },
            other => other,
        })?;
        if manifest.format != FORMAT_VERSION {
            let what = format!(
                "has format {}, this program reads format {FORMAT_VERSION}: build it again",
                manifest.format
            );
            return Err(PassageError::Other { path: folder.to_owned(), what });
        }
        Ok(manifest)
    }
}

/// A source database, opened to be asked.
#[derive(Debug)]
pub struct SourceDatabase {
    folder: PathBuf,
    manifest: Manifest,
    parts: Vec<Arc<Part>>,
    documents: Documents,
}

/// What a source database holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceStatistics {
    /// Documents.
    pub documents: u64,
    /// Segments in their digests.
    pub segments: u64,
    /// Sealed parts.
    pub parts: usize,
    /// Bytes of the parts.
    pub index_bytes: u64,
    /// Bytes of ids, urls, dates and texts.
    pub document_bytes: u64,
    /// Bytes of the parts for a segment.
    pub bytes_per_segment: f64,
    /// Whether the texts are kept.
    pub texts: bool,
    /// Normalised characters below which a segment is left out.
    pub min_segment_chars: usize,
}

impl SourceDatabase {
    /// Opens a source database. Nothing of it is read before it is needed.
    pub fn open(folder: &Path) -> Result<Self> {
        match Self::open_as_it_is(folder) {
            // Somebody added to it in between, and merged parts away.
            Err(PassageError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                Self::open_as_it_is(folder)
            }
            other => other,
        }
    }

    fn open_as_it_is(folder: &Path) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let parts = manifest.parts.open(folder)?;
        let documents = Documents::open(folder, manifest.documents)?;
        Ok(SourceDatabase { folder: folder.to_owned(), manifest, parts, documents })
    }

    /// What its digests depend on.
    pub fn settings(&self) -> &SourceSettings {
        &self.manifest.settings
    }

    /// Counts what it holds.
    pub fn statistics(&self) -> Result<SourceStatistics> {
        let index_bytes = self.manifest.parts.bytes(&self.folder)?;
        let segments = self.parts.iter().map(|part| part.segments()).sum();
        Ok(SourceStatistics {
            documents: self.parts.iter().map(|part| part.documents()).sum(),
            segments,
            parts: self.parts.len(),
            index_bytes,
            document_bytes: self.manifest.documents.bytes(),
            bytes_per_segment: index_bytes as f64 / segments.max(1) as f64,
            texts: self.manifest.settings.texts,
            min_segment_chars: self.manifest.settings.min_segment_chars,
        })
    }

    /// Reads every byte, and checks it.
    pub fn verify(&self) -> Result<()> {
        self.parts.iter().try_for_each(|part| part.verify())?;
        self.documents.verify()
    }
}

impl SourceDatabase {
    /// The number of a document in the order they were added.
    fn number(&self, key: DocumentKey) -> u32 {
        self.manifest.parts.first_document(key.part) + key.document
    }
}

impl Library for SourceDatabase {
    fn parts(&self) -> &[Arc<Part>] {
        &self.parts
    }

    fn created_at(&self, owner: u64, _: DocumentKey) -> i64 {
        owner.cast_signed()
    }

    fn id(&self, _: u64, key: DocumentKey) -> Result<Option<String>> {
        self.documents.id(self.number(key)).map(Some)
    }

    fn source(&self, _: u64, key: DocumentKey) -> Result<Option<Source>> {
        self.documents.get(self.number(key)).map(Some)
    }
}

/// A source database that is being built or added to.
pub struct SourceWriter {
    folder: PathBuf,
    manifest: Manifest,
    documents: DocumentWriter,
    digests: Digests,
    /// Segments that are sorted at once.
    at_once: usize,
    _lock: File,
}

impl std::fmt::Debug for SourceWriter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SourceWriter").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl SourceWriter {
    /// Begins a source database; there must be none.
    pub fn build(folder: &Path, settings: SourceSettings, memory: u64) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(PassageError::io(folder))?;
        let other = |what: &str| Err(PassageError::Other { path: folder.to_owned(), what: what.to_owned() });
        if folder.join(MANIFEST).exists() {
            return other(
                "there is a source database already: add to it with `firstcopy sources add INPUT… --to DB`, or name \
                 another folder",
            );
        }
        let is_empty = std::fs::read_dir(folder).map_err(PassageError::io(folder))?.next().is_none();
        if !is_empty && !folder.join(BEGUN).exists() {
            return other("there are other files: name an empty folder, or one that is not there");
        }
        mark(&folder.join(BEGUN))?;
        let lock = locked(folder)?;
        Self::begin(folder, Manifest::new(settings), memory, lock)
    }

    /// Goes on with a source database.
    pub fn add(folder: &Path, memory: u64) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let lock = locked(folder)?;
        Self::begin(folder, manifest, memory, lock)
    }

    fn begin(folder: &Path, manifest: Manifest, memory: u64, lock: File) -> Result<Self> {
        Ok(SourceWriter {
            documents: DocumentWriter::open(folder, manifest.documents)?,
            folder: folder.to_owned(),
            manifest,
            digests: Digests::default(),
            at_once: (memory / BYTES_TO_SORT).clamp(1 << 16, u64::from(u32::MAX) / 2) as usize,
            _lock: lock,
        })
    }

    /// What its digests depend on.
    pub fn settings(&self) -> &SourceSettings {
        &self.manifest.settings
    }

    /// Adds a document that was digested ([`Analyzer::digested`]).
    pub fn push(&mut self, document: Document) -> Result<()> {
        // What has no date comes after all that have one.
        let created_at = document.created_at.unwrap_or(i64::MAX);
        self.digests.push(&document.digest, created_at.cast_unsigned());
        self.documents.push(&Source {
            id: document.id,
            url: document.url,
            created_at: document.created_at,
            core: self.manifest.settings.texts.then_some(document.core),
        })?;
        if self.digests.segments() >= self.at_once { self.seal() } else { Ok(()) }
    }

    /// Sorts, merges and writes all that was added. Before this nothing of it counts.
    pub fn finish(mut self) -> Result<()> {
        if self.digests.documents() > 0 {
            self.seal()?;
        }
        let replaced = self.manifest.parts.merge(&self.folder)?;
        self.manifest.documents = self.documents.finish()?;
        write_manifest(&self.folder.join(MANIFEST), &self.manifest)?;
        // Left behind it says nothing any more.
        let _ = std::fs::remove_file(self.folder.join(BEGUN));
        replaced.iter().for_each(|part| part.remove(&self.folder));
        Ok(())
    }

    fn seal(&mut self) -> Result<()> {
        let digests = std::mem::take(&mut self.digests);
        self.manifest.parts.seal(&self.folder, &digests)
    }
}

fn locked(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let file = File::create(&path).map_err(PassageError::io(&path))?;
    file.try_lock().map_err(|_| PassageError::Other {
        path: folder.to_owned(),
        what: "another process is writing to this source database: wait until it has finished".to_owned(),
    })?;
    Ok(file)
}

/// Whether there is no such file, nor a folder that it could be in.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
