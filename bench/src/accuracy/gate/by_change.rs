//! Copies of real texts, by language, length and what was done to them.

use super::changes::{CHANGES, Change, Cut, Goal};
use super::pairs::Pair;
use super::tally::Tally;
use super::trial::Trial;
use crate::data::{LANGUAGES, read_lines};
use crate::random::Random;
use anyhow::Result;
use firstcopy_engine::Policy;
use firstcopy_text::{Content, Tokens};
use serde::Deserialize;
use std::path::Path;

/// Tokens of the texts that are copied.
pub const LENGTHS: [usize; 5] = [20, 50, 100, 300, 1000];

/// Tokens of the longest texts, and every how manieth, that are written as pairs for others to judge.
const MOST_WRITTEN: usize = 300;
const WRITTEN_STEP: usize = 10;

/// The copies of one kind.
#[derive(Debug)]
pub struct Cell {
    pub language: &'static str,
    pub length: usize,
    pub change: Change,
    pub policy: Policy,
    pub tally: Tally,
}

/// Copies `count` texts of every language and length in every way.
pub fn run(data: &Path, policies: &[Policy], count: usize, pairs: &mut Vec<Pair>) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for language in LANGUAGES {
        let texts = texts(data, language)?;
        for length in LENGTHS {
            let (sources, donors) = cuts(&texts, length, count);
            for &policy in policies {
                let is_written = policy == Policy::default() && length <= MOST_WRITTEN;
                let written = is_written.then_some((language, &mut *pairs));
                let tallies = copy_all(&sources, &donors, policy, written)?;
                for (change, tally) in CHANGES.into_iter().zip(tallies) {
                    cells.push(Cell { language, length, change, policy, tally });
                }
            }
        }
    }
    Ok(cells)
}

#[derive(Deserialize)]
struct Sample {
    text: String,
}

/// Legal, literary and technical documents, and manual pages that share passages.
fn texts(data: &Path, language: &str) -> Result<Vec<(String, Tokens)>> {
    let mut samples: Vec<Sample> = read_lines(&data.join(format!("5_scale_sample/{language}.jsonl.gz")))?;
    samples.extend(read_lines::<Sample>(&data.join(format!("3_partial/{language}_ghdocs.jsonl.gz")))?);
    let tokens = |sample: Sample| (Tokens::of(&sample.text), sample.text);
    Ok(samples.into_iter().map(tokens).map(|(tokens, text)| (text, tokens)).collect())
}

/// The fronts of `count` texts from all over the list, and the backs of as many others.
fn cuts(texts: &[(String, Tokens)], length: usize, count: usize) -> (Vec<Cut>, Vec<Cut>) {
    let long: Vec<&(String, Tokens)> = texts.iter().filter(|(_, tokens)| tokens.len() >= length).collect();
    let step = (long.len() / (2 * count)).max(1);
    let some = |first: usize, cut: fn(&str, &Tokens, usize) -> Option<Cut>| {
        let chosen = long.iter().skip(first).step_by(2 * step).take(count);
        chosen.filter_map(|(text, tokens)| cut(text, tokens, length)).collect()
    };
    (some(0, Cut::front), some(step, Cut::back))
}

/// Stores the sources and judges a copy of each in every way; one tally a change.
fn copy_all(
    sources: &[Cut],
    donors: &[Cut],
    policy: Policy,
    mut written: Option<(&str, &mut Vec<Pair>)>,
) -> Result<Vec<Tally>> {
    let mut trial = Trial::open(policy)?;
    let mut originals = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let id = number.to_string();
        // A natural copy is looked up by its own original, not by itself.
        if trial.add(&id, Content::text(source.text.as_str()))?.is_original() {
            originals.push((id, source, &donors[number % donors.len()]));
        }
    }
    let mut tally = |change: Change| -> Result<Tally> {
        let mut random = Random::new(1);
        let mut tally = Tally::default();
        for (number, (id, source, donor)) in originals.iter().enumerate() {
            let copy = change.apply(source, donor, &mut random);
            let (judged, verdict) = trial.check_and_tell(id, Content::text(copy.as_str()))?;
            let goal = change.goal(source.len());
            if let Some((language, pairs)) = &mut written
                && number % WRITTEN_STEP == 0
                && goal != Goal::ManyReplaced
            {
                let is_copy = !matches!(goal, Goal::ThirdExchanged | Goal::OtherText);
                let id = format!("{}-{id}-{}", source.len(), change.name());
                pairs.push(Pair::new("changes", language, &id, &source.text, &copy, is_copy, &verdict));
            }
            tally.0.push(judged);
        }
        Ok(tally)
    };
    CHANGES.into_iter().map(&mut tally).collect()
}
