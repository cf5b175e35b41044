//! The folder that `-o` names: tables of everything, written as pages come, and a report with the pages that changed most.

use crate::output::csv_line;
use anyhow::{Context, Result};
use firstcopy_change::{
    INTERVAL_COLUMNS, Metric, Overall, PageHistory, ReportedHistory, index_report, page_report,
};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// So many pages get a file of their own: those that changed most.
const PAGES_SHOWN: usize = 1000;
const PAGES: &str = "pages";

/// The folder while pages come.
pub struct Folder {
    folder: PathBuf,
    jsonl: BufWriter<File>,
    csv: BufWriter<File>,
    shown: Vec<ReportedHistory>,
    told: usize,
}

impl Folder {
    pub fn create(folder: &Path) -> Result<Self> {
        let pages = folder.join(PAGES);
        std::fs::create_dir_all(&pages).with_context(|| format!("cannot make {}", pages.display()))?;
        remove_earlier(&pages)?;
        let mut csv = file(&folder.join("intervals.csv"))?;
        csv.write_all(csv_line(&INTERVAL_COLUMNS).as_bytes())?;
        let jsonl = file(&folder.join("pages.jsonl"))?;
        Ok(Folder { folder: folder.to_owned(), jsonl, csv, shown: Vec::new(), told: 0 })
    }

    pub fn page(&mut self, history: PageHistory, metric: &Metric) -> Result<()> {
        serde_json::to_writer(&mut self.jsonl, &history).map_err(std::io::Error::from)?;
        self.jsonl.write_all(b"\n")?;
        for interval in &history.intervals {
            self.csv.write_all(csv_line(&interval.columns(&history.page)).as_bytes())?;
        }
        self.told += 1;
        let file = format!("{PAGES}/{:06}.html", self.told);
        self.shown.push(ReportedHistory { history, file });
        // Twice as many as are shown, so that sorting is rare.
        if self.shown.len() > 2 * PAGES_SHOWN {
            self.sort(metric);
        }
        Ok(())
    }

    /// Those that changed most first; pages of the same change by name.
    fn sort(&mut self, metric: &Metric) {
        let change = |page: &ReportedHistory| metric.total(&page.history);
        self.shown.sort_by(|a, b| change(b).total_cmp(&change(a)).then_with(|| a.file.cmp(&b.file)));
        self.shown.truncate(PAGES_SHOWN);
    }

    pub fn finish(mut self, overall: &Overall, metric: &Metric) -> Result<()> {
        self.jsonl.flush().context("cannot write pages.jsonl")?;
        self.csv.flush().context("cannot write intervals.csv")?;
        self.sort(metric);
        for page in &self.shown {
            self.write(&page.file, &page_report(&page.history, metric))?;
        }
        self.write("overall.json", &(serde_json::to_string_pretty(overall)? + "\n"))?;
        self.write("index.html", &index_report(overall, &self.shown, metric))
    }

    fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.folder.join(file);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn file(path: &Path) -> Result<BufWriter<File>> {
    File::create(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
}

/// Pages of an earlier report would be in no index: files called by six digits or more, and nothing else.
fn remove_earlier(pages: &Path) -> Result<()> {
    let entries = std::fs::read_dir(pages).with_context(|| format!("cannot read {}", pages.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_ours = |number: &str| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
        if name.strip_suffix(".html").is_some_and(is_ours) {
            std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}
