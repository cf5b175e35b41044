//! Which elements hold the post: the best of several candidates.

use super::marks::Marks;
use super::outline::Outline;
use super::tag::Tag;
use super::tree::Tree;

/// A page whose densest element holds less than one part in this many has no single post; on
/// `firstcopy-bench accuracy --what extract` every value from 2 to 4 gives the same.
const SPREAD: u32 = 3;

/// The elements that hold the post: one, or several where a post is cut into parts or a thread has many.
pub(super) fn choose(tree: &Tree, outline: &Outline, title: Option<usize>, dropped: &[bool]) -> Vec<usize> {
    let within = main_part(tree, outline, dropped);
    let dense = container(tree, densest(tree, outline, within, dropped));
    let dense = title.and_then(|title| below(tree, outline, title, dense)).unwrap_or(dense);
    let best = descend(tree, outline, dropped, title, dense);
    let root = match named_body(tree, outline, dropped) {
        Some(body) if is_named_better(tree, outline, body, best) => body,
        _ => spread(tree, outline, within, title, best).unwrap_or(best),
    };
    let article = title.and_then(|title| tree.ancestors(title).find(|&a| is_article(tree, a)));
    let root = article.and_then(|article| own_article(tree, outline, root, article)).unwrap_or(root);
    let parts = named_parts(tree, outline, article.unwrap_or(0), dropped);
    let covered: u32 = parts.iter().map(|&p| outline.stats[p].good).sum();
    if parts.len() > 1 && covered * 10 >= outline.stats[root].good * 8 { parts } else { vec![root] }
}

fn is_article(tree: &Tree, i: usize) -> bool {
    tree.element(i).is_some_and(|(tag, marks)| tag == Tag::Article || marks.any(Marks::ENTRY))
}

/// Among several articles side by side, the one that carries the title, if `root` is not part of it.
fn own_article(tree: &Tree, outline: &Outline, root: usize, article: usize) -> Option<usize> {
    if (article..tree.nodes[article].end).contains(&root) {
        return None;
    }
    let mut others =
        tree.children(tree.nodes[article].parent).filter(|&c| c != article && is_article(tree, c));
    (others.next().is_some() && outline.stats[article].paragraphs > 0).then_some(article)
}

