//! The phases after the sketches, each from the files of the one before: equal documents, pairs, comparing, joining.

use crate::edges::{self, Edge, EdgeReader};
use crate::equal::Equal;
use crate::error::{ClusterError, Result};
use crate::expand::{Expander, Ranked};
use crate::files::{self, Draft};
use crate::join::Joiner;
use crate::output::Clusters;
use crate::pairs::{Merge, Pair, PairReader, PairWriter, write_run};
use crate::piece::{BUCKETS, PieceFiles};
use crate::postings::{Postings, Room};
use crate::samples::Comparer;
use crate::settings::{Joining, Method, Policy, Settings};
use crate::sketching::level_of_keys;
use crate::table::{Archive, Table};
use crate::watch::Watch;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What all phases need to know.
pub(crate) struct Stage<'a> {
    pub table: &'a Table,
    pub equal: &'a Equal,
    pub archive: &'a Archive,
    pub settings: &'a Settings,
    pub threads: usize,
    /// Bytes that the pairs of one thread may take before they are written.
    pub pair_memory: usize,
    /// Documents below this number are a reference: none of them is a copy.
    pub reference: u32,
    pub watch: &'a dyn Watch,
}

/// A pair is compared if it shares this part of the keys that it would have to share to be joined: keys are a sample, and
/// very frequent ones do not pair everybody.
const CAUTION: f64 = 0.4;
/// Buckets whose pairs make one run: few runs are quickly merged, and what is lost when it is killed is one of them.
const BUCKETS_A_RUN: usize = 32;
pub(crate) const RUNS: usize = BUCKETS / BUCKETS_A_RUN;
/// The lowest threshold that pairs are kept for.
const LOWEST: f64 = 0.1;
/// Pairs that are compared, and then written, at a time.
const PAIRS_A_PIECE: usize = 1 << 18;

