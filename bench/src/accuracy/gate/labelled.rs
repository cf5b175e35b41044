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
use std::path::Path;

/// The sets of pairs, and from which label on a pair counts as a near copy.
const PAIRS: [(&str, i64); 3] = [("en_trec", 2), ("ko_precedent", 1), ("ja_aozora", 1)];
/// The sets of clusters.
const CLUSTERS: [&str; 3] = ["html_installguide_en", "html_installguide_ja", "html_installguide_ko"];

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
        for set in CLUSTERS {
            all.push(Labelled { set, policy, judged: clusters(data, set, policy, written)? });
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

/// Every page of every cluster, stored one after the other; a page must be a duplicate of one of its own cluster, and the
/// first of a cluster of none.
fn clusters(
    data: &Path,
    set: &str,
    policy: Policy,
    written: &mut Vec<WrittenPair>,
) -> Result<Vec<(Judged, Option<bool>)>> {
    #[derive(Deserialize)]
    struct Cluster {
        cluster: String,
        pages: Map<String, Value>,
    }
    let clusters: Vec<Cluster> = read_lines(&data.join(format!("2_neardup/{set}.jsonl.gz")))?;
    let mut trial = Trial::open(policy)?;
    let mut all = Vec::new();
    let mut last_first: Option<String> = None;
    for Cluster { cluster, pages } in clusters {
        let mut first = None;
        if policy == Policy::default() {
            last_first = write_pairs(set, &cluster, &pages, last_first, written)?;
        }
        for (machine, html) in &pages {
            let id = format!("{cluster}/{machine}");
            let content = Content::html(html.as_str().unwrap_or_default());
            let shingles = trial.shingles(content.clone());
            let verdict = trial.add(&id, content)?;
            let is_own = |original: &str| original.rsplit_once('/').is_some_and(|(of, _)| of == cluster);
            let strange = verdict.original.as_deref().is_some_and(|original| !is_own(original));
            let judged = trial.judged(first.as_deref().unwrap_or_default(), &shingles, &verdict);
            // Nothing to find for a first page, unless something was found that it is no copy of.
            if first.is_some() || strange {
                all.push((judged, Some(!strange)));
            }
            first = first.or(Some(id));
        }
    }
    Ok(all)
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
