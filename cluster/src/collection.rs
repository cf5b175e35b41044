//! A collection on its way to clusters: what is read, what is finished, what comes next. The path is [`Collection::cluster`],
//! read downwards.

use crate::choice::{Choices, Chooser, Keep};
use crate::equal::Equal;
use crate::error::{ClusterError, Result};
use crate::files;
use crate::learning;
use crate::lookup::{Lookup, not_clustered};
use crate::manifest::{
    FORMAT, InputFile, Manifest, Sweep, manifest_of, read_json, refuse_strangers, unique_name, work_of,
    write_json,
};
use crate::output::{count_equal, write_clusters, write_mappings, write_members};
use crate::pairs::PairReader;
use crate::parallel;
use crate::phases::{RUNS, Stage, frequent_of};
use crate::piece::{PieceDraft, PieceFiles};
use crate::report::{Meter, PhaseReport, Report, peak_memory};
use crate::settings::{Joining, OutputFormat, Settings};
use crate::sketching::Sketched;
use crate::table::{Archive, BYTES_A_DOCUMENT, BYTES_OF_WORDS, Table};
use crate::watch::Watch;
use firstcopy_text::likeness::Weights;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What may be used.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Bytes of memory.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// Where pairs lie until they are merged; in the output folder if not given.
    pub temp_dir: Option<PathBuf>,
    /// The form of the list of members.
    pub output_format: OutputFormat,
}

impl Default for Resources {
    fn default() -> Self {
        Resources { memory: 1 << 30, threads: 1, temp_dir: None, output_format: OutputFormat::Jsonl }
    }
}

/// Bytes of a piece, at most; less where memory is scarce.
const PIECE_BYTES: u64 = 64 << 20;

/// A collection and its output folder.
#[derive(Debug)]
pub struct Collection {
    folder: PathBuf,
    manifest: Manifest,
    draft: PieceDraft,
    pieces: Vec<PieceFiles>,
    /// Documents in finished pieces and in the draft.
    documents: u32,
    piece_bytes: usize,
    meter: Meter,
    earlier: Vec<PhaseReport>,
}

impl Collection {
    /// Begins to fill an output folder, or goes on with it if it was begun with the same settings and inputs.
    pub fn begin(folder: &Path, settings: &Settings, inputs: Vec<InputFile>) -> Result<Self> {
        Self::begin_with(folder, settings, inputs, false)
    }

    /// The same for inputs that are a reference: whatever is added afterwards is a copy of it if it is like it, and nothing
    /// of the reference itself is a copy.
    pub fn begin_reference(folder: &Path, settings: &Settings, inputs: Vec<InputFile>) -> Result<Self> {
        Self::begin_with(folder, settings, inputs, true)
    }

    fn begin_with(
        folder: &Path,
        settings: &Settings,
        inputs: Vec<InputFile>,
        has_reference: bool,
    ) -> Result<Self> {
        if !manifest_of(folder).exists() {
            refuse_strangers(folder)?;
            files::make_folder(&work_of(folder))?;
            let sweep = Sweep { inputs, first: 0, end: None };
            let manifest = Manifest {
                format: FORMAT,
                run: unique_name(),
                settings: settings.clone(),
                has_reference,
                sweeps: vec![sweep],
            };
            write_json(&manifest_of(folder), &manifest)?;
            return Self::open(folder);
        }
        let mut collection = Self::open(folder)?;
        collection.refuse_others(settings, &inputs)?;
        if settings.joining.policy.compares_words() {
            collection.refuse_other_joining(&settings.joining)?;
        }
        // How documents are joined is decided after they are read.
        collection.manifest.settings.joining = settings.joining;
        Ok(collection)
    }

    /// Begins to add inputs to a collection that was clustered, or goes on with that.
    pub fn add_to(folder: &Path, inputs: Vec<InputFile>) -> Result<Self> {
        let mut collection = Self::open(folder)?;
        let is_read = |sweep: &Sweep| sweep.end.is_some();
        if collection.manifest.sweeps.last().is_some_and(|last| last.inputs == inputs) {
            return Ok(collection);
        }
        if !collection.manifest.sweeps.iter().all(is_read) {
            return Err(
                collection.other("inputs, and is not finished", "finish it with the same command first")
            );
        }
        let sweep = Sweep { inputs, first: collection.documents, end: None };
        collection.manifest.sweeps.push(sweep);
        write_json(&manifest_of(folder), &collection.manifest)?;
        Ok(collection)
    }

