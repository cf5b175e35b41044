//! Pages whose links are what a reader came for: tables of contents, indexes, lists. Decides whether
//! a page is one, and which element holds it; never for a post that merely has links beside it.

use super::marks::Marks;
use super::outline::Outline;
use super::prune::{LinkLists, is_link_list};
use super::tag::Tag;
use super::tree::Tree;

/// How many times lists without a name must outweigh the sentences around them; below a short post
/// stand about three times its text in links.
const OUTWEIGH: u32 = 4;
/// Fewer links are a menu.
const MIN_LINKS: u32 = 8;
/// Less good text than this is no post, only what is left of a frame.
pub(super) const NO_POST: u32 = 60;

/// The page as a whole and without its frame.
pub(super) struct Views<'a> {
    pub(super) whole: &'a Outline,
    pub(super) framed: &'a Outline,
}

/// An element that is an index, and which of its lists make it one.
pub(super) struct Index {
    pub(super) root: usize,
    pub(super) lists: LinkLists,
}

/// The index around the chosen `roots` and the title, if the lists of links there outweigh the text.
pub(super) fn find_index(
    tree: &Tree,
    views: &Views<'_>,
    roots: &[usize],
    title: Option<usize>,
    dropped: &[bool],
) -> Option<Index> {
    let inner = container(tree, views, roots, title);
    let stat = &views.framed.stats[inner];
    let lists = Lists::measure(tree, views, inner, dropped);
    let is_outweighed = lists.links >= MIN_LINKS
        && lists.unnamed > stat.good * OUTWEIGH
        // An index has a line of introduction; posts with many links around them are longer.
        && stat.paragraphs <= 1
        // The whole body holds every menu that has no name.
        && (inner > 0 || stat.good < NO_POST);
    if is_outweighed {
        return Some(Index { root: inner, lists: LinkLists::Keep });
    }
    // Contents stand below the title page, not in it.
    let same_text = |a: &usize| *a > 0 && views.framed.stats[*a].good == stat.good;
    let outer = tree.ancestors(inner).take_while(same_text).last().unwrap_or(inner);
    let contents = Lists::measure(tree, views, outer, dropped).contents;
    (contents > stat.good).then_some(Index { root: outer, lists: LinkLists::Contents })
}

/// The innermost element around the title and all of `roots`; without a title, the main element.
fn container(tree: &Tree, views: &Views<'_>, roots: &[usize], title: Option<usize>) -> usize {
    let main = |i: usize| std::iter::once(i).chain(tree.ancestors(i)).find(|&a| tree.is_main(a));
    if roots == [0] && views.framed.stats[0].good < NO_POST {
        return (1..tree.nodes.len()).find(|&i| tree.is_main(i)).unwrap_or(0);
    }
    let ends = || title.into_iter().chain(roots.iter().copied());
    let (first, last) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
    let holds_all = |a: &usize| last < tree.nodes[*a].end;
    let inner = std::iter::once(first).chain(tree.ancestors(first)).find(holds_all).unwrap_or(0);
    if title.is_none() { main(inner).unwrap_or(inner) } else { inner }
}

/// What the lists of links in an element weigh.
#[derive(Default)]
struct Lists {
    /// Those named as contents.
    contents: u32,
    /// Those without a name.
    unnamed: u32,
    /// Links in those without a name.
    links: u32,
}

impl Lists {
    fn measure(tree: &Tree, views: &Views<'_>, within: usize, dropped: &[bool]) -> Lists {
        let mut lists = Lists::default();
        let mut at = within + 1;
        while at < tree.nodes[within].end {
            let is_list =
                tree.element(at).is_some_and(|(tag, _)| !dropped[at] && is_link_list(views.framed, at, tag));
            if is_contents(tree, at, dropped) {
                lists.contents += views.whole.stats[at].text;
            } else if is_list {
                lists.unnamed += views.framed.stats[at].text;
                lists.links += views.framed.stats[at].links;
            }
            at = if dropped[at] || is_list { tree.nodes[at].end } else { at + 1 };
        }
        lists
    }
}

/// Whether this was dropped as the contents of a longer text.
fn is_contents(tree: &Tree, at: usize, dropped: &[bool]) -> bool {
    let is_named = |(tag, marks): (Tag, Marks)| {
        marks.any(Marks::CONTENTS) && !marks.any(Marks::STRONG.with(Marks::HIDDEN)) && tag != Tag::Nav
    };
    dropped[at] && tree.element(at).is_some_and(is_named)
}

/// Takes back that the contents inside an index are frame.
pub(super) fn keep_contents(tree: &Tree, within: usize, dropped: &mut [bool]) {
    let mut at = within;
    while at < tree.nodes[within].end {
        if is_contents(tree, at, dropped) {
            dropped[at] = false;
        }
        at = if dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
}