impl Stage<'_> {
    /// Calls `work` with every number below `count`, on all threads; each thread works in a room of its own.
    fn for_each<R, T: Send>(
        &self,
        count: usize,
        room: impl Fn() -> R + Sync,
        work: impl Fn(&mut R, usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.clamp(1, count.max(1)))
                .map(|_| {
                    scope.spawn(|| -> Result<()> {
                        let mut room = room();
                        loop {
                            let number = next.fetch_add(1, Relaxed);
                            if number >= count {
                                return Ok(());
                            }
                            if self.watch.is_stopped() {
                                return Err(ClusterError::Stopped);
                            }
                            let result =
                                work(&mut room, number).inspect_err(|_| next.store(count, Relaxed))?;
                            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                        }
                    })
                })
                .collect();
            // A panic of a thread is the caller's.
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|&(number, _)| number);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }

    /// Sorts the keys bucket by bucket, pairs the documents of each, and writes a run of pairs for some buckets each.
    pub fn form_pairs(&self, pieces: &[PieceFiles], folder: &Path) -> Result<(Vec<PathBuf>, u64)> {
        files::make_folder(folder)?;
        let postings = Postings::open(pieces)?;
        let run = |number: usize| folder.join(format!("run-{number:03}"));
        let documents = Ranked::new(self.equal.nominating.clone(), &self.table.minima);
        let room = || (Room::default(), PairRoom::default(), Expander::new(&documents, self.settings.common));
        self.for_each(RUNS, room, |(room, pairs, expander), number| {
            if !run(number).exists() {
                let buckets = number * BUCKETS_A_RUN..(number + 1) * BUCKETS_A_RUN;
                self.pair_buckets((&postings, &documents), buckets, &run(number), room, pairs, expander)?;
            }
            self.watch.done(1);
            Ok(())
        })?;
        Ok(((0..RUNS).map(run).collect(), postings.len()))
    }

    fn pair_buckets(
        &self,
        (postings, documents): (&Postings, &Ranked),
        buckets: Range<usize>,
        run: &Path,
        room: &mut Room,
        PairRoom { pairs, sorting }: &mut PairRoom,
        expander: &mut Expander<'_>,
    ) -> Result<()> {
        let mut parts: Vec<PathBuf> = Vec::new();
        // Eight bytes a pair, and as many to sort it.
        let most = self.pair_memory / 16;
        pairs.clear();
        expander.common_keys = 0;
        for bucket in buckets {
            postings.tell(bucket, documents, room, |ranks| {
                expander.expand(ranks, |a, b| pairs.push(Pair::pack(a, b)));
                if pairs.len() >= most {
                    parts.push(run.with_extension(format!("part-{}", parts.len())));
                    write_run(&parts[parts.len() - 1], 0, pairs, sorting)?;
                }
                Ok(())
            })?;
        }
        if parts.is_empty() {
            return write_run(run, expander.common_keys, pairs, sorting);
        }
        parts.push(run.with_extension(format!("part-{}", parts.len())));
        write_run(&parts[parts.len() - 1], expander.common_keys, pairs, sorting)?;
        merge(&parts, run, |_| true, || Ok(()))?;
        parts.iter().try_for_each(|part| files::remove(part))
    }

    /// Merges all runs into one file, without pairs that no threshold would join.
    pub fn merge_pairs(&self, runs: &[PathBuf], path: &Path) -> Result<()> {
        // Containment is never below resemblance, so it needs no more keys in common.
        let lowest = Joining { threshold: LOWEST, policy: Policy::Containment, ..Joining::default() };
        let may_be_joined = |pair| self.may_be_joined(pair, &lowest);
        let go_on = || if self.watch.is_stopped() { Err(ClusterError::Stopped) } else { Ok(()) };
        merge(runs, path, may_be_joined, go_on)?;
        runs.iter().try_for_each(|run| files::remove(run))
    }

    /// Whether two documents that share so many keys may have enough in common.
    fn may_be_joined(&self, pair: Pair, joining: &Joining) -> bool {
        if self.settings.method != Method::Sketch {
            return true;
        }
        let (a, b) = (self.table.shingles[pair.a as usize], self.table.shingles[pair.b as usize]);
        let sampled = f64::from(1u32 << level_of_keys(a).max(level_of_keys(b)));
        let needed = joining.needed(f64::from(a) / sampled, f64::from(b) / sampled);
        f64::from(pair.count) >= CAUTION * needed
    }

    /// Compares all pairs that may be joined, but for those that were compared before, and writes them all in pieces.
    /// Goes on where it was cut off.
    pub fn compare_pairs(&self, pairs: &Path, known: &Path, folder: &Path, joining: &Joining) -> Result<()> {
        files::make_folder(folder)?;
        let mut candidates = Candidates::open(pairs, self, joining)?;
        let mut known = EdgePieces::open(known)?;
        let mut piece = edge_pieces(folder).len();
        let last = last_edge(folder, piece)?;
        loop {
            let mut wanted = Vec::new();
            while wanted.len() < PAIRS_A_PIECE
                && let Some(pair) = candidates.next()?
            {
                if last.is_none_or(|last| pair > last) {
                    wanted.push((pair, known.find(pair)?));
                }
            }
            if wanted.is_empty() {
                return Ok(());
            }
            let compared = self.compare_all(&wanted)?;
            let mut draft = Draft::create(&edge_piece(folder, piece))?;
            compared.iter().try_for_each(|edge| edges::put(&mut draft, edge))?;
            draft.finish()?;
            piece += 1;
            self.watch.done(compared.len() as u64);
        }
    }

    fn compare_all(&self, wanted: &[((u32, u32), Option<Edge>)]) -> Result<Vec<Edge>> {
        const TOGETHER: usize = 1024;
        let comparer = || Comparer::new(self.table, self.archive);
        let compared = self.for_each(wanted.len().div_ceil(TOGETHER), comparer, |comparer, part| {
            let part = &wanted[part * TOGETHER..wanted.len().min((part + 1) * TOGETHER)];
            part.iter()
                .map(|&((a, b), known)| match known {
                    Some(edge) => Ok(edge),
                    None => Ok(Edge { a, b, shared: comparer.compare(a, b)? }),
                })
                .collect::<Result<Vec<Edge>>>()
        })?;
        Ok(compared.concat())
    }

    /// Joins what was compared and is alike enough. Returns the clusters, and how many pairs were compared and joined.
    pub fn join(&self, folder: &Path, joining: &Joining) -> Result<(Clusters, u64, u64)> {
        let mut joiner = Joiner::new(joining.linkage, self.table.len(), self.reference);
        let mut edges = EdgePieces::open(folder)?;
        let (mut compared, mut joined) = (0, 0);
        while let Some(edge) = edges.next()? {
            compared += 1;
            if joining.joins(edge.shared) {
                joined += 1;
                joiner.join(edge.a, edge.b);
            }
        }
        let mut comparer = Comparer::new(self.table, self.archive);
        let is_like = |original, other| Ok(joining.joins(comparer.compare(original, other)?));
        let originals = joiner.originals(self.table, self.equal, is_like)?;
        let mut clusters = Clusters::new(self.table, originals);
        let known = self.known_resemblances(folder, &clusters)?;
        self.measure_clusters(&mut clusters, &known)?;
        Ok((clusters, compared, joined))
    }

    /// The resemblance of every text to that of its original, if they were compared; else not a number.
    fn known_resemblances(&self, folder: &Path, clusters: &Clusters) -> Result<Vec<f32>> {
        let mut known = vec![f32::NAN; self.table.len()];
        let mut edges = EdgePieces::open(folder)?;
        while let Some(edge) = edges.next()? {
            let original = clusters.original[edge.b as usize];
            if self.equal.representative[original as usize] == edge.a {
                known[edge.b as usize] = edge.shared.resemblance() as f32;
            }
        }
        Ok(known)
    }

    /// The resemblance of every member to its original; that of some texts is known.
    fn measure_clusters(&self, clusters: &mut Clusters, known: &[f32]) -> Result<()> {
        const TOGETHER: usize = 256;
        let together = clusters.together();
        let comparer = || Comparer::new(self.table, self.archive);
        let measured = self.for_each(together.div_ceil(TOGETHER), comparer, |comparer, part| {
            let mut measured = Vec::new();
            for cluster in part * TOGETHER..together.min((part + 1) * TOGETHER) {
                self.measure_cluster(clusters.members_of(cluster), known, comparer, &mut measured)?;
            }
            Ok(measured)
        })?;
        for (member, resemblance) in measured.into_iter().flatten() {
            clusters.resemblance[member as usize] = resemblance;
        }
        Ok(())
    }

    fn measure_cluster(
        &self,
        members: &[u32],
        known: &[f32],
        comparer: &mut Comparer<'_>,
        measured: &mut Vec<(u32, f32)>,
    ) -> Result<()> {
        let text = |member: u32| self.equal.representative[member as usize];
        let original = text(members[0]);
        let mut found = HashMap::from([(original, 1.0)]);
        for &member in members {
            let resemblance = match found.get(&text(member)) {
                Some(&resemblance) => resemblance,
                None if !known[text(member) as usize].is_nan() => known[text(member) as usize],
                None => comparer.compare(original, text(member))?.resemblance() as f32,
            };
            found.insert(text(member), resemblance);
            measured.push((member, resemblance));
        }
        Ok(())
    }
}

