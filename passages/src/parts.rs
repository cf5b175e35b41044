//! The parts of a folder, in the order of their documents: sealed one behind the other, merged so that there are few.

use crate::error::{PassageError, Result};
use crate::files::write_whole;
use crate::merge::merge;
use crate::part::{Digests, Part};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// A part is merged with what comes behind it unless it is more than so many times as large.
const GROWTH: u64 = 2;

/// Which parts count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartList {
    parts: Vec<NamedPart>,
    /// How many files had a name before.
    named: u64,
}

/// A part and its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedPart {
    file: String,
    first_document: u32,
    documents: u64,
    segments: u64,
}

impl PartList {
    /// Opens all of them.
    pub fn open(&self, folder: &Path) -> Result<Vec<Arc<Part>>> {
        self.parts.iter().map(|part| part.open(folder).map(Arc::new)).collect()
    }

    /// The bytes of all of them on the disk.
    pub fn bytes(&self, folder: &Path) -> Result<u64> {
        let size = |part: &NamedPart| {
            let path = folder.join(&part.file);
            std::fs::metadata(&path).map(|file| file.len()).map_err(PassageError::io(&path))
        };
        self.parts.iter().map(size).sum()
    }

    /// The number of the first document of a part.
    pub fn first_document(&self, part: usize) -> u32 {
        self.parts[part].first_document
    }

    /// Sorts digests into a part behind the others.
    pub fn seal(&mut self, folder: &Path, digests: &Digests) -> Result<()> {
        let file = self.next_file();
        write_whole(&folder.join(&file), |to| digests.write(to))?;
        let first_document = self.parts.last().map_or(0, |last| last.first_document + last.documents as u32);
        let (documents, segments) = (digests.documents() as u64, digests.segments() as u64);
        self.parts.push(NamedPart { file, first_document, documents, segments });
        Ok(())
    }

    /// Merges the last parts until each is larger than all behind it together; returns those that are merged away. Their
    /// files may go once nobody counts on them.
    pub fn merge(&mut self, folder: &Path) -> Result<Vec<NamedPart>> {
        let first = self.first_to_merge();
        if first + 1 >= self.parts.len() {
            return Ok(Vec::new());
        }
        let replaced = self.parts.split_off(first);
        let parts = replaced.iter().map(|part| part.open(folder)).collect::<Result<Vec<_>>>()?;
        let file = self.next_file();
        write_whole(&folder.join(&file), |to| merge(&parts.iter().collect::<Vec<_>>(), to))?;
        parts.iter().try_for_each(Part::sound)?;
        self.parts.push(NamedPart {
            file,
            first_document: replaced[0].first_document,
            documents: replaced.iter().map(|part| part.documents).sum(),
            segments: replaced.iter().map(|part| part.segments).sum(),
        });
        Ok(replaced)
    }

    /// The first part that is not much larger than all behind it; more symbols than numbers are never merged.
    fn first_to_merge(&self) -> usize {
        let (mut first, mut behind) = (self.parts.len(), 0);
        for (at, part) in self.parts.iter().enumerate().rev() {
            let symbols = behind + part.segments + part.documents;
            if symbols > u64::from(u32::MAX) || (behind > 0 && part.segments > GROWTH * behind) {
                break;
            }
            (first, behind) = (at, symbols);
        }
        first
    }

    fn next_file(&mut self) -> String {
        self.named += 1;
        format!("part-{:06}", self.named)
    }
}

impl NamedPart {
    fn open(&self, folder: &Path) -> Result<Part> {
        let path = folder.join(&self.file);
        let part = Part::open(&path)?;
        if (part.documents(), part.segments()) != (self.documents, self.segments) {
            return Err(PassageError::damaged(&path, "is not the part that belongs here"));
        }
        Ok(part)
    }

    /// Removes its file. Left behind it takes room, and nothing else.
    pub fn remove(&self, folder: &Path) {
        let _ = std::fs::remove_file(folder.join(&self.file));
    }
}
