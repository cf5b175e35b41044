//! The default extractor: tidy, parse, drop the frame, choose the element of the post, prune, write.

use super::blocks;
use super::choose::choose;
use super::frame::{Comments, drop_frame};
use super::full_text::{kept_share, stands_for_page, write_full_text};
use super::index::{NO_POST, Views, find_index, keep_contents};
use super::marks::Marks;
use super::outline::{Outline, weigh};
use super::prune::{LinkLists, drop_before, prune};
use super::title::Titles;
use super::tree::Tree;
use super::{CoreText, Extracted, Extractor, KeptText, extract_with};
use crate::tokens::Tokens;

/// The default extractor.
#[derive(Debug)]
pub(super) struct Firstcopy;

impl Extractor for Firstcopy {
    fn name(&self) -> &'static str {
        "firstcopy"
    }

    fn extract(&self, html: &str) -> Extracted {
        extract_with(html, keep_text)
    }
}

/// The part of a page that is its core text.
#[derive(Debug)]
pub(super) struct Post {
    /// The elements that hold it.
    pub(super) roots: Vec<usize>,
    /// The nodes that are not part of it.
    pub(super) dropped: Vec<bool>,
    /// The nodes of the frame around it, before anything inside it was dropped.
    pub(super) frame: Vec<bool>,
    /// The core text.
    pub(super) core: CoreText,
}

/// Finds the core text, the share of the dense text that it holds, and all dense text if that share is low.
fn keep_text(tree: &Tree, declared: &[String]) -> KeptText {
    let weights = weigh(tree);
    let whole = Outline::measure(tree, &weights, &vec![false; tree.nodes.len()]);
    let post = find_post(tree, &weights, &whole, declared);
    let share = kept_share(tree, &whole, &post);
    let is_enough = stands_for_page(f64::from(share), || Tokens::of(&post.core.text).len());
    let full = (!is_enough).then(|| write_full_text(tree, &weights, &whole, &post));
    KeptText { core: post.core, share, full }
}

/// Finds the post of a page that weighs `weights` and measures `whole`.
pub(super) fn find_post(tree: &Tree, weights: &[u32], whole: &Outline, declared: &[String]) -> Post {
    let titles = Titles::new(declared);
    let find = |comments| {
        let mut frame = vec![false; tree.nodes.len()];
        drop_frame(tree, whole, comments, &mut frame);
        (Outline::measure(tree, weights, &frame), frame)
    };
    let (mut framed, mut frame) = find(Comments::Drop);
    // On some pages the readers' words are all there is.
    let is_empty = framed.stats[0].good < NO_POST && whole.stats[0].good >= NO_POST;
    if is_empty && !has_short_post(tree, &framed, &frame) {
        (framed, frame) = find(Comments::Keep);
    }
    write_post(tree, &Views { whole, framed: &framed }, &titles, frame)
}

/// Whether an element is named as the text of a post and has a few words.
fn has_short_post(tree: &Tree, framed: &Outline, dropped: &[bool]) -> bool {
    let is_body = |i: usize| {
        let is_named = tree.element(i).is_some_and(|(_, marks)| marks.any(Marks::BODY.with(Marks::POST)));
        is_named && !dropped[i] && framed.stats[i].text > framed.stats[i].link
    };
    (0..tree.nodes.len()).any(is_body)
}

fn write_post(tree: &Tree, views: &Views<'_>, titles: &Titles, frame: Vec<bool>) -> Post {
    let title = titles.find(tree, &frame);
    let chosen = choose(tree, views.framed, title, &frame);
    let (mut roots, lists) = match find_index(tree, views, &chosen, title, &frame) {
        Some(index) => (vec![index.root], index.lists),
        None => (chosen, LinkLists::Drop),
    };
    let mut dropped = frame.clone();
    let mut core = write_pruned(tree, views.framed, &roots, (title, titles), lists, &mut dropped);
    if core.text.is_empty() {
        roots = vec![0];
        dropped.copy_from_slice(&frame);
        core = write_pruned(tree, views.framed, &roots, (None, titles), LinkLists::Keep, &mut dropped);
    }
    // A page of a title alone: better that than its menus. Sentences in the frame are text that was taken for frame.
    if core.text.is_empty() && views.whole.stats[0].good < NO_POST {
        dropped.copy_from_slice(&frame);
        core = blocks::write(tree, &roots, &dropped);
    }
    if core.text.is_empty() {
        dropped.fill(false);
        core = blocks::write(tree, &roots, &dropped);
    }
    Post { roots, dropped, frame, core }
}

fn write_pruned(
    tree: &Tree,
    outline: &Outline,
    roots: &[usize],
    (title, titles): (Option<usize>, &Titles),
    lists: LinkLists,
    dropped: &mut [bool],
) -> CoreText {
    for &root in roots {
        if lists != LinkLists::Drop {
            keep_contents(tree, root, dropped);
        }
        if let Some(title) = title {
            drop_before(tree, outline, root, title, dropped);
        }
        prune(tree, outline, root, titles, lists, dropped);
    }
    blocks::write(tree, roots, dropped)
}
