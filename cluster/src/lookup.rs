//! Which cluster is this document in, and who else? Answered from the files alone, reading a few places of them.

use crate::bytes::to_u32s;
use crate::error::{ClusterError, Result};
use crate::files::Places;
use crate::piece::PieceFiles;
use crate::table::Archive;
use serde::Serialize;
use std::path::Path;

/// Fingerprints of ids and urls, ascending, each with the number of its document.
pub(crate) const NAMES: &str = "names";
/// Where the entry of every document is.
pub(crate) const PLACES: &str = "places";
/// The cluster of every document.
pub(crate) const CLUSTER_OF: &str = "cluster-of";
/// The documents of every cluster.
pub(crate) const MEMBERS: &str = "members";
/// Where the documents of every cluster begin.
pub(crate) const STARTS: &str = "starts";

/// FNV-1a: the same on every machine, and good enough for names that are compared afterwards.
pub(crate) fn fingerprint(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The mappings of a clustered collection.
#[derive(Debug)]
pub struct Lookup {
    names: Places,
    places: Places,
    cluster_of: Places,
    members: Places,
    starts: Places,
    archive: Archive,
}

/// A document and its cluster.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its url.
    pub url: Option<String>,
    /// Its cluster.
    pub cluster: u32,
    /// How many documents that has.
    pub cluster_size: u64,
    /// The original of the cluster.
    pub original: String,
    /// The documents of the cluster, the original first, then the others in the order of age.
    pub members: Vec<Name>,
}

/// How a document is called.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Name {
    /// Its id.
    pub id: String,
    /// Its url.
    pub url: Option<String>,
}

impl Lookup {
    pub(crate) fn open(folder: &Path, pieces: &[PieceFiles]) -> Result<Self> {
        let places = |name: &str| Places::open(&folder.join(name));
        Ok(Lookup {
            names: places(NAMES)?,
            places: places(PLACES)?,
            cluster_of: places(CLUSTER_OF)?,
            members: places(MEMBERS)?,
            starts: places(STARTS)?,
            archive: Archive::open(pieces)?,
        })
    }

    /// All clusters.
    pub(crate) fn clusters(&self) -> Result<Vec<Vec<u32>>> {
        let count = self.starts.size / 8 - 1;
        let cluster = |cluster: u64| {
            let (start, end) = (self.start(cluster as u32)?, self.start(cluster as u32 + 1)?);
            let (mut bytes, mut members) = (Vec::new(), Vec::new());
            self.members.read(4 * start, 4 * (end - start) as usize, &mut bytes)?;
            to_u32s(&bytes, &mut members);
            Ok(members)
        };
        (0..count).map(cluster).collect()
    }

    /// The documents with this id or url, each with its cluster.
    pub fn find(&self, name: &str) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        for number in self.numbers(fingerprint(name))? {
            let Name { id, url } = self.name(number)?;
            if id == name || url.as_deref() == Some(name) {
                found.push(self.cluster(number, id, url)?);
            }
        }
        Ok(found)
    }

    fn cluster(&self, number: u32, id: String, url: Option<String>) -> Result<Found> {
        let cluster = word(&self.cluster_of, u64::from(number))?;
        let (start, end) = (self.start(cluster)?, self.start(cluster + 1)?);
        let members = (start..end).map(|at| self.name(word(&self.members, at)?));
        let members: Vec<Name> = members.collect::<Result<_>>()?;
        let original = members.first().map(|name| name.id.clone()).unwrap_or_default();
        Ok(Found { id, url, cluster, cluster_size: end - start, original, members })
    }

    fn start(&self, cluster: u32) -> Result<u64> {
        let mut bytes = Vec::new();
        self.starts.read(8 * u64::from(cluster), 8, &mut bytes)?;
        Ok(number_of(&bytes))
    }

    fn name(&self, number: u32) -> Result<Name> {
        let mut bytes = Vec::new();
        self.places.read(12 * u64::from(number), 12, &mut bytes)?;
        let entry = self.archive.entry_at(number_of(&bytes[..4]) as usize, number_of(&bytes[4..]))?;
        Ok(Name { id: entry.id, url: entry.url })
    }

    /// The documents whose names have this fingerprint.
    fn numbers(&self, fingerprint: u64) -> Result<Vec<u32>> {
        let count = self.names.size / 12;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.name_at(middle)?.0 < fingerprint {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut numbers = Vec::new();
        while low < count
            && let (found, number) = self.name_at(low)?
            && found == fingerprint
        {
            numbers.push(number);
            low += 1;
        }
        Ok(numbers)
    }

    fn name_at(&self, place: u64) -> Result<(u64, u32)> {
        let mut bytes = Vec::new();
        self.names.read(12 * place, 12, &mut bytes)?;
        Ok((number_of(&bytes[..8]), number_of(&bytes[8..]) as u32))
    }
}

fn word(places: &Places, at: u64) -> Result<u32> {
    let mut bytes = Vec::new();
    places.read(4 * at, 4, &mut bytes)?;
    Ok(number_of(&bytes) as u32)
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Whoever asks for a folder that nothing was clustered into is told so.
pub(crate) fn not_clustered(path: &Path) -> ClusterError {
    let reason = "holds no clusters: make them with `firstcopy cluster INPUT… -o OUT`".to_owned();
    ClusterError::Damaged { path: path.to_owned(), reason }
}
