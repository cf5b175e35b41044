//! What users get: `members.jsonl` in input order, `clusters.jsonl` with the largest first, and the mappings that
//! [`crate::Lookup`] reads.

use crate::bytes::{as_bytes_u32, as_bytes_u64};
use crate::equal::Equal;
use crate::error::{ClusterError, Result};
use crate::files::{self, Draft};
use crate::lookup;
use crate::members::MemberTable;
use crate::piece::{PieceFiles, take_document};
use crate::settings::OutputFormat;
use crate::table::{Archive, Table};
use crate::watch::Watch;
use firstcopy_text::likeness::CopyRelation;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The clusters, as numbers.
#[derive(Debug)]
pub(crate) struct Clusters {
    /// The original of every document.
    pub original: Vec<u32>,
    /// Resemblance or likeness to that document.
    pub resemblance: Vec<f32>,
    /// The relation to that document; empty unless documents are compared by their words.
    pub relation: Vec<CopyRelation>,
    /// The cluster of every document: those of two documents or more come first, the largest of them first.
    pub cluster: Vec<u32>,
    /// Where the members of every cluster begin, and after the last one where they end.
    pub starts: Vec<u64>,
    /// The members of all clusters, one after the other; the original first, the others in the order of age.
    pub members: Vec<u32>,
}

impl Clusters {
    pub fn new(table: &Table, original: Vec<u32>, has_relations: bool) -> Self {
        let mut members: Vec<u32> = (0..original.len() as u32).collect();
        let mut sizes = vec![0u32; original.len()];
        original.iter().for_each(|&original| sizes[original as usize] += 1);
        members.sort_by_key(|&number| {
            let of = original[number as usize];
            (std::cmp::Reverse(sizes[of as usize]), of, table.age(number))
        });
        let (mut cluster, mut starts) = (vec![0; original.len()], vec![0]);
        for same in members.chunk_by(|&a, &b| original[a as usize] == original[b as usize]) {
            let number = starts.len() as u32 - 1;
            same.iter().for_each(|&member| cluster[member as usize] = number);
            starts.push(starts.last().copied().unwrap_or(0) + same.len() as u64);
        }
        let relation = vec![CopyRelation::None; if has_relations { original.len() } else { 0 }];
        Clusters { resemblance: vec![1.0; original.len()], relation, original, cluster, starts, members }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn members_of(&self, cluster: usize) -> &[u32] {
        &self.members[self.starts[cluster] as usize..self.starts[cluster + 1] as usize]
    }

    /// How many clusters have two documents or more.
    pub fn together(&self) -> usize {
        (0..self.len()).take_while(|&cluster| self.members_of(cluster).len() > 1).count()
    }

    fn size_of(&self, number: u32) -> usize {
        self.members_of(self.cluster[number as usize] as usize).len()
    }

    /// The lowest resemblance, or likeness, of a member to its original.
    pub fn min_resemblance(&self, cluster: usize) -> f64 {
        let members = self.members_of(cluster).iter();
        members.map(|&member| rounded(self.resemblance[member as usize])).fold(1.0, f64::min)
    }

    /// The lowest likeness of a member to its original; nothing if documents are not compared by their words.
    fn min_likeness(&self, cluster: usize) -> Option<f64> {
        self.has_relations().then(|| self.min_resemblance(cluster))
    }

    pub fn has_relations(&self) -> bool {
        !self.relation.is_empty()
    }

    pub fn is_identical(&self, table: &Table, cluster: usize) -> bool {
        let members = self.members_of(cluster);
        members.iter().all(|&member| table.identical[member as usize] == table.identical[members[0] as usize])
    }
}

/// Resemblances are kept in single precision: what is beyond it is not printed.
fn rounded(resemblance: f32) -> f64 {
    (f64::from(resemblance) * 1e6).round() / 1e6
}

/// What is said of a document.
#[derive(Serialize)]
pub(crate) struct Member<'a> {
    pub id: &'a str,
    pub url: Option<&'a str>,
    pub cluster: u32,
    pub cluster_size: usize,
    pub original: &'a str,
    pub is_duplicate: bool,
    pub resemblance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<CopyRelation>,
}

#[derive(Serialize)]
struct Cluster<'a> {
    cluster: usize,
    size: usize,
    original: &'a str,
    identical_only: bool,
    min_resemblance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_likeness: Option<f64>,
    members: &'a [String],
}

