//! Pages of one template with other facts, and re-posts as they really happen: written for this benchmark.

use super::goals::GoalLine;
use super::pairs::Pair;
use super::tally::Share;
use super::trial::Trial;
use crate::accuracy::reposts::{self, Expected};
use crate::accuracy::templates;
use anyhow::Result;
use firstcopy_engine::{Policy, Verdict};
use firstcopy_text::Content;
use firstcopy_text::likeness::CopyRelation;
use serde_json::{Value, json};
use std::path::Path;

/// The pairs of one language's templates: how many were called copies.
#[derive(Debug)]
pub struct Templated {
    pub language: &'static str,
    pub policy: Policy,
    /// Pages with other facts that were called duplicates.
    pub wrong: Share,
    /// Copies with another greeting that were found.
    pub found: Share,
}

impl Templated {
    pub const COLUMNS: [&'static str; 5] =
        ["language", "policy", "called duplicates", "copies found", "pairs"];

    pub fn cells(&self) -> Vec<Value> {
        let pairs = self.wrong.whole + self.found.whole;
        vec![
            json!(self.language),
            json!(self.policy.name()),
            json!(self.wrong.value()),
            json!(self.found.value()),
            json!(pairs),
        ]
    }

    pub(super) fn goals(&self) -> Vec<GoalLine> {
        if self.policy != Policy::default() {
            return Vec::new();
        }
        let apart = Share { part: self.wrong.whole - self.wrong.part, whole: self.wrong.whole };
        let line = |name: &str, least, share| GoalLine {
            name: format!("{name}, {}", self.language),
            least: Some(least),
            share,
        };
        vec![
            line("pages of one template kept apart", 0.99, apart),
            line("their copies with another greeting", 0.98, self.found),
        ]
    }
}

/// Judges `pairs_per_kind` pairs of every kind of template; adds them to `pairs` under the default policy.
pub fn templates(
    data: &Path,
    policies: &[Policy],
    pairs_per_kind: usize,
    pairs: &mut Vec<Pair>,
) -> Result<Vec<Templated>> {
    let all = templates::pairs(data, pairs_per_kind)?;
    let mut measured = Vec::new();
    for &policy in policies {
        for language in crate::data::LANGUAGES {
            let mut trial = Trial::open(policy)?;
            let (mut wrong, mut found) = (Share::default(), Share::default());
            for (number, pair) in all.iter().filter(|pair| pair.language == language).enumerate() {
                let verdict = trial.judge_pair(Content::text(&pair.a), Content::text(&pair.b))?;
                let share = if pair.is_copy { &mut found } else { &mut wrong };
                share.whole += 1;
                share.part += usize::from(!verdict.is_original());
                if policy == Policy::default() {
                    let id = format!("{}-{number}", pair.kind);
                    pairs.push(Pair::new(
                        "templates",
                        language,
                        &id,
                        &pair.a,
                        &pair.b,
                        pair.is_copy,
                        &verdict,
                    ));
                }
            }
            measured.push(Templated { language, policy, wrong, found });
        }
    }
    Ok(measured)
}

/// A re-post and the answer it got.
#[derive(Debug)]
pub struct Reposted {
    pub name: &'static str,
    pub language: &'static str,
    pub policy: Policy,
    pub expected: &'static str,
    pub relation: CopyRelation,
    pub likeness: f64,
    pub is_right: bool,
}

impl Reposted {
    pub const COLUMNS: [&'static str; 7] =
        ["language", "re-post", "policy", "expected", "relation", "likeness", "right"];

    pub fn cells(&self) -> Vec<Value> {
        vec![
            json!(self.language),
            json!(self.name),
            json!(self.policy.name()),
            json!(self.expected),
            json!(self.relation),
            json!(self.likeness),
            json!(if self.is_right { "yes" } else { "no" }),
        ]
    }

    pub(super) fn goals(all: &[Reposted]) -> Vec<GoalLine> {
        let default: Vec<&Reposted> =
            all.iter().filter(|repost| repost.policy == Policy::default()).collect();
        let share =
            Share { part: default.iter().filter(|repost| repost.is_right).count(), whole: default.len() };
        vec![GoalLine { name: "re-posts judged as a reader would".to_owned(), least: Some(0.95), share }]
    }
}

/// Judges every re-post after its originals were stored; adds them to `pairs` under the default policy.
pub fn reposts(policies: &[Policy], pairs: &mut Vec<Pair>) -> Result<Vec<Reposted>> {
    let mut measured = Vec::new();
    for &policy in policies {
        for repost in reposts::all() {
            let mut trial = Trial::open(policy)?;
            if let Some(second) = repost.second_original {
                trial.add("second", Content::text(second))?;
            }
            let verdict = trial.judge_pair(Content::text(repost.original), Content::text(repost.repost))?;
            let names_source = verdict.is_original() && verdict.copied_share.is_some_and(|share| share > 0.1);
            let (expected, is_right) = match repost.expected {
                Expected::Duplicate => ("duplicate", !verdict.is_original()),
                Expected::SourceNamed => ("original, source named", names_source),
                Expected::Unrelated => ("original", verdict.is_original()),
            };
            if policy == Policy::default() && !matches!(repost.expected, Expected::SourceNamed) {
                let is_copy = matches!(repost.expected, Expected::Duplicate);
                let (a, b) = (repost.original, repost.repost);
                pairs.push(Pair::new(
                    "reposts",
                    "",
                    &format!("{}-{}", repost.language, repost.name),
                    a,
                    b,
                    is_copy,
                    &verdict,
                ));
            }
            let Verdict { relation, likeness, .. } = verdict;
            measured.push(Reposted {
                name: repost.name,
                language: repost.language,
                policy,
                expected,
                relation,
                likeness,
                is_right,
            });
        }
    }
    Ok(measured)
}
