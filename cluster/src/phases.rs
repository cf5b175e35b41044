//! The phases after the sketches, each from the files of the one before: equal documents, pairs, comparing, joining.

use crate::edges::{self, Edge, EdgeReader};
use crate::equal::{Equal, any_order};
use crate::error::{ClusterError, Result};
use crate::expand::{Expander, Ranked};
use crate::files::{self, Draft};
use crate::frequent::{FrequentWriter, LinkFinder};
use crate::join::Joiner;
use crate::output::Clusters;
use crate::pairs::{Merge, Pair, PairReader, PairWriter, write_run};
use crate::parallel;
use crate::piece::{BUCKETS, PieceFiles};
use crate::postings::{Postings, Room};
use crate::settings::{Joining, Linkage, Method, Policy, Settings};
use crate::sketching::level_of_keys;
use crate::table::{Archive, Table};
use crate::watch::Watch;
use crate::words::{
    CLIQUE_OF_WORDS, CandidateRule, Clique, Comparison, DocumentComparer, Profiles, has_words,
    have_fitting_sizes,
};
use firstcopy_text::likeness::CopyRelation;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
    /// Empty until they are needed.
    pub profiles: OnceLock<Profiles>,
    /// The rule at the likeness of the settings; empty until it is needed.
    pub rule: OnceLock<CandidateRule>,
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
        parallel::for_each(self.threads, self.watch, count, room, work)
    }

    /// Whether documents are compared by their words.
    pub fn compares_words(&self) -> bool {
        self.settings.joining.policy.compares_words()
    }

    /// Returns the profiles of all documents, read when they are first asked for.
    fn profiles(&self) -> Result<&Profiles> {
        if let Some(profiles) = self.profiles.get() {
            return Ok(profiles);
        }
        let profiles = match self.compares_words() {
            true => Profiles::load(self.table, self.archive, self.pair_memory * self.threads.max(1))?,
            false => Profiles::none(),
        };
        Ok(self.profiles.get_or_init(|| profiles))
    }

    /// Returns the rule by which documents with words are paired. No lower likeness is asked for later on.
    fn rule(&self) -> &CandidateRule {
        self.rule.get_or_init(|| CandidateRule::new(self.settings.joining.threshold))
    }

    fn comparer(&self) -> DocumentComparer<'_> {
        DocumentComparer::new(self.table, self.archive, self.settings.joining.policy)
    }

    /// Sorts the keys bucket by bucket, pairs the documents of each, and writes a run of pairs for some buckets each.
    pub fn form_pairs(&self, pieces: &[PieceFiles], folder: &Path) -> Result<(Vec<PathBuf>, u64)> {
        files::make_folder(folder)?;
        let postings = Postings::open(pieces)?;
        let run = |number: usize| folder.join(format!("run-{number:03}"));
        let documents = Ranked::new(self.equal.nominating.clone(), &self.table.minima);
        let expander = || {
            let expander = Expander::new(&documents, self.settings.common);
            if self.compares_words() { expander.with_clique(CLIQUE_OF_WORDS) } else { expander }
        };
        let room = || (Room::default(), PairRoom::default(), expander());
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
        PairRoom { pairs, sorting, numbers, clique }: &mut PairRoom,
        expander: &mut Expander<'_>,
    ) -> Result<()> {
        let mut parts: Vec<PathBuf> = Vec::new();
        // Eight bytes a pair, and as many to sort it.
        let most = self.pair_memory / 16;
        pairs.clear();
        expander.common_keys = 0;
        let mut frequent = match self.compares_words() {
            true => Some(FrequentWriter::create(&frequent_of(run))?),
            false => None,
        };
        for bucket in buckets {
            postings.tell(bucket, documents, room, |ranks| {
                let is_clique = self.compares_words() && ranks.len() <= CLIQUE_OF_WORDS;
                if is_clique {
                    numbers.clear();
                    numbers.extend(ranks.iter().map(|&rank| documents.number(rank)));
                    let min_likeness = self.settings.joining.threshold;
                    clique.for_each_pair(self.table, numbers, self.rule(), |a, b| {
                        if !has_words(self.table, a) || self.have_fitting_sizes(a, b, min_likeness) {
                            pairs.push(Pair::pack(a, b));
                        }
                    });
                } else {
                    expander.expand(ranks, |a, b| {
                        if !self.compares_words() || self.may_be_candidates(a, b) {
                            pairs.push(Pair::pack(a, b));
                        }
                    });
                }
                if let Some(frequent) = frequent.as_mut().filter(|_| ranks.len() > CLIQUE_OF_WORDS) {
                    frequent.put(ranks.iter().map(|&rank| documents.number(rank)))?;
                }
                if pairs.len() >= most {
                    parts.push(run.with_extension(format!("part-{}", parts.len())));
                    write_run(&parts[parts.len() - 1], 0, pairs, sorting)?;
                }
                Ok(())
            })?;
        }
        // Before the run: if that is there, its frequent keys are.
        frequent.map_or(Ok(()), FrequentWriter::finish)?;
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
        // Pairs of documents with words were looked at before they were sorted.
        let may_be_joined = |pair: Pair| {
            self.compares_words() && has_words(self.table, pair.a) || self.may_be_joined(pair, &lowest)
        };
        let go_on = || if self.watch.is_stopped() { Err(ClusterError::Stopped) } else { Ok(()) };
        if self.compares_words() {
            let mut frequent = FrequentWriter::create(&frequent_of(path))?;
            runs.iter().try_for_each(|run| frequent.put_file(&frequent_of(run)))?;
            frequent.finish()?;
        }
        merge(runs, path, may_be_joined, go_on)?;
        runs.iter().map(|run| frequent_of(run)).try_for_each(|run| files::remove(&run))?;
        runs.iter().try_for_each(|run| files::remove(run))
    }

    /// Whether two documents that share a key may be joined by words. Asked for every pair of every key: pairs of which little
    /// more than one phrase is the same are not even sorted.
    fn may_be_candidates(&self, a: u32, b: u32) -> bool {
        let min_likeness = self.settings.joining.threshold;
        !has_words(self.table, a)
            || self.rule().are_candidates(self.table, a, b) && self.have_fitting_sizes(a, b, min_likeness)
    }

    /// Whether the lengths of two documents with words allow the later one to be a copy of the earlier one.
    fn have_fitting_sizes(&self, a: u32, b: u32, min_likeness: f64) -> bool {
        let fits = |earlier, later| have_fitting_sizes(self.table, earlier, later, min_likeness);
        any_order([fits(a, b), fits(b, a)], || self.equal.orders(self.table, a, b))
    }

    /// Whether two documents without words that share so many keys may have enough in common.
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
        let mut known = EdgePieces::open(known, self.compares_words())?;
        let profiles = self.profiles()?;
        let mut piece = edge_pieces(folder).len();
        let last = last_edge(folder, piece, self.compares_words())?;
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
            let compared = self.compare_all(&wanted, profiles, joining)?;
            let mut draft = Draft::create(&edge_piece(folder, piece))?;
            compared.iter().try_for_each(|edge| edges::put(&mut draft, edge))?;
            draft.finish()?;
            piece += 1;
            self.watch.done(compared.len() as u64);
        }
    }

    /// Compares pairs that are not known, unless it is clear beforehand that they are not joined.
    fn compare_all(
        &self,
        wanted: &[((u32, u32), Option<Edge>)],
        profiles: &Profiles,
        joining: &Joining,
    ) -> Result<Vec<Edge>> {
        const TOGETHER: usize = 1024;
        let parts = wanted.len().div_ceil(TOGETHER);
        let compared = self.for_each(
            parts,
            || DocumentComparer::with_profiles(self.table, self.archive, joining.policy, profiles),
            |comparer, part| {
                let part = &wanted[part * TOGETHER..wanted.len().min((part + 1) * TOGETHER)];
                let mut compared = Vec::new();
                for &((a, b), known) in part {
                    compared.extend(match known {
                        Some(edge) => Some(edge),
                        None => self.compare_pair((a, b), comparer, joining)?,
                    });
                }
                Ok(compared)
            },
        )?;
        Ok(compared.concat())
    }

    fn compare_pair(
        &self,
        (a, b): (u32, u32),
        comparer: &mut DocumentComparer<'_>,
        joining: &Joining,
    ) -> Result<Option<Edge>> {
        let comparison = match self.compares_words() {
            true => {
                let orders = || self.equal.orders(self.table, a, b);
                comparer.compare_unless_ruled_out((a, b), orders, joining.threshold)?
            }
            false => Some(comparer.compare(a, b)?),
        };
        Ok(comparison.map(|comparison| Edge { a, b, comparison }))
    }

    /// Joins what was compared and is alike enough. Returns the clusters, and how many pairs were compared and joined.
    pub fn join(&self, pairs: &Path, folder: &Path, joining: &Joining) -> Result<(Clusters, u64, u64)> {
        let mut joiner =
            Joiner::new(joining.linkage, self.table.len(), self.reference, self.compares_words());
        let mut edges = EdgePieces::open(folder, self.compares_words())?;
        let (mut compared, mut joined) = (0, 0);
        let rule = joining.policy.compares_words().then(|| CandidateRule::new(joining.threshold));
        while let Some(edge) = edges.next()? {
            compared += 1;
            // Compared for a lower threshold, the two may be no candidates at this one.
            let is_candidate = rule.as_ref().is_none_or(|rule| {
                !has_words(self.table, edge.a) || rule.are_candidates(self.table, edge.a, edge.b)
            });
            if is_candidate && self.joins(&edge, joining) {
                joined += 1;
                joiner.join(edge.a, edge.b);
            }
        }
        if self.compares_words() {
            let more = self.join_holders_of_frequent_keys(pairs, folder, joining, &mut joiner)?;
            (compared, joined) = (compared + more.0, joined + more.1);
        }
        let mut comparer = self.comparer();
        let is_like = |original, other| {
            let comparison = comparer.compare(original, other)?;
            Ok(self.joins(&Edge { a: original, b: other, comparison }, joining))
        };
        let originals = joiner.originals(self.table, self.equal, is_like)?;
        let mut clusters = Clusters::new(self.table, originals, self.compares_words());
        let known = self.known_measures(folder, &clusters, joining)?;
        self.measure_clusters(&mut clusters, &known, joining)?;
        Ok((clusters, compared, joined))
    }

    /// Compares pairs of holders of frequent keys that could change the groups, until there are none, and joins what is alike
    /// enough. Returns how many were compared and joined.
    fn join_holders_of_frequent_keys(
        &self,
        pairs: &Path,
        folder: &Path,
        joining: &Joining,
        joiner: &mut Joiner,
    ) -> Result<(u64, u64)> {
        let path = frequent_of(pairs);
        let profiles = self.profiles()?;
        let comparer = DocumentComparer::with_profiles(self.table, self.archive, joining.policy, profiles);
        let mut finder = LinkFinder::new((self.table, self.equal), &path, joining.threshold, comparer)?;
        let (mut compared, mut joined) = (0, 0);
        loop {
            let mut known = EdgePieces::open(folder, true)?;
            let mut wanted = Vec::new();
            for pair in finder.find(&joiner.groups(self.table, self.equal))? {
                if known.find(pair)?.is_none() {
                    wanted.push((pair, None));
                }
            }
            let edges = self.compare_all(&wanted, profiles, joining)?;
            compared += edges.len() as u64;
            let before = joined;
            for edge in edges.iter().filter(|edge| self.joins(edge, joining)) {
                joined += 1;
                joiner.join(edge.a, edge.b);
            }
            // Nothing else is found in the same groups.
            if joined == before {
                return Ok((compared, joined));
            }
        }
    }

    /// Whether two documents that were compared are joined. By words, the later one must be a copy of the earlier one.
    fn joins(&self, edge: &Edge, joining: &Joining) -> bool {
        let Edge { a, b, comparison } = *edge;
        match comparison {
            Comparison::Shingles(shared) => joining.joins(shared),
            Comparison::Words(_) => {
                let is_copy = |is_first_earlier: bool| {
                    let relation = comparison.relation(is_first_earlier, joining.threshold);
                    relation.is_some_and(CopyRelation::is_copy)
                };
                match joining.linkage {
                    Linkage::Connected => self.equal.orders(self.table, a, b).any(is_copy),
                    // Later documents of the same words are copies of the earliest one.
                    Linkage::Original => is_copy(self.equal.is_earlier(self.table, a, b)),
                }
            }
        }
    }

    /// Collects the measures of texts that were compared with their originals.
    fn known_measures(&self, folder: &Path, clusters: &Clusters, joining: &Joining) -> Result<Vec<Measure>> {
        let mut known = vec![Measure::UNKNOWN; self.table.len()];
        let mut edges = EdgePieces::open(folder, self.compares_words())?;
        let original = |text: u32| self.equal.representative[clusters.original[text as usize] as usize];
        while let Some(edge) = edges.next()? {
            if original(edge.b) == edge.a {
                known[edge.b as usize] = Measure::of(edge.comparison, true, joining);
            } else if self.compares_words() && original(edge.a) == edge.b {
                known[edge.a as usize] = Measure::of(edge.comparison, false, joining);
            }
        }
        Ok(known)
    }

    /// Measures every member against its original; what some texts are to theirs is known.
    fn measure_clusters(&self, clusters: &mut Clusters, known: &[Measure], joining: &Joining) -> Result<()> {
        const TOGETHER: usize = 256;
        let together = clusters.together();
        let parts = together.div_ceil(TOGETHER);
        let measured = self.for_each(
            parts,
            || self.comparer(),
            |comparer, part| {
                let mut measured = Vec::new();
                for cluster in part * TOGETHER..together.min((part + 1) * TOGETHER) {
                    let members = clusters.members_of(cluster);
                    self.measure_cluster(members, known, joining, comparer, &mut measured)?;
                }
                Ok(measured)
            },
        )?;
        for (member, measure) in measured.into_iter().flatten() {
            clusters.resemblance[member as usize] = measure.share;
            if let Some(relation) = clusters.relation.get_mut(member as usize) {
                *relation = measure.relation;
            }
        }
        Ok(())
    }

    fn measure_cluster(
        &self,
        members: &[u32],
        known: &[Measure],
        joining: &Joining,
        comparer: &mut DocumentComparer<'_>,
        measured: &mut Vec<(u32, Measure)>,
    ) -> Result<()> {
        let text = |member: u32| self.equal.representative[member as usize];
        let bytes = |member: u32| self.table.identical[member as usize];
        let original = text(members[0]);
        let same_words = Measure { share: 1.0, relation: CopyRelation::SameWords };
        let mut found = HashMap::from([(original, same_words)]);
        for &member in members {
            let mut measure = match found.get(&text(member)) {
                Some(&measure) => measure,
                None if known[text(member) as usize].is_known() => known[text(member) as usize],
                None => Measure::of(comparer.compare(original, text(member))?, true, joining),
            };
            found.insert(text(member), measure);
            if text(member) == original && bytes(member) == bytes(members[0]) {
                measure.relation = CopyRelation::Identical;
            }
            // An original is no copy of itself.
            if member == members[0] {
                measure.relation = CopyRelation::None;
            }
            measured.push((member, measure));
        }
        Ok(())
    }
}

