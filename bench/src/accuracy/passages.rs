//! Copied passages: manual pages that share reusable blocks, and suspicious pages with the spans that were copied into them;
//! by the plain method of sakurai-2009 and by the weighted one.
//!
//! The labels are not complete: writers of manuals also copy what is no reusable block. So a passage counts as right if most
//! of it is in a labelled one, or if at least [`VERBATIM`] normalised bytes of it stand in its source word for word: nobody
//! writes so much the same by chance. What the labels alone would say is printed, too.

use crate::CommonArguments;
use crate::data::{LANGUAGES, read_lines};
use crate::report::Report;
use crate::temporary;
use anyhow::Result;
use firstcopy_passages::{Copies, Finder, Passage, Rule, SourceDatabase, SourceSettings, SourceWriter};
use firstcopy_text::{Analyzer, Content, Document, Page, SegmentRules, Tokens};
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// Normalised bytes that nobody writes the same by chance: some twenty English words, or thirty ideographs.
const VERBATIM: usize = 100;
/// A block with so many sentences must be found.
const SENTENCES: usize = 2;

/// What was found, and what there was to find.
#[derive(Debug, Default, Clone, Copy)]
pub struct PassageTally {
    /// Passages that were reported.
    pub reported: usize,
    /// Those that are copies.
    pub right: usize,
    /// Those that are mostly in a labelled copy.
    pub labelled: usize,
    /// Characters of the reported passages.
    pub characters: usize,
    /// Those of them in right passages.
    pub right_characters: usize,
    /// Labelled copies of two sentences and more.
    pub copies: usize,
    /// Those of which at least half was reported.
    pub found: usize,
    /// Their characters.
    pub copied_characters: usize,
    /// Those of them that were reported.
    pub found_characters: usize,
}

impl PassageTally {
    /// The share of the reported passages that are copies.
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.reported.max(1) as f64
    }

    /// The share of the labelled copies that were reported.
    pub fn recall(&self) -> f64 {
        self.found as f64 / self.copies.max(1) as f64
    }
}

/// A page, and the places of it that were copied from named sources.
struct Labelled {
    page: Document,
    copies: Vec<(Range<usize>, HashSet<String>)>,
}

/// What is to be found in what.
struct Trial {
    name: String,
    sources: Vec<Document>,
    pages: Vec<Labelled>,
}

pub fn run(common: &CommonArguments, worst: usize) -> Result<()> {
    if !common.data.is_dir() {
        println!("skipped: no labelled data in {} (name the folder with --data)", common.data.display());
        return Ok(());
    }
    let columns = [
        "data",
        "method",
        "passages",
        "right",
        "precision",
        "by labels alone",
        "by characters",
        "copies",
        "found",
        "recall",
        "recall by characters",
    ];
    let mut report = Report::new("accuracy-passages", &columns);
    let every = if common.quick { 10 } else { 1 };
    for trial in trials(&common.data, every)? {
        for (method, weigh) in [("plain", false), ("weighted", true)] {
            let (tally, wrong) = judged(&trial, weigh)?;
            wrong.iter().take(worst).for_each(|line| eprintln!("{} {method}: {line}", trial.name));
            let share = |part: usize, whole: usize| json!(part as f64 / whole.max(1) as f64);
            report.row(vec![
                json!(trial.name),
                json!(method),
                json!(tally.reported),
                json!(tally.right),
                json!(tally.precision()),
                share(tally.labelled, tally.reported),
                share(tally.right_characters, tally.characters),
                json!(tally.copies),
                json!(tally.found),
                json!(tally.recall()),
                share(tally.found_characters, tally.copied_characters),
            ]);
        }
    }
    report.finish(common, "recall")
}

/// The weighted method on every trial; none if there is no labelled data.
pub fn sampled_passages(data: &Path) -> Option<Result<Vec<(String, PassageTally)>>> {
    let judge = |trial: Trial| judged(&trial, true).map(|(tally, _)| (trial.name, tally));
    data.is_dir().then(|| trials(data, 2)?.into_iter().map(judge).collect())
}

/// All trials; of the pages every so manieth is asked.
fn trials(data: &Path, every: usize) -> Result<Vec<Trial>> {
    let analyzer = SourceSettings::default().analyzer();
    let mut trials = vec![spans(data, every, &analyzer)?];
    for language in LANGUAGES {
        trials.push(blocks(data, language, every, &analyzer)?);
    }
    Ok(trials)
}

fn digested(analyzer: &Analyzer, id: &str, text: &str) -> Document {
    let page = Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
    analyzer.digest(page)
}

/// Manual pages, each asked for what it shares with all others.
fn blocks(data: &Path, language: &str, every: usize, analyzer: &Analyzer) -> Result<Trial> {
    #[derive(Deserialize)]
    struct Manual {
        id: String,
        text: String,
        blocks: Vec<(String, usize, usize)>,
    }
    let manuals: Vec<Manual> = read_lines(&data.join(format!("3_partial/{language}_ghdocs.jsonl.gz")))?;
    let mut holders: HashMap<&str, HashSet<String>> = HashMap::new();
    for (manual, (block, ..)) in
        manuals.iter().flat_map(|manual| manual.blocks.iter().map(move |block| (manual, block)))
    {
        holders.entry(block).or_default().insert(manual.id.clone());
    }
    let labelled = |manual: &Manual| {
        let copies = manual.blocks.iter().map(|(block, start, length)| {
            let others = holders[block.as_str()].iter().filter(|id| **id != manual.id).cloned().collect();
            (*start..start + length, others)
        });
        let copies = copies.filter(|(_, others): &(_, HashSet<String>)| !others.is_empty()).collect();
        Labelled { page: digested(analyzer, &manual.id, &manual.text), copies }
    };
    Ok(Trial {
        name: format!("{language} blocks"),
        sources: manuals.iter().map(|manual| digested(analyzer, &manual.id, &manual.text)).collect(),
        pages: manuals.iter().step_by(every).map(labelled).collect(),
    })
}

