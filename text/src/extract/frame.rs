//! Which elements belong to the frame around a post, judged by tag and name.

use super::marks::Marks;
use super::outline::{Outline, Stat};
use super::tag::Tag;
use super::tree::Tree;

/// Whether what readers wrote below a post is frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    /// It is.
    Drop,
    /// It is the text of the page.
    Keep,
}

/// Marks in `dropped` the elements that are frame, unless they hold most of the good text.
pub(super) fn drop_frame(tree: &Tree, outline: &Outline, comments: Comments, dropped: &mut [bool]) {
    let all = outline.stats[0].good;
    let bodies = count_bodies(tree, outline);
    let mut at = 1;
    while at < tree.nodes.len() {
        if let Some((tag, marks)) = tree.element(at)
            && is_frame(tag, marks, comments)
            && !is_citation(tree, at, tag)
            && !is_wrapper(tag, marks, bodies[tree.nodes[at].end] - bodies[at], &outline.stats[at], all)
        {
            dropped[at] = true;
        }
        at = if dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
}

/// The footer of a quotation names its source.
fn is_citation(tree: &Tree, at: usize, tag: Tag) -> bool {
    tag == Tag::Footer && matches!(tree.element(tree.nodes[at].parent), Some((Tag::Blockquote, _)))
}

/// How many containers of posts begin before each node.
fn count_bodies(tree: &Tree, outline: &Outline) -> Vec<u32> {
    let all = outline.stats[0].good;
    let mut counts = Vec::with_capacity(tree.nodes.len() + 1);
    let mut count = 0;
    counts.push(0);
    for i in 0..tree.nodes.len() {
        let is_large = outline.stats[i].good * 10 > all * 4;
        let is_body = |(tag, marks): (Tag, Marks)| {
            tag == Tag::Main || marks.any(Marks::BODY) || tag == Tag::Article && is_large
        };
        count += u32::from(tree.element(i).is_some_and(is_body));
        counts.push(count);
    }
    counts
}

/// Whether an element named like frame is a wrapper around the post all the same, or part of it.
fn is_wrapper(tag: Tag, marks: Marks, bodies: u32, stat: &Stat, all: u32) -> bool {
    if marks.any(Marks::HIDDEN) {
        return stat.good * 2 > all;
    }
    if marks.any(Marks::GUTTER) || matches!(tag, Tag::Nav | Tag::Footer) {
        return false;
    }
    if marks.any(Marks::COMMENTS) {
        // Comments have bodies of their own, and may be longer than the post.
        return bodies > 0 && (tag == Tag::Article || stat.good * 10 > all * 9);
    }
    if bodies > 0 && stat.good * 4 > all {
        return true;
    }
    if tag == Tag::Aside {
        return false;
    }
    if marks.any(Marks::STRONG) {
        return stat.good * 10 > all * 7;
    }
    tag == Tag::P && stat.good > 0 || stat.good * 4 > all && stat.link * 10 < stat.text
}

fn is_frame(tag: Tag, marks: Marks, comments: Comments) -> bool {
    if marks.any(Marks::HIDDEN.with(Marks::GUTTER)) {
        return true;
    }
    if marks.any(Marks::BODY.with(Marks::POST)) || matches!(tag, Tag::Main | Tag::Body) {
        return false;
    }
    if matches!(tag, Tag::Nav | Tag::Footer | Tag::Aside | Tag::Menu) {
        return true;
    }
    if marks.any(Marks::COMMENTS) {
        return comments == Comments::Drop;
    }
    marks.any(Marks::FRAME) && tag != Tag::Article
}
