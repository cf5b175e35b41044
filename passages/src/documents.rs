//! The documents of a source database: ids, urls, dates and texts, compressed, in the order they were added. Two files
//! that only grow: blocks of documents, and a table of where each block is. What stands behind the lengths that the
//! database knows was written by a run that did not finish, and is written over.

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

const BLOCKS: &str = "documents";
const TABLE: &str = "documents.table";
/// Bytes of documents that are compressed together.
const BLOCK: usize = 32 << 10;
/// Nothing larger than this was ever compressed: a damaged length does not ask for more.
const LARGEST_BLOCK: usize = 1 << 31;
/// Fast: most of the time of building is spent elsewhere.
const ZSTD_LEVEL: i32 = 1;
/// Before every block: its length compressed and plain, and a checksum.
const BLOCK_HEAD: usize = 12;
/// Of the table: where a block is, and the number of its first document.
const ENTRY: usize = 12;

/// How much of the two files counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    pub documents: u32,
    pub bytes: u64,
    pub blocks: u64,
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
    static LAST_BLOCK: RefCell<LastBlock> = RefCell::new(LastBlock::default());
}

/// The block that a thread read last.
#[derive(Default)]
struct LastBlock {
    /// Whose it is, and where it is there.
    key: Option<(u64, u64)>,
    plain: Vec<u8>,
    decompressor: Option<Decompressor<'static>>,
}

/// The documents, to be read.
#[derive(Debug)]
pub(crate) struct Documents {
    blocks: Mmap,
    table: Mmap,
    folder: PathBuf,
    extent: Extent,
    /// No others that were ever opened in this process have it.
    number: u64,
}

/// How many were opened.
static OPENED: AtomicU64 = AtomicU64::new(0);

impl Documents {
    pub fn open(folder: &Path, extent: Extent) -> Result<Self> {
        Ok(Documents {
            blocks: map(&folder.join(BLOCKS), extent.bytes)?,
            table: map(&folder.join(TABLE), extent.blocks * ENTRY as u64)?,
            folder: folder.to_owned(),
            extent,
            number: OPENED.fetch_add(1, Relaxed),
        })
    }

    /// A document by its number.
    pub fn get(&self, number: u32) -> Result<Source> {
        let entries = self.table.as_chunks::<ENTRY>().0;
        let block = entries.partition_point(|entry| entry_of(entry).1 <= number);
        let (place, first) =
            entries.get(block.wrapping_sub(1)).map(entry_of).ok_or_else(|| self.damaged(TABLE))?;
        let key = (self.number, place);
        LAST_BLOCK.with_borrow_mut(|last| {
            if last.key != Some(key) {
                last.key = None;
                self.read_block(place, last).ok_or_else(|| self.damaged(BLOCKS))?;
                last.key = Some(key);
            }
            document(&last.plain, (number - first) as usize).ok_or_else(|| self.damaged(BLOCKS))
        })
    }

    /// Reads every document.
    pub fn verify(&self) -> Result<()> {
        (0..self.extent.documents).try_for_each(|number| self.get(number).map(drop))
    }

    fn read_block(&self, place: u64, into: &mut LastBlock) -> Option<()> {
        let bytes = self.blocks.get(usize::try_from(place).ok()?..)?;
        let (head, bytes) = bytes.split_first_chunk::<BLOCK_HEAD>()?;
        let number = |at: usize| head[at..at + 4].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let compressed = bytes.get(..number(0)? as usize)?;
        let length = number(4)? as usize;
        let is_sound = length <= LARGEST_BLOCK && crc32fast::hash(compressed) == number(8)?;
        if !is_sound {
            return None;
        }
        into.plain.clear();
        into.plain.reserve(length);
        let decompressor = match &mut into.decompressor {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new().ok()?),
        };
        decompressor
            .decompress_to_buffer(compressed, &mut into.plain)
            .ok()
            .filter(|got| *got == length)
            .map(drop)
    }

    fn damaged(&self, name: &str) -> PassageError {
        PassageError::damaged(&self.folder.join(name), "does not have the documents it was written with")
    }
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

fn entry_of(entry: &[u8; ENTRY]) -> (u64, u32) {
    let (place, first) = (entry.first_chunk().copied(), entry.last_chunk().copied());
    (u64::from_le_bytes(place.unwrap_or_default()), u32::from_le_bytes(first.unwrap_or_default()))
}

/// The document of a block with this number in it.
fn document(mut plain: &[u8], number: usize) -> Option<Source> {
    for _ in 0..number {
        plain = split(plain)?.1;
    }
    let ((record, text), _) = split(plain)?;
    let record: Record = serde_json::from_slice(record).ok()?;
    record.source(std::str::from_utf8(text).ok()?)
}

