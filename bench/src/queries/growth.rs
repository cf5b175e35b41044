//! How long a question about similarity takes while the collection grows. Real documents are looked for among made ones.

use crate::CommonArguments;
use crate::add::Posts;
use crate::data::{LANGUAGES, texts};
use crate::measure::percentile;
use crate::random::Random;
use crate::report::{Lines, Report};
use crate::temporary;
use anyhow::Result;
use firstcopy_engine::{Catalogue, Engine, OpenOptions, SimilarQuestion, Ticket};
use firstcopy_text::{Content, Page};
use serde_json::json;
use std::collections::VecDeque;
use std::path::Path;
use std::time::Instant;

/// Real documents that are stored first and asked for at every size.
const REAL: usize = 500;
/// Bytes of a real document: about what a long post has.
const REAL_BYTES: usize = 4000;
/// Answers that are waited for only when so many are on their way.
const ON_THEIR_WAY: usize = 2048;

pub fn run(sizes: &[usize], place: &Path, common: &CommonArguments) -> Result<()> {
    let folder = temporary::on_disk(place)?;
    let data = folder.path().join("data");
    let real = real_texts(&common.data);
    let made = Posts::made();
    let columns =
        ["documents", "asked for", "questions", "found", "p50 ms", "p99 ms", "mean ms", "postings MB"];
    let mut report = Report::new("queries", &columns);
    let mut lines = [("stored, edited".to_owned(), Vec::new()), ("never seen".to_owned(), Vec::new())];
    let mut stored = 0;
    for &size in sizes {
        let engine = Engine::open(&data, OpenOptions::default())?;
        fill(&engine, &real, &made, stored..size)?;
        engine.catch_up()?;
        drop(engine);
        stored = size;
        eprintln!("{size} stored");
        let catalogue = Catalogue::open(&data)?;
        let megabytes = folder_bytes(&data.join("index/generation-1/postings")) as f64 / 1e6;
        let questions = [questions(&real), unknown(&made, sizes.last().copied().unwrap_or(0))];
        for ((name, line), questions) in lines.iter_mut().zip(questions) {
            let (found, mut times) = ask(&catalogue, questions)?;
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            let (count, p50, p99) = (times.len(), percentile(&mut times, 0.5), percentile(&mut times, 0.99));
            line.push((size as f64, p50));
            report.row(vec![
                json!(size),
                json!(name),
                json!(count),
                json!(found),
                json!(p50),
                json!(p99),
                json!(mean),
                json!(megabytes),
            ]);
        }
    }
    report.finish(common, "p50 ms")?;
    match &common.output {
        Some(folder) => Lines {
            name: "queries-growth",
            title: "Time of a question about similarity",
            across: "documents",
            unit: "ms",
            is_logarithmic: false,
            series: lines.into(),
        }
        .draw(folder),
        None => Ok(()),
    }
}

fn real_texts(data: &Path) -> Vec<String> {
    let all = LANGUAGES.map(|language| texts(data, language, 4_000_000).0);
    let cut = |text: &String| text[..text.floor_char_boundary(REAL_BYTES)].to_owned();
    (0..REAL).filter_map(|number| all[number % all.len()].get(number / all.len()).map(cut)).collect()
}

/// The first documents are real, all others made.
fn fill(engine: &Engine, real: &[String], made: &Posts, numbers: std::ops::Range<usize>) -> Result<()> {
    let mut waiting: VecDeque<Ticket> = VecDeque::new();
    for number in numbers {
        let page = match real.get(number) {
            Some(text) => page(number, text.clone()),
            None => made.page(number),
        };
        waiting.push_back(engine.submit(engine.analyze(page)));
        if waiting.len() >= ON_THEIR_WAY
            && let Some(ticket) = waiting.pop_front()
        {
            ticket.wait()?;
        }
    }
    waiting.into_iter().try_for_each(|ticket| ticket.wait().map(drop))?;
    Ok(())
}

fn page(number: usize, text: String) -> Page {
    Page { id: format!("real-{number}"), content: Content::text(text), ..Page::default() }
}

/// The real documents with some of their words replaced.
fn questions(real: &[String]) -> Vec<Page> {
    let mut random = Random::new(11);
    let mut edited = |text: &String| -> String {
        let replace =
            |word: &str| if random.below(100) == 0 { "replaced ".to_owned() } else { word.to_owned() };
        text.split_inclusive(char::is_whitespace).map(replace).collect()
    };
    real.iter()
        .map(|text| Page {
            id: "question".to_owned(),
            content: Content::text(edited(text)),
            ..Page::default()
        })
        .collect()
}

/// Documents that are stored at no size.
fn unknown(made: &Posts, largest: usize) -> Vec<Page> {
    (1..=REAL).map(|number| made.page(5 * (largest + number))).collect()
}

/// Asks everything twice: once so that what is needed is in memory, once to be timed.
fn ask(catalogue: &Catalogue, questions: Vec<Page>) -> Result<(usize, Vec<f64>)> {
    let question = SimilarQuestion::default();
    for page in questions.iter().cloned() {
        catalogue.similar(page, &question)?;
    }
    let (mut found, mut times) = (0, Vec::new());
    for page in questions {
        let start = Instant::now();
        let answer = catalogue.similar(page, &question)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        found += usize::from(!answer.similar.is_empty());
    }
    Ok((found, times))
}

fn folder_bytes(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
