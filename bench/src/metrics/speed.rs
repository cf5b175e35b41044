//! How long does it take to find what two pages have in common, here and elsewhere, and how much memory?
//!
//! All contenders get the same pair one after the other, round by round, so that a busy moment hits all of them.

use super::contenders::{CONTENDERS, Contender, Sides, whole_comparison};
use super::pairs::{Edit, PagePair};
use crate::CommonArguments;
use crate::measure::{forget_peak_memory, memory_mb, percentile};
use crate::report::Report;
use anyhow::Result;
use cpu_time::ProcessTime;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Instant;

/// Rounds of every pair.
const ROUNDS: usize = 25;
/// Nobody starts another round after so many seconds of CPU time on a pair.
const ENOUGH: f64 = 2.0;
/// Whoever took so many seconds for a pair is not asked for the larger ones of its kind.
const TOO_LONG: f64 = 20.0;
/// What the largest pair of unrelated pages may take.
const GOAL_SECONDS: f64 = 10.0;
const GOAL_MB: f64 = 500.0;

/// What a contender took for one pair.
#[derive(Default)]
struct Taken {
    seconds: Vec<f64>,
    common: usize,
}

impl Taken {
    fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }

    fn round(&mut self, contender: &Contender, sides: &Sides) {
        let start = ProcessTime::now();
        self.common = (contender.common_words)(sides);
        self.seconds.push(start.elapsed().as_secs_f64());
    }
}

pub fn run(pairs: &[PagePair], common: &CommonArguments) -> Result<()> {
    // First, while nothing that was freed is still counted.
    let memory = memory(pairs);
    let columns = [
        "language",
        "text",
        "edit",
        "words",
        "contender",
        "rounds",
        "best ms",
        "median ms",
        "times firstcopy",
        "common words",
        "words short",
        "longest",
    ];
    let mut report = Report::new("metrics-speed", &columns);
    let mut too_slow = HashSet::new();
    for pair in pairs {
        eprintln!("{} {} {}", pair.language, pair.edit.name(), pair.words);
        measure(pair, &mut too_slow).into_iter().for_each(|row| report.row(row));
    }
    if !common.json {
        println!("\nThe longest common subsequence of two pages, in CPU time:\n");
    }
    report.finish(common, "best ms")?;
    if !common.json {
        println!("\nThe largest pair of unrelated pages, all six metrics:\n");
    }
    memory.finish(common, "seconds")
}

/// A contender that was too slow for a pair of a language and an edit.
type TooSlow = HashSet<(&'static str, &'static str, &'static str)>;

/// The rows of one pair.
fn measure(pair: &PagePair, too_slow: &mut TooSlow) -> Vec<Vec<Value>> {
    let sides = Sides::of(pair);
    let key = |contender: &Contender| (pair.language, pair.edit.name(), contender.name);
    let is_skipped =
        |contender: &Contender| too_slow.contains(&key(contender)) || pair.words > contender.most_words;
    let mut taken: [Option<Taken>; CONTENDERS.len()] =
        std::array::from_fn(|number| (!is_skipped(&CONTENDERS[number])).then(Taken::default));
    for _ in 0..ROUNDS {
        for (contender, taken) in CONTENDERS.iter().zip(&mut taken) {
            if let Some(taken) = taken.as_mut().filter(|taken| taken.total() < ENOUGH) {
                taken.round(contender, &sides);
            }
        }
    }
    let slow = |(contender, taken): (&Contender, &Option<Taken>)| {
        let is_slow = taken.as_ref().is_none_or(|taken| taken.best() > TOO_LONG);
        is_slow.then(|| key(contender))
    };
    too_slow.extend(CONTENDERS.iter().zip(&taken).filter_map(slow));
    let ours =
        taken.first().and_then(|ours| ours.as_ref()).map_or((0.0, 0), |ours| (ours.best(), ours.common));
    CONTENDERS.iter().zip(taken).map(|(contender, taken)| row(pair, contender, taken, ours)).collect()
}

fn row(pair: &PagePair, contender: &Contender, taken: Option<Taken>, ours: (f64, usize)) -> Vec<Value> {
    let head = [
        json!(pair.language),
        json!(pair.origin),
        json!(pair.edit.name()),
        json!(pair.words),
        json!(contender.name),
    ];
    let figures = match taken {
        Some(mut taken) => {
            let best = taken.best();
            [
                json!(taken.seconds.len()),
                json!(best * 1e3),
                json!(percentile(&mut taken.seconds, 0.5) * 1e3),
                json!(best / ours.0),
                json!(taken.common),
                json!(ours.1 as i64 - taken.common as i64),
                json!(if taken.common == ours.1 { "yes" } else { "no" }),
            ]
        }
        None => {
            [json!("skipped"), Value::Null, Value::Null, Value::Null, Value::Null, Value::Null, Value::Null]
        }
    };
    head.into_iter().chain(figures).collect()
}

/// What the largest unrelated pages take, in every language.
fn memory(pairs: &[PagePair]) -> Report {
    let columns = ["language", "edit", "words", "seconds", "peak MB more than before", "goal met"];
    let mut report = Report::new("metrics-memory", &columns);
    let unrelated = || pairs.iter().filter(|pair| pair.edit == Edit::Unrelated);
    let largest = unrelated().map(|pair| pair.words).max().unwrap_or(0);
    for pair in unrelated().filter(|pair| pair.words == largest) {
        let sides = Sides::of(pair);
        forget_peak_memory();
        let (before, start) = (memory_mb("VmRSS"), Instant::now());
        whole_comparison(&sides);
        let seconds = start.elapsed().as_secs_f64();
        let more = memory_mb("VmHWM").zip(before).map(|(peak, before)| peak - before);
        let is_met = more.map(|more| more < GOAL_MB && seconds < GOAL_SECONDS);
        report.row(vec![
            json!(pair.language),
            json!(pair.edit.name()),
            json!(pair.words),
            json!(seconds),
            json!(more),
            json!(is_met.map(|is_met| if is_met { "yes" } else { "NO" })),
        ]);
    }
    report
}
