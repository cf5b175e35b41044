//! Which elements belong to the frame around a post, judged by tag and name.

use super::marks::Marks;
use super::outline::{Outline, Stat};
use super::tag::Tag;
use super::tree::{Kind, Tree};

/// A frame by name that holds less is frame, whatever its share: on a page of links one long label
/// is most of the good text.
pub(super) const LONG: u32 = 200;

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
    let comments_before = count_comments(tree);
    let is_named = |i: usize| {
        tree.element(i).is_some_and(|(_, marks)| marks.any(Marks::BODY) && outline.stats[i].good > 0)
    };
    let has_named = (0..tree.nodes.len()).any(is_named);
    let mut body_end = 0;
    let mut text_end = 0;
    let mut at = 1;
    while at < tree.nodes.len() {
        let node = &tree.nodes[at];
        if let Kind::Element(tag, marks) = node.kind {
            let share = Share {
                stat: &outline.stats[at],
                all,
                bodies: bodies[node.end] - bodies[at],
                is_beside_body: at >= body_end && has_named,
                is_in_text: at < body_end.max(text_end),
                is_headed: has_heading_first(tree, at),
                comments: comments_before[node.end] - comments_before[at],
            };
            dropped[at] = is_frame(tag, marks, comments)
                && !is_citation(tree, at, tag)
                && !share.is_wrapper(tag, marks);
            if marks.any(Marks::BODY) {
                body_end = body_end.max(node.end);
            }
            if matches!(tag, Tag::Main | Tag::Article) || marks.any(Marks::MAIN.with(Marks::ENTRY)) {
                text_end = text_end.max(node.end);
            }
        }
        at = if dropped[at] { node.end } else { at + 1 };
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
            marks.any(Marks::BODY)
                || (matches!(tag, Tag::Article | Tag::Main) || marks.any(Marks::MAIN)) && is_large
        };
        count += u32::from(tree.element(i).is_some_and(is_body));
        counts.push(count);
    }
    counts
}

/// Counts the elements before each node that a class or a number names as comments.
fn count_comments(tree: &Tree) -> Vec<u32> {
    let is_comment = |marks: Marks| marks.any(Marks::COMMENTS) && !marks.any(Marks::ANCHOR);
    let mut counts = Vec::with_capacity(tree.nodes.len() + 1);
    let mut count = 0;
    counts.push(0);
    for i in 0..tree.nodes.len() {
        count += u32::from(tree.element(i).is_some_and(|(_, marks)| is_comment(marks)));
        counts.push(count);
    }
    counts
}

/// Whether the first element inside `at` is a heading, as in a section of a manual.
fn has_heading_first(tree: &Tree, at: usize) -> bool {
    let mut elements = tree.children(at).filter_map(|child| tree.element(child));
    elements.next().is_some_and(|(tag, _)| tag.is_heading())
}

/// What an element holds of its page.
struct Share<'a> {
    stat: &'a Stat,
    /// Good text of the page.
    all: u32,
    /// Containers of posts inside the element.
    bodies: u32,
    /// Whether the page has containers of posts and the element is in none.
    is_beside_body: bool,
    /// Whether the element is in a container of posts or in the main part of the page.
    is_in_text: bool,
    /// Whether it begins with a heading.
    is_headed: bool,
    /// Elements inside that are comments by class or number.
    comments: u32,
}

impl Share<'_> {
    /// Whether an id that reads like frame is the anchor of a section about that subject.
    fn is_section(&self, marks: Marks) -> bool {
        let is_anchor =
            marks.any(Marks::ANCHOR) && (!marks.any(Marks::COMMENTS) || self.is_headed && self.comments == 0);
        is_anchor && self.is_in_text && self.stat.paragraphs > 0 && self.stat.link * 10 < self.stat.text
    }

    /// Whether an element named like frame is a wrapper around the post all the same, or part of it.
    fn is_wrapper(&self, tag: Tag, marks: Marks) -> bool {
        let (good, all) = (self.stat.good, self.all);
        if marks.any(Marks::HIDDEN) {
            return good * 2 > all;
        }
        if self.is_section(marks) {
            return true;
        }
        if marks.any(Marks::GUTTER) || matches!(tag, Tag::Nav | Tag::Footer) {
            return false;
        }
        if marks.any(Marks::COMMENTS) {
            // Comments have bodies of their own, and may be longer than the post.
            return self.bodies > 0 && (tag == Tag::Article || good * 10 > all * 9);
        }
        if self.bodies > 0 {
            return good * 4 > all;
        }
        if self.is_beside_body || tag == Tag::Aside {
            return false;
        }
        if marks.any(Marks::STRONG) {
            return good >= LONG && good * 10 > all * 7;
        }
        tag == Tag::P && good > 0 || good * 4 > all && self.stat.link * 10 < self.stat.text
    }
}

fn is_frame(tag: Tag, marks: Marks, comments: Comments) -> bool {
    if marks.any(Marks::HIDDEN.with(Marks::GUTTER)) {
        return true;
    }
    if marks.any(Marks::BODY.with(Marks::POST).with(Marks::MAIN)) || matches!(tag, Tag::Main | Tag::Body) {
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
