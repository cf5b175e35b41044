//! What may be in a data directory, as far as its journal tells; and whether that is what is in it.

use super::follower::FileFollower;
use super::journal::{Line, Stored};
use firstcopy_engine::{Engine, OpenOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::PoisonError;

/// What may stand under every id. One thing if the last operation on it was answered; else also what was begun since.
#[derive(Debug, Default)]
pub struct Expected(BTreeMap<String, Vec<Stored>>);

impl Expected {
    /// Learns what a journal says. Operations on one id never overlap.
    pub fn learn(&mut self, lines: &[Line]) {
        for line in lines {
            match line {
                Line::Begin(id, text) => {
                    self.0.entry(id.clone()).or_insert_with(|| vec![None]).push(*text);
                }
                Line::Done(id, text) => {
                    self.0.insert(id.clone(), vec![*text]);
                }
                _ => {}
            }
        }
    }

    /// Opens the directory and looks at everything. From now on what is there is what is expected.
    pub fn check(&mut self, data: &Path, followed: &Path, options: OpenOptions) -> Result<(), String> {
        let _held = super::ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = Engine::open(data, options).map_err(|error| format!("cannot be opened: {error}"))?;
        let verdicts = self.compare(&engine)?;
        one_original_a_group(&self.0, &verdicts)?;
        let found = engine.verify(|_| ()).map_err(|error| format!("verify: {error}"))?;
        if !found.is_clean() {
            return Err(format!("verify: {:#?}", found.problems));
        }
        in_step(&engine, followed, &verdicts)
    }

    /// Every id has a content that it may have. Returns the original of each that is there, none for originals.
    fn compare(&mut self, engine: &Engine) -> Result<BTreeMap<String, Option<String>>, String> {
        let mut verdicts = BTreeMap::new();
        for (id, allowed) in &mut self.0 {
            let shown = engine.reader().show(id).map_err(|error| format!("show {id}: {error}"))?;
            let verdict = shown.as_ref().and_then(|shown| shown.verdict.clone());
            let there =
                verdict.is_some().then(|| shown.and_then(|shown| shown.core_text).unwrap_or_default());
            let fits = |stored: &&Stored| stored.map(|text| text.words()) == there;
            let Some(&stored) = allowed.iter().find(fits) else {
                return Err(format!("{id}: one of {allowed:?} was expected, found {there:?}"));
            };
            *allowed = vec![stored];
            verdicts.extend(verdict.map(|verdict| (id.clone(), verdict.original)));
        }
        let documents = engine.statistics().map_err(|error| error.to_string())?.documents;
        if documents != verdicts.len() as u64 {
            return Err(format!("{documents} documents, {} of them known", verdicts.len()));
        }
        Ok(verdicts)
    }
}

/// All posts on a topic name the one original among them.
fn one_original_a_group(
    expected: &BTreeMap<String, Vec<Stored>>,
    verdicts: &BTreeMap<String, Option<String>>,
) -> Result<(), String> {
    let mut groups: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    for (id, original) in verdicts {
        if let Some(text) = expected[id][0] {
            groups.entry(text.topic).or_default().insert(original.as_ref().unwrap_or(id));
        }
    }
    match groups.iter().find(|(_, originals)| originals.len() != 1) {
        Some((topic, originals)) => Err(format!("topic {topic} has the originals {originals:?}")),
        None => Ok(()),
    }
}

/// The follower takes what it has missed, and then knows exactly the originals.
fn in_step(
    engine: &Engine,
    followed: &Path,
    verdicts: &BTreeMap<String, Option<String>>,
) -> Result<(), String> {
    let mut follower = FileFollower::open(followed);
    engine.follow(&mut follower).map_err(|error| format!("follow: {error}"))?;
    let known: BTreeSet<&str> = follower.originals.values().map(String::as_str).collect();
    let originals: BTreeSet<&str> =
        verdicts.iter().filter(|(_, original)| original.is_none()).map(|(id, _)| id.as_str()).collect();
    if known != originals || follower.originals.len() != originals.len() {
        return Err(format!("the follower knows {:?}, the originals are {originals:?}", follower.originals));
    }
    Ok(())
}
