//! Which element holds the post: the best of several candidates.

use super::marks::Marks;
use super::outline::Outline;
use super::tree::Tree;

/// The element that holds the post.
pub(super) fn choose(tree: &Tree, outline: &Outline, dropped: &[bool]) -> usize {
    let best = densest(tree, outline, dropped);
    let Some(body) = named_body(tree, outline, dropped) else { return best };
    if outline.stats[body].good * 10 >= outline.stats[best].good * 6 { body } else { best }
}

/// The element with the highest value; the innermost of equals.
fn densest(tree: &Tree, outline: &Outline, dropped: &[bool]) -> usize {
    let mut best = 0;
    let mut at = 0;
    while at < tree.nodes.len() {
        if dropped[at] {
            at = tree.nodes[at].end;
            continue;
        }
        if tree.element(at).is_some() && outline.stats[at].value >= outline.stats[best].value {
            best = at;
        }
        at += 1;
    }
    best
}

/// The element its names call the body of the post.
fn named_body(tree: &Tree, outline: &Outline, dropped: &[bool]) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut at = 0;
    while at < tree.nodes.len() {
        if dropped[at] {
            at = tree.nodes[at].end;
            continue;
        }
        let is_body = tree.element(at).is_some_and(|(_, marks)| marks.any(Marks::BODY));
        if is_body && best.is_none_or(|b| outline.stats[at].good > outline.stats[b].good) {
            best = Some(at);
        }
        at += 1;
    }
    best
}