/// Room for the pairs of one thread.
#[derive(Debug, Default)]
struct PairRoom {
    /// Packed.
    pairs: Vec<u64>,
    sorting: Vec<u64>,
}

fn merge(
    runs: &[PathBuf],
    path: &Path,
    keep: impl Fn(Pair) -> bool,
    go_on: impl Fn() -> Result<()>,
) -> Result<()> {
    const A_WHILE: u64 = 1 << 20;
    let mut merge = Merge::open(runs)?;
    let mut writer = PairWriter::create(path, merge.common_keys())?;
    let mut merged = 0u64;
    while let Some(pair) = merge.next()? {
        if keep(pair) {
            writer.put(pair)?;
        }
        merged += 1;
        if merged.is_multiple_of(A_WHILE) {
            go_on()?;
        }
    }
    writer.finish()
}

/// The pairs that have to be compared, in ascending order.
struct Candidates<'a> {
    pairs: PairReader,
    next_pair: Option<Pair>,
    same_set: std::iter::Peekable<std::slice::Iter<'a, (u32, u32)>>,
    stage: &'a Stage<'a>,
    joining: Joining,
}

impl<'a> Candidates<'a> {
    fn open(pairs: &Path, stage: &'a Stage<'a>, joining: &Joining) -> Result<Self> {
        let mut pairs = PairReader::open(pairs)?;
        Ok(Candidates {
            next_pair: pairs.next()?,
            pairs,
            same_set: stage.equal.same_set.iter().peekable(),
            stage,
            joining: *joining,
        })
    }