    /// Refuses a folder whose weights are built in. Learnt ones are kept: they belong to the folder.
    pub fn require_learnt_weights(&self) -> Result<()> {
        match self.manifest.settings.learn_weights {
            true => Ok(()),
            false => Err(self.other("weights (built-in)", "cluster all inputs anew with --learn-weights")),
        }
    }

    /// Opens an output folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = manifest_of(folder);
        if !path.exists() {
            return Err(not_clustered(folder));
        }
        let manifest: Manifest = read_json(&path)?;
        if manifest.format != FORMAT {
            let reason = format!("has format {}, this firstcopy knows {FORMAT}", manifest.format);
            return Err(ClusterError::Damaged { path, reason });
        }
        let pieces = finished_pieces(&work_of(folder));
        let counts = pieces.iter().map(PieceFiles::count_documents);
        let documents = counts.sum::<Result<u32>>()?;
        let earlier = phases_of(folder);
        Ok(Collection {
            folder: folder.to_owned(),
            manifest,
            draft: PieceDraft::new(PieceFiles::of(&work_of(folder), pieces.len())),
            pieces,
            documents,
            piece_bytes: PIECE_BYTES as usize,
            meter: Meter::start(),
            earlier,
        })
    }

    /// Pieces are no larger than a part of this memory.
    pub fn within(mut self, memory: u64) -> Self {
        self.piece_bytes = (memory / 16).clamp(1 << 20, PIECE_BYTES) as usize;
        self
    }

    /// How it was begun.
    pub fn settings(&self) -> &Settings {
        &self.manifest.settings
    }

    /// Documents of the present inputs that were read before, and are not to be pushed again.
    pub fn read_before(&self) -> u64 {
        let first = self.manifest.sweeps.last().map_or(0, |sweep| sweep.first);
        u64::from(self.documents - first)
    }

    /// Whether all inputs were read.
    pub fn is_read(&self) -> bool {
        self.manifest.sweeps.iter().all(|sweep| sweep.end.is_some())
    }

    /// Takes the next document.
    pub fn push(&mut self, sketched: Sketched) -> Result<()> {
        self.draft.push(self.documents, &sketched)?;
        self.documents = self.documents.checked_add(1).ok_or(ClusterError::TooMany)?;
        if self.draft.bytes() >= self.piece_bytes {
            self.write_piece()?;
        }
        Ok(())
    }

    fn write_piece(&mut self) -> Result<()> {
        let next = PieceFiles::of(&work_of(&self.folder), self.pieces.len() + 1);
        self.pieces.push(self.draft.write(next)?);
        Ok(())
    }

    /// Writes down that all inputs were read.
    pub fn finish_reading(&mut self) -> Result<()> {
        if self.is_read() {
            return Ok(());
        }
        if self.draft.count > 0 {
            self.write_piece()?;
        }
        let written = self.pieces.iter().map(PieceFiles::bytes).sum();
        self.note_phase(&self.meter.read("sketch", written))?;
        let end = self.documents;
        if let Some(last) = self.manifest.sweeps.last_mut() {
            last.end = Some(end);
        }
        write_json(&manifest_of(&self.folder), &self.manifest)
    }

    /// Clusters everything that was pushed.
    pub fn cluster(mut self, resources: &Resources, watch: &dyn Watch) -> Result<Report> {
        self.finish_reading()?;
        let joining = self.manifest.settings.joining;
        self.join(&joining, resources, watch)
    }

    fn join(mut self, joining: &Joining, resources: &Resources, watch: &dyn Watch) -> Result<Report> {
        let work = work_of(&self.folder);
        self.check_memory(resources)?;
        let words_learnt = self.learn_weights(resources, watch)?;
        let meter = Meter::start();
        watch.phase("finding equal documents", 1);
        let (table, wholes) = Table::read(&self.pieces)?;
        let mut equal = Equal::new(&table, &wholes);
        drop(wholes);
        if joining.policy.compares_words() {
            equal.rank_by_age(&table);
        }
        self.note_phase(&meter.read("equal", 0))?;
        let archive = Archive::of(&table, &self.pieces)?;
        let stage = Stage {
            table: &table,
            equal: &equal,
            archive: &archive,
            settings: &self.manifest.settings.clone(),
            threads: resources.threads,
            pair_memory: (resources.memory / 8) as usize / resources.threads.max(1),
            reference: self.reference(),
            watch,
            profiles: OnceLock::new(),
            rule: OnceLock::new(),
        };
        let pairs = work.join(format!("pairs-{}", table.len()));
        let temporary = resources.temp_dir.clone().unwrap_or_else(|| work.join("temporary"));
        if !pairs.exists() {
            self.pair(&stage, &pairs, &temporary)?;
        }
        let edges = self.compare(&stage, &pairs, joining)?;
        let meter = Meter::start();
        watch.phase("joining", self.pieces.len() as u64);
        let (clusters, compared_pairs, joined_pairs) = stage.join(&pairs, &edges, joining)?;
        let format = resources.output_format;
        let members =
            write_members(&self.folder, format, &clusters, (&table, &archive), &self.pieces, watch)?;
        write_clusters(&self.folder.join("clusters.jsonl"), &clusters, &table, &archive)?;
        write_mappings(&self.folder.join("lookup"), &clusters, &table, &self.pieces)?;
        self.note_phase(&meter.read("join", files::size(&members)))?;
        let together = clusters.together();
        let size = |cluster: usize| clusters.members_of(cluster).len() as u64;
        let identical = || (0..together).filter(|&cluster| clusters.is_identical(&table, cluster));
        let (lexically_equal, shingle_equivalent) = count_equal(&equal);
        let clustered_documents = (0..together).map(size).sum();
        let min_resemblance =
            (0..together).map(|cluster| clusters.min_resemblance(cluster)).fold(1.0, f64::min);
        let (pair_count, keys, common_shingles) = read_counts(&pairs)?;
        let report = Report {
            documents: table.len() as u64,
            text_bytes: table.text_bytes.iter().map(|&bytes| u64::from(bytes)).sum(),
            clusters: together as u64,
            clustered_documents,
            duplicates: clustered_documents - together as u64,
            identical_clusters: identical().count() as u64,
            identical_documents: identical().map(size).sum(),
            lexically_equal,
            shingle_equivalent,
            keys,
            common_shingles,
            pairs: pair_count,
            compared_pairs,
            joined_pairs,
            min_resemblance,
            min_likeness: joining.policy.compares_words().then_some(min_resemblance),
            words_learnt,
            phases: self.earlier.clone(),
            peak_memory: peak_memory(),
            settings: Settings { joining: *joining, ..self.manifest.settings.clone() },
        };
        write_json(&self.folder.join("report.json"), &report)?;
        Ok(report)
    }

    /// Learns the weights of words, unless they are known, and writes the pieces that were read since with them. Returns how
    /// many words were learnt; nothing if the weights are the built-in ones.
    fn learn_weights(&mut self, resources: &Resources, watch: &dyn Watch) -> Result<Option<u64>> {
        if !self.manifest.settings.learn_weights {
            return Ok(None);
        }
        let path = work_of(&self.folder).join("weights");
        let progress = work_of(&self.folder).join("weighed.json");
        let mut weighed = if progress.exists() { read_json::<Weighed>(&progress)?.pieces } else { 0 };
        if path.exists() && weighed >= self.pieces.len() {
            return Ok(Some(learning::count_learnt(&read_weights(&path)?)));
        }
        let meter = Meter::start();
        let first = first_documents(&self.pieces)?;
        if !path.exists() {
            let known = first.partition_point(|&first| first < self.end_of_first_inputs());
            watch.phase("learning the weights of words", known as u64);
            let Resources { memory, threads, .. } = *resources;
            let weights = learning::learn(&self.pieces[..known], memory, threads, watch)?;
            files::write(&path, &weights.to_bytes())?;
        }
        let weights = read_weights(&path)?;
        let learnt = learning::count_learnt(&weights);
        watch.phase("weighing words anew", self.pieces.len() as u64);
        let together = self.pieces_at_once(resources);
        while weighed < self.pieces.len() {
            let end = (weighed + together).min(self.pieces.len());
            if learnt > 0 {
                let (pieces, first) = (&self.pieces[weighed..end], &first[weighed..end]);
                let reweigh = |(): &mut (), number: usize| {
                    learning::reweigh(&pieces[number], first[number], &weights)?;
                    watch.done(1);
                    Ok(())
                };
                parallel::for_each(together, watch, pieces.len(), || (), reweigh)?;
            }
            weighed = end;
            write_json(&progress, &Weighed { pieces: weighed })?;
        }
        let written = self.pieces.iter().map(PieceFiles::bytes).sum();
        self.note_phase(&meter.read("weights", if learnt > 0 { written } else { 0 }))?;
        Ok(Some(learnt))
    }

    /// Counts the documents that weights are learnt from: those of the first inputs, and of a reference and the inputs that
    /// are compared with it. What is added later is weighed with the same weights.
    fn end_of_first_inputs(&self) -> u32 {
        let last = usize::from(self.manifest.has_reference).min(self.manifest.sweeps.len() - 1);
        self.manifest.sweeps[last].end.unwrap_or(self.documents)
    }

    /// Returns how many pieces may be written at once: each takes up to its size in memory, and the largest size is known.
    fn pieces_at_once(&self, resources: &Resources) -> usize {
        let largest = self.pieces.iter().map(PieceFiles::bytes).max().unwrap_or(0).max(1);
        resources.threads.min((resources.memory / 4 / largest) as usize).max(1)
    }

    fn pair(&mut self, stage: &Stage<'_>, pairs: &Path, temporary: &Path) -> Result<()> {
        // Runs of fewer documents lack pairs.
        let folder = temporary.join(format!("firstcopy-{}-{}", self.manifest.run, stage.table.len()));
        let meter = Meter::start();
        stage.watch.phase("pairing", RUNS as u64);
        let (runs, keys) = stage.form_pairs(&self.pieces, &folder)?;
        let written = runs.iter().map(|run| files::size(run)).sum();
        stage.watch.temporary(written);
        self.note_phase(&meter.read("pairs", written))?;
        let meter = Meter::start();
        stage.watch.phase("merging pairs", 1);
        files::write(&counts_of(pairs), &keys.to_le_bytes())?;
        stage.merge_pairs(&runs, pairs)?;
        // What others left there is theirs.
        let _ = std::fs::remove_dir(&folder);
        let _ = std::fs::remove_dir(work_of(&self.folder).join("temporary"));
        self.remove_earlier_pairs(pairs)?;
        self.note_phase(&meter.read("merge", files::size(pairs)))
    }

    fn remove_earlier_pairs(&self, kept: &Path) -> Result<()> {
        for sweep in &self.manifest.sweeps {
            if let Some(end) = sweep.end {
                let pairs = work_of(&self.folder).join(format!("pairs-{end}"));
                if pairs != kept {
                    files::remove(&pairs)?;
                    files::remove(&counts_of(&pairs))?;
                    files::remove(&frequent_of(&pairs))?;
                }
            }
        }
        Ok(())
    }

    /// Compares the pairs that this joining needs. Returns the folder of the compared ones.
    fn compare(&mut self, stage: &Stage<'_>, pairs: &Path, joining: &Joining) -> Result<PathBuf> {
        let work = work_of(&self.folder);
        let wanted = Compared { documents: stage.table.len() as u64, joining: *joining };
        let known: Option<Compared> = read_json(&work.join("edges/compared.json")).ok();
        if known.as_ref().is_some_and(|known| known.serves(&wanted)) {
            return Ok(work.join("edges"));
        }
        let meter = Meter::start();
        stage.watch.phase("comparing", 0);
        let draft = work.join("edges-draft");
        let begun: Option<Compared> = read_json(&draft.join("wanted.json")).ok();
        if begun.as_ref() != Some(&wanted) {
            remove_folder(&draft)?;
            files::make_folder(&draft)?;
            write_json(&draft.join("wanted.json"), &wanted)?;
        }
        stage.compare_pairs(pairs, &work.join("edges"), &draft, joining)?;
        write_json(&draft.join("compared.json"), &wanted)?;
        remove_folder(&work.join("edges"))?;
        std::fs::rename(&draft, work.join("edges")).map_err(ClusterError::io(&draft))?;
        self.note_phase(&meter.read("compare", folder_size(&work.join("edges"))))?;
        Ok(work.join("edges"))
    }

    /// Documents of the reference: those below this number.
    fn reference(&self) -> u32 {
        let first = self.manifest.sweeps.first().filter(|_| self.manifest.has_reference);
        first.and_then(|sweep| sweep.end).unwrap_or(0)
    }

    fn check_memory(&self, resources: &Resources) -> Result<()> {
        let bytes = match self.manifest.settings.joining.policy.compares_words() {
            true => BYTES_A_DOCUMENT + BYTES_OF_WORDS,
            false => BYTES_A_DOCUMENT,
        };
        let needed = u64::from(self.documents) * bytes + (16 << 20);
        match needed > resources.memory {
            true => Err(ClusterError::Memory {
                documents: u64::from(self.documents),
                needed: needed.div_ceil(1_000_000),
            }),
            false => Ok(()),
        }
    }

    fn note_phase(&mut self, phase: &PhaseReport) -> Result<()> {
        match self.earlier.iter_mut().find(|earlier| earlier.phase == phase.phase) {
            Some(earlier) if matches!(phase.phase.as_str(), "sketch" | "weights") => {
                *earlier = earlier.clone().and(phase)
            }
            Some(earlier) => *earlier = phase.clone(),
            None => self.earlier.push(phase.clone()),
        }
        write_json(&work_of(&self.folder).join("phases.json"), &self.earlier)
    }

    fn refuse_others(&self, settings: &Settings, inputs: &[InputFile]) -> Result<()> {
        let made = &self.manifest.settings;
        let names = |settings: &Settings| {
            let Settings { shingle_words, method, verify, common, joining, learn_weights } = settings;
            if joining.policy.compares_words() {
                let weights = if *learn_weights { "learnt" } else { "built-in" };
                return format!("policy likeness, common {common}, {weights} weights");
            }
            format!("shingle-words {shingle_words}, method {method:?}, verify {verify:?}, common {common}")
        };
        if names(made) != names(settings) {
            let what = format!("settings ({}; now {})", names(made), names(settings));
            return Err(self.other(&what, "name another output folder, or remove this one"));
        }
        let known = self.manifest.sweeps.first().map_or(&[] as &[InputFile], |sweep| &sweep.inputs);
        let changed = known.iter().zip(inputs).find(|(then, now)| then != now);
        if let Some((then, _)) = changed {
            let what = format!("inputs ({} has changed since)", then.path);
            return Err(self.other(&what, "remove the output folder, or name another one, and start again"));
        }
        if known.len() != inputs.len() {
            let what = format!("inputs ({} files then, {} now)", known.len(), inputs.len());
            return Err(self.other(&what, "name another output folder, or add what is new with --add-to"));
        }
        Ok(())
    }

    /// Refuses a joining that what was kept of the documents does not serve.
    fn refuse_other_joining(&self, joining: &Joining) -> Result<()> {
        let made = self.manifest.settings.joining;
        match (made.policy.compares_words(), joining.policy.compares_words()) {
            (false, false) => return Ok(()),
            (true, true) => {}
            (true, false) => {
                let what = "policy (likeness, which keeps no shingles)";
                return Err(
                    self.other(what, "cluster the inputs anew with --policy resemblance or containment")
                );
            }
            (false, true) => {
                let what = "policy (resemblance or containment, which keep no words)";
                return Err(self.other(what, "cluster the inputs anew with --policy likeness"));
            }
        }
        let compared: Option<Compared> = read_json(&work_of(&self.folder).join("edges/compared.json")).ok();
        let least = compared.map_or(made, |compared| compared.joining).threshold;
        if joining.threshold < least {
            let what = format!("min-likeness ({least}; now {}, which is lower)", joining.threshold);
            return Err(self.other(&what, "give at least that value, or cluster the inputs anew"));
        }
        Ok(())
    }

    fn other(&self, what: &str, remedy: &'static str) -> ClusterError {
        ClusterError::Other { path: self.folder.clone(), what: what.to_owned(), remedy }
    }
}

