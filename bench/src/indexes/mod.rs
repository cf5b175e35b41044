//! The four duplicate indexes side by side while they grow: lee-2010 figures 2 and 3, lee-2008 figure 4.2.

mod documents;
mod subject;

use crate::CommonArguments;
use crate::report::{Lines, Report};
use anyhow::Result;
use clap::Args;
use documents::{Keys, Real};
use firstcopy_index::{IndexKind, Rule};
use firstcopy_text::{FeatureRule, Parameters};
use serde_json::{Value, json};
use std::time::Duration;
use subject::{Lookups, Subject};

/// The papers' five steps, and the size from which growth is judged.
const DOCUMENTS: [usize; 6] = [150_000, 300_000, 600_000, 900_000, 1_200_000, 1_500_000];
const QUICK_DOCUMENTS: [usize; 3] = [5_000, 20_000, 50_000];
/// Every index is asked so often in turn, so that a busy moment of the machine does not hit one of them alone.
const ROUNDS: usize = 9;
/// Keys that are added one document at a time: enough for a memtable to become a run.
const SINGLY_ADDED_KEYS: usize = 1_300_000;

#[derive(Args)]
pub struct Arguments {
    /// Sizes to stop and measure at, ascending.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    documents: Option<Vec<usize>>,
    /// Only these indexes.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Option<Vec<String>>,
    #[command(flatten)]
    common: CommonArguments,
}

/// What was measured of one index at one size.
struct Measured {
    kind: IndexKind,
    keys: Keys,
    /// Or stays as small as it was first.
    grows: bool,
    rule: Rule,
    documents: usize,
    /// Queries for near copies of stored documents.
    known: Times,
    /// Queries for documents never seen.
    unknown: Times,
    /// The mean of queries for documents never seen, never asked before.
    first_time: f64,
    pages: Option<f64>,
    bytes: u64,
    /// CPU time of all growth so far.
    build: Duration,
    candidates: Vec<Vec<u32>>,
}

/// Microseconds a lookup.
struct Times {
    /// Mean CPU time: other processes do not count.
    mean: f64,
    /// By the clock on the wall: they do.
    p99: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let default_sizes: &[usize] = if arguments.common.quick { &QUICK_DOCUMENTS } else { &DOCUMENTS };
    let sizes = arguments.documents.as_deref().unwrap_or(default_sizes);
    let real = Real::read(&arguments.common);
    let mut subjects = subjects(arguments.only.as_deref())?;
    let mut measured = Vec::new();
    for &documents in sizes {
        for subject in subjects.iter_mut().filter(|subject| subject.grows || subject.is_empty()) {
            eprintln!(
                "{}, {}: growing to {documents} documents",
                subject.kind.name(),
                rule_name(subject.rule)
            );
            subject.grow(documents, &real)?;
        }
        measured.extend(measure(&mut subjects, documents, &real)?);
    }
    let (measured, small): (Vec<_>, Vec<_>) = measured.into_iter().partition(|one| one.grows);
    report(&measured).finish(&arguments.common, "mean µs")?;
    ratios(&measured, &small, sizes).finish(&arguments.common, "ratio")?;
    commits(&mut subjects)?.finish(&arguments.common, "p99 µs")?;
    draw(&measured, &arguments.common)
}

/// All four by the papers' rule, the default by that of the default policy, and the default once more, which stays as
/// small as it is first: it is asked beside itself grown up, at the same moments of a busy machine.
fn subjects(only: Option<&[String]>) -> Result<Vec<Subject>> {
    let is_wanted = |kind: &IndexKind| only.is_none_or(|only| only.iter().any(|name| name == kind.name()));
    let rule = |features: FeatureRule| Rule { keys: features.groups, needed: features.needed };
    let Parameters { features, candidates, .. } = Parameters::default();
    let papers = IndexKind::ALL.into_iter().map(|kind| (kind, rule(features), Keys::Features, true));
    let policy = (IndexKind::Default, rule(candidates), Keys::Candidates, true);
    let small = (IndexKind::Default, rule(features), Keys::Features, false);
    let wanted = papers.chain([policy, small]).filter(|one| is_wanted(&one.0));
    wanted.map(|(kind, rule, keys, grows)| Subject::new(kind, rule, keys, grows)).collect()
}

