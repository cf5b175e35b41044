//! Which passages of a page, stored or not, stand in originals of the collection?

use super::Catalogue;
use crate::error::Result;
use crate::passages::{Stored, Who};
use firstcopy_passages::{Copies, Finder, Rule};
use firstcopy_text::Page;

impl Catalogue {
    /// The passages of a page that stand in originals; one with the page's own id is the page.
    pub fn copied_passages(&self, page: Page) -> Result<Copies> {
        let page = self.analyzer.digest(page);
        let originals = Stored::new(&self.digests, self.store(), Who::OriginalsBefore(u32::MAX));
        Ok(Finder::new(&originals, &self.analyzer, Rule::default()).copies(&page)?)
    }
}
