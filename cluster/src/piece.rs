//! A piece of the collection: some thousand documents in three files. `documents` says what each is called and how it is
//! found, `samples` holds what resemblance is counted from, `keys` what nominates pairs, in buckets. A piece is there when
//! its `documents` are: they are put in their place last. The bytes are described in docs/formats.md.

use crate::bytes::as_bytes_u64;
use crate::error::{ClusterError, Result};
use crate::files::{self, Draft, take_exact};
use crate::sketching::{MINIMA, Sketched};
use crate::words::WORDS_LEVEL;
use firstcopy_text::likeness::KEYS;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// Keys are kept apart by their first byte.
pub(crate) const BUCKETS: usize = 256;
/// Bytes of a document before its names.
const FIXED: usize = 96;

/// Where the files of a piece are.
#[derive(Debug, Clone)]
pub(crate) struct PieceFiles {
    pub documents: PathBuf,
    pub samples: PathBuf,
    pub keys: PathBuf,
}

impl PieceFiles {
    pub fn of(folder: &Path, number: usize) -> Self {
        let file = |name: &str| folder.join(format!("{name}-{number:06}"));
        PieceFiles { documents: file("documents"), samples: file("samples"), keys: file("keys") }
    }

    /// Counts the documents.
    pub fn count_documents(&self) -> Result<u32> {
        let mut documents = files::open(&self.documents)?;
        let mut count = 0;
        while take_document(&mut documents, &self.documents)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    pub fn bytes(&self) -> u64 {
        [&self.documents, &self.samples, &self.keys].into_iter().map(|path| files::size(path)).sum()
    }
}

/// A piece that is being filled.
#[derive(Debug)]
pub(crate) struct PieceDraft {
    files: PieceFiles,
    documents: Vec<u8>,
    /// Begun with the first document. What lies longest in memory otherwise is written as it comes.
    samples: Option<Draft>,
    sample_bytes: usize,
    buckets: Vec<Vec<u64>>,
    keys: usize,
    pub count: u32,
}

impl PieceDraft {
    pub fn new(files: PieceFiles) -> Self {
        PieceDraft {
            files,
            documents: Vec::new(),
            samples: None,
            sample_bytes: 0,
            buckets: vec![Vec::new(); BUCKETS],
            keys: 0,
            count: 0,
        }
    }

    /// Takes a document, whose number in the collection is given.
    pub fn push(&mut self, number: u32, sketched: &Sketched) -> Result<()> {
        put_document(&mut self.documents, sketched);
        let samples = match &mut self.samples {
            Some(samples) => samples,
            none => none.insert(Draft::create(&self.files.samples)?),
        };
        samples.write(&sketched.sample)?;
        self.sample_bytes += sketched.sample.len();
        for key in &sketched.keys {
            self.buckets[(key >> 56) as usize].push((key >> 24) << 32 | u64::from(number));
        }
        self.keys += sketched.keys.len();
        self.count += 1;
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.documents.len() + self.sample_bytes + 8 * self.keys
    }

    /// Writes the piece and begins another, whose files are given. Returns those of this one.
    pub fn write(&mut self, next: PieceFiles) -> Result<PieceFiles> {
        self.write_keys()?;
        if let Some(samples) = self.samples.take() {
            samples.finish()?;
        }
        files::write(&self.files.documents, &self.documents)?;
        self.documents.clear();
        (self.sample_bytes, self.keys, self.count) = (0, 0, 0);
        Ok(std::mem::replace(&mut self.files, next))
    }

    fn write_keys(&mut self) -> Result<()> {
        let mut keys = Draft::create(&self.files.keys)?;
        let mut ends = Vec::with_capacity(BUCKETS);
        let mut end = 0;
        for bucket in &self.buckets {
            end += bucket.len() as u64;
            ends.push(end);
        }
        keys.write(&as_bytes_u64(&ends))?;
        for bucket in &mut self.buckets {
            keys.write(&as_bytes_u64(bucket))?;
            bucket.clear();
        }
        keys.finish()
    }
}

/// What `documents` says of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub created_at: Option<i64>,
    pub identical: u64,
    pub lexical: u128,
    pub set: u128,
    pub shingles: u32,
    pub sampled: u32,
    pub level: u8,
    pub minima: [u16; MINIMA],
    pub text_bytes: u32,
    /// Of documents with words.
    pub key_parts: Option<[u16; KEYS]>,
    pub id: String,
    pub url: Option<String>,
    /// Bytes of it.
    pub length: u32,
}

/// Reads the documents of a piece with their samples, in order.
pub(crate) struct PieceReader<'a> {
    files: &'a PieceFiles,
    documents: BufReader<File>,
    samples: BufReader<File>,
}

impl<'a> PieceReader<'a> {
    pub fn open(files: &'a PieceFiles) -> Result<Self> {
        Ok(PieceReader {
            files,
            documents: files::open(&files.documents)?,
            samples: files::open(&files.samples)?,
        })
    }

