//! A data directory on trial: what it says of a document, beside what is true.

use super::tally::Judged;
use crate::temporary;
use anyhow::Result;
use firstcopy_engine::{Engine, OpenOptions, Policy, Verdict, Wanted};
use firstcopy_text::{Analyzer, Content, Overlap, Page, Parameters, Seed};
use std::collections::HashMap;
use tempfile::TempDir;

/// The same in every run, so that a figure can be had again.
const SEEDS: [u8; 32] = *b"firstcopy-bench: judged the same";
/// All pages claim the same moment, so that they are judged in the order in which they come, whatever their frames say.
const CREATED_AT: i64 = 1_767_225_600;

/// A data directory whose documents' shingles are known, under a seed that is not its own.
pub struct Trial {
    engine: Engine,
    truth: Analyzer,
    stored: HashMap<String, Vec<u64>>,
    _folder: TempDir,
}

impl Trial {
    pub fn open(policy: Policy) -> Result<Self> {
        let folder = temporary::in_memory()?;
        let wanted = Wanted { policy: Some(policy), ..Wanted::default() };
        let options = OpenOptions { wanted, seeds: Some(SEEDS), followers: false, ..OpenOptions::default() };
        let engine = Engine::open(&folder.path().join("data"), options)?;
        let truth = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        Ok(Trial { engine, truth, stored: HashMap::new(), _folder: folder })
    }

    /// Stores a document.
    pub fn add(&mut self, id: &str, content: Content) -> Result<Verdict> {
        self.stored.insert(id.to_owned(), self.shingles(content.clone()));
        Ok(self.engine.add(page(id, content))?)
    }

    /// Stores the first content of a pair, judges the second and forgets both.
    pub fn judge_pair(&mut self, a: Content, b: Content) -> Result<Verdict> {
        self.engine.add(page("a", a))?;
        let verdict = self.engine.check(page("b", b))?;
        self.engine.delete("a")?;
        Ok(verdict)
    }

    /// Judges a copy of the document `source` and stores nothing.
    pub fn check(&self, source: &str, content: Content) -> Result<Judged> {
        Ok(self.check_and_tell(source, content)?.0)
    }

    /// Judges a copy of the document `source`, stores nothing and returns the verdict, too.
    pub fn check_and_tell(&self, source: &str, content: Content) -> Result<(Judged, Verdict)> {
        let shingles = self.shingles(content.clone());
        let verdict = self.engine.check(page("copy", content))?;
        Ok((self.judged(source, &shingles, &verdict), verdict))
    }

    /// What is true of a document that got this verdict, seen from the document it was made from.
    pub fn judged(&self, source: &str, shingles: &[u64], verdict: &Verdict) -> Judged {
        let resemblance = |id: &str| {
            self.stored.get(id).map_or(0.0, |stored| Overlap::of_sorted(shingles, stored).resemblance())
        };
        let nearest = verdict.nearest.as_ref().map(|nearest| nearest.id.as_str());
        Judged {
            resemblance: resemblance(source),
            found: verdict.original.as_deref().map(resemblance),
            names_source: verdict.original.as_deref() == Some(source) || nearest == Some(source),
        }
    }

    /// Forgets a document, with all that is known about it.
    pub fn remove(&mut self, id: &str) -> Result<()> {
        self.stored.remove(id);
        self.engine.delete(id)?;
        Ok(())
    }

    /// The sorted shingles of a content, as the judge of the trial sees them.
    pub fn shingles(&self, content: Content) -> Vec<u64> {
        self.truth.document(page("", content)).shingles.sorted()
    }
}

fn page(id: &str, content: Content) -> Page {
    Page { id: id.to_owned(), created_at: Some(CREATED_AT), content, ..Page::default() }
}