/// How many pieces hold the learnt weights.
#[derive(Debug, Serialize, Deserialize)]
struct Weighed {
    pieces: usize,
}

fn read_weights(path: &Path) -> Result<Weights> {
    Weights::from_bytes(&files::read(path)?).ok_or_else(|| ClusterError::damaged(path))
}

/// What was compared.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Compared {
    documents: u64,
    joining: Joining,
}

impl Compared {
    /// Whether these pairs hold all that others need: a higher threshold needs fewer of the same.
    fn serves(&self, other: &Compared) -> bool {
        self.documents == other.documents
            && self.joining.policy == other.joining.policy
            && self.joining.threshold <= other.joining.threshold
    }
}

/// Joins a collection anew: only the last phase is repeated, comparing only what was not compared yet.
pub fn recluster(
    folder: &Path,
    joining: &Joining,
    resources: &Resources,
    watch: &dyn Watch,
) -> Result<Report> {
    let mut collection = Collection::open(folder)?;
    if !collection.is_read() {
        return Err(
            collection.other("inputs, and is not finished", "finish it with `firstcopy cluster` first")
        );
    }
    collection.refuse_other_joining(joining)?;
    collection.manifest.settings.joining = *joining;
    write_json(&manifest_of(folder), &collection.manifest)?;
    collection.join(joining, resources, watch)
}

