//! The documents of a source database, in the order they were added: their names and dates in one stream, their texts in
//! another, compressed in blocks. A stream is two files that only grow: blocks, and a table of where each block is. What
//! stands behind the lengths that the database knows was written by a run that did not finish, and is written over.

use crate::error::{PassageError, Result};
use crate::library::Source;
use firstcopy_text::CoreText;
use memmap2::{Mmap, MmapOptions};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zstd::bulk::Decompressor;

const NAMES: &str = "names";
const TEXTS: &str = "texts";
/// Bytes of names that are compressed together. Names are mostly read one here, one there.
const NAME_BLOCK: usize = 4 << 10;
/// Bytes of texts that are compressed together: a few of them.
const TEXT_BLOCK: usize = 16 << 10;
/// Nothing larger than this was ever compressed: a damaged length does not ask for more.
const LARGEST_BLOCK: usize = 1 << 31;
/// Fast: most of the time of building is spent elsewhere.
const ZSTD_LEVEL: i32 = 1;
/// Before every block: its length compressed and plain, and a checksum.
const BLOCK_HEAD: usize = 12;
/// Of the table: where a block is, the number of its first document, and a checksum of both.
const ENTRY: usize = 16;

/// How much of the files counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    pub documents: u32,
    names: StreamExtent,
    texts: StreamExtent,
}

