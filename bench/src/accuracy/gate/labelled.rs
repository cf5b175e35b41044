//! Near copies judged by hand or by rule: what the check makes of them.

use super::goals::GoalLine;
use super::pairs::Pair as WrittenPair;
use super::tally::{ASKED, Judged, SURE, Share};
use super::trial::Trial;
use crate::data::read_lines;
use anyhow::Result;
use firstcopy_engine::Policy;
use firstcopy_text::Content;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The sets of pairs, and from which label on a pair counts as a near copy.
const PAIRS: [(&str, i64); 3] = [("en_trec", 2), ("ko_precedent", 1), ("ja_aozora", 1)];
/// The sets of clusters, as labelled by file name and by page title.
const CLUSTERS: [(&str, &str); 3] = [
    ("html_installguide_en", "html_installguide_en, by title"),
    ("html_installguide_ja", "html_installguide_ja, by title"),
    ("html_installguide_ko", "html_installguide_ko, by title"),
];

/// What became of one set under one policy.
#[derive(Debug)]
pub struct Labelled {
    pub set: &'static str,
    pub policy: Policy,
    /// With the label: none where it is unsure.
    pub judged: Vec<(Judged, Option<bool>)>,
}

impl Labelled {
    pub const COLUMNS: [&'static str; 11] = [
        "set",
        "policy",
        "recall",
        "precision",
        "copies",
        "found",
        "unsure found",
        "missed: mean resemblance",
        "missed from 0.80",
        "missed from 0.85",
        "pairs",
    ];

    pub fn cells(&self) -> Vec<Value> {
        let missed: Vec<f64> = self
            .judged
            .iter()
            .filter(|(judged, label)| *label == Some(true) && judged.found.is_none())
            .map(|(judged, _)| judged.resemblance)
            .collect();
        let from = |least: f64| missed.iter().filter(|&&resemblance| resemblance >= least).count();
        let mean = (!missed.is_empty()).then(|| missed.iter().sum::<f64>() / missed.len() as f64);
        let (copies, right) = (self.count(|_, label| label == Some(true)), self.found(Some(true)));
        let found = right + self.found(Some(false));
        vec![
            json!(self.set),
            json!(self.policy.name()),
            json!(Share { part: right, whole: copies }.value()),
            json!(Share { part: right, whole: found }.value()),
            json!(copies),
            json!(found),
            json!(self.found(None)),
            json!(mean),
            json!(from(ASKED)),
            json!(from(SURE)),
            json!(self.judged.len()),
        ]
    }

    /// The goals of the set: F1 of pairs; recall and precision of clusters.
    pub(super) fn goals(&self) -> Vec<GoalLine> {
        let (copies, right) = (self.count(|_, label| label == Some(true)), self.found(Some(true)));
        let found = right + self.found(Some(false));
        let line = |name: String, least, part, whole| GoalLine {
            name,
            least: Some(least),
            share: Share { part, whole },
        };
        match self.set {
            "en_trec" => vec![line(format!("{}: F1", self.set), 0.82, 2 * right, found + copies)],
            "ja_aozora" => vec![line(format!("{}: F1", self.set), 0.98, 2 * right, found + copies)],
            "ko_precedent" => vec![line(format!("{}: F1", self.set), 0.99, 2 * right, found + copies)],
            _ => vec![
                line(format!("{}: pages found", self.set), 0.93, right, copies),
                line(format!("{}: precision", self.set), 0.97, right, found),
            ],
        }
    }

    fn count(&self, is: impl Fn(&Judged, Option<bool>) -> bool) -> usize {
        self.judged.iter().filter(|(judged, label)| is(judged, *label)).count()
    }

    fn found(&self, wanted: Option<bool>) -> usize {
        self.count(|judged, label| label == wanted && judged.found.is_some())
    }
}

