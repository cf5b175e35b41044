//! What is cut out of the chosen element: its own heading, bylines, lists of links. Every rule looks
//! at the element alone, never at the page, so that a post comes out the same in every frame.

use super::marks::Marks;
use super::outline::Outline;
use super::tag::Tag;
use super::tree::Tree;

/// Heavier elements are not bylines.
const BYLINE: u32 = 120;

/// Marks in `dropped` what inside `root` is not the post.
pub(super) fn prune(tree: &Tree, outline: &Outline, root: usize, titles: &[String], dropped: &mut [bool]) {
    let titles: Vec<String> = titles.iter().map(|t| letters(t)).collect();
    let mut seen_text = 0;
    let mut at = root + 1;
    while at < tree.nodes[root].end {
        if !dropped[at]
            && let Some((tag, marks)) = tree.element(at)
        {
            dropped[at] = is_byline(outline, at, marks)
                || is_title(tree, at, tag, marks, &titles, seen_text)
                || is_link_list(outline, at, tag);
            if !dropped[at] {
                seen_text += outline.stats[at].paragraphs.min(1) * u32::from(tag == Tag::P);
            }
        }
        at = if dropped[at] { tree.nodes[at].end } else { at + 1 };
    }
}

fn is_byline(outline: &Outline, at: usize, marks: Marks) -> bool {
    marks.any(Marks::META) && outline.stats[at].text <= BYLINE
}

fn is_title(tree: &Tree, at: usize, tag: Tag, marks: Marks, titles: &[String], seen_text: u32) -> bool {
    if !tag.is_heading() || seen_text > 0 {
        return false;
    }
    if marks.any(Marks::TITLE) {
        return true;
    }
    let heading = letters(&tree.text(at));
    !heading.is_empty() && titles.iter().any(|t| t.starts_with(&heading) || t.ends_with(&heading))
}

fn is_link_list(outline: &Outline, at: usize, tag: Tag) -> bool {
    let stat = &outline.stats[at];
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::Dl)
        && stat.links >= 3
        && stat.link * 10 > stat.text * 7
}

/// The letters and digits of a text, in lower case: what is left of a title in every dress.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