impl Extent {
    /// Bytes of all blocks.
    pub fn bytes(&self) -> u64 {
        self.names.bytes + self.texts.bytes
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct StreamExtent {
    bytes: u64,
    blocks: u64,
}

/// What is kept of a document beside its text.
#[derive(Serialize, Deserialize)]
struct Record {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    created_at: Option<i64>,
    /// How long each block of the text is, with what comes behind it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    blocks: Option<Vec<usize>>,
}

impl Record {
    fn of(source: &Source) -> Self {
        let blocks = source.core.as_ref().map(|core| {
            let mut last = 0;
            core.block_starts.iter().map(|&start| start - std::mem::replace(&mut last, start)).collect()
        });
        Record { id: source.id.clone(), url: source.url.clone(), created_at: source.created_at, blocks }
    }

    fn source(self, text: &str) -> Option<Source> {
        let core = match self.blocks {
            Some(lengths) => Some(core_text(text, &lengths)?),
            None => None,
        };
        Some(Source { id: self.id, url: self.url, created_at: self.created_at, core })
    }
}

fn core_text(text: &str, lengths: &[usize]) -> Option<CoreText> {
    let mut start = 0usize;
    let mut block_starts = Vec::with_capacity(lengths.len());
    for length in lengths {
        start = start.checked_add(*length)?;
        block_starts.push(text.is_char_boundary(start).then_some(start)?);
    }
    Some(CoreText { text: text.to_owned(), block_starts })
}

thread_local! {
    /// Documents are mostly asked for in the order of their numbers, and a decompressor is a megabyte of tables.
    static LAST_BLOCKS: RefCell<[LastBlock; 2]> = RefCell::default();
}

/// The block of a stream that a thread read last.
#[derive(Default)]
struct LastBlock {
    /// Which opened documents it is of, and where it is there.
    key: Option<(u64, u64)>,
    plain: Vec<u8>,
    decompressor: Option<Decompressor<'static>>,
}

/// The documents, to be read.
#[derive(Debug)]
pub(crate) struct Documents {
    names: Stream,
    texts: Stream,
    documents: u32,
    /// No others that were ever opened in this process have it.
    number: u64,
}

/// How many were opened.
static OPENED: AtomicU64 = AtomicU64::new(0);

impl Documents {
    pub fn open(folder: &Path, extent: Extent) -> Result<Self> {
        Ok(Documents {
            names: Stream::open(folder, NAMES, extent.names)?,
            texts: Stream::open(folder, TEXTS, extent.texts)?,
            documents: extent.documents,
            number: OPENED.fetch_add(1, Relaxed),
        })
    }

    /// The id of a document.
    pub fn id(&self, number: u32) -> Result<String> {
        self.record(number).map(|record| record.id)
    }

    /// A document by its number.
    pub fn get(&self, number: u32) -> Result<Source> {
        let record = self.record(number)?;
        let read = |[_, texts]: &mut [LastBlock; 2]| {
            self.texts.item(number, self.number, texts, |text| record.source(std::str::from_utf8(text).ok()?))
        };
        LAST_BLOCKS.with_borrow_mut(read)
    }

    /// Reads every document.
    pub fn verify(&self) -> Result<()> {
        (0..self.documents).try_for_each(|number| self.get(number).map(drop))
    }

    fn record(&self, number: u32) -> Result<Record> {
        let read = |[names, _]: &mut [LastBlock; 2]| {
            self.names.item(number, self.number, names, |record| serde_json::from_slice(record).ok())
        };
        LAST_BLOCKS.with_borrow_mut(read)
    }
}

/// A stream, to be read.
#[derive(Debug)]
struct Stream {
    blocks: Mmap,
    table: Mmap,
    path: PathBuf,
    table_path: PathBuf,
}

impl Stream {
    fn open(folder: &Path, name: &str, extent: StreamExtent) -> Result<Self> {
        Ok(Stream {
            blocks: map(&folder.join(name), extent.bytes)?,
            table: map(&table_of(folder, name), extent.blocks * ENTRY as u64)?,
            path: folder.join(name),
            table_path: table_of(folder, name),
        })
    }

    /// What `read` makes of the item of a document.
    fn item<T>(
        &self,
        number: u32,
        whose: u64,
        last: &mut LastBlock,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T> {
        let damaged =
            |path: &Path| PassageError::damaged(path, "does not have the documents it was written with");
        let (place, first) = self.block_of(number).ok_or_else(|| damaged(&self.table_path))?;
        let found = || {
            if last.key != Some((whose, place)) {
                last.key = None;
                self.read_block(place, last)?;
                last.key = Some((whose, place));
            }
            read(item(&last.plain, (number - first) as usize)?)
        };
        found().ok_or_else(|| damaged(&self.path))
    }

    /// Where the block of a document is, and the number of its first; none if an entry on the way is damaged.
    fn block_of(&self, number: u32) -> Option<(u64, u32)> {
        let entries = self.table.as_chunks::<ENTRY>().0;
        let (mut low, mut high) = (0, entries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match entry_of(&entries[middle])?.1 <= number {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        entry_of(entries.get(low.checked_sub(1)?)?)
    }

    fn read_block(&self, place: u64, into: &mut LastBlock) -> Option<()> {
        let bytes = self.blocks.get(usize::try_from(place).ok()?..)?;
        let (head, bytes) = bytes.split_first_chunk::<BLOCK_HEAD>()?;
        let number = |at: usize| head[at..at + 4].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let compressed = bytes.get(..number(0)? as usize)?;
        let length = number(4)? as usize;
        if length > LARGEST_BLOCK || crc32fast::hash(compressed) != number(8)? {
            return None;
        }
        into.plain.clear();
        into.plain.reserve(length);
        let decompressor = match &mut into.decompressor {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new().ok()?),
        };
        let plain = decompressor.decompress_to_buffer(compressed, &mut into.plain).ok()?;
        (plain == length).then_some(())
    }
}

fn table_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.table"))
}

fn map(path: &Path, length: u64) -> Result<Mmap> {
    let wrong = PassageError::io(path);
    let file = File::open(path).map_err(&wrong)?;
    if file.metadata().map_err(&wrong)?.len() < length {
        return Err(PassageError::damaged(path, "is cut off"));
    }
    // SAFETY: the file only grows: whoever writes to it writes behind this length. All reads are of bytes, inside slices.
    unsafe { MmapOptions::new().len(length as usize).map(&file) }.map_err(wrong)
}

fn to_entry(place: u64, first: u32) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    entry[..8].copy_from_slice(&place.to_le_bytes());
    entry[8..12].copy_from_slice(&first.to_le_bytes());
    let checksum = crc32fast::hash(&entry[..12]);
    entry[12..].copy_from_slice(&checksum.to_le_bytes());
    entry
}

/// What an entry says, if it is as it was written.
fn entry_of(entry: &[u8; ENTRY]) -> Option<(u64, u32)> {
    let place = u64::from_le_bytes(*entry.first_chunk()?);
    let first = u32::from_le_bytes(*entry[8..].first_chunk()?);
    (to_entry(place, first) == *entry).then_some((place, first))
}

/// The item of a block with this number in it.
fn item(mut plain: &[u8], number: usize) -> Option<&[u8]> {
    for _ in 0..number {
        plain = split(plain)?.1;
    }
    split(plain).map(|(item, _)| item)
}

/// The first item of a block, and what is behind.
fn split(plain: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, plain) = plain.split_first_chunk::<4>()?;
    plain.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// The documents, to be added to.
pub(crate) struct DocumentWriter {
    names: StreamWriter,
    texts: StreamWriter,
    documents: u32,
}

impl DocumentWriter {
    /// Goes on behind what counts.
    pub fn open(folder: &Path, extent: Extent) -> Result<Self> {
        Ok(DocumentWriter {
            names: StreamWriter::open(folder, NAMES, NAME_BLOCK, extent.names, extent.documents)?,
            texts: StreamWriter::open(folder, TEXTS, TEXT_BLOCK, extent.texts, extent.documents)?,
            documents: extent.documents,
        })
    }

    pub fn push(&mut self, source: &Source) -> Result<()> {
        let record = serde_json::to_vec(&Record::of(source)).unwrap_or_default();
        let text = source.core.as_ref().map_or("", |core| core.text.as_str());
        self.names.push(&record)?;
        self.texts.push(text.as_bytes())?;
        self.documents += 1;
        Ok(())
    }

    /// Writes all to the disk; the extent that then counts.
    pub fn finish(self) -> Result<Extent> {
        Ok(Extent { documents: self.documents, names: self.names.finish()?, texts: self.texts.finish()? })
    }
}

/// A stream, to be added to.
struct StreamWriter {
    blocks: BufWriter<File>,
    table: BufWriter<File>,
    path: PathBuf,
    table_path: PathBuf,
    extent: StreamExtent,
    /// The number of the first document of the next block.
    first: u32,
    /// Bytes of a block.
    block: usize,
    /// The items of the next block.
    plain: Vec<u8>,
    in_block: u32,
}

impl StreamWriter {
    fn open(folder: &Path, name: &str, block: usize, extent: StreamExtent, first: u32) -> Result<Self> {
        let (path, table_path) = (folder.join(name), table_of(folder, name));
        Ok(StreamWriter {
            blocks: append(&path, extent.bytes)?,
            table: append(&table_path, extent.blocks * ENTRY as u64)?,
            path,
            table_path,
            extent,
            first,
            block,
            plain: Vec::new(),
            in_block: 0,
        })
    }

    fn push(&mut self, item: &[u8]) -> Result<()> {
        self.plain.extend((item.len() as u32).to_le_bytes());
        self.plain.extend(item);
        self.in_block += 1;
        if self.plain.len() >= self.block { self.end_block() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<StreamExtent> {
        self.end_block()?;
        for (writer, path) in [(self.blocks, &self.path), (self.table, &self.table_path)] {
            let wrong = PassageError::io(path);
            let file = writer.into_inner().map_err(|error| wrong(error.into_error()))?;
            file.sync_data().map_err(wrong)?;
        }
        Ok(self.extent)
    }

    fn end_block(&mut self) -> Result<()> {
        if self.in_block == 0 {
            return Ok(());
        }
        let wrong = PassageError::io(&self.path);
        let compressed = zstd::bulk::compress(&self.plain, ZSTD_LEVEL).map_err(&wrong)?;
        for number in [compressed.len() as u32, self.plain.len() as u32, crc32fast::hash(&compressed)] {
            self.blocks.write_all(&number.to_le_bytes()).map_err(&wrong)?;
        }
        self.blocks.write_all(&compressed).map_err(&wrong)?;
        let wrong = PassageError::io(&self.table_path);
        self.table.write_all(&to_entry(self.extent.bytes, self.first)).map_err(wrong)?;
        self.extent.bytes += (BLOCK_HEAD + compressed.len()) as u64;
        self.extent.blocks += 1;
        self.first += std::mem::take(&mut self.in_block);
        self.plain.clear();
        Ok(())
    }
}

/// Opens a file to write behind a length.
fn append(path: &Path, length: u64) -> Result<BufWriter<File>> {
    let wrong = PassageError::io(path);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(false).open(path).map_err(&wrong)?;
    if file.metadata().map_err(&wrong)?.len() < length {
        return Err(PassageError::damaged(path, "is cut off"));
    }
    file.set_len(length).map_err(&wrong)?;
    file.seek(SeekFrom::End(0)).map_err(wrong)?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: usize, words: usize) -> Source {
        let core = CoreText::from_blocks((0..3).map(|block| format!("블록 {block} ").repeat(words)));
        Source {
            id: format!("문서-{number}"),
            url: number.is_multiple_of(2).then(|| format!("http://x/{number}")),
            created_at: number.is_multiple_of(3).then_some(number as i64 - 5),
            core: (!number.is_multiple_of(5)).then_some(core),
        }
    }

    #[test]
    fn every_document_comes_back_and_adding_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut extent = Extent::default();
        let all: Vec<Source> = (0..60).map(|number| source(number, number * 20)).collect();
        for some in all.chunks(25) {
            let mut writer = DocumentWriter::open(folder.path(), extent).unwrap();
            some.iter().for_each(|source| writer.push(source).unwrap());
            extent = writer.finish().unwrap();
            // A run that did not finish left something behind.
            let mut unfinished = DocumentWriter::open(folder.path(), extent).unwrap();
            unfinished.push(&source(99, 1)).unwrap();
            drop(unfinished);
        }
        let documents = Documents::open(folder.path(), extent).unwrap();
        documents.verify().unwrap();
        for (number, source) in (0..).zip(&all) {
            assert_eq!(documents.get(number).unwrap(), *source);
            assert_eq!(documents.id(number).unwrap(), source.id);
        }
        let blocks = folder.path().join(TEXTS);
        let mut bytes = std::fs::read(&blocks).unwrap();
        bytes[200] ^= 1;
        std::fs::write(&blocks, &bytes).unwrap();
        let problem = Documents::open(folder.path(), extent).unwrap().verify().unwrap_err().to_string();
        assert!(problem.contains("texts"), "{problem}");
        std::fs::write(&blocks, &bytes[..bytes.len() / 2]).unwrap();
        assert!(Documents::open(folder.path(), extent).is_err());
    }
}