/// Judges every set under every policy; every `step`th pair.
pub fn run(
    data: &Path,
    policies: &[Policy],
    step: usize,
    written: &mut Vec<WrittenPair>,
) -> Result<Vec<Labelled>> {
    let mut all = Vec::new();
    for &policy in policies {
        for (set, least_label) in PAIRS {
            let judged = pairs(data, set, least_label, policy, step, written)?;
            all.push(Labelled { set, policy, judged });
        }
        for (set, set_by_title) in CLUSTERS {
            let ByLabel { by_file, by_title } = clusters(data, set, policy, written)?;
            all.push(Labelled { set, policy, judged: by_file });
            all.push(Labelled { set: set_by_title, policy, judged: by_title });
        }
    }
    Ok(all)
}

/// One pair at a time, alone: `a` is stored, `b` judged.
fn pairs(
    data: &Path,
    set: &str,
    least_label: i64,
    policy: Policy,
    step: usize,
    written: &mut Vec<WrittenPair>,
) -> Result<Vec<(Judged, Option<bool>)>> {
    #[derive(Deserialize)]
    struct Pair {
        a: String,
        b: String,
        label: Option<i64>,
    }
    let pairs: Vec<Pair> = read_lines(&data.join(format!("2_neardup/{set}.jsonl.gz")))?;
    let mut trial = Trial::open(policy)?;
    let judge = |(number, Pair { a, b, label }): (usize, Pair)| -> Result<(Judged, Option<bool>)> {
        let is_copy = label.map(|label| label >= least_label);
        trial.add("a", Content::text(a.as_str()))?;
        let (judged, verdict) = trial.check_and_tell("a", Content::text(b.as_str()))?;
        trial.remove("a")?;
        if let Some(is_copy) = is_copy.filter(|_| policy == Policy::default()) {
            written.push(WrittenPair::new(set, "", &number.to_string(), &a, &b, is_copy, &verdict));
        }
        Ok((judged, is_copy))
    };
    pairs.into_iter().step_by(step).enumerate().map(judge).collect()
}

/// The pages of a set of clusters, labelled in two ways.
#[derive(Default)]
struct ByLabel {
    by_file: Vec<(Judged, Option<bool>)>,
    by_title: Vec<(Judged, Option<bool>)>,
}

/// Stores every page of every cluster, one after the other. A page must be a duplicate of a page with its label, and the
/// first page with a label of none. The label is the file name, and, judged beside it, the title without its number: the
/// manual's file names shift between machine types, so that one name may be two subjects.
fn clusters(data: &Path, set: &str, policy: Policy, written: &mut Vec<WrittenPair>) -> Result<ByLabel> {
    #[derive(Deserialize)]
    struct Cluster {
        cluster: String,
        pages: Map<String, Value>,
    }
    let clusters: Vec<Cluster> = read_lines(&data.join(format!("2_neardup/{set}.jsonl.gz")))?;
    let mut trial = Trial::open(policy)?;
    let mut all = ByLabel::default();
    let (mut files, mut titles) = (Labels::default(), Labels::default());
    let mut last_first: Option<String> = None;
    for Cluster { cluster, pages } in clusters {
        if policy == Policy::default() {
            last_first = write_pairs(set, &cluster, &pages, last_first, written)?;
        }
        for (machine, html) in &pages {
            let html = html.as_str().unwrap_or_default();
            let id = format!("{cluster}/{machine}");
            let shingles = trial.shingles(Content::html(html));
            let verdict = trial.add(&id, Content::html(html))?;
            let title = firstcopy_text::extract(html).title.unwrap_or_default();
            let judge = |first: &str| trial.judged(first, &shingles, &verdict);
            all.by_file.extend(files.judge(&id, &cluster, verdict.original.as_deref(), judge));
            all.by_title.extend(titles.judge(&id, subject(&title), verdict.original.as_deref(), judge));
        }
    }
    Ok(all)
}

/// The labels of the pages so far.
#[derive(Default)]
struct Labels {
    /// The first page with each label.
    first: HashMap<String, String>,
    /// The label of each page.
    of_page: HashMap<String, String>,
}