/// The outermost elements inside `within` that are named as text and hold some.
fn named_parts(tree: &Tree, outline: &Outline, within: usize, dropped: &[bool]) -> Vec<usize> {
    let mut parts = Vec::new();
    let mut at = within + 1;
    while at < tree.nodes[within].end {
        let marks = tree.element(at).map(|(_, marks)| marks).unwrap_or_default();
        let is_named = marks.any(Marks::BODY.with(Marks::POST));
        let stat = &outline.stats[at];
        // In a thread a word is a post; beside an article it is a label.
        let has_text = stat.good > 0 || marks.any(Marks::POST) && stat.text > 0;
        if is_named && !dropped[at] && has_text {
            parts.push(at);
        }
        at = if is_named || dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
    parts
}

/// Whether the element named as the body is the post, and not a small part of what `best` holds: a lead above it or teasers
/// below it belong to the frame. From 5 to 8 parts in 10 `firstcopy-bench accuracy --what extract` gives the same.
fn is_named_better(tree: &Tree, outline: &Outline, body: usize, best: usize) -> bool {
    let (named, dense) = (&outline.stats[body], &outline.stats[best]);
    if !(best..tree.nodes[best].end).contains(&body) {
        return named.good * 10 >= dense.good * 6;
    }
    named.good * 2 >= dense.good
}

/// Goes down to the child that holds most of the text, while all the rest is teasers.
fn descend(tree: &Tree, outline: &Outline, dropped: &[bool], title: Option<usize>, from: usize) -> usize {
    let mut at = from;
    loop {
        let stat = &outline.stats[at];
        // What ends above the title is no post.
        let main = tree
            .children(at)
            .filter(|&c| {
                !dropped[c]
                    && tree.element(c).is_some()
                    && !is_leaf(tree, c)
                    && title.is_none_or(|t| tree.nodes[c].end > t)
            })
            .max_by_key(|&c| outline.stats[c].good);
        match main {
            Some(c)
                if outline.stats[c].good * 2 > stat.good && stat.without(&outline.stats[c]).is_teasers() =>
            {
                at = c
            }
            _ => return at,
        }
    }
}

/// The element around `best` that can hold a post: a single paragraph cannot.
fn container(tree: &Tree, best: usize) -> usize {
    std::iter::once(best).chain(tree.ancestors(best)).find(|&i| !is_leaf(tree, i)).unwrap_or(0)
}

fn is_leaf(tree: &Tree, i: usize) -> bool {
    matches!(tree.element(i), Some((Tag::P | Tag::Pre | Tag::Li | Tag::Span | Tag::Link, _)))
}

/// The only element a page calls its main part, if that holds enough of the text to be believed.
fn main_part(tree: &Tree, outline: &Outline, dropped: &[bool]) -> usize {
    let is_main = |i: &usize| tree.is_main(*i) && !dropped[*i] && outline.stats[*i].good > 0;
    let mut mains = (0..tree.nodes.len()).filter(is_main);
    let only = mains.next().filter(|_| mains.next().is_none());
    only.filter(|&main| outline.stats[main].good * SPREAD >= outline.stats[0].good).unwrap_or(0)
}

/// The element around the title that has text below it, when `dense` ends above the title.
fn below(tree: &Tree, outline: &Outline, title: usize, dense: usize) -> Option<usize> {
    let has_text = |a: &usize| outline.stats[*a].paragraphs > 0;
    let around = tree.ancestors(title).find(has_text)?;
    (tree.nodes[dense].end <= title && around > dense).then_some(around)
}

/// The element inside `within` with the highest value; the innermost of equals.
fn densest(tree: &Tree, outline: &Outline, within: usize, dropped: &[bool]) -> usize {
    let mut best: Option<usize> = None;
    let mut at = within;
    while at < tree.nodes[within].end {
        if dropped[at] {
            at = tree.nodes[at].end;
            continue;
        }
        if tree.element(at).is_some() && outline.stats[at].good > 0 && is_denser(tree, outline, at, best) {
            best = Some(at);
        }
        at += 1;
    }
    best.unwrap_or(within)
}

fn is_denser(tree: &Tree, outline: &Outline, at: usize, best: Option<usize>) -> bool {
    let Some(best) = best else { return true };
    let (new, old) = (&outline.stats[at], &outline.stats[best]);
    new.value > old.value || new.value == old.value && new.good == old.good && at < tree.nodes[best].end
}

/// The innermost element that holds nearly all good text inside `within`, when `root` holds so little
/// of it that the page must be many posts side by side: a thread, a list, a shop.
fn spread(tree: &Tree, outline: &Outline, within: usize, title: Option<usize>, root: usize) -> Option<usize> {
    // What stands above the title is no post.
    let above: u32 = title.map_or(0, |t| tree.above(t, within).map(|c| outline.stats[c].good).sum());
    let all = outline.stats[within].good - above;
    if outline.stats[root].good * SPREAD >= all {
        return None;
    }
    tree.ancestors(root).find(|&a| outline.stats[a].good * 10 >= all * 7)
}

/// The element its names call the body of the post.
fn named_body(tree: &Tree, outline: &Outline, dropped: &[bool]) -> Option<usize> {
    best_named(tree, outline, dropped, Marks::ARTICLE_BODY)
        .or_else(|| best_named(tree, outline, dropped, Marks::BODY))
}

fn best_named(tree: &Tree, outline: &Outline, dropped: &[bool], wanted: Marks) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut at = 0;
    while at < tree.nodes.len() {
        if dropped[at] {
            at = tree.nodes[at].end;
            continue;
        }
        if tree.element(at).is_some_and(|(_, marks)| marks.any(wanted)) && is_better(tree, outline, at, best)
        {
            best = Some(at);
        }
        at += 1;
    }
    best
}

/// Whether `at` holds more than `best`, or nearly all of it.
fn is_better(tree: &Tree, outline: &Outline, at: usize, best: Option<usize>) -> bool {
    let Some(best) = best else { return true };
    let (new, old) = (outline.stats[at].good, outline.stats[best].good);
    if at < tree.nodes[best].end { new * 10 >= old * 7 } else { new > old }
}
