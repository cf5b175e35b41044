//! How surely does a phrase find the text it was taken from, by which terms, at what size; and how fast at scale?

mod phrases;
mod scale;
mod schemes;

use crate::CommonArguments;
use crate::data::{LANGUAGES, texts};
use crate::report::Report;
use anyhow::Result;
use clap::Args;
use phrases::{Corpus, Phrase, VARIANTS};
use schemes::{Subject, subjects};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// How many documents are searched to measure speed.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    documents: usize,
    /// Phrases a language and length.
    #[arg(long, value_name = "N", default_value_t = 300)]
    phrases: usize,
    /// The folder on whose disk the index is made.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

/// Bytes of text a language that the schemes are compared on.
const TEXT: usize = 12_000_000;
const QUICK_TEXT: usize = 2_000_000;
/// A source counts as found among so many hits.
const FIRST: usize = 10;

pub fn run(arguments: &Arguments) -> Result<()> {
    let quick = arguments.common.quick;
    let phrases = if quick { arguments.phrases / 5 } else { arguments.phrases };
    let (mut recall, mut sizes) = (recall_report(), size_report());
    for language in LANGUAGES {
        let (texts, origin) = texts(&arguments.common.data, language, if quick { QUICK_TEXT } else { TEXT });
        let corpus = Corpus::new(language, texts);
        let phrases = corpus.phrases(phrases);
        eprintln!("{language}: {} {origin} texts, {} phrases", corpus.texts.len(), phrases.len());
        for mut subject in subjects() {
            let weighed = subject.index(&corpus.texts)?;
            sizes.row(vec![
                json!(language),
                json!(subject.name()),
                json!(weighed.bytes as f64 / corpus.bytes() as f64),
                json!(corpus.bytes() as f64 / 1e6 / weighed.cpu.as_secs_f64()),
            ]);
            compare(&mut recall, language, &*subject, &phrases)?;
        }
    }
    recall.finish(&arguments.common, "exact")?;
    sizes.finish(&arguments.common, "index bytes / text bytes")?;
    let documents = if quick { arguments.documents / 40 } else { arguments.documents };
    scale::run(documents, &arguments.temp_dir, &arguments.common)
}

/// The share of phrases of a language whose source is among the first hits, on a small sample; none without the data.
pub fn sampled_recall(data: &Path, language: &'static str) -> Option<Result<f64>> {
    let (texts, _) = data.is_dir().then(|| texts(data, language, QUICK_TEXT))?;
    let corpus = Corpus::new(language, texts);
    let phrases = corpus.phrases(60);
    let mut subject = schemes::chosen();
    let recall = subject.index(&corpus.texts).and_then(|_| {
        let found = |phrase: &Phrase| Ok(subject.find(&phrase.text, FIRST)?.0.contains(&phrase.source));
        let found: Vec<bool> = phrases.iter().map(found).collect::<Result<_>>()?;
        Ok(found.iter().filter(|&&found| found).count() as f64 / found.len() as f64)
    });
    Some(recall)
}

fn recall_report() -> Report {
    let columns: Vec<&'static str> = ["language", "scheme"]
        .into_iter()
        .chain(VARIANTS.map(|variant| variant.name))
        .chain(["hits", "misses"])
        .collect();
    Report::new("search-recall", &columns)
}

fn size_report() -> Report {
    Report::new("search-size", &["language", "scheme", "index bytes / text bytes", "MB/CPU-s"])
}

/// A row: the share of sources among the first hits for every variant of the phrases, and how many hits an exact phrase
/// has on average.
fn compare(report: &mut Report, language: &str, subject: &dyn Subject, phrases: &[Phrase]) -> Result<()> {
    let mut row = vec![json!(language), json!(subject.name())];
    let (mut hits, mut misses) = (0.0, 0);
    for variant in VARIANTS {
        let (mut found, mut asked) = (0, 0);
        for phrase in phrases {
            let Some(text) = (variant.make)(language, &phrase.text) else { continue };
            let (first, total) = subject.find(&text, FIRST)?;
            asked += 1;
            found += usize::from(first.contains(&phrase.source));
            if variant.name == "exact" {
                hits += total as f64 / phrases.len() as f64;
                misses += usize::from(!first.contains(&phrase.source));
            }
            note_miss(subject, variant.name, &text, (&first, total), phrase);
        }
        row.push(if asked == 0 {
            Value::Null
        } else {
            json!(f64::from(found as u32) / f64::from(asked as u32))
        });
    }
    row.extend([json!(hits), json!(misses)]);
    report.row(row);
    Ok(())
}

/// Misses of the scheme in use are worth a look.
fn note_miss(
    subject: &dyn Subject,
    variant: &str,
    text: &str,
    (first, total): (&[u32], usize),
    phrase: &Phrase,
) {
    if subject.name() == schemes::CHOSEN && !first.contains(&phrase.source) {
        eprintln!("missed with {variant}: {text} (of {}, {total} hits)", phrase.text);
    }
}