/// What becomes of every document of a clustered collection if one of each cluster is kept.
pub fn choices(folder: &Path, keep: Keep) -> Result<Choices> {
    let collection = Collection::open(folder)?;
    let (table, wholes) = Table::read(&collection.pieces)?;
    let equal = Equal::new(&table, &wholes);
    let archive = Archive::of(&table, &collection.pieces)?;
    let clusters = Lookup::of(folder)?.clusters()?;
    let reference = collection.reference();
    let joining = collection.manifest.settings.joining;
    let chooser = Chooser { table: &table, equal: &equal, archive: &archive, reference, keep, joining };
    let choices = chooser.choose(&clusters)?;
    Ok(Choices { choices, table, archive, reference })
}

impl Lookup {
    /// Opens the mappings of an output folder.
    pub fn of(folder: &Path) -> Result<Self> {
        if !folder.join("report.json").exists() {
            return Err(not_clustered(folder));
        }
        Lookup::open(&folder.join("lookup"), &finished_pieces(&work_of(folder)))
    }
}

fn phases_of(folder: &Path) -> Vec<PhaseReport> {
    read_json(&work_of(folder).join("phases.json")).unwrap_or_default()
}

/// How many keys the pairs come from is written beside them.
fn counts_of(pairs: &Path) -> PathBuf {
    pairs.with_extension("keys")
}

/// How many pairs, keys and common keys there are.
fn read_counts(pairs: &Path) -> Result<(u64, u64, u64)> {
    let keys = files::read(&counts_of(pairs))?;
    let keys = keys.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let mut reader = PairReader::open(pairs)?;
    let mut count = 0;
    while reader.next()?.is_some() {
        count += 1;
    }
    Ok((count, keys, reader.common_keys))
}

fn finished_pieces(work: &Path) -> Vec<PieceFiles> {
    (0..).map(|number| PieceFiles::of(work, number)).take_while(|piece| piece.documents.exists()).collect()
}

/// Returns the number of the first document of every piece.
fn first_documents(pieces: &[PieceFiles]) -> Result<Vec<u32>> {
    let mut next = 0;
    let mut first = Vec::new();
    for piece in pieces {
        first.push(next);
        next += piece.count_documents()?;
    }
    Ok(first)
}

fn remove_folder(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ClusterError::io(path)(error)),
        _ => Ok(()),
    }
}

fn folder_size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}
