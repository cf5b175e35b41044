//! From markup to core text: what a reader came for, without the frame around it.
//!
//! `tidy` makes the markup safe, `tree` parses it, `outline` measures it, `frame`, `choose`, `index` and
//! `prune` decide what belongs to the post, `blocks` writes it, `own_title` names it. Nothing here fails,
//! reads a file or a clock.

mod all_text;
mod blocks;
mod choose;
mod dates;
mod declared;
mod firstcopy;
mod frame;
mod index;
mod marks;
mod outline;
mod own_title;
mod prune;
mod scan;
mod tag;
mod tidy;
mod title;
mod tree;
mod weight;

use crate::core_text::CoreText;
use own_title::own_title;
use tidy::tidy;
use tree::Tree;

/// What an extractor finds in a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The core text.
    pub core: CoreText,
    /// The title of the post (not part of the core text).
    pub title: Option<String>,
    /// The address the page declares as its own.
    pub canonical_url: Option<String>,
    /// When the page says it was published, in Unix seconds.
    pub created_at: Option<i64>,
    /// Who the page says wrote it.
    pub author: Option<String>,
    /// The language the page declares (BCP 47, as written).
    pub language: Option<String>,
    /// What had to be cut or mended.
    pub warnings: Vec<String>,
}

/// One way of finding the core text of a page. Every extractor is total: any string gives a result.
pub trait Extractor: Sync {
    /// The name users choose it by.
    fn name(&self) -> &'static str;
    /// Finds the core text and what the page declares about itself.
    fn extract(&self, html: &str) -> Extracted;
}

/// Every extractor, the default first. A new one is a line here and a file beside this one.
const EXTRACTORS: &[&dyn Extractor] = &[&firstcopy::Firstcopy, &all_text::AllText];

/// Every extractor, the default first.
pub fn extractors() -> &'static [&'static dyn Extractor] {
    EXTRACTORS
}

/// Finds the core text of a page with the default extractor.
pub fn extract(html: &str) -> Extracted {
    firstcopy::Firstcopy.extract(html)
}

/// What extractors share: tidy, parse, take what the page declares; `find_core` does the rest, given the declared titles.
fn extract_with(html: &str, find_core: impl FnOnce(&Tree, &[String]) -> CoreText) -> Extracted {
    let tidied = tidy(html);
    let tree = Tree::parse(&tidied.markup);
    let declared = tidied.declared.settle();
    Extracted {
        core: find_core(&tree, &declared.said.titles),
        title: own_title(&declared.said, &tree),
        canonical_url: declared.canonical_url,
        created_at: declared.created_at,
        author: declared.author,
        language: declared.language,
        warnings: tidied.warnings,
    }
}
