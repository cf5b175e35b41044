//! The default extractor: tidy, parse, drop the frame, choose the element of the post, prune, write.

use super::blocks;
use super::choose::choose;
use super::frame::drop_frame;
use super::outline::{Outline, weigh};
use super::prune::{drop_before, prune};
use super::tidy::tidy;
use super::title::Titles;
use super::tree::Tree;
use super::{CoreText, Extracted, Extractor};

/// The default extractor.
#[derive(Debug)]
pub(super) struct Firstcopy;

impl Extractor for Firstcopy {
    fn name(&self) -> &'static str {
        "firstcopy"
    }

    fn extract(&self, html: &str) -> Extracted {
        let tidied = tidy(html);
        let tree = Tree::parse(&tidied.markup);
        let declared = tidied.declared.settle();
        let core = core_text(&tree, &declared.titles);
        Extracted {
            core,
            title: declared.title,
            canonical_url: declared.canonical_url,
            created_at: declared.created_at,
            author: declared.author,
            language: declared.language,
            warnings: tidied.warnings,
        }
    }
}

fn core_text(tree: &Tree, titles: &[String]) -> CoreText {
    let weights = weigh(tree);
    let mut dropped = vec![false; tree.nodes.len()];
    let whole = Outline::measure(tree, &weights, &dropped);
    drop_frame(tree, &whole, 0, false, &mut dropped);
    let outline = Outline::measure(tree, &weights, &dropped);
    let titles = Titles::new(titles);
    let title = titles.find(tree, &dropped);
    let root = choose(tree, &outline, title, &dropped);
    if let Some(title) = title {
        drop_before(tree, &outline, root, title, &mut dropped);
    }
    prune(tree, &outline, root, &titles, &mut dropped);
    blocks::write(tree, &[root], &dropped)
}
