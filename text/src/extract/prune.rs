//! What is cut out of the chosen element: its own heading, bylines, lists of links. Every rule looks
//! at the element alone, never at the page, so that a post comes out the same in every frame.

use super::marks::Marks;
use super::outline::Outline;
use super::tag::Tag;
use super::title::Titles;
use super::tree::Tree;

/// Heavier elements are not bylines.
const BYLINE: u32 = 120;

/// Heavier elements are not captions, unless they are tagged so; dropping captions adds .011 to the
/// English F1 of `firstcopy-bench accuracy --what extract`, which counts them as frame.
const CAPTION: u32 = 400;

/// Whether lists of links are cut out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkLists {
    /// They lead away from the post.
    Drop,
    /// All but those named as contents.
    Contents,
    /// They are what the page is for.
    Keep,
}

/// Marks in `dropped` what inside `root` is not the post.
pub(super) fn prune(
    tree: &Tree,
    outline: &Outline,
    root: usize,
    titles: &Titles,
    lists: LinkLists,
    dropped: &mut [bool],
) {
    let drop_captions = captions_weigh_little(tree, outline, root, dropped);
    // Inside a container named as the text, a plain list of links is the author's.
    let is_named = tree.element(root).is_some_and(|(_, marks)| marks.any(Marks::BODY));
    let drops_lists = lists != LinkLists::Keep;
    let mut seen_text = 0;
    let mut at = root + 1;
    while at < tree.nodes[root].end {
        if lists != LinkLists::Drop && tree.element(at).is_some_and(|(_, marks)| marks.any(Marks::CONTENTS)) {
            at = tree.nodes[at].end;
            continue;
        }
        if !dropped[at]
            && let Some((tag, marks)) = tree.element(at)
        {
            dropped[at] = drop_captions && is_caption(tree, outline, at, tag, marks)
                || is_byline(outline, at, marks)
                || is_title(tree, at, tag, marks, titles, seen_text)
                || drops_lists && is_link_list(outline, at, tag) && !(is_named && is_list(tag));
            if !dropped[at] {
                seen_text += outline.stats[at].paragraphs.min(1) * u32::from(tag == Tag::P);
            }
        }
        at = if dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
}

/// Drops what stands above the title, unless that is most of the text.
pub(super) fn drop_before(tree: &Tree, outline: &Outline, root: usize, title: usize, dropped: &mut [bool]) {
    if !(root..tree.nodes[root].end).contains(&title) {
        return;
    }
    let good: u32 = tree.above(title, root).map(|c| outline.stats[c].good).sum();
    if good * 10 < outline.stats[root].good * 7 {
        tree.above(title, root).for_each(|c| dropped[c] = true);
    }
}

/// Whether the captions are beside the text; in picture stories they are the text.
fn captions_weigh_little(tree: &Tree, outline: &Outline, root: usize, dropped: &[bool]) -> bool {
    let mut captions = 0;
    let mut at = root + 1;
    while at < tree.nodes[root].end {
        let is_caption =
            tree.element(at).is_some_and(|(tag, marks)| is_caption(tree, outline, at, tag, marks));
        if is_caption && !dropped[at] {
            captions += outline.stats[at].text;
        }
        at = if is_caption || dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
    captions * 4 <= outline.stats[root].text
}

/// What stands below a picture; below code it is the name of the file, and stays.
fn is_caption(tree: &Tree, outline: &Outline, at: usize, tag: Tag, marks: Marks) -> bool {
    let is_named = tag == Tag::Figcaption || marks.any(Marks::CAPTION) && outline.stats[at].text <= CAPTION;
    let figure = tree.nodes[at].parent;
    is_named && outline.stats[figure].code == 0
}

fn is_byline(outline: &Outline, at: usize, marks: Marks) -> bool {
    marks.any(Marks::META) && outline.stats[at].text <= BYLINE
}

fn is_title(tree: &Tree, at: usize, tag: Tag, marks: Marks, titles: &Titles, seen_text: u32) -> bool {
    if !tag.is_heading() || seen_text > 0 {
        return false;
    }
    marks.any(Marks::TITLE) || titles.match_heading(&tree.text(at))
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl)
}

/// Whether an element is links and little else.
pub(super) fn is_link_list(outline: &Outline, at: usize, tag: Tag) -> bool {
    let stat = &outline.stats[at];
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::Dl)
        && stat.links >= 3
        && stat.link * 10 > stat.text * 7
        && stat.good * 5 < stat.link
}