/// The measure of a document against its original.
#[derive(Debug, Clone, Copy)]
struct Measure {
    /// Resemblance or likeness; not a number where it is unknown.
    share: f32,
    relation: CopyRelation,
}

impl Measure {
    const UNKNOWN: Measure = Measure { share: f32::NAN, relation: CopyRelation::None };

    fn of(comparison: Comparison, is_first_earlier: bool, joining: &Joining) -> Self {
        let relation = comparison.relation(is_first_earlier, joining.threshold);
        Measure { share: comparison.share() as f32, relation: relation.unwrap_or_default() }
    }

    fn is_known(self) -> bool {
        !self.share.is_nan()
    }
}

/// Room for the pairs of one thread.
#[derive(Debug, Default)]
struct PairRoom {
    /// Packed.
    pairs: Vec<u64>,
    sorting: Vec<u64>,
    /// The documents of a key.
    numbers: Vec<u32>,
    clique: Clique,
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
    /// The rule for documents with words, if they were paired by another one.
    rule: Option<CandidateRule>,
}

impl<'a> Candidates<'a> {
    fn open(pairs: &Path, stage: &'a Stage<'a>, joining: &Joining) -> Result<Self> {
        let mut pairs = PairReader::open(pairs)?;
        let is_other = joining.threshold != stage.settings.joining.threshold;
        Ok(Candidates {
            rule: (joining.policy.compares_words() && is_other)
                .then(|| CandidateRule::new(joining.threshold)),
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
            if self.is_candidate(pair) {
                return Ok(Some((pair.a, pair.b)));
            }
        }
    }

    fn is_candidate(&self, pair: Pair) -> bool {
        let Candidates { stage, joining, .. } = self;
        if !joining.policy.compares_words() || !has_words(stage.table, pair.a) {
            return stage.may_be_joined(pair, joining);
        }
        self.rule.as_ref().is_none_or(|rule| {
            rule.are_candidates(stage.table, pair.a, pair.b)
                && stage.have_fitting_sizes(pair.a, pair.b, joining.threshold)
        })
    }
}

/// The file of frequent keys beside a file of pairs.
pub(crate) fn frequent_of(pairs: &Path) -> PathBuf {
    let name = pairs.file_name().unwrap_or_default().to_string_lossy();
    pairs.with_file_name(format!("{name}-frequent"))
}

fn edge_piece(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("edges-{number:06}"))
}

/// The pieces of a folder, in order.
fn edge_pieces(folder: &Path) -> Vec<PathBuf> {
    (0..).map(|number| edge_piece(folder, number)).take_while(|path| path.exists()).collect()
}

/// The documents of the last edge of so many pieces.
fn last_edge(folder: &Path, pieces: usize, compares_words: bool) -> Result<Option<(u32, u32)>> {
    let Some(number) = pieces.checked_sub(1) else { return Ok(None) };
    let mut reader = EdgeReader::open(&edge_piece(folder, number), compares_words)?;
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
    compares_words: bool,
}

impl EdgePieces {
    fn open(folder: &Path, compares_words: bool) -> Result<Self> {
        let pieces = edge_pieces(folder).into_iter();
        let mut pieces = EdgePieces { pieces, reader: None, ahead: None, compares_words };
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
                Some(path) => self.reader = Some(EdgeReader::open(&path, self.compares_words)?),
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