/// Suspicious pages, each with what was copied into it unchanged, against the sources of all.
fn spans(data: &Path, every: usize, analyzer: &Analyzer) -> Result<Trial> {
    #[derive(Deserialize)]
    struct Pair {
        id: String,
        kind: String,
        susp: String,
        src: String,
        spans: Vec<(usize, usize, usize, usize)>,
    }
    let pairs: Vec<Pair> = read_lines(&data.join("3_partial/en_pan13.jsonl.gz"))?;
    let source_id = |pair: &Pair| format!("source of {}", pair.id);
    let labelled = |pair: &Pair| {
        let copies = pair
            .spans
            .iter()
            .map(|&(start, length, ..)| (start..start + length, HashSet::from([source_id(pair)])));
        Labelled { page: digested(analyzer, &pair.id, &pair.susp), copies: copies.collect() }
    };
    let is_plain =
        |pair: &&Pair| ["no-plagiarism", "no-obfuscation"].iter().any(|kind| pair.kind.ends_with(kind));
    Ok(Trial {
        name: "en spans".to_owned(),
        sources: pairs.iter().map(|pair| digested(analyzer, &source_id(pair), &pair.src)).collect(),
        pages: pairs.iter().filter(is_plain).step_by(every).map(labelled).collect(),
    })
}

fn judged(trial: &Trial, weigh: bool) -> Result<(PassageTally, Vec<String>)> {
    let folder = temporary::in_memory()?;
    let path = folder.path().join("sources");
    let settings = SourceSettings::default();
    let analyzer = settings.analyzer();
    let mut writer = SourceWriter::build(&path, settings, 1 << 30)?;
    trial.sources.iter().try_for_each(|source| writer.push(source.clone()))?;
    writer.finish()?;
    let sources = SourceDatabase::open(&path)?;
    let finder = Finder::new(&sources, &analyzer, Rule { weigh, ..Rule::default() });
    let texts: HashMap<&str, Vec<u8>> =
        trial.sources.iter().map(|source| (source.id.as_str(), canonical(&source.core.text))).collect();
    let (mut tally, mut wrong) = (PassageTally::default(), Vec::new());
    for labelled in &trial.pages {
        let copies = finder.copies(&labelled.page)?;
        for passage in &copies.passages {
            if !count_passage(passage, labelled, &texts, &mut tally) {
                wrong.push(format!("{:.1} from {}: {:?}", passage.weight, passage.source, passage.text));
            }
        }
        labelled.copies.iter().for_each(|(place, _)| count_copy(place, &labelled.page, &copies, &mut tally));
    }
    Ok((tally, wrong))
}

/// Counts a passage; whether it is a copy.
fn count_passage(
    passage: &Passage,
    labelled: &Labelled,
    texts: &HashMap<&str, Vec<u8>>,
    tally: &mut PassageTally,
) -> bool {
    let from_there = labelled.copies.iter().filter(|(_, sources)| sources.contains(&passage.source));
    let places: Vec<Range<usize>> = from_there.map(|(place, _)| place.clone()).collect();
    let length = passage.end - passage.start;
    let is_labelled = 2 * covered(&(passage.start..passage.end), &places) >= length;
    let is_right = is_labelled || stands_in(&passage.text, &texts[passage.source.as_str()]);
    tally.reported += 1;
    tally.labelled += usize::from(is_labelled);
    tally.right += usize::from(is_right);
    tally.characters += length;
    tally.right_characters += if is_right { length } else { 0 };
    is_right
}

/// Counts a labelled copy of so many sentences.
fn count_copy(place: &Range<usize>, page: &Document, copies: &Copies, tally: &mut PassageTally) {
    let text: String = page.core.text.chars().skip(place.start).take(place.len()).collect();
    if sentences(&text) < SENTENCES {
        return;
    }
    let passages: Vec<Range<usize>> =
        copies.passages.iter().map(|passage| passage.start..passage.end).collect();
    let found = covered(place, &passages);
    tally.copies += 1;
    tally.found += usize::from(2 * found >= place.len());
    tally.copied_characters += place.len();
    tally.found_characters += found;
}

fn sentences(text: &str) -> usize {
    let core = firstcopy_text::CoreText::of_plain_text(text);
    let segments = SegmentRules::default().segments(&core, &Tokens::of(&core.text));
    segments.iter().filter(|segment| segment.characters >= 5).count()
}

/// How much of a place these cover.
fn covered(place: &Range<usize>, by: &[Range<usize>]) -> usize {
    let mut by = by.to_vec();
    by.sort_unstable_by_key(|range| range.start);
    let (mut from, mut covered) = (place.start, 0);
    for range in by {
        let (start, end) = (range.start.max(from), range.end.min(place.end));
        if start < end {
            covered += end - start;
            from = end;
        }
    }
    covered
}

fn canonical(text: &str) -> Vec<u8> {
    let tokens = Tokens::of(text);
    tokens.canonical(0..tokens.len()).to_vec()
}

/// Whether enough of a passage stands in a source word for word.
fn stands_in(passage: &str, source: &[u8]) -> bool {
    let passage = canonical(passage);
    let known: HashSet<&[u8]> = source.windows(VERBATIM).collect();
    passage.windows(VERBATIM).any(|window| known.contains(window))
}