impl Labels {
    /// Judges the verdict on a page by its label. None for the first page with a label, which has nothing to be found,
    /// unless a page with another label was called its original.
    fn judge(
        &mut self,
        id: &str,
        label: &str,
        original: Option<&str>,
        judge: impl Fn(&str) -> Judged,
    ) -> Option<(Judged, Option<bool>)> {
        let is_other =
            original.is_some_and(|original| self.of_page.get(original).is_none_or(|of| of != label));
        self.of_page.insert(id.to_owned(), label.to_owned());
        let first = self.first.get(label).cloned();
        self.first.entry(label.to_owned()).or_insert_with(|| id.to_owned());
        let judged = judge(first.as_deref().unwrap_or_default());
        (first.is_some() || is_other).then_some((judged, Some(!is_other)))
    }
}

/// The title of a section without the number before it: `4.3.`, `Chapter 4.`, `第4章`, `4장.`, `Appendix A.`.
fn subject(title: &str) -> &str {
    let words_before = ["Chapter ", "Appendix ", "付録", "第", "부록 "];
    let after_word = words_before.iter().find_map(|word| title.strip_prefix(word));
    let number = after_word.unwrap_or(title);
    match number.split_once(' ') {
        Some((number, subject)) if after_word.is_some() || number.contains(['.', '章', '장']) => {
            subject.trim()
        }
        _ => title,
    }
}

/// Judges the pages of a cluster against its first one, and that one against the first of the cluster before, as pairs.
/// Returns the first page.
fn write_pairs(
    set: &str,
    cluster: &str,
    pages: &Map<String, Value>,
    before: Option<String>,
    written: &mut Vec<WrittenPair>,
) -> Result<Option<String>> {
    let set = set.trim_start_matches("html_");
    let core = |html: &str| firstcopy_text::extract(html).core.text;
    let mut texts = pages.values().filter_map(Value::as_str);
    let Some(first) = texts.next().map(str::to_owned) else { return Ok(before) };
    let mut trial = Trial::open(Policy::default())?;
    let others = texts.map(|other| (first.as_str(), other, true));
    let strangers = before.as_deref().map(|before| (before, first.as_str(), false));
    for (number, (a, b, is_copy)) in others.chain(strangers).enumerate() {
        let verdict = trial.judge_pair(Content::html(a), Content::html(b))?;
        let id = format!("{cluster}-{number}");
        written.push(WrittenPair::new(set, "", &id, &core(a), &core(b), is_copy, &verdict));
    }
    Ok(Some(first))
}

/// What is found among posts that nobody labelled: how many, by reason.
pub fn petitions(data: &Path, policy: Policy) -> Result<Vec<(String, usize)>> {
    #[derive(Deserialize)]
    struct Petition {
        id: String,
        text: String,
    }
    let petitions: Vec<Petition> = read_lines(&data.join("2_neardup/ko_petitions_unlabelled.jsonl.gz"))?;
    let mut trial = Trial::open(policy)?;
    let mut reasons = std::collections::BTreeMap::new();
    for Petition { id, text } in petitions {
        *reasons.entry(trial.add(&id, Content::text(text))?.reason).or_insert(0) += 1;
    }
    Ok(reasons.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, expected: &str) {
        assert_eq!(subject(title), expected);
    }

    #[test]
    fn subject_is_the_title_without_its_number() {
        check("4.3. Automatic Installation", "Automatic Installation");
        check("Chapter 2. System Requirements", "System Requirements");
        check("Appendix A. Installation Howto", "Installation Howto");
        check("第3章 Debian GNU/Linux のインストール前に", "Debian GNU/Linux のインストール前に");
        check("付録A インストール Howto", "インストール Howto");
        check("3장. 데비안 GNU/리눅스를 설치하기 전에", "데비안 GNU/리눅스를 설치하기 전에");
        check("부록 A. 설치 방법", "설치 방법");
        check("Debian GNU/Linux Installation Guide", "Debian GNU/Linux Installation Guide");
    }

    #[test]
    fn page_called_a_copy_of_another_label_is_wrong() {
        let judge = |_: &str| Judged { resemblance: 1.0, found: Some(1.0), names_source: true };
        let mut labels = Labels::default();
        assert!(labels.judge("a", "x", None, judge).is_none());
        assert_eq!(labels.judge("b", "x", Some("a"), judge).unwrap().1, Some(true));
        assert_eq!(labels.judge("c", "y", Some("a"), judge).unwrap().1, Some(false));
    }
}
