//! `similar` of every document against the overlap of all pairs, counted shingle by shingle.

use crate::CommonArguments;
use crate::data::{LANGUAGES, texts};
use crate::random::Random;
use crate::report::Report;
use crate::temporary;
use anyhow::Result;
use firstcopy_engine::{Catalogue, Engine, MinLikeness, OpenOptions, SimilarQuestion};
use firstcopy_text::{Analyzer, Content, Overlap, Page, Parameters, Seed};
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;

/// Shingles from which on a contained document must be found.
const ENOUGH_SHINGLES: usize = 100;
/// How far below its threshold a pair must never be named.
const MARGIN: f64 = 0.1;

/// How far `similar` and the comparison of all pairs agree.
#[derive(Debug, Default, Clone, Copy)]
pub struct Agreement {
    /// Documents.
    pub documents: usize,
    /// Ordered pairs that resemble enough, and how many of them were found.
    pub resembling: (usize, usize),
    /// Ordered pairs of which one contains the other, which is long enough, and how many of them were found.
    pub contained: (usize, usize),
    /// Pairs that were named.
    pub named: usize,
    /// Those that lie clearly below every threshold.
    pub wrong: usize,
}

pub fn run(documents: usize, common: &CommonArguments) -> Result<()> {
    let agreement = agreement(&corpus(&common.data, documents))?;
    let columns = ["documents", "pairs", "truly", "found", "recall", "named", "wrong"];
    let mut report = Report::new("queries-pairs", &columns);
    let row = |name: &str, (truly, found): (usize, usize)| {
        let recall = found as f64 / truly.max(1) as f64;
        let Agreement { documents, named, wrong, .. } = agreement;
        vec![
            json!(documents),
            json!(name),
            json!(truly),
            json!(found),
            json!(recall),
            json!(named),
            json!(wrong),
        ]
    };
    report.row(row("resemblance from 0.5", agreement.resembling));
    report.row(row("containment from 0.9, 100 shingles or more", agreement.contained));
    report.finish(common, "recall")
}

/// The same for a few hundred real documents; none if there are none.
pub fn sampled_agreement(data: &Path) -> Option<Result<Agreement>> {
    data.is_dir().then(|| agreement(&corpus(data, 500)))
}

/// Real texts; of every ten, one again with words replaced, and one inside a text about ten times as long.
fn corpus(data: &Path, documents: usize) -> Vec<String> {
    let real: Vec<String> =
        LANGUAGES.iter().flat_map(|language| texts(data, language, usize::MAX).0).collect();
    let mut random = Random::new(7);
    let (mut left, mut texts) = (real.clone(), Vec::new());
    while texts.len() < documents.div_ceil(12) * 10 && !left.is_empty() {
        texts.push(left.swap_remove(random.below(left.len())));
    }
    for number in (0..texts.len()).step_by(10) {
        let edited = edited(&texts[number], &mut random);
        let embedded = embedded(&texts[number], &real, &mut random);
        texts.extend([edited, embedded]);
    }
    texts
}

/// Every fiftieth word or so is another.
fn edited(text: &str, random: &mut Random) -> String {
    let replace = |word: &str| {
        if random.below(50) == 0 { "무엇 something 何か".to_owned() } else { word.to_owned() }
    };
    text.split_inclusive(char::is_whitespace).map(replace).collect()
}

/// In the middle of others that are together ten times as long.
fn embedded(text: &str, others: &[String], random: &mut Random) -> String {
    let (mut before, mut after) = (String::new(), String::new());
    while before.len() + after.len() < 10 * text.len() {
        let (one, other) = (&others[random.below(others.len())], &others[random.below(others.len())]);
        before += &format!("{one}\n");
        after += &format!("\n{other}");
    }
    format!("{before}{text}{after}")
}

fn agreement(texts: &[String]) -> Result<Agreement> {
    let folder = temporary::in_memory()?;
    let data = folder.path().join("data");
    store(&data, texts)?;
    let truth = Truth::of(texts);
    let catalogue = Catalogue::open(&data)?;
    let min_likeness = MinLikeness::Ignored;
    let question = SimilarQuestion { limit: usize::MAX, min_likeness, ..SimilarQuestion::default() };
    let mut agreement = Agreement { documents: texts.len(), ..Agreement::default() };
    for a in 0..texts.len() {
        let answer = catalogue.similar_to(&a.to_string(), &question)?;
        let named: Vec<usize> = answer
            .into_iter()
            .flat_map(|answer| answer.similar)
            .filter_map(|one| one.id.parse().ok())
            .collect();
        truth.compare(a, &named, &question, &mut agreement);
    }
    Ok(agreement)
}

fn store(data: &Path, texts: &[String]) -> Result<()> {
    let engine = Engine::open(data, OpenOptions::default())?;
    for (number, text) in texts.iter().enumerate() {
        let page = Page { id: number.to_string(), content: Content::text(text.clone()), ..Page::default() };
        engine.add(page)?;
    }
    Ok(engine.catch_up()?)
}

/// What all pairs share.
struct Truth {
    sizes: Vec<usize>,
    common: Vec<HashMap<usize, usize>>,
}

impl Truth {
    fn of(texts: &[String]) -> Self {
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut sizes = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let page = Page { content: Content::text(text.clone()), ..Page::default() };
            let shingles = analyzer.document(page).shingles;
            sizes.push(shingles.len());
            shingles.as_slice().iter().for_each(|&shingle| holders.entry(shingle).or_default().push(number));
        }
        let mut common = vec![HashMap::new(); texts.len()];
        for numbers in holders.values() {
            for &a in numbers {
                for &b in numbers.iter().filter(|&&b| b != a) {
                    *common[a].entry(b).or_default() += 1;
                }
            }
        }
        Truth { sizes, common }
    }

    fn overlap(&self, a: usize, b: usize) -> Overlap {
        let common = self.common[a].get(&b).copied().unwrap_or(0);
        Overlap { a: self.sizes[a], b: self.sizes[b], common }
    }

    fn compare(&self, a: usize, named: &[usize], question: &SimilarQuestion, agreement: &mut Agreement) {
        let count = |counts: &mut (usize, usize), b: usize| {
            counts.0 += 1;
            counts.1 += usize::from(named.contains(&b));
        };
        for &b in self.common[a].keys() {
            let overlap = self.overlap(a, b);
            if overlap.resemblance() >= question.min_resemblance {
                count(&mut agreement.resembling, b);
            }
            let contains = |containment: f64, size: usize| {
                containment >= question.min_containment && size >= ENOUGH_SHINGLES
            };
            if contains(overlap.containment_a_in_b(), overlap.a)
                || contains(overlap.containment_b_in_a(), overlap.b)
            {
                count(&mut agreement.contained, b);
            }
        }
        let is_wrong = |&&b: &&usize| {
            let overlap = self.overlap(a, b);
            let containment = overlap.containment_a_in_b().max(overlap.containment_b_in_a());
            overlap.resemblance() < question.min_resemblance - MARGIN
                && containment < question.min_containment - MARGIN
        };
        agreement.named += named.len();
        agreement.wrong += named.iter().filter(is_wrong).count();
    }
}
