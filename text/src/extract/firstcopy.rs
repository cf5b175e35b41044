//! The default extractor: tidy, parse, drop the frame, choose the element of the post, prune, write.

use super::blocks;
use super::choose::choose;
use super::frame::{Comments, drop_frame};
use super::index::{NO_POST, Views, find_index, keep_contents};
use super::marks::Marks;
use super::outline::{Outline, weigh};
use super::prune::{LinkLists, drop_before, prune};
use super::title::Titles;
use super::tree::Tree;
use super::{CoreText, Extracted, Extractor, extract_with};

/// The default extractor.
#[derive(Debug)]
pub(super) struct Firstcopy;

impl Extractor for Firstcopy {
    fn name(&self) -> &'static str {
        "firstcopy"
    }

    fn extract(&self, html: &str) -> Extracted {
        extract_with(html, core_text)
    }
}

fn core_text(tree: &Tree, declared: &[String]) -> CoreText {
    let titles = Titles::new(declared);
    let weights = weigh(tree);
    let whole = Outline::measure(tree, &weights, &vec![false; tree.nodes.len()]);
    for comments in [Comments::Drop, Comments::Keep] {
        let mut dropped = vec![false; tree.nodes.len()];
        drop_frame(tree, &whole, comments, &mut dropped);
        let framed = Outline::measure(tree, &weights, &dropped);
        // On some pages the readers' words are all there is.
        let is_empty = framed.stats[0].good < NO_POST && whole.stats[0].good >= NO_POST;
        if comments == Comments::Keep || !is_empty || has_short_post(tree, &framed, &dropped) {
            return write_post(tree, &Views { whole: &whole, framed: &framed }, &titles, dropped);
        }
    }
    CoreText::default()
}

/// Whether an element is named as the text of a post and has a few words.
fn has_short_post(tree: &Tree, framed: &Outline, dropped: &[bool]) -> bool {
    let is_body = |i: usize| {
        let is_named = tree.element(i).is_some_and(|(_, marks)| marks.any(Marks::BODY.with(Marks::POST)));
        is_named && !dropped[i] && framed.stats[i].text > framed.stats[i].link
    };
    (0..tree.nodes.len()).any(is_body)
}

fn write_post(tree: &Tree, views: &Views<'_>, titles: &Titles, dropped: Vec<bool>) -> CoreText {
    let title = titles.find(tree, &dropped);
    let chosen = choose(tree, views.framed, title, &dropped);
    let (roots, lists) = match find_index(tree, views, &chosen, title, &dropped) {
        Some(index) => (vec![index.root], index.lists),
        None => (chosen, LinkLists::Drop),
    };
    let core = write_pruned(tree, views.framed, &roots, (title, titles), lists, dropped.clone());
    if !core.text.is_empty() {
        return core;
    }
    let core = write_pruned(tree, views.framed, &[0], (None, titles), LinkLists::Keep, dropped);
    if core.text.is_empty() { blocks::write(tree, &[0], &vec![false; tree.nodes.len()]) } else { core }
}

fn write_pruned(
    tree: &Tree,
    outline: &Outline,
    roots: &[usize],
    (title, titles): (Option<usize>, &Titles),
    lists: LinkLists,
    mut dropped: Vec<bool>,
) -> CoreText {
    for &root in roots {
        if lists != LinkLists::Drop {
            keep_contents(tree, root, &mut dropped);
        }
        if let Some(title) = title {
            drop_before(tree, outline, root, title, &mut dropped);
        }
        prune(tree, outline, root, titles, lists, &mut dropped);
    }
    blocks::write(tree, roots, &dropped)
}
