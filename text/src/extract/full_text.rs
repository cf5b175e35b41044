//! The fuller extraction: all dense text of a page, in order, without menus. Also measures how much of that text a core
//! text holds, and whether that is enough. Decides nothing about the core text itself.

use super::CoreText;
use super::blocks;
use super::firstcopy::Post;
use super::frame::LONG;
use super::index::NO_POST;
use super::marks::Marks;
use super::outline::Outline;
use super::prune::is_link_list;
use super::tag::Tag;
use super::tree::Tree;
use std::ops::Range;

/// A part named like a frame that holds more than one in this many of the dense text is text, whatever its name, unless it
/// is short: on a page of few words a footer of one sentence is most of them.
const LARGE_PART: u32 = 4;

/// The share of a page below which its core text does not stand for the page. Where a page names the container of its post,
/// the share is that of the container, so a post in the frame of another site is above this line; a notice on a manual page
/// is below it. `bench/accuracy/run-manuals` and `firstcopy-bench accuracy --what gate` measure both.
const LITTLE_KEPT: f64 = 0.5;
/// The line for a core text of fewer than [`SHORT_CORE`] tokens: a box or a notice.
const LITTLE_KEPT_OF_SHORT: f64 = 0.8;
const SHORT_CORE: usize = 100;

/// Whether a core text that holds this share of the dense text of its page stands for the page. Counts its tokens only if
/// they make a difference.
pub fn stands_for_page(kept_share: f64, count_tokens: impl FnOnce() -> usize) -> bool {
    kept_share >= LITTLE_KEPT_OF_SHORT || kept_share >= LITTLE_KEPT && count_tokens() >= SHORT_CORE
}

/// Writes all dense text of a page that weighs `weights` and measures `whole`: every post, table and notice, without menus,
/// footers and comments. Holds all of the post.
pub(super) fn write_full_text(tree: &Tree, weights: &[u32], whole: &Outline, post: &Post) -> CoreText {
    let mut dropped = post.frame.clone();
    keep_large_parts(tree, whole, &mut dropped);
    let main = main_of(tree, &dropped);
    drop_link_lists(tree, &Outline::measure(tree, weights, &dropped), &main, &mut dropped);
    post.roots.iter().for_each(|&root| keep_post(tree, root, &post.dropped, &mut dropped));
    blocks::write(tree, &[0], &dropped)
}

/// Measures the share of the dense text outside the frame that is in the post; 1 if there is too little dense text. Where
/// the page itself names the container of its text, what is outside that container is no part of the post.
pub(super) fn kept_share(tree: &Tree, whole: &Outline, post: &Post) -> f32 {
    let texts = DenseText { tree, whole, main: main_of(tree, &post.frame) };
    let kept: u32 = post.roots.iter().map(|&root| texts.measure(root, |i| post.dropped[i])).sum();
    let all: u32 = if is_declared(tree, whole, post) {
        post.roots.iter().map(|&root| texts.measure(root, |i| post.frame[i])).sum()
    } else {
        texts.measure(0, |i| post.frame[i] && !is_large_part(tree, whole, i))
    };
    if all < NO_POST { 1.0 } else { (kept as f32 / all as f32).min(1.0) }
}

/// Whether the page names all of the post as its text, and no larger part of the page.
fn is_declared(tree: &Tree, whole: &Outline, post: &Post) -> bool {
    let is = |i: usize, name: Marks| tree.element(i).is_some_and(|(_, marks)| marks.any(name));
    let is_microdata = post.roots.iter().all(|&root| is(root, Marks::ARTICLE_BODY));
    let is_body = |i: usize| is(i, if is_microdata { Marks::ARTICLE_BODY } else { Marks::BODY });
    let kept: u32 = post.roots.iter().map(|&root| whole.stats[root].good).sum();
    let is_larger = |i: usize| is_body(i) && whole.stats[i].good > kept;
    post.roots.iter().all(|&root| is_body(root)) && !unframed(tree, &post.frame).any(is_larger)
}

/// The nodes outside the frame.
fn unframed<'a>(tree: &'a Tree, frame: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
    let mut next = 0;
    std::iter::from_fn(move || {
        while next < tree.nodes.len() && frame[next] {
            next = tree.nodes[next].end;
        }
        let at = (next < tree.nodes.len()).then_some(next)?;
        next += 1;
        Some(at)
    })
}

/// The nodes of the part that the page calls its main one; none if it names no part or several.
fn main_of(tree: &Tree, frame: &[bool]) -> Range<usize> {
    let mut mains = unframed(tree, frame).filter(|&i| tree.is_main(i));
    match (mains.next(), mains.next()) {
        (Some(main), None) => main..tree.nodes[main].end,
        _ => 0..0,
    }
}

/// Measures dense text: text that is no link, and in the main part of the page all text, as a list of links there is what
/// the page is for.
struct DenseText<'a> {
    tree: &'a Tree,
    whole: &'a Outline,
    main: Range<usize>,
}

