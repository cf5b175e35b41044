//! The extractors on pages whose core text is known.

use super::bag::Agreement;
use crate::CommonArguments;
use crate::data::{LANGUAGES, read_lines};
use crate::report::Report;
use anyhow::Result;
use cpu_time::ProcessTime;
use firstcopy_text::{Extractor, extractors};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

/// A page and its core text.
#[derive(Deserialize)]
struct Labelled {
    id: String,
    html: String,
    gold: String,
}

pub fn run(arguments: &CommonArguments, worst: usize) -> Result<()> {
    let columns = ["extractor", "language", "mean F1", "precision", "recall", "pages", "MB/s"];
    let mut report = Report::new("accuracy-extract", &columns);
    for extractor in extractors() {
        for language in LANGUAGES {
            let pages = pages(&arguments.data, language)?;
            let start = ProcessTime::now();
            let texts: Vec<String> =
                pages.iter().map(|page| extractor.extract(&page.html).core.text).collect();
            let seconds = start.elapsed().as_secs_f64();
            let agreements = agreements(&pages, &texts);
            let mean = |value: fn(&Agreement) -> f64| mean(agreements.iter().map(value));
            let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
            report.row(vec![
                json!(extractor.name()),
                json!(language),
                json!(mean(|agreement| agreement.f1)),
                json!(mean(|agreement| agreement.precision)),
                json!(mean(|agreement| agreement.recall)),
                json!(pages.len()),
                json!(bytes as f64 / seconds / 1e6),
            ]);
            list_worst(&pages, &agreements, worst);
        }
    }
    report.finish(arguments, "mean F1")
}

/// The mean F1 a page of the default extractor; nothing if the data is not there.
pub fn mean_f1(data: &Path, language: &str) -> Option<f64> {
    let pages = pages(data, language).ok()?;
    let default: &dyn Extractor = *extractors().first()?;
    let texts: Vec<String> = pages.iter().map(|page| default.extract(&page.html).core.text).collect();
    Some(mean(agreements(&pages, &texts).iter().map(|agreement| agreement.f1)))
}

fn pages(data: &Path, language: &str) -> Result<Vec<Labelled>> {
    read_lines(&data.join(format!("1_extract/{language}.jsonl.gz")))
}

fn agreements(pages: &[Labelled], texts: &[String]) -> Vec<Agreement> {
    pages.iter().zip(texts).map(|(page, text)| Agreement::of(text, &page.gold)).collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1);
    values.sum::<f64>() / count as f64
}

fn list_worst(pages: &[Labelled], agreements: &[Agreement], worst: usize) {
    let mut ranked: Vec<(&Agreement, &Labelled)> = agreements.iter().zip(pages).collect();
    ranked.sort_by(|a, b| a.0.f1.total_cmp(&b.0.f1));
    for (agreement, page) in ranked.into_iter().take(worst) {
        let Agreement { f1, precision, recall } = agreement;
        eprintln!("  {f1:.3} (precision {precision:.3}, recall {recall:.3}) {}", page.id);
    }
}