    /// Reads the next document, and its sample into a buffer; nothing at the end.
    pub fn next(&mut self, sample: &mut Vec<u8>) -> Result<Option<Entry>> {
        let Some(entry) = take_document(&mut self.documents, &self.files.documents)? else { return Ok(None) };
        sample.resize(4 * entry.sampled as usize, 0);
        self.samples.read_exact(sample).map_err(ClusterError::io(&self.files.samples))?;
        Ok(Some(entry))
    }
}

/// No date.
const UNDATED: i64 = i64::MIN;

fn put_document(to: &mut Vec<u8>, sketched: &Sketched) {
    to.extend(sketched.created_at.unwrap_or(UNDATED).to_le_bytes());
    to.extend(sketched.identical.to_le_bytes());
    to.extend(sketched.lexical.to_le_bytes());
    to.extend(sketched.set.to_le_bytes());
    let sampled = (sketched.sample.len() / 4) as u32;
    for number in [sketched.shingles, sampled, u32::from(sketched.level), sketched.text_bytes] {
        to.extend(number.to_le_bytes());
    }
    to.extend(sketched.minima.iter().flat_map(|minimum| minimum.to_le_bytes()));
    let url = sketched.url.as_deref();
    to.extend((sketched.id.len() as u64).to_le_bytes());
    to.extend(url.map_or(u64::MAX, |url| url.len() as u64).to_le_bytes());
    to.extend(sketched.id.as_bytes());
    to.extend(url.unwrap_or_default().as_bytes());
    if sketched.level == WORDS_LEVEL {
        to.extend(sketched.key_parts.iter().flat_map(|part| part.to_le_bytes()));
    }
}

/// The next document of a file; none at its end.
pub(crate) fn take_document(from: &mut impl Read, path: &Path) -> Result<Option<Entry>> {
    let mut fixed = [0; FIXED];
    if !take_exact(from, &mut fixed).map_err(ClusterError::io(path))? {
        return Ok(None);
    }
    let damaged = || ClusterError::damaged(path);
    let mut rest = fixed.as_slice();
    let mut word = || {
        let (word, after) = rest.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
        rest = after;
        u64::from_le_bytes(*word)
    };
    let (created_at, identical) = (word() as i64, word());
    let mut wide = || u128::from(word()) | u128::from(word()) << 64;
    let (lexical, set) = (wide(), wide());
    let (first, second) = (word(), word());
    let (low, high) = (word(), word());
    let (id_length, url_length) = (word(), word());
    let minima = std::array::from_fn(|slot| {
        let half = if slot < 4 { low } else { high };
        (half >> (16 * (slot % 4))) as u16
    });
    let longest = 1 << 30;
    let has_url = url_length != u64::MAX;
    let names = id_length.saturating_add(if has_url { url_length } else { 0 });
    if names > longest {
        return Err(damaged());
    }
    let mut bytes = vec![0; names as usize];
    from.read_exact(&mut bytes).map_err(ClusterError::io(path))?;
    let mut id = String::from_utf8(bytes).map_err(|_| damaged())?;
    if !id.is_char_boundary(id_length as usize) {
        return Err(damaged());
    }
    let mut length = (FIXED + id.len()) as u32;
    let url = has_url.then(|| id.split_off(id_length as usize));
    let level = second as u8;
    let mut key_parts = None;
    if level == WORDS_LEVEL {
        let mut bytes = [[0; 2]; KEYS];
        from.read_exact(bytes.as_flattened_mut()).map_err(ClusterError::io(path))?;
        key_parts = Some(bytes.map(u16::from_le_bytes));
        length += 2 * KEYS as u32;
    }
    Ok(Some(Entry {
        created_at: (created_at != UNDATED).then_some(created_at),
        identical,
        lexical,
        set,
        shingles: first as u32,
        sampled: (first >> 32) as u32,
        level,
        key_parts,
        text_bytes: (second >> 32) as u32,
        minima,
        length,
        id,
        url,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_come_back(id in ".{0,9}", url in prop::option::of(".{0,9}"), created_at in prop::option::of(-9i64..9), words: [u64; 4], minima: [u16; MINIMA], has_words: bool, key: u16) {
            let (level, key_parts) = if has_words { (WORDS_LEVEL, [key; KEYS]) } else { (3, [0; KEYS]) };
            let sketched = Sketched {
                id: id.clone(), url: url.clone(), created_at, identical: words[0],
                lexical: u128::from(words[1]) << 60, set: u128::from(words[2]) << 3,
                shingles: words[3] as u32, level, minima, sample: vec![7; 12], keys: Vec::new(), key_parts, text_bytes: 77,
            };
            let mut bytes = Vec::new();
            put_document(&mut bytes, &sketched);
            let entry = take_document(&mut bytes.as_slice(), Path::new("x")).unwrap().unwrap();
            let expected = Entry {
                created_at, identical: words[0], lexical: sketched.lexical, set: sketched.set, shingles: sketched.shingles,
                sampled: 3, level, minima, text_bytes: 77, key_parts: has_words.then_some(key_parts), id, url, length: bytes.len() as u32,
            };
            prop_assert_eq!(entry, expected);
        }
    }
}
