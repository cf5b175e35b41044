//! Phase 4, its file: pairs that were compared, with what they have in common. Kept, so that another threshold compares
//! only what was not compared yet.

use crate::error::{ClusterError, Result};
use crate::files::{self, Draft, take_exact};
use crate::settings::Shared;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A pair that was compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub a: u32,
    pub b: u32,
    pub shared: Shared,
}

pub(crate) fn put(draft: &mut Draft, edge: &Edge) -> Result<()> {
    let Shared { a, b, common } = edge.shared;
    for word in [edge.a, edge.b, a, b, common] {
        draft.write(&word.to_le_bytes())?;
    }
    Ok(())
}

/// Reads edges in the order of their documents.
#[derive(Debug)]
pub(crate) struct EdgeReader {
    file: Option<BufReader<File>>,
    path: PathBuf,
}

impl EdgeReader {
    /// Opens a file; if there is none, there are no edges.
    pub fn open(path: &Path) -> Result<Self> {
        let file = if path.exists() { Some(files::open(path)?) } else { None };
        Ok(EdgeReader { file, path: path.to_owned() })
    }

    pub fn next(&mut self) -> Result<Option<Edge>> {
        let Some(file) = &mut self.file else { return Ok(None) };
        let mut bytes = [0; 20];
        if !take_exact(file, &mut bytes).map_err(ClusterError::io(&self.path))? {
            return Ok(None);
        }
        let word = |place: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&bytes[4 * place..4 * place + 4]);
            u32::from_le_bytes(word)
        };
        let shared = Shared { a: word(2), b: word(3), common: word(4) };
        if shared.common > shared.a.min(shared.b) {
            return Err(ClusterError::damaged(&self.path));
        }
        Ok(Some(Edge { a: word(0), b: word(1), shared }))
    }
}
