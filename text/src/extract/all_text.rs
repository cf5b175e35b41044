//! The baseline: all text of the page, frame and all. For measuring what an extractor adds.

use super::blocks;
use super::own_title::own_title;
use super::tidy::tidy;
use super::tree::Tree;
use super::{Extracted, Extractor};

/// All text of a page.
#[derive(Debug)]
pub(super) struct AllText;

impl Extractor for AllText {
    fn name(&self) -> &'static str {
        "all-text"
    }

    fn extract(&self, html: &str) -> Extracted {
        let tidied = tidy(html);
        let tree = Tree::parse(&tidied.markup);
        let declared = tidied.declared.settle();
        Extracted {
            core: blocks::write(&tree, &[0], &vec![false; tree.nodes.len()]),
            title: own_title(&declared.said, &tree),
            canonical_url: declared.canonical_url,
            created_at: declared.created_at,
            author: declared.author,
            language: declared.language,
            warnings: tidied.warnings,
        }
    }
}
