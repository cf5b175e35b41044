//! Which elements belong to the frame around a post, judged by tag and name.

use super::marks::Marks;
use super::outline::Outline;
use super::tag::Tag;
use super::tree::Tree;

/// Marks in `dropped` the elements inside `root` that are frame, unless they hold most of its good text.
pub(super) fn drop_frame(tree: &Tree, outline: &Outline, root: usize, keep_comments: bool, dropped: &mut [bool]) {
    let all = outline.stats[root].good;
    let mut at = root + 1;
    let end = tree.nodes[root].end;
    while at < end {
        if !dropped[at]
            && let Some((tag, marks)) = tree.element(at)
            && is_frame(tag, marks, keep_comments)
            && (outline.stats[at].good * 2 <= all || tag == Tag::Nav || tag == Tag::Footer)
        {
            dropped[at] = true;
        }
        at = if dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
}

fn is_frame(tag: Tag, marks: Marks, keep_comments: bool) -> bool {
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
        return !keep_comments;
    }
    marks.any(Marks::FRAME) && tag != Tag::Article
}
