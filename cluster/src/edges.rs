//! Phase 4, its file: pairs that were compared, with what they have in common. Kept, so that another threshold compares
//! only what was not compared yet. A collection holds edges of one kind: by shingles or by words.

use crate::error::{ClusterError, Result};
use crate::files::{self, Draft, take_exact};
use crate::settings::Shared;
use crate::words::{Comparison, WordOverlap};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A pair that was compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub a: u32,
    pub b: u32,
    pub comparison: Comparison,
}

pub(crate) fn put(draft: &mut Draft, edge: &Edge) -> Result<()> {
    for word in [edge.a, edge.b] {
        draft.write(&word.to_le_bytes())?;
    }
    match edge.comparison {
        Comparison::Shingles(Shared { a, b, common }) => {
            [a, b, common].iter().try_for_each(|word| draft.write(&word.to_le_bytes()))
        }
        Comparison::Words(overlap) => draft.write(&overlap.to_bytes()),
    }
}

/// Reads edges in the order of their documents.
#[derive(Debug)]
pub(crate) struct EdgeReader {
    file: Option<BufReader<File>>,
    path: PathBuf,
    compares_words: bool,
}

impl EdgeReader {
    /// Opens a file; if there is none, there are no edges.
    pub fn open(path: &Path, compares_words: bool) -> Result<Self> {
        let file = if path.exists() { Some(files::open(path)?) } else { None };
        Ok(EdgeReader { file, path: path.to_owned(), compares_words })
    }

    pub fn next(&mut self) -> Result<Option<Edge>> {
        let Some(file) = &mut self.file else { return Ok(None) };
        let wrong = ClusterError::io(&self.path);
        let mut bytes = [0; 8 + WordOverlap::BYTES];
        let length = if self.compares_words { bytes.len() } else { 20 };
        if !take_exact(file, &mut bytes[..length]).map_err(wrong)? {
            return Ok(None);
        }
        let word = |place: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&bytes[4 * place..4 * place + 4]);
            u32::from_le_bytes(word)
        };
        let (a, b) = (word(0), word(1));
        if self.compares_words {
            let overlap = bytes.last_chunk().and_then(WordOverlap::from_bytes);
            let overlap = overlap.ok_or_else(|| ClusterError::damaged(&self.path))?;
            return Ok(Some(Edge { a, b, comparison: Comparison::Words(overlap) }));
        }
        let shared = Shared { a: word(2), b: word(3), common: word(4) };
        if shared.common > shared.a.min(shared.b) {
            return Err(ClusterError::damaged(&self.path));
        }
        Ok(Some(Edge { a, b, comparison: Comparison::Shingles(shared) }))
    }
}
