//! The digests of documents that somebody else keeps: parts in a folder, and the latest ones in memory. It follows a store
//! by positions: what is in the folder stands at a position, and after a crash all behind that comes again. One process
//! writes them; who asks has opened them to read, and sorts for himself what is not in the folder yet.

use crate::error::{PassageError, Result};
use crate::files::{read_manifest, write_manifest};
use crate::part::{Digests, Part, Segment};
use crate::parts::PartList;
use crate::suffixes::END;
use firstcopy_text::Digest;
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

/// Digests, to be searched by a [`Finder`](crate::Finder).
#[derive(Debug)]
pub struct DigestIndex {
    folder: PathBuf,
    manifest: Manifest,
    /// What is neither in the folder nor in memory to be searched.
    pending: Digests,
    /// What was opened to read has in memory, the larger ones first.
    fresh: Vec<Digests>,
    /// What is searched: those of the folder, and the fresh ones.
    parts: Vec<Arc<Part>>,
    position: u64,
    is_read_only: bool,
}

impl DigestIndex {
    /// Opens the digests of a folder to add to them, or makes empty ones. What is added is found by those who open them to
    /// read. What cannot be read is an error: whoever owns the documents decides to remove the folder and begin again.
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
    /// and are found once they are committed, but stay in memory.
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

    /// Adds a document's digest under a number of the owner's. One that is there already is found twice.
    pub fn insert(&mut self, owner: u64, digest: &Digest) {
        self.pending.push(digest, owner);
    }

    /// Everything up to a position was inserted.
    pub fn commit(&mut self, position: u64) -> Result<()> {
        self.position = position;
        if self.is_read_only {
            self.make_searchable();
        } else if self.pending.segments() >= SEALED_FROM {
            self.flush()?;
        }
        Ok(())
    }

    /// Puts what is pending behind the fresh ones: each is larger than all behind it, so that every document is sorted
    /// rarely.
    fn make_searchable(&mut self) {
        let mut digests = std::mem::take(&mut self.pending);
        if digests.documents() == 0 {
            return;
        }
        while let Some(last) = self.fresh.pop_if(|last| last.segments() <= 2 * digests.segments()) {
            self.parts.pop();
            digests = last.followed_by(digests);
        }
        self.parts.push(Arc::new(digests.part_in_memory()));
        self.fresh.push(digests);
    }

    /// Writes everything to the folder.
    pub fn flush(&mut self) -> Result<()> {
        let is_written = self.pending.documents() == 0 && self.position == self.manifest.position;
        if self.is_read_only || is_written {
            return Ok(());
        }
        let mut manifest = Manifest { position: self.position, ..self.manifest.clone() };
        if self.pending.documents() > 0 {
            manifest.parts.seal(&self.folder, &self.pending)?;
        }
        let replaced = manifest.parts.merge(&self.folder)?;
        write_manifest(&self.folder.join(MANIFEST), &manifest)?;
        replaced.iter().for_each(|part| part.remove(&self.folder));
        self.manifest = manifest;
        self.pending = Digests::default();
        self.parts = self.manifest.parts.open(&self.folder)?;
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

    /// Whether a document's digest is found under its number.
    pub fn holds(&self, owner: u64, digest: &Digest) -> bool {
        let Some(first) = Segment::all(digest).next() else { return true };
        let is_there = |part: &Part, place: usize| {
            let symbols = Segment::all(digest).map(|segment| segment.symbol).chain([END]);
            part.owner(part.document(place)) == owner
                && symbols.enumerate().all(|(behind, symbol)| part.symbol(place + behind) == symbol)
        };
        let in_part =
            |part: &Part| part.ranks_of(&[first]).remove(0).any(|rank| is_there(part, part.suffix(rank)));
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
    use crate::part::tests::{digest, ranks};

    fn found(index: &DigestIndex, fingerprint: u32) -> Vec<u64> {
        let mut owners: Vec<u64> = index
            .parts()
            .iter()
            .flat_map(|part| {
                ranks(part, fingerprint).map(|rank| part.owner(part.document(part.suffix(rank))))
            })
            .collect();
        owners.sort_unstable();
        owners
    }

    #[test]
    fn committed_is_found_and_flushed_outlives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("digests");
        assert!(DigestIndex::open_to_read(&path).is_err());
        let mut written = DigestIndex::open(&path).unwrap();
        let mut read = DigestIndex::open_to_read(&path).unwrap();
        for number in 0..300u64 {
            for index in [&mut written, &mut read] {
                index.insert(number, &digest(&[number as u32 + 1, 7_000_000]));
                index.commit(number + 1).unwrap();
            }
            assert_eq!(found(&read, number as u32 + 1), [number]);
            if number == 100 || number == 250 {
                written.flush().unwrap();
            }
        }
        assert!(read.parts().len() < 12, "{}", read.parts().len());
        assert_eq!(found(&read, 7_000_000).len(), 300);
        read.flush().unwrap();
        assert_eq!((read.position(), read.durable_position()), (300, 0));
        assert_eq!((written.position(), written.durable_position()), (300, 251));
        drop((written, read));
        let mut index = DigestIndex::open_to_read(&path).unwrap();
        assert_eq!((found(&index, 7_000_000).len(), index.position()), (251, 251));
        index.insert(900, &digest(&[7_000_000]));
        index.commit(252).unwrap();
        assert_eq!((found(&index, 7_000_000).len(), index.durable_position()), (252, 251));
    }

    #[test]
    fn many_are_sealed_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("digests");
        let mut index = DigestIndex::open(&path).unwrap();
        let long = |first: u32| {
            let own = (0..SEALED_FROM as u32).map(|number| first + number);
            digest(&own.chain([5]).collect::<Vec<_>>())
        };
        index.insert(1, &long(10));
        assert_eq!(index.durable_position(), 0);
        index.commit(1).unwrap();
        assert_eq!(index.durable_position(), 1);
        // Even where the position stays, as in the middle of following a store anew.
        index.insert(2, &long(10_000_000));
        index.commit(1).unwrap();
        assert_eq!(found(&DigestIndex::open_to_read(&path).unwrap(), 5), [1, 2]);
    }
}