/// What was measured in all rounds of one index.
#[derive(Default)]
struct Rounds {
    known: Vec<Lookups>,
    unknown: Vec<Lookups>,
    first_time: Vec<f64>,
}

/// Asks all of them in turn.
fn measure(subjects: &mut [Subject], documents: usize, real: &Real) -> Result<Vec<Measured>> {
    let mut rounds: Vec<Rounds> = subjects.iter().map(|_| Rounds::default()).collect();
    for _ in 0..ROUNDS {
        for (subject, rounds) in subjects.iter_mut().zip(&mut rounds) {
            rounds.known.push(subject.ask(real)?);
            rounds.unknown.push(subject.ask_unknown()?);
            rounds.first_time.push(subject.ask_first_time()?);
        }
    }
    let finish = |(subject, rounds): (&mut Subject, Rounds)| {
        let (pages, bytes) = subject.weigh(real)?;
        Ok(Measured {
            kind: subject.kind,
            keys: subject.keys,
            grows: subject.grows,
            rule: subject.rule,
            documents,
            known: times(&rounds.known),
            unknown: times(&rounds.unknown),
            first_time: least(rounds.first_time.into_iter()),
            pages,
            bytes,
            build: subject.build,
            candidates: subject.candidates(real)?,
        })
    };
    subjects.iter_mut().zip(rounds).map(finish).collect()
}

