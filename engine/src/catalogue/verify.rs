//! Do the followers agree with the store?

use super::Catalogue;
use crate::content::{Core, core_of};
use crate::error::Result;
use crate::following::digest;
use crate::verify::Verification;
use firstcopy_search::Searcher;
use firstcopy_store::Document;

/// Documents read at a time.
const PIECE: u32 = 1000;

impl Catalogue {
    /// Compares search index and postings with all documents and contents of one state of the store. If somebody stores
    /// at the same time, so that they are at different states, nothing is compared.
    pub(crate) fn verify(&mut self, found: &mut Verification) -> Result<()> {
        self.reader.store.begin_reading()?;
        let compared = if self.is_in_step()? { self.compare(found) } else { Ok(()) };
        self.reader.store.rollback()?;
        compared
    }

    fn compare(&mut self, found: &mut Verification) -> Result<()> {
        let (mut originals, mut copies, mut entries, mut last) = (Vec::new(), Vec::new(), 0, 0);
        loop {
            let documents = self.store().documents_after(last, PIECE)?;
            let Some(end) = documents.last() else { break };
            last = end.number;
            for document in &documents {
                let list = if document.judgement.original.is_some() { &mut copies } else { &mut originals };
                list.push(document.number);
                for content in self.store().contents_of(document.number)? {
                    entries += self.compare_content(content, &document.id, found)?;
                }
                entries += self.compare_keys(document, found);
            }
        }
        compare_numbers("originals", &self.originals, &originals, found)?;
        compare_numbers("copies", &self.copies, &copies, found)?;
        let counted = self.postings.statistics()?.entries;
        if counted != entries {
            found.add(format!(
                "the postings have {counted} entries instead of {entries}: run `firstcopy reindex`"
            ));
        }
        Ok(())
    }

    /// Whether all sampled shingles of a content are where they belong. Returns how many there are.
    fn compare_content(&self, content: u32, id: &str, found: &mut Verification) -> Result<u64> {
        // What cannot be read was reported with its document.
        let Ok(core) = core_of(self.store(), content, id) else { return Ok(0) };
        let sketch = core.sketch(&self.analyzer);
        let values = sketch.values();
        let counted = self.postings.counts(values, usize::MAX);
        if !values.is_empty() && !counted.counts.contains(&(content, values.len() as u32)) {
            found.add(format!("document {id}: is not in the postings: run `firstcopy reindex`"));
        }
        if let Core::Text(core) = core {
            let digest = digest(&self.analyzer, core);
            if !self.digests.holds(content, &digest) {
                found.add(format!("document {id}: is not in the digests: run `firstcopy reindex`"));
            }
        }
        Ok(values.len() as u64)
    }
}

impl Catalogue {
    /// Whether the keys of a document are in the postings, where they belong if words decide. Returns how many there are.
    fn compare_keys(&self, document: &Document, found: &mut Verification) -> u64 {
        if !self.analyzer.is_by_likeness() || document.keys.is_empty() {
            return 0;
        }
        let counted = self.postings.counts(&document.keys, usize::MAX);
        let count = document.keys.len();
        if !counted.counts.contains(&(document.content, count as u32)) {
            let id = &document.id;
            found.add(format!("document {id}: its keys are not in the postings: run `firstcopy reindex`"));
        }
        count as u64
    }
}

fn compare_numbers(name: &str, index: &Searcher, numbers: &[u32], found: &mut Verification) -> Result<()> {
    if index.numbers()? != numbers {
        found
            .add(format!("the search index of the {name} does not hold just these: run `firstcopy reindex`"));
    }
    Ok(())
}