/// The first document of a block, its record and its text, and what is behind.
#[expect(clippy::type_complexity, reason = "three slices of one")]
fn split(plain: &[u8]) -> Option<((&[u8], &[u8]), &[u8])> {
    let (record_length, plain) = plain.split_first_chunk::<4>()?;
    let (text_length, plain) = plain.split_first_chunk::<4>()?;
    let (record, plain) = plain.split_at_checked(u32::from_le_bytes(*record_length) as usize)?;
    let (text, rest) = plain.split_at_checked(u32::from_le_bytes(*text_length) as usize)?;
    Some(((record, text), rest))
}

/// The documents, to be added to.
pub(crate) struct DocumentWriter {
    blocks: BufWriter<File>,
    table: BufWriter<File>,
    folder: PathBuf,
    extent: Extent,
    /// The documents of the next block.
    plain: Vec<u8>,
    in_block: u32,
}

impl DocumentWriter {
    /// Goes on behind what counts.
    pub fn open(folder: &Path, extent: Extent) -> Result<Self> {
        let append = |name: &str, length: u64| -> Result<BufWriter<File>> {
            let path = folder.join(name);
            let wrong = PassageError::io(&path);
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(false).open(&path).map_err(&wrong)?;
            if file.metadata().map_err(&wrong)?.len() < length {
                return Err(PassageError::damaged(&path, "is cut off"));
            }
            file.set_len(length).map_err(&wrong)?;
            file.seek(SeekFrom::End(0)).map_err(wrong)?;
            Ok(BufWriter::with_capacity(1 << 18, file))
        };
        Ok(DocumentWriter {
            blocks: append(BLOCKS, extent.bytes)?,
            table: append(TABLE, extent.blocks * ENTRY as u64)?,
            folder: folder.to_owned(),
            extent,
            plain: Vec::new(),
            in_block: 0,
        })
    }

    pub fn push(&mut self, source: &Source) -> Result<()> {
        let record = serde_json::to_vec(&Record::of(source)).unwrap_or_default();
        let text = source.core.as_ref().map_or("", |core| core.text.as_str());
        self.plain.extend((record.len() as u32).to_le_bytes());
        self.plain.extend((text.len() as u32).to_le_bytes());
        self.plain.extend(record);
        self.plain.extend(text.as_bytes());
        self.in_block += 1;
        if self.plain.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    /// Writes all to the disk; the extent that then counts.
    pub fn finish(mut self) -> Result<Extent> {
        self.end_block()?;
        for (writer, name) in [(self.blocks, BLOCKS), (self.table, TABLE)] {
            let path = self.folder.join(name);
            let wrong = PassageError::io(&path);
            let file = writer.into_inner().map_err(|error| wrong(error.into_error()))?;
            file.sync_data().map_err(wrong)?;
        }
        Ok(self.extent)
    }

    fn end_block(&mut self) -> Result<()> {
        if self.in_block == 0 {
            return Ok(());
        }
        let path = self.folder.join(BLOCKS);
        let wrong = PassageError::io(&path);
        let compressed = zstd::bulk::compress(&self.plain, ZSTD_LEVEL).map_err(&wrong)?;
        let head = [compressed.len() as u32, self.plain.len() as u32, crc32fast::hash(&compressed)];
        for number in head {
            self.blocks.write_all(&number.to_le_bytes()).map_err(&wrong)?;
        }
        self.blocks.write_all(&compressed).map_err(wrong)?;
        let path = self.folder.join(TABLE);
        let wrong = PassageError::io(&path);
        self.table.write_all(&self.extent.bytes.to_le_bytes()).map_err(&wrong)?;
        self.table.write_all(&self.extent.documents.to_le_bytes()).map_err(wrong)?;
        self.extent.bytes += (BLOCK_HEAD + compressed.len()) as u64;
        self.extent.blocks += 1;
        self.extent.documents += std::mem::take(&mut self.in_block);
        self.plain.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: usize, words: usize) -> Source {
        let core = CoreText::from_blocks((0..3).map(|block| format!("블록 {block} ").repeat(words)));
        Source {
            id: format!("문서-{number}"),
            url: (number % 2 == 0).then(|| format!("http://x/{number}")),
            created_at: (number % 3 == 0).then_some(number as i64 - 5),
            core: (number % 5 != 0).then_some(core),
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
        }
        let blocks = folder.path().join(BLOCKS);
        let mut bytes = std::fs::read(&blocks).unwrap();
        bytes[200] ^= 1;
        std::fs::write(&blocks, &bytes).unwrap();
        let problem = Documents::open(folder.path(), extent).unwrap().verify().unwrap_err().to_string();
        assert!(problem.contains("documents"), "{problem}");
        std::fs::write(&blocks, &bytes[..bytes.len() / 2]).unwrap();
        assert!(Documents::open(folder.path(), extent).is_err());
    }
}