/// The mean of the least disturbed round, the 99th percentile of all lookups.
fn times(rounds: &[Lookups]) -> Times {
    let mut all: Vec<Duration> = rounds.iter().flat_map(|round| &round.times).copied().collect();
    all.sort_unstable();
    let p99 = all[all.len() * 99 / 100].as_secs_f64() * 1e6;
    Times { mean: least(rounds.iter().map(|round| round.mean)), p99 }
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn rule_name(rule: Rule) -> String {
    format!("{} of {} keys", rule.needed, rule.keys)
}

fn report(measured: &[Measured]) -> Report {
    let columns = [
        "documents",
        "index",
        "rule",
        "mean µs",
        "p99 µs",
        "unknown mean µs",
        "unknown p99 µs",
        "first time mean µs",
        "page accesses",
        "MB",
        "build s",
        "own document found",
        "unlike default",
    ];
    let mut report = Report::new("indexes", &columns);
    for one in measured {
        report.row(vec![
            json!(one.documents),
            json!(one.kind.name()),
            json!(rule_name(one.rule)),
            json!(one.known.mean),
            json!(one.known.p99),
            json!(one.unknown.mean),
            json!(one.unknown.p99),
            json!(one.first_time),
            json!(one.pages),
            json!(one.bytes as f64 / 1e6),
            json!(one.build.as_secs_f64()),
            json!(found_own(one)),
            unlike_default(one, measured),
        ]);
    }
    report
}

/// How many queries found the document they are an edited copy of: it has the number of the query.
fn found_own(one: &Measured) -> usize {
    let own = one.candidates.iter().enumerate();
    own.filter(|(number, candidates)| candidates.contains(&(*number as u32))).count()
}

/// How many queries got other candidates than from the default index under the same rule.
fn unlike_default(one: &Measured, measured: &[Measured]) -> Value {
    let default = measured.iter().find(|other| {
        other.kind == IndexKind::Default && (other.keys, other.documents) == (one.keys, one.documents)
    });
    default.map_or(Value::Null, |default| {
        json!(default.candidates.iter().zip(&one.candidates).filter(|(a, b)| a != b).count())
    })
}

/// The two ratios that matter: the default against the fastest of the papers', and against itself when it was small.
fn ratios(measured: &[Measured], small: &[Measured], sizes: &[usize]) -> Report {
    let mut report = Report::new("indexes-ratios", &["what", "documents", "queries", "ratio", "goal"]);
    type Query = (&'static str, fn(&Measured) -> f64);
    let queries: [Query; 3] = [
        ("near copies", |one| one.known.mean),
        ("unknown documents", |one| one.unknown.mean),
        ("unknown, asked for the first time", |one| one.first_time),
    ];
    for (name, mean) in queries {
        let find = |kind: IndexKind, documents: usize| {
            let one = measured
                .iter()
                .find(|one| (one.kind, one.keys, one.documents) == (kind, Keys::Features, documents));
            one.map_or(f64::NAN, mean)
        };
        let default = |documents| find(IndexKind::Default, documents);
        for &documents in sizes {
            let fastest =
                IndexKind::ALL[1..].iter().map(|&kind| find(kind, documents)).fold(f64::NAN, f64::min);
            let ratio = fastest / default(documents);
            report.row(vec![
                json!("fastest of the papers' / default"),
                json!(documents),
                json!(name),
                json!(ratio),
                json!("20 or more"),
            ]);
        }
        if let ([first, .., last], Some(small)) = (sizes, small.last()) {
            let ratio = default(*last) / mean(small);
            let what = format!("default / itself at {first}");
            report.row(vec![json!(what), json!(last), json!(name), json!(ratio), json!("1.3 or less")]);
        }
    }
    report
}

/// How long the default index holds up whoever adds single documents, with a run written and merged on the way.
fn commits(subjects: &mut [Subject]) -> Result<Report> {
    let mut report =
        Report::new("indexes-commits", &["index", "rule", "commits", "median µs", "p99 µs", "longest µs"]);
    for subject in subjects.iter_mut().filter(|subject| subject.grows && subject.kind == IndexKind::Default) {
        let mut times = subject.commit_each(SINGLY_ADDED_KEYS / subject.rule.keys)?;
        times.sort_unstable();
        let micros = |place: usize| json!(times[place].as_secs_f64() * 1e6);
        report.row(vec![
            json!(subject.kind.name()),
            json!(rule_name(subject.rule)),
            json!(times.len()),
            micros(times.len() / 2),
            micros(times.len() * 99 / 100),
            micros(times.len() - 1),
        ]);
    }
    Ok(report)
}

fn draw(measured: &[Measured], arguments: &CommonArguments) -> Result<()> {
    let Some(folder) = &arguments.output else { return Ok(()) };
    let papers = |kind: IndexKind, value: &dyn Fn(&Measured) -> Option<f64>| {
        let same = measured.iter().filter(|one| (one.kind, one.keys) == (kind, Keys::Features));
        let points: Vec<_> = same.filter_map(|one| Some((one.documents as f64, value(one)?))).collect();
        (kind.name().to_owned(), points)
    };
    let all = |value: &dyn Fn(&Measured) -> Option<f64>| -> Vec<_> {
        IndexKind::ALL.into_iter().map(|kind| papers(kind, value)).filter(|line| !line.1.is_empty()).collect()
    };
    let lines = |name, title, unit, is_logarithmic, series| {
        Lines { name, title, across: "documents", unit, is_logarithmic, series }.draw(folder)
    };
    let time = |one: &Measured| Some(one.known.mean);
    lines("indexes-time", "Lookup time (lee-2010, figure 2)", "µs", true, all(&time))?;
    lines("indexes-pages", "Page accesses (lee-2010, figure 3)", "pages", false, all(&|one| one.pages))?;
    let r15d2 = vec![papers(IndexKind::R15d2, &time)];
    lines("indexes-r15d2", "Lookup time of R15D2 (lee-2008, figure 4.2)", "µs", false, r15d2)
}
