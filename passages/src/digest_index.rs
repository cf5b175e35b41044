//! The digests of documents that somebody else keeps: parts in a folder, and the latest ones in memory. It follows a store
//! by positions: what is in the folder stands at a position, and after a crash all behind that comes again.

use crate::error::{PassageError, Result};
use crate::files::{read_manifest, write_manifest};
use crate::part::{Digests, Part};
use crate::parts::PartList;
use crate::suffixes::{END, symbol};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MANIFEST: &str = "digests.json";
/// The version of its format (docs/formats.md).
const FORMAT: u32 = 1;
/// Segments in memory from which on they are written to the folder: about ten megabytes.
const SEALED_FROM: usize = 1 << 20;

/// What counts in the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    position: u64,
    parts: PartList,
}

/// Digests, to be searched by a [`Finder`](crate::Finder). One process writes to a folder; others may read beside it.
#[derive(Debug)]
pub struct DigestIndex {
    folder: PathBuf,
    manifest: Manifest,
    /// What came since the last commit.
    pending: Digests,
    /// What is committed and not sealed, the larger ones first.
    fresh: Vec<Digests>,
    /// Sealed and fresh ones.
    parts: Vec<Arc<Part>>,
    position: u64,
    is_read_only: bool,
}

impl DigestIndex {
    /// Opens the digests of a folder, or makes empty ones. What cannot be read is an error: whoever owns the documents
    /// decides to remove the folder and begin again.
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(PassageError::io(folder))?;
        let manifest = match read_manifest(&folder.join(MANIFEST)) {
            Err(PassageError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                let manifest = Manifest { format: FORMAT, ..Manifest::default() };
                write_manifest(&folder.join(MANIFEST), &manifest)?;
                manifest
            }
            manifest => manifest?,
        };
        Self::of_manifest(folder, manifest, false)
    }

    /// Opens the digests of a folder as they are now, while another process may be writing there. Documents can be added,
    /// and are found, but stay in memory.
    pub fn open_to_read(folder: &Path) -> Result<Self> {
        match Self::of_manifest(folder, read_manifest(&folder.join(MANIFEST))?, true) {
            // Parts were merged away in between.
            Err(PassageError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                Self::of_manifest(folder, read_manifest(&folder.join(MANIFEST))?, true)
            }
            opened => opened,
        }
    }

    fn of_manifest(folder: &Path, manifest: Manifest, is_read_only: bool) -> Result<Self> {
        if manifest.format != FORMAT {
            return Err(PassageError::damaged(
                &folder.join(MANIFEST),
                "has a format this program does not read",
            ));
        }
        let parts = manifest.parts.open(folder)?;
        Ok(DigestIndex {
            folder: folder.to_owned(),
            position: manifest.position,
            manifest,
            pending: Digests::default(),
            fresh: Vec::new(),
            parts,
            is_read_only,
        })
    }

    /// Adds a document's fingerprints under a number of the owner's. One that is there already is found twice.
    pub fn insert(&mut self, owner: u64, fingerprints: &[u32]) {
        self.pending.push(fingerprints, owner);
    }

    /// Everything up to a position was inserted: from now on it is found.
    pub fn commit(&mut self, position: u64) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if pending.documents() > 0 {
            self.keep(pending);
        }
        self.position = position;
        let unsealed: usize = self.fresh.iter().map(Digests::segments).sum();
        if unsealed >= SEALED_FROM { self.flush() } else { Ok(()) }
    }

    /// Puts digests behind the fresh ones: each is larger than all behind it, so that every document is sorted rarely.
    fn keep(&mut self, mut digests: Digests) {
        while let Some(last) = self.fresh.pop_if(|last| last.segments() <= 2 * digests.segments()) {
            self.parts.pop();
            digests = last.followed_by(digests);
        }
        self.parts.push(Arc::new(digests.part_in_memory()));
        self.fresh.push(digests);
    }

    /// Writes everything to the folder.
    pub fn flush(&mut self) -> Result<()> {
        if self.is_read_only || (self.fresh.is_empty() && self.position == self.manifest.position) {
            return Ok(());
        }
        let mut manifest = Manifest { position: self.position, ..self.manifest.clone() };
        let all = std::mem::take(&mut self.fresh).into_iter().reduce(Digests::followed_by);
        if let Some(all) = all {
            manifest.parts.seal(&self.folder, &all)?;
        }
        let replaced = manifest.parts.merge(&self.folder)?;
        write_manifest(&self.folder.join(MANIFEST), &manifest)?;
        replaced.iter().for_each(|part| part.remove(&self.folder));
        self.parts = manifest.parts.open(&self.folder)?;
        self.manifest = manifest;
        Ok(())
    }

    /// What it stands at.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// What it would stand at after a crash.
    pub fn durable_position(&self) -> u64 {
        self.manifest.position
    }

    /// Whether a document's fingerprints are found under its number.
    pub fn holds(&self, owner: u64, fingerprints: &[u32]) -> bool {
        let Some(&first) = fingerprints.first() else { return true };
        let is_there = |part: &Part, place: usize| {
            let symbols = fingerprints.iter().map(|&fingerprint| symbol(fingerprint)).chain([END]);
            part.owner(part.document(place)) == owner
                && symbols.enumerate().all(|(behind, symbol)| part.symbol(place + behind) == symbol)
        };
        let in_part =
            |part: &Part| part.ranks_of(symbol(first)).any(|rank| is_there(part, part.suffix(rank)));
        self.parts.iter().any(|part| in_part(part))
    }

    /// All parts, to be searched.
    pub fn parts(&self) -> &[Arc<Part>] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(index: &DigestIndex, symbol: u32) -> Vec<u64> {
        let mut owners: Vec<u64> = index
            .parts()
            .iter()
            .flat_map(|part| part.ranks_of(symbol).map(|rank| part.owner(part.document(part.suffix(rank)))))
            .collect();
        owners.sort_unstable();
        owners
    }

    #[test]
    fn committed_is_found_and_flushed_outlives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("digests");
        assert!(DigestIndex::open_to_read(&path).is_err());
        let mut index = DigestIndex::open(&path).unwrap();
        for number in 0..300u64 {
            index.insert(number, &[number as u32 + 1, 7_000_000]);
            index.commit(number + 1).unwrap();
            assert_eq!(found(&index, number as u32 + 1), [number]);
            if number == 100 || number == 250 {
                index.flush().unwrap();
            }
        }
        assert!(index.parts().len() < 12, "{}", index.parts().len());
        assert_eq!(
            (found(&index, 7_000_000).len(), index.position(), index.durable_position()),
            (300, 300, 251)
        );
        drop(index);
        let mut index = DigestIndex::open_to_read(&path).unwrap();
        assert_eq!((found(&index, 7_000_000).len(), index.position()), (251, 251));
        index.insert(900, &[7_000_000]);
        index.commit(252).unwrap();
        index.flush().unwrap();
        assert_eq!((found(&index, 7_000_000).len(), index.durable_position()), (252, 251));
    }
}
