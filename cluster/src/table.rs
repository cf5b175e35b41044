//! What is known of every document in memory: some 70 bytes each. Everything else stays in the files.

use crate::error::{ClusterError, Result};
use crate::files::{self, Places};
use crate::piece::{Entry, PieceFiles, take_document};
use crate::sketching::MINIMA;
use crate::words::profile_bytes;
use firstcopy_text::likeness::{KEYS, WeightClass};

/// Bytes of memory that a document takes, at most, in any phase.
pub(crate) const BYTES_A_DOCUMENT: u64 = 120;
/// Bytes more that a document with words takes: its keys, the earliest document of its text, its relation.
pub(crate) const BYTES_OF_WORDS: u64 = 105;

/// All documents, by number: the order of input.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub shingles: Vec<u32>,
    /// The classes of the weights of words; of documents without words they mean nothing.
    pub weight_classes: Vec<WeightClass>,
    pub sampled: Vec<u32>,
    pub levels: Vec<u8>,
    pub minima: Vec<[u16; MINIMA]>,
    /// The lowest 16 bits of every key of words. Empty if no document has words.
    pub key_parts: Vec<[u16; KEYS]>,
    /// `i64::MAX` where there is none: whoever has a date is earlier than whoever has none.
    pub created_at: Vec<i64>,
    pub identical: Vec<u64>,
    /// Where its entry begins in the `documents` of its piece.
    entry_at: Vec<u64>,
    /// Where its sample begins in the `samples` of its piece.
    sample_at: Vec<u64>,
    /// The number of the first document of every piece, and how many bytes its samples have.
    piece_starts: Vec<u32>,
    piece_samples: Vec<u64>,
    pub text_bytes: Vec<u32>,
}

/// What tells equal documents; needed for a moment only.
#[derive(Debug, Default)]
pub(crate) struct Wholes {
    pub lexical: Vec<u128>,
    pub set: Vec<u128>,
}

impl Table {
    /// Reads the documents of all pieces.
    pub fn read(pieces: &[PieceFiles]) -> Result<(Self, Wholes)> {
        let (mut table, mut wholes) = (Table::default(), Wholes::default());
        for piece in pieces {
            table.piece_starts.push(table.len() as u32);
            let (mut entry_at, mut sample_at) = (0, 0);
            let mut file = files::open(&piece.documents)?;
            while let Some(entry) = take_document(&mut file, &piece.documents)? {
                if table.len() == u32::MAX as usize {
                    return Err(ClusterError::TooMany);
                }
                table.push(&entry, entry_at, sample_at);
                wholes.lexical.push(entry.lexical);
                wholes.set.push(entry.set);
                entry_at += u64::from(entry.length);
                sample_at += 4 * u64::from(entry.sampled);
            }
            table.piece_samples.push(sample_at);
        }
        Ok((table, wholes))
    }

    fn push(&mut self, entry: &Entry, entry_at: u64, sample_at: u64) {
        self.shingles.push(entry.shingles);
        self.weight_classes.push(WeightClass::of(entry.shingles));
        self.sampled.push(entry.sampled);
        self.levels.push(entry.level);
        self.minima.push(entry.minima);
        if let Some(key_parts) = entry.key_parts {
            // Ready-made features before it have none.
            self.key_parts.resize(self.len() - 1, [0; KEYS]);
            self.key_parts.push(key_parts);
        }
        self.created_at.push(entry.created_at.unwrap_or(i64::MAX));
        self.identical.push(entry.identical);
        self.entry_at.push(entry_at);
        self.sample_at.push(sample_at);
        self.text_bytes.push(entry.text_bytes);
    }

    pub fn len(&self) -> usize {
        self.shingles.len()
    }

    /// Who of a group was first: the earliest date, else the first of the input.
    pub fn age(&self, number: u32) -> (i64, u32) {
        (self.created_at[number as usize], number)
    }

    fn piece_of(&self, number: u32) -> usize {
        self.piece_starts.partition_point(|&start| start <= number) - 1
    }
}

/// The files of all pieces, to be read at places.
#[derive(Debug)]
pub(crate) struct Archive {
    documents: Vec<Places>,
    samples: Vec<Places>,
    paths: Vec<PieceFiles>,
}

impl Archive {
    pub fn open(pieces: &[PieceFiles]) -> Result<Self> {
        Ok(Archive {
            documents: pieces.iter().map(|piece| Places::open(&piece.documents)).collect::<Result<_>>()?,
            samples: pieces.iter().map(|piece| Places::open(&piece.samples)).collect::<Result<_>>()?,
            paths: pieces.to_vec(),
        })
    }

    /// The same, if the samples are as long as the documents say.
    pub fn of(table: &Table, pieces: &[PieceFiles]) -> Result<Self> {
        let archive = Self::open(pieces)?;
        let mut samples = archive.samples.iter().zip(&table.piece_samples);
        match samples.position(|(samples, &size)| samples.size != size) {
            Some(piece) => Err(ClusterError::damaged(&pieces[piece].samples)),
            None => Ok(archive),
        }
    }

    /// The sample of a document, as bytes.
    pub fn sample(&self, table: &Table, number: u32, buffer: &mut Vec<u8>) -> Result<()> {
        let length = 4 * table.sampled[number as usize] as usize;
        self.samples[table.piece_of(number)].read(table.sample_at[number as usize], length, buffer)
    }

    /// Reads the profile of a document with words; empty if its text is too short for one.
    pub fn profile(&self, table: &Table, number: u32, buffer: &mut Vec<u8>) -> Result<()> {
        let length = profile_bytes(4 * table.sampled[number as usize] as usize);
        if length == 0 {
            buffer.clear();
            return Ok(());
        }
        self.samples[table.piece_of(number)].read(table.sample_at[number as usize], length, buffer)
    }

    /// What is known of a document, with its names.
    pub fn entry(&self, table: &Table, number: u32) -> Result<Entry> {
        self.entry_at(table.piece_of(number), table.entry_at[number as usize])
    }

    /// Where the entry of a document is: the piece, and the place in it.
    pub fn place_of(table: &Table, number: u32) -> (u32, u64) {
        (table.piece_of(number) as u32, table.entry_at[number as usize])
    }

    pub fn entry_at(&self, piece: usize, at: u64) -> Result<Entry> {
        let (places, path) = match (self.documents.get(piece), self.paths.get(piece)) {
            (Some(places), Some(files)) => (places, &files.documents),
            _ => return Err(ClusterError::damaged(std::path::Path::new("lookup/places"))),
        };
        let mut buffer = Vec::new();
        // Most names are shorter; a longer one is read again.
        let mut length = 512.min(places.size.saturating_sub(at)) as usize;
        loop {
            places.read(at, length, &mut buffer)?;
            match take_document(&mut buffer.as_slice(), path) {
                Ok(Some(entry)) => return Ok(entry),
                Err(ClusterError::Io { source, .. })
                    if source.kind() == std::io::ErrorKind::UnexpectedEof
                        && at + (length as u64) < places.size =>
                {
                    length = (16 * length).min((places.size - at) as usize);
                }
                Err(error) => return Err(error),
                Ok(None) => return Err(ClusterError::damaged(path)),
            }
        }
    }
}
