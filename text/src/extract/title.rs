//! Where the title of the post stands on the page: the heading that says what the page declares.

use super::marks::Marks;
use super::tag::Tag;
use super::tree::Tree;
use super::weight::weight;

/// Lighter headings fit too many titles by chance.
const MIN_WEIGHT: u32 = 4;

/// The titles a page declares, reduced to their letters.
#[derive(Debug)]
pub(super) struct Titles(Vec<String>);

impl Titles {
    pub(super) fn new(declared: &[String]) -> Titles {
        Titles(declared.iter().map(|t| letters(t)).collect())
    }

    /// Whether a heading is the title: all of a declared one, or all but the name of the site.
    pub(super) fn match_heading(&self, heading: &str) -> bool {
        let heading = letters(heading);
        let is_title = |t: &String| {
            let is_part = t.starts_with(&heading) || t.ends_with(&heading);
            is_part && heading.len() * 5 >= t.len() * 2
                || heading.starts_with(t) && t.len() * 3 > heading.len() * 2
        };
        self.0.contains(&heading) || weight(&heading) >= MIN_WEIGHT && self.0.iter().any(is_title)
    }

    /// Whether a declared title begins with the heading.
    fn begin_with(&self, heading: &str) -> bool {
        let heading = letters(heading);
        !heading.is_empty() && self.0.iter().any(|t| t.starts_with(&heading))
    }

    /// The heading that is the title: the first of the highest rank.
    pub(super) fn find(&self, tree: &Tree, dropped: &[bool]) -> Option<usize> {
        let mut best: Option<(usize, Tag)> = None;
        let mut at = 0;
        while at < tree.nodes.len() {
            if dropped[at] {
                at = tree.nodes[at].end;
                continue;
            }
            if let Some((tag @ (Tag::H1 | Tag::H2 | Tag::H3), marks)) = tree.element(at)
                && best.is_none_or(|(_, old)| (tag as u8) < old as u8)
                && (self.match_heading(&tree.text(at))
                    || marks.any(Marks::TITLE) && self.begin_with(&tree.text(at)))
            {
                best = Some((at, tag));
            }
            at += 1;
        }
        best.map(|(at, _)| at)
    }
}

/// The letters and digits of a text, in lower case: what is left of a title in every dress.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
