//! The baseline: all text of the page, frame and all. For measuring what an extractor adds.

use super::blocks;
use super::{Extracted, Extractor, KeptText, extract_with};

/// All text of a page.
#[derive(Debug)]
pub(super) struct AllText;

impl Extractor for AllText {
    fn name(&self) -> &'static str {
        "all-text"
    }

    fn extract(&self, html: &str) -> Extracted {
        extract_with(html, |tree, _| {
            KeptText::whole(blocks::write(tree, &[0], &vec![false; tree.nodes.len()]))
        })
    }
}
