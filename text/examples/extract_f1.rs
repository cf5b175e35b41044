//! Measures the extractors on pages whose core text is known: F1 a page, bag of words, and MB a second of one core.
//!
//! `cargo run --release -p firstcopy-text --example extract_f1 -- <folder> [extractor] [N | id]`
//! lists the N worst pages, or shows what was found on one

use std::collections::HashMap;
use std::error::Error;
use std::io::Read;

use firstcopy_text::{Extractor, extractor, extractors};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = args.first().map_or("../shared/data/1_extract", String::as_str);
    let wanted = args.get(1).map(String::as_str);
    let worst = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(0);
    if let (Some(id), 0) = (args.get(2), worst) {
        return show(folder, wanted.unwrap_or("firstcopy"), id);
    }
    for extractor in extractors() {
        if wanted.is_none_or(|name| name == extractor.name()) {
            measure(*extractor, folder, worst)?;
        }
    }
    Ok(())
}

fn measure(extractor: &dyn Extractor, folder: &str, worst: usize) -> Result<()> {
    println!("{}", extractor.name());
    for language in ["en", "ja", "ko"] {
        let pages = read(&format!("{folder}/{language}.jsonl.gz"))?;
        let bytes: usize = pages.iter().map(|p| p.html.len()).sum();
        let texts: Vec<String> = pages.iter().map(|p| extractor.extract(&p.html).core.text).collect();
        let seconds = time(extractor, &pages)?;
        let mut scores: Vec<(f64, f64, f64, &str)> =
            pages.iter().zip(&texts).map(|(p, t)| with_id(score(t, &p.gold), &p.id)).collect();
        let halves: Vec<f64> = (0..2).map(|h| mean(scores.iter().skip(h).step_by(2).map(|s| s.0))).collect();
        println!(
            "  {language} F1 {:.4} (halves {:.4} {:.4}) P {:.4} R {:.4}  {:.1} MB/CPU s",
            mean(scores.iter().map(|s| s.0)),
            halves[0],
            halves[1],
            mean(scores.iter().map(|s| s.1)),
            mean(scores.iter().map(|s| s.2)),
            bytes as f64 / 1e6 / seconds
        );
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (f1, precision, recall, id) in scores.iter().take(worst) {
            println!("    {f1:.4} P {precision:.3} R {recall:.3} {id}");
        }
    }
    Ok(())
}

/// CPU seconds for all pages once: the mean of as many rounds as a clock of ticks needs.
fn time(extractor: &dyn Extractor, pages: &[Labelled]) -> Result<f64> {
    let start = cpu_seconds()?;
    let mut rounds = 0;
    while cpu_seconds()? - start < 100.0 * TICK {
        pages.iter().for_each(|p| drop(std::hint::black_box(extractor.extract(&p.html))));
        rounds += 1;
    }
    Ok((cpu_seconds()? - start) / f64::from(rounds))
}

/// One tick of the kernel's clock of processes.
const TICK: f64 = 0.01;

/// What this process has used of its cores: other work on the machine does not count. The kernel
/// gives user and system time as the 14th and 15th field, after a name that may hold spaces.
fn cpu_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(')').ok_or("no name in /proc/self/stat")?.1;
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
    Ok(ticks as f64 * TICK)
}

fn show(folder: &str, name: &str, id: &str) -> Result<()> {
    let extractor = extractor(name).ok_or("no such extractor")?;
    for language in ["en", "ja", "ko"] {
        for page in read(&format!("{folder}/{language}.jsonl.gz"))?.iter().filter(|p| p.id == id) {
            let found = extractor.extract(&page.html);
            println!(
                "{:?}\n{:?} {:?} {:?} {:?}",
                found.title, found.created_at, found.author, found.language, found.canonical_url
            );
            println!("--- found\n{}\n--- wanted\n{}", found.core.text, page.gold);
        }
    }
    Ok(())
}

struct Labelled {
    id: String,
    html: String,
    gold: String,
}

fn read(path: &str) -> Result<Vec<Labelled>> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path)?).read_to_string(&mut text)?;
    text.lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line)?;
            let field = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            Ok(Labelled { id: field("id"), html: field("html"), gold: field("gold") })
        })
        .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0usize), |(s, n), v| (s + v, n + 1));
    sum / count.max(1) as f64
}

fn with_id((f1, precision, recall): (f64, f64, f64), id: &str) -> (f64, f64, f64, &str) {
    (f1, precision, recall, id)
}

/// F1, precision and recall of the words, each counted as often as it stands there.
fn score(text: &str, gold: &str) -> (f64, f64, f64) {
    let (found, wanted) = (words(text), words(gold));
    let both: usize = found.iter().map(|(w, n)| *n.min(wanted.get(w).unwrap_or(&0))).sum();
    let (n_found, n_wanted) = (found.values().sum::<usize>(), wanted.values().sum::<usize>());
    let part = |n: usize| if n == 0 { 0.0 } else { both as f64 / n as f64 };
    let total = n_found + n_wanted;
    let f1 = if total == 0 { 1.0 } else { 2.0 * both as f64 / total as f64 };
    (f1, part(n_found), part(n_wanted))
}

/// Words in lower case; every Han, Kana and Hangul character is a word.
fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    let mut word = String::new();
    let mut end = |word: &mut String| {
        if !word.is_empty() {
            *counts.entry(std::mem::take(word)).or_insert(0) += 1;
        }
    };
    for c in text.chars() {
        if matches!(c as u32, 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff66..=0xff9f)
        {
            end(&mut word);
            end(&mut c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else {
            end(&mut word);
        }
    }
    end(&mut word);
    counts
}