    fn next(&mut self) -> Result<Option<(u32, u32)>> {
        loop {
            let same_set = self.same_set.peek().map(|&&pair| pair);
            let Some(pair) = self.next_pair else {
                self.same_set.next();
                return Ok(same_set);
            };
            // Of equal shingles: only one of them has pairs, so these are not among them.
            if let Some(same_set) = same_set.filter(|&same_set| same_set < (pair.a, pair.b)) {
                self.same_set.next();
                return Ok(Some(same_set));
            }
            self.next_pair = self.pairs.next()?;
            if self.stage.may_be_joined(pair, &self.joining) {
                return Ok(Some((pair.a, pair.b)));
            }
        }
    }
}

fn edge_piece(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("edges-{number:06}"))
}

/// The pieces of a folder, in order.
fn edge_pieces(folder: &Path) -> Vec<PathBuf> {
    (0..).map(|number| edge_piece(folder, number)).take_while(|path| path.exists()).collect()
}

/// The documents of the last edge of so many pieces.
fn last_edge(folder: &Path, pieces: usize) -> Result<Option<(u32, u32)>> {
    let Some(number) = pieces.checked_sub(1) else { return Ok(None) };
    let mut reader = EdgeReader::open(&edge_piece(folder, number))?;
    let mut last = None;
    while let Some(edge) = reader.next()? {
        last = Some((edge.a, edge.b));
    }
    Ok(last)
}

/// All edges of a folder, in order.
struct EdgePieces {
    pieces: std::vec::IntoIter<PathBuf>,
    reader: Option<EdgeReader>,
    ahead: Option<Edge>,
}

impl EdgePieces {
    fn open(folder: &Path) -> Result<Self> {
        let mut pieces = EdgePieces { pieces: edge_pieces(folder).into_iter(), reader: None, ahead: None };
        pieces.ahead = pieces.read()?;
        Ok(pieces)
    }

    fn read(&mut self) -> Result<Option<Edge>> {
        loop {
            if let Some(reader) = &mut self.reader
                && let Some(edge) = reader.next()?
            {
                return Ok(Some(edge));
            }
            match self.pieces.next() {
                Some(path) => self.reader = Some(EdgeReader::open(&path)?),
                None => return Ok(None),
            }
        }
    }

    fn next(&mut self) -> Result<Option<Edge>> {
        let edge = self.ahead;
        if edge.is_some() {
            self.ahead = self.read()?;
        }
        Ok(edge)
    }

    /// The edge of a pair, if it is there; pairs are asked for in ascending order.
    fn find(&mut self, pair: (u32, u32)) -> Result<Option<Edge>> {
        while self.ahead.is_some_and(|edge| (edge.a, edge.b) < pair) {
            self.next()?;
        }
        Ok(self.ahead.filter(|edge| (edge.a, edge.b) == pair))
    }
}
