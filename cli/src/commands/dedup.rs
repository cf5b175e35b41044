//! `firstcopy dedup`: the same records in the same format, without the duplicates.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::clustering::{
    PhaseBar, PolicyArguments, ResourceArguments, SketchArguments, input_files, read_into,
    refuse_outputs_among_inputs,
};
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, counted, grouped_digits};
use crate::reading::refuse_to_overwrite;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use firstcopy_cluster::{
    Choice, Choices, ClusterError, Collection, Joining, Keep, Linkage, Resources, Settings, choices,
};
use firstcopy_input::{ColumnKind, Fate, Inputs, Rewritten, Target, open, rewrite};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes the inputs without their duplicates: same records, same format, same fields.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy dedup posts.jsonl.gz -o clean
  firstcopy dedup crawl/ -o clean --keep longest
  firstcopy dedup new.parquet -o clean --against old/*.parquet
  firstcopy dedup posts.jsonl -o marked.jsonl --annotate
  firstcopy dedup posts.jsonl -o strict --min-likeness 0.95
  firstcopy dedup posts.jsonl -o clean --policy resemblance --threshold 0.8
  firstcopy dedup shops.jsonl -o clean --learn-weights

OUT is a folder in which every input keeps its name; or, for a single input, a file if its name ends like the input's. Beside
what is kept stands removed.jsonl (or OUT.removed.jsonl): a line for every removed document with the one that was kept
instead, its likeness to that, and what it is to that: identical, same_words, edited or excerpt. A document is removed if the
store-time check would call it a duplicate: judged in the order of created_at, then of the input, it is a copy of the earliest
kept document that it matches. With --policy resemblance, every removed document has at least the threshold with the original
of its group. With --learn-weights, words that many documents of the inputs (and of --against) have count less. Killed, the
same command goes on where it was.")]
pub struct Arguments {
    /// Files, directories or globs.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// The folder, or file, that is written.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Which document of a group is kept: the `earliest` created_at (else the first), the `first` of the input, or the `longest`.
    #[arg(long, value_name = "WHICH", default_value = "earliest")]
    keep: KeepName,
    /// Keeps all documents and adds fields instead: is_duplicate, duplicate_of, duplicate_resemblance, and by likeness
    /// duplicate_likeness and duplicate_relation.
    #[arg(long)]
    annotate: bool,
    /// Also removes what is in these files, directories or globs.
    #[arg(long, value_name = "REFERENCE", num_args = 1..)]
    against: Vec<String>,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    sketch: SketchArguments,
    #[command(flatten)]
    resources: ResourceArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

/// The resemblance from which on a document is a duplicate, with policies by shingles.
const THRESHOLD: f64 = 0.8;

#[derive(Clone, Copy, ValueEnum)]
enum KeepName {
    Earliest,
    First,
    Longest,
}

/// What came of it.
#[derive(Serialize)]
struct Summary {
    documents: u64,
    kept: u64,
    removed: u64,
    annotated: u64,
    not_annotated: u64,
    files: u64,
    bytes: u64,
    removed_list: PathBuf,
}

/// Where everything goes.
struct Places {
    target: Target,
    /// The list of what was removed.
    removed: PathBuf,
    /// What the run goes on from, gone at its end.
    work: PathBuf,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    refuse_stdin(arguments)?;
    refuse_to_overwrite(&arguments.inputs, arguments.bad.rejects.as_deref())?;
    let places = Places::of(arguments)?;
    let resources = arguments.resources.resources(global);
    let outcome = match cluster(arguments, &places, &resources, global) {
        Err(error) if matches!(error.downcast_ref(), Some(ClusterError::Stopped)) => Outcome::Interrupted,
        outcome => outcome?,
    };
    if outcome == Outcome::Interrupted {
        return Ok(outcome);
    }
    places.clear()?;
    let choices = choices(&places.work, arguments.keep())?;
    let inputs = open(&arguments.inputs, arguments.reading.options())?;
    let rewritten = write(arguments, inputs, &places, &choices)?;
    places.forget_work()?;
    print(&rewritten, arguments.annotate, places, global)?;
    Ok(outcome)
}

impl Arguments {
    fn keep(&self) -> Keep {
        match self.keep {
            KeepName::Earliest => Keep::Earliest,
            KeepName::First => Keep::First,
            KeepName::Longest => Keep::Longest,
        }
    }

    fn settings(&self) -> Result<Settings> {
        let otherwise = self.policy.default_policy(&self.sketch);
        let (policy, threshold) = self.policy.resolve(otherwise, THRESHOLD)?;
        self.sketch.settings(Joining { threshold, policy, linkage: Linkage::Original })
    }
}

/// The inputs are read twice.
fn refuse_stdin(arguments: &Arguments) -> Result<()> {
    let mut names = arguments.inputs.iter().chain(&arguments.against);
    match names.any(|name| name == "-") {
        true => {
            Err(UsageError("dedup reads its inputs twice: write stdin to a file first".to_owned()).into())
        }
        false => Ok(()),
    }
}

fn cluster(
    arguments: &Arguments,
    places: &Places,
    resources: &Resources,
    global: &GlobalArguments,
) -> Result<Outcome> {
    let inputs = open(&arguments.inputs, arguments.reading.options())?;
    let files = input_files(&inputs);
    refuse_outputs_among_inputs(&files, &arguments.output)?;
    let settings = arguments.settings()?;
    let collection = if arguments.against.is_empty() {
        Collection::begin(&places.work, &settings, files)?
    } else {
        let reference = open(&arguments.against, arguments.reading.options())?;
        let reference_files = input_files(&reference);
        let mut collection =
            Collection::begin_reference(&places.work, &settings, reference_files)?.within(resources.memory);
        let outcome =
            read_into(&mut collection, reference, &arguments.bad, global, |one| one.of_reference())?;
        if outcome == Outcome::Interrupted {
            return Ok(outcome);
        }
        collection.finish_reading()?;
        Collection::add_to(&places.work, files)?
    };
    let mut collection = collection.within(resources.memory);
    let outcome = read_into(&mut collection, inputs, &arguments.bad, global, |one| one)?;
    if outcome == Outcome::Interrupted {
        return Ok(outcome);
    }
    let bar = PhaseBar::new(global.quiet);
    let report = collection.cluster(resources, &bar);
    bar.finish();
    report?;
    Ok(outcome)
}

/// Copies what is kept, and lists what is removed.
fn write(arguments: &Arguments, inputs: Inputs, places: &Places, choices: &Choices) -> Result<Rewritten> {
    const COLUMNS: [(&str, ColumnKind); 5] = [
        ("is_duplicate", ColumnKind::Boolean),
        ("duplicate_of", ColumnKind::Text),
        ("duplicate_resemblance", ColumnKind::Float),
        ("duplicate_likeness", ColumnKind::Float),
        ("duplicate_relation", ColumnKind::Text),
    ];
    let columns = match (arguments.annotate, arguments.settings()?.joining.policy.compares_words()) {
        (false, _) => &[],
        (true, false) => &COLUMNS[..3],
        (true, true) => &COLUMNS[..],
    };
    let draft = places.removed.with_extension("unfinished");
    let wrong = || format!("cannot write {}", places.removed.display());
    let mut list = BufWriter::new(File::create(&draft).with_context(wrong)?);
    let mut failed = None;
    let decide = |number: u64, page: &firstcopy_text::Page| {
        let decided = decide(number, page, choices, &mut list, arguments.annotate);
        decided.unwrap_or_else(|error| {
            failed.get_or_insert(error);
            Fate::Keep
        })
    };
    // Bad records were named when they were read the first time.
    let rewritten = rewrite(inputs, &places.target, columns, decide, |_| ())?;
    if let Some(error) = failed {
        return Err(error);
    }
    let list = list.into_inner().map_err(|error| error.into_error()).with_context(wrong)?;
    list.sync_all().and_then(|()| std::fs::rename(&draft, &places.removed)).with_context(wrong)?;
    Ok(rewritten)
}

fn decide(
    number: u64,
    page: &firstcopy_text::Page,
    choices: &Choices,
    list: &mut impl Write,
    annotate: bool,
) -> Result<Fate> {
    let Some(choice) = choices.removed(number) else {
        return Ok(if annotate {
            Fate::Annotate(fields([("is_duplicate", false.into())]))
        } else {
            Fate::Keep
        });
    };
    let kept = choices.name(choice.kept)?;
    let score = (choice.score * 1e6).round() / 1e6;
    let mut line = json!({
        "id": page.id, "url": page.url, "kept": kept.id, "kept_url": kept.url, "resemblance": score,
    });
    if let (Some(line), Some(relation)) = (line.as_object_mut(), choice.relation) {
        line.extend(fields([("likeness", score.into()), ("relation", relation.name().into())]));
    }
    writeln!(list, "{line}").context("cannot write the list of removed documents")?;
    Ok(match annotate {
        false => Fate::Drop,
        true => Fate::Annotate(annotation(&choice, kept.id, score)),
    })
}

/// The fields that are added to a duplicate.
fn annotation(choice: &Choice, kept: String, score: f64) -> Map<String, Value> {
    let mut added = fields([
        ("is_duplicate", true.into()),
        ("duplicate_of", kept.into()),
        ("duplicate_resemblance", score.into()),
    ]);
    if let Some(relation) = choice.relation {
        added.insert("duplicate_likeness".to_owned(), score.into());
        added.insert("duplicate_relation".to_owned(), relation.name().into());
    }
    added
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Places {
    fn of(arguments: &Arguments) -> Result<Self> {
        let out = &arguments.output;
        let places = match is_one_file(arguments) {
            true => Places {
                target: Target::File(out.clone()),
                removed: with_end(out, ".removed.jsonl"),
                work: with_end(out, ".unfinished-work"),
            },
            false => Places {
                target: Target::Folder(out.clone()),
                removed: out.join("removed.jsonl"),
                work: out.join(".unfinished-work"),
            },
        };
        // Whoever was cut off at the very end left it.
        let _ = std::fs::remove_dir_all(places.old_work());
        places.refuse_to_mix()?;
        Ok(places)
    }

    /// What this command did not write is not touched: only its own work tells that a run was begun here.
    fn refuse_to_mix(&self) -> Result<()> {
        let is_empty =
            |folder: &Path| std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
        let is_free = match &self.target {
            Target::File(file) => !file.exists(),
            Target::Folder(folder) => is_empty(folder),
        };
        match is_free || self.work.exists() {
            true => Ok(()),
            false => {
                let out = match &self.target {
                    Target::File(path) | Target::Folder(path) => path,
                };
                let reason = "exists already and is not overwritten: choose another place";
                Err(UsageError(format!("{}: {reason}", out.display())).into())
            }
        }
    }

    /// Removes what the run went on from. Under another name first: half of it must not be gone on with.
    fn forget_work(&self) -> Result<()> {
        let old = self.old_work();
        let wrong = || format!("cannot remove {}", self.work.display());
        std::fs::rename(&self.work, &old).and_then(|()| std::fs::remove_dir_all(&old)).with_context(wrong)
    }

    fn old_work(&self) -> PathBuf {
        with_end(&self.work, ".old")
    }

    /// Removes what a run that was cut off while writing has left.
    fn clear(&self) -> Result<()> {
        let wrong = |path: &Path| format!("cannot remove {}", path.display());
        match &self.target {
            Target::File(file) => {
                let draft = with_end(file, ".unfinished");
                for path in [file, &draft].into_iter().filter(|path| path.exists()) {
                    std::fs::remove_file(path).with_context(|| wrong(path))?;
                }
                Ok(())
            }
            Target::Folder(folder) => {
                for entry in std::fs::read_dir(folder).with_context(|| wrong(folder))? {
                    let path = entry?.path();
                    if path != self.work {
                        let removed = if path.is_dir() {
                            std::fs::remove_dir_all(&path)
                        } else {
                            std::fs::remove_file(&path)
                        };
                        removed.with_context(|| wrong(&path))?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// A path with something more at its end.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut longer = path.as_os_str().to_owned();
    longer.push(end);
    longer.into()
}

/// Whether one file is to be written: there is one input, and the output is called like a file of its kind.
fn is_one_file(arguments: &Arguments) -> bool {
    let [input] = arguments.inputs.as_slice() else { return false };
    let ending = |path: &Path| path.extension().map(|end| end.to_ascii_lowercase());
    let input = Path::new(input);
    input.is_file() && ending(input).is_some() && ending(input) == ending(&arguments.output)
}

fn print(rewritten: &Rewritten, annotated: bool, places: Places, global: &GlobalArguments) -> Result<()> {
    let duplicates = if annotated { 0 } else { rewritten.dropped };
    let summary = Summary {
        documents: rewritten.kept + rewritten.dropped,
        kept: rewritten.kept,
        removed: duplicates,
        annotated: rewritten.annotated,
        not_annotated: rewritten.not_annotated,
        files: rewritten.files,
        bytes: rewritten.bytes,
        removed_list: places.removed,
    };
    let mut output = Output::new();
    if global.json {
        output.json(&summary)?;
    } else {
        output.line(&format!(
            "{}: {} kept, {} removed, in {}; listed in {}",
            counted(summary.documents as usize, "document"),
            grouped_digits(summary.kept as usize),
            grouped_digits(summary.removed as usize),
            counted(summary.files as usize, "file"),
            summary.removed_list.display()
        ))?;
    }
    output.flush()
}