impl DenseText<'_> {
    /// Adds up the dense text inside `root` without the elements that are dropped.
    fn measure(&self, root: usize, is_dropped: impl Fn(usize) -> bool) -> u32 {
        let mut sum = self.weigh(root);
        let mut at = root;
        while at < self.tree.nodes[root].end {
            let is_dropped = is_dropped(at);
            sum -= if is_dropped { self.weigh(at) } else { 0 };
            at = if is_dropped { self.tree.nodes[at].end } else { at + 1 };
        }
        sum
    }

    fn weigh(&self, at: usize) -> u32 {
        let stats = &self.whole.stats;
        let links = if self.main.contains(&at) {
            0
        } else if (at..self.tree.nodes[at].end).contains(&self.main.start) && !self.main.is_empty() {
            stats[at].link - stats[self.main.start].link
        } else {
            stats[at].link
        };
        stats[at].text - links
    }
}

fn keep_large_parts(tree: &Tree, whole: &Outline, dropped: &mut [bool]) {
    for (at, is_dropped) in dropped.iter_mut().enumerate() {
        *is_dropped &= !is_large_part(tree, whole, at);
    }
}

/// Whether an element that is named like a frame holds too much of the page to be one. Menus, comments and what is not
/// shown are frame at any size.
fn is_large_part(tree: &Tree, whole: &Outline, at: usize) -> bool {
    let is_certain_frame = |(tag, marks): (Tag, Marks)| {
        matches!(tag, Tag::Nav | Tag::Footer | Tag::Menu)
            || marks.any(Marks::COMMENTS.with(Marks::HIDDEN).with(Marks::GUTTER))
    };
    whole.stats[at].good >= LONG
        && whole.stats[at].good * LARGE_PART > whole.stats[0].good
        && tree.element(at).is_some_and(|element| !is_certain_frame(element))
}

fn drop_link_lists(tree: &Tree, outline: &Outline, main: &Range<usize>, dropped: &mut [bool]) {
    for (at, is_dropped) in dropped.iter_mut().enumerate().skip(1).filter(|(at, _)| !main.contains(at)) {
        let holds_main = (at..tree.nodes[at].end).contains(&main.start) && !main.is_empty();
        *is_dropped |= !holds_main && tree.element(at).is_some_and(|(tag, _)| is_link_list(outline, at, tag));
    }
}

