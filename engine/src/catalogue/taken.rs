//! Which passages of a stored document were taken from originals that came before it?

use super::Catalogue;
use crate::content::{Core, core_of};
use crate::error::Result;
use crate::passages::{Stored, Who};
use firstcopy_passages::{Finder, Passage, Rule};
use std::collections::BTreeMap;

impl Catalogue {
    /// The passages of a document that stand in originals before it. None if there is no such document, or if its text has
    /// more than so many bytes: then it would take too long for a page.
    pub fn taken_passages(&self, id_or_url: &str, most_bytes: usize) -> Result<Option<Vec<Passage>>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let Core::Text(core) = core_of(self.store(), document.content, &document.id)? else {
            return Ok(Some(Vec::new()));
        };
        if core.text.len() > most_bytes {
            return Ok(None);
        }
        let page = firstcopy_text::Document { id: document.id.clone(), core, ..Default::default() };
        let page = self.analyzer.digested(page);
        let originals = Stored::new(&self.digests, self.store(), Who::OriginalsBefore(u32::MAX));
        let mut passages = Finder::new(&originals, &self.analyzer, Rule::default()).copies(&page)?.passages;
        let mut came_before: BTreeMap<String, bool> = BTreeMap::new();
        for passage in &passages {
            if !came_before.contains_key(&passage.source) {
                let source = self.store().by_id(&passage.source)?;
                let is_before = source.is_some_and(|source| source.place < document.place);
                came_before.insert(passage.source.clone(), is_before);
            }
        }
        passages.retain(|passage| came_before.get(&passage.source).copied().unwrap_or(false));
        Ok(Some(passages))
    }
}
