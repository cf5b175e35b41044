//! And if a page changes in several ways at once? kwon-2007 left that open; the yardstick here is what the parts cost
//! together, by the words of the longer page.

use super::pages::{Change, Changed, Part, Wording};
use crate::CommonArguments;
use crate::random::Random;
use crate::report::Report;
use anyhow::Result;
use serde_json::json;

/// Words of a page.
const WORDS: usize = 1000;
/// Words that change, all kinds together.
const CHANGED: [usize; 4] = [60, 120, 300, 600];
const QUICK_CHANGED: [usize; 1] = [300];
/// The kinds that are mixed.
const KINDS: [Change; 6] =
    [Change::Add, Change::Copy, Change::Drop, Change::Shrink, Change::Replace, Change::Move];

/// How far IED is from the yardstick on one page.
struct Trial {
    kinds: Vec<Change>,
    words: usize,
    difference: f64,
}

impl Trial {
    fn new(kinds: Vec<Change>, words: usize, wording: Wording) -> Self {
        let each = words / kinds.len();
        let parts: Vec<Part> = kinds.iter().map(|&change| Part { change, words: each }).collect();
        let changed = Changed::new(WORDS, &parts, wording, words as u64);
        Trial { kinds, words, difference: changed.measures().ied - changed.yardstick }
    }

    fn has_replace(&self) -> bool {
        self.kinds.contains(&Change::Replace)
    }

    fn name(&self) -> String {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
        format!("{} ({} words)", names.join(" + "), self.words)
    }
}

/// Every choice of two kinds and more, each in an order of its own.
fn mixtures() -> Vec<Vec<Change>> {
    let chosen = |choice: u32| -> Vec<Change> {
        let is_chosen = |(number, _): &(usize, Change)| choice >> number & 1 == 1;
        KINDS.into_iter().enumerate().filter(is_chosen).map(|(_, kind)| kind).collect()
    };
    let mut random = Random::new(6);
    let mut shuffled = |mut kinds: Vec<Change>| {
        (1..kinds.len()).rev().for_each(|last| kinds.swap(last, random.below(last + 1)));
        kinds
    };
    (0..1 << KINDS.len()).map(chosen).filter(|kinds| kinds.len() > 1).map(&mut shuffled).collect()
}

fn trials(is_quick: bool, wording: Wording) -> Vec<Trial> {
    let words = if is_quick { &QUICK_CHANGED[..] } else { &CHANGED };
    let all = mixtures();
    words
        .iter()
        .flat_map(|&words| all.iter().map(move |kinds| Trial::new(kinds.clone(), words, wording)))
        .collect()
}

pub fn report(common: &CommonArguments) -> Result<()> {
    let columns =
        ["words", "kinds", "replace", "pages", "mean difference", "mean of both signs", "largest", "where"];
    let mut report = Report::new("metrics-mixtures", &columns);
    for (name, wording) in [("of their kind", Wording::Fair), ("any", Wording::Any)] {
        let trials = trials(common.quick, wording);
        for kinds in 2..=KINDS.len() {
            for has_replace in [false, true] {
                let is_meant =
                    |trial: &&Trial| trial.kinds.len() == kinds && trial.has_replace() == has_replace;
                let some: Vec<&Trial> = trials.iter().filter(is_meant).collect();
                let size = |trial: &Trial| trial.difference.abs();
                let largest = some.iter().max_by(|one, other| size(one).total_cmp(&size(other)));
                let Some(largest) = largest else { continue };
                let mean = |of: &dyn Fn(&Trial) -> f64| {
                    some.iter().map(|trial| of(trial)).sum::<f64>() / some.len() as f64
                };
                report.row(vec![
                    json!(name),
                    json!(kinds),
                    json!(if has_replace { "with" } else { "without" }),
                    json!(some.len()),
                    json!(mean(&size)),
                    json!(mean(&|trial| trial.difference)),
                    json!(size(largest)),
                    json!(largest.name()),
                ]);
            }
        }
    }
    if !common.json {
        println!("\nPages that changed in several ways at once: IED and the yardstick:\n");
    }
    report.finish(common, "mean difference")
}