/// Writes one line, or row, for every document, in input order. Returns the file.
pub(crate) fn write_members(
    folder: &Path,
    format: OutputFormat,
    clusters: &Clusters,
    (table, archive): (&Table, &Archive),
    pieces: &[PieceFiles],
    watch: &dyn Watch,
) -> Result<PathBuf> {
    let path = folder.join(format.members());
    let mut sink = Sink::create(&path, format, clusters.has_relations())?;
    let mut number = 0u32;
    for piece in pieces {
        let mut file = files::open(&piece.documents)?;
        while let Some(entry) = take_document(&mut file, &piece.documents)? {
            let original = clusters.original[number as usize];
            let other = if original == number { None } else { Some(archive.entry(table, original)?.id) };
            let resemblance = rounded(clusters.resemblance[number as usize]);
            let relation = clusters.relation.get(number as usize).copied();
            let member = Member {
                id: &entry.id,
                url: entry.url.as_deref(),
                cluster: clusters.cluster[number as usize],
                cluster_size: clusters.size_of(number),
                original: other.as_ref().unwrap_or(&entry.id),
                is_duplicate: original != number,
                resemblance,
                likeness: relation.map(|_| resemblance),
                relation,
            };
            sink.put(&member)?;
            number += 1;
        }
        watch.done(1);
        if watch.is_stopped() {
            return Err(ClusterError::Stopped);
        }
    }
    sink.finish()?;
    // Members of an earlier run in the other format say something else.
    files::remove(&folder.join(format.other().members()))?;
    Ok(path)
}

/// Where members go.
enum Sink {
    Jsonl(Draft, PathBuf),
    Parquet(Box<MemberTable>),
}

impl Sink {
    fn create(path: &Path, format: OutputFormat, has_relations: bool) -> Result<Self> {
        let draft = Draft::create(path)?;
        Ok(match format {
            OutputFormat::Jsonl => Sink::Jsonl(draft, path.to_owned()),
            OutputFormat::Parquet => Sink::Parquet(Box::new(MemberTable::begin(draft, path, has_relations)?)),
        })
    }

    fn put(&mut self, member: &Member<'_>) -> Result<()> {
        match self {
            Sink::Jsonl(draft, path) => put_line(draft, path, member),
            Sink::Parquet(table) => table.put(member),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Sink::Jsonl(draft, _) => draft.finish(),
            Sink::Parquet(table) => table.finish()?.finish(),
        }
    }
}

/// Writes one line for every cluster of two documents or more, the largest first.
pub(crate) fn write_clusters(
    path: &Path,
    clusters: &Clusters,
    table: &Table,
    archive: &Archive,
) -> Result<()> {
    let mut draft = Draft::create(path)?;
    for cluster in 0..clusters.together() {
        let id = |&member: &u32| Ok(archive.entry(table, member)?.id);
        let members: Vec<String> = clusters.members_of(cluster).iter().map(id).collect::<Result<_>>()?;
        let line = Cluster {
            cluster,
            size: members.len(),
            original: &members[0],
            identical_only: clusters.is_identical(table, cluster),
            min_resemblance: clusters.min_resemblance(cluster),
            min_likeness: clusters.min_likeness(cluster),
            members: &members,
        };
        put_line(&mut draft, path, &line)?;
    }
    draft.finish()
}

fn put_line(draft: &mut Draft, path: &Path, line: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec(line).map_err(|error| ClusterError::io(path)(error.into()))?;
    bytes.push(b'\n');
    draft.write(&bytes)
}

/// Writes the four mappings: name to number, number to place, number to cluster, cluster to numbers.
pub(crate) fn write_mappings(
    folder: &Path,
    clusters: &Clusters,
    table: &Table,
    pieces: &[PieceFiles],
) -> Result<()> {
    files::make_folder(folder)?;
    let mut names: Vec<(u64, u32)> = Vec::new();
    let mut number = 0;
    for piece in pieces {
        let mut file = files::open(&piece.documents)?;
        while let Some(entry) = take_document(&mut file, &piece.documents)? {
            names.push((lookup::fingerprint(&entry.id), number));
            names.extend(
                entry.url.filter(|url| *url != entry.id).map(|url| (lookup::fingerprint(&url), number)),
            );
            number += 1;
        }
    }
    names.sort_unstable();
    let mut draft = Draft::create(&folder.join(lookup::NAMES))?;
    for (fingerprint, number) in names {
        draft.write(&fingerprint.to_le_bytes())?;
        draft.write(&number.to_le_bytes())?;
    }
    draft.finish()?;
    let mut places = Draft::create(&folder.join(lookup::PLACES))?;
    for number in 0..table.len() as u32 {
        let (piece, at) = Archive::place_of(table, number);
        places.write(&piece.to_le_bytes())?;
        places.write(&at.to_le_bytes())?;
    }
    places.finish()?;
    files::write(&folder.join(lookup::CLUSTER_OF), &as_bytes_u32(clusters.cluster.iter().copied()))?;
    files::write(&folder.join(lookup::MEMBERS), &as_bytes_u32(clusters.members.iter().copied()))?;
    files::write(&folder.join(lookup::STARTS), &as_bytes_u64(&clusters.starts))
}

/// How many documents stand behind an earlier one with the same words, and how many only with the same shingles.
pub(crate) fn count_equal(equal: &Equal) -> (u64, u64) {
    let behind = equal.representative.iter().enumerate().filter(|&(number, &of)| of as usize != number);
    (behind.count() as u64, equal.same_set.len() as u64)
}