/// Takes back what is dropped around and inside the post, so that the full text holds all of the core text.
fn keep_post(tree: &Tree, root: usize, pruned: &[bool], dropped: &mut [bool]) {
    tree.ancestors(root).for_each(|around| dropped[around] = false);
    let mut at = root;
    while at < tree.nodes[root].end {
        dropped[at] &= pruned[at];
        at = if pruned[at] { tree.nodes[at].end } else { at + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::firstcopy::find_post;
    use crate::extract::outline::weigh;
    use crate::extract::{KeptText, extract, extract_with};
    use proptest::prelude::*;

    /// All dense text of a page, whatever the share of its core text.
    fn full_text(html: &str) -> CoreText {
        let keep_all = |tree: &Tree, declared: &[String]| {
            let weights = weigh(tree);
            let whole = Outline::measure(tree, &weights, &vec![false; tree.nodes.len()]);
            let post = find_post(tree, &weights, &whole, declared);
            KeptText::whole(write_full_text(tree, &weights, &whole, &post))
        };
        extract_with(html, keep_all).core
    }

    const MENU: &str =
        "<nav><a href=/a>Home</a> <a href=/b>Contents</a> <a href=/c>About this manual</a></nav>";

    /// A manual page of short facts below a notice: the notice alone reads as sentences.
    fn manual_page(chip: &str) -> String {
        let facts: String = (0..30).map(|i| format!("<tr><td>{chip}{i}<td>in{i} volts</tr>")).collect();
        format!(
            "<title>{chip}</title><body>{MENU}<div class=document><div class=note><p>This file was translated by \
             volunteers; please ask the list if a sentence is hard to understand, or send a correction.</p></div>\
             <div class=facts><table>{facts}</table></div></div><footer>Built in March.</footer>"
        )
    }

    #[test]
    fn full_text_of_a_manual_page_holds_its_facts_without_menus() {
        let text = full_text(&manual_page("tmp4")).text;
        assert!(text.contains("translated by volunteers") && text.contains("tmp429\tin29 volts"), "{text}");
        assert!(!text.contains("About this manual") && !text.contains("Built in March"), "{text}");
    }

    #[test]
    fn page_of_one_article_is_kept_whole() {
        let article =
            "<p>A sentence that is long enough to be read as a part of the post itself.</p>".repeat(5);
        let found =
            extract(&format!("<body>{MENU}<article>{article}</article><footer>Built in March.</footer>"));
        assert_eq!(found.kept_share, 1.0);
    }

    /// A page of two articles, of which the shorter one carries the title.
    fn page_of_articles() -> String {
        let sentence =
            "<p>Of several articles, only the one that carries the title is kept as the post of a page.</p>";
        format!(
            "<title>Notice</title><body><div><article><h1>Notice</h1>{sentence}</article><article><h2>Other</h2>{}</article></div>",
            sentence.repeat(9)
        )
    }

    #[test]
    fn page_reduced_to_one_of_its_articles_has_a_low_share() {
        let page = page_of_articles();
        let found = extract(&page);
        assert_eq!(found.core.text.lines().count(), 1, "{}", found.core.text);
        assert!((0.05..0.15).contains(&found.kept_share), "{}", found.kept_share);
    }

    const RELATED: &str = "<div class=teaser><p>Another story of the same site with a sentence that is long enough to be \
                           read as a part of some post.</p></div>";

    #[test]
    fn post_in_a_declared_container_has_a_high_share_beside_related_posts() {
        let post =
            "<p>A short post of one sentence, in a container that the page itself names as the text.</p>";
        let page =
            |name: &str| format!("<main><div {name}>{post}</div><div>{}</div></main>", RELATED.repeat(9));
        assert_eq!(extract(&page("itemprop=articleBody")).kept_share, 1.0);
        assert_eq!(extract(&page("class=entry-content")).kept_share, 1.0);
    }

    #[test]
    fn declared_container_beside_a_larger_one_has_a_low_share() {
        let sentence =
            "<p>Of several containers of posts, only the one that carries the title is kept as the post.</p>";
        let page = format!(
            "<title>Notice</title><body><div><article><h1>Notice</h1><div class=entry-content>{sentence}</div></article>\
             <article><div class=entry-content>{}</div></article></div>",
            sentence.repeat(9)
        );
        let found = extract(&page);
        assert_eq!(found.core.text.lines().count(), 1, "{}", found.core.text);
        assert!(found.kept_share < 0.15, "{}", found.kept_share);
    }

    #[test]
    fn links_in_the_main_part_count_beside_a_notice() {
        let links: String =
            (0..12).map(|i| format!("<li><a href=/{i}>Driver of the sound chip {i}</a></li>")).collect();
        let notice = "<p>This page was translated by volunteers; please ask the list if a sentence is hard to \
                      understand, or send a correction to the author of the page, or read the original of it, \
                      which is in English and may be newer than what you find here in your own language.</p>";
        let page =
            format!("<body>{MENU}<div role=main><h1>Sound</h1><div>{notice}</div><ul>{links}</ul></div>");
        let found = extract(&page);
        assert!(!found.core.text.contains("Driver"), "{}", found.core.text);
        assert!(found.kept_share < 0.5, "{}", found.kept_share);
        let full = full_text(&page).text;
        assert!(
            full.contains("Driver of the sound chip 11") && !full.contains("About this manual"),
            "{full}"
        );
    }

    #[test]
    fn footer_of_a_page_of_few_words_is_no_text() {
        let page = "<title>Notes</title><body><div><h1>Notes</h1><p>About this document, and its authors.</p></div>\
                    <div class=navfooter><table><tr><td>Installing the system from another system that is running</table></div>";
        assert_eq!(extract(page).kept_share, 1.0);
        let full = full_text(page).text;
        assert!(full.contains("its authors") && !full.contains("Installing"), "{full}");
    }

    #[test]
    fn full_text_is_kept_where_the_core_text_is_little_of_the_page() {
        let page = page_of_articles();
        assert_eq!(extract(&page).full, Some(full_text(&page)));
        let article =
            "<p>A sentence that is long enough to be read as a part of the post itself.</p>".repeat(5);
        assert_eq!(extract(&format!("<body>{MENU}<article>{article}</article>")).full, None);
    }

    #[test]
    fn short_core_must_hold_more_of_its_page() {
        let stands = |share, tokens| stands_for_page(share, || tokens);
        assert!(!stands(0.4, 500) && !stands(0.7, 50));
        assert!(stands(0.6, 500) && stands(0.9, 50));
    }

    #[test]
    fn page_without_text_has_a_share_of_one() {
        for html in ["", "<body></body>", "<p>Hi.</p>", "<nav><a href=/>Home</a></nav>"] {
            assert_eq!(extract(html).kept_share, 1.0, "{html}");
        }
    }

    proptest! {
        #[test]
        fn any_string_gives_a_full_text(html in any::<String>()) {
            let core = full_text(&html);
            prop_assert!(core.blocks().all(|block| !core.text[block].trim().is_empty()));
        }

        #[test]
        fn full_text_holds_every_line_of_the_core_text(parts in prop::collection::vec(0..9usize, 0..40)) {
            const PARTS: [&str; 9] = [
                "<div>", "</div>", "<div class=sidebar>", "<ul><li><a href=/>one</a><li><a href=/>two</a><li><a href=/>three</a></ul>",
                "<p>A sentence that is long enough to be read as a part of the post itself.</p>", "<h1>Title</h1>",
                "<article>", "<table><tr><td>fact<td>figure</table>", "<footer>End.</footer>",
            ];
            let html: String = parts.iter().map(|&part| PARTS[part]).collect();
            let (core, full) = (extract(&html), full_text(&html).text);
            prop_assert!((0.0..=1.0).contains(&core.kept_share), "{}", core.kept_share);
            for line in core.core.text.lines() {
                prop_assert!(full.contains(line), "{line:?} of {html} is not in {full:?}");
            }
        }
    }
}
