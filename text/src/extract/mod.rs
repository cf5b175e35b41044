//! From markup to core text: what a reader came for, without the frame around it.
//!
//! `tidy` makes the markup safe, `tree` parses it, `outline` measures it, `frame`, `choose`, `index` and
//! `prune` decide what belongs to the post, `blocks` writes it, `own_title` names it. `full_text` keeps all
//! dense text where the post is too little of the page. Nothing here fails, reads a file or a clock.

mod all_text;
mod blocks;
mod choose;
mod dates;
mod declared;
mod firstcopy;
mod frame;
mod full_text;
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
pub use full_text::stands_for_page;
use own_title::own_title;
use tidy::tidy;
use tree::Tree;

/// What an extractor finds in a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// The core text.
    pub core: CoreText,
    /// The share of the page's dense text that the core text holds, from 0 to 1; 1 for a page without dense text.
    /// Dense text is text outside links, menus, footers and comments, weighed the same for every script.
    pub kept_share: f32,
    /// All dense text of the page, where the core text is too little of it to stand for the page ([`stands_for_page`]). Holds all
    /// of the core text.
    pub full: Option<CoreText>,
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

/// The text that an extractor keeps of a page.
#[derive(Debug)]
struct KeptText {
    core: CoreText,
    /// The share of the dense text of the page that the core text holds.
    share: f32,
    /// All dense text, where the share is low.
    full: Option<CoreText>,
}

impl KeptText {
    /// Keeps everything.
    fn whole(core: CoreText) -> Self {
        KeptText { core, share: 1.0, full: None }
    }
}

/// Does the steps that all extractors share: tidy, parse, read what the page declares. `find_core` does the rest, given the declared
/// titles.
fn extract_with(html: &str, find_core: impl FnOnce(&Tree, &[String]) -> KeptText) -> Extracted {
    let tidied = tidy(html);
    let tree = Tree::parse(&tidied.markup);
    let declared = tidied.declared.settle();
    let kept = find_core(&tree, &declared.said.titles);
    Extracted {
        core: kept.core,
        kept_share: kept.share,
        full: kept.full,
        title: own_title(&declared.said, &tree),
        canonical_url: declared.canonical_url,
        created_at: declared.created_at,
        author: declared.author,
        language: declared.language,
        warnings: tidied.warnings,
    }
}
