//! The post's own title: what the page declares, without the name of the site around it. It looks at
//! declarations and headings only, never at what was chosen as core text.

use super::marks::Marks;
use super::tag::Tag;
use super::title::letters;
use super::tree::{Kind, Tree};

/// What stands between a title and the name of its site. A colon sticks to the word before it.
const SEPARATORS: [&str; 22] = [
    " - ", " | ", " :: ", " : ", " » ", " « ", " – ", " — ", "｜", ": ", " · ", " • ", " / ", " > ", " < ",
    " › ", " ‹ ", " ~ ", "|", "：", " ― ", " − ",
];
/// More parts than this are a list of words for search engines; its tail stays together.
const MAX_PARTS: usize = 8;
/// Headings looked at: on any real page the title is among the first.
const MAX_HEADINGS: usize = 64;
/// Longer headings are whole posts that someone named so, in bytes.
const MAX_HEADING: usize = 1_000;
/// Shorter names stand in host names by chance, in letters.
const MIN_HOST_LETTERS: usize = 4;

/// What a page says about its title and its site.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Titles, the most deliberate first.
    pub(super) titles: Vec<String>,
    /// Names of the site.
    pub(super) sites: Vec<String>,
    /// The address of the page.
    pub(super) url: Option<String>,
}

/// The title of the post, if the page gives it one.
pub(super) fn own_title(said: &Said, tree: &Tree) -> Option<String> {
    let sites = Sites::new(said);
    let headings = headings(tree, &sites);
    // Some sites declare their own name as the title of every page.
    let mut own = said.titles.iter().filter(|title| !sites.contain(&letters(title)));
    let first = own.clone().next();
    // Structured data may be about another post that the page points to.
    match own.find(|title| stands_on_page(title, &headings)).or(first) {
        Some(title) => Some(cut(unshortened(title, &said.titles), &headings, &sites)),
        None => main_heading(&headings).or_else(|| said.titles.first().cloned()),
    }
}

/// Whether a heading of the first rank or named as the title says most of a title.
fn stands_on_page(title: &str, headings: &[Heading]) -> bool {
    let title = letters(title);
    let is_title = |h: &&Heading| (h.tag == Tag::H1 || h.is_marked) && h.letters.len() * 2 > title.len();
    headings.iter().filter(is_title).any(|h| title.contains(&h.letters) || h.letters.contains(&title))
}

/// The title that says in full what this one breaks off, if there is one.
fn unshortened<'a>(title: &'a str, titles: &'a [String]) -> &'a str {
    let Some(start) = title.strip_suffix("...").or_else(|| title.strip_suffix('…')) else { return title };
    titles.iter().find(|t| t.len() > title.len() && t.starts_with(start)).map_or(title, String::as_str)
}

/// The names of the site, reduced to their letters.
struct Sites {
    names: Vec<String>,
    host: String,
}

impl Sites {
    fn new(said: &Said) -> Sites {
        let url = said.url.as_deref().unwrap_or_default();
        let host = url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
        let names = said.sites.iter().map(|s| letters(s)).filter(|s| !s.is_empty());
        Sites { names: names.collect(), host: letters(host.trim_start_matches("www.")) }
    }

    fn contain(&self, name: &str) -> bool {
        let is_host = name.len() >= MIN_HOST_LETTERS && name.is_ascii() && self.host.starts_with(name);
        is_host || self.names.iter().any(|n| n == name)
    }
}

/// A heading that may be the title.
struct Heading {
    text: String,
    letters: String,
    tag: Tag,
    is_marked: bool,
    /// Whether it stands above the page rather than above the post.
    is_banner: bool,
}

fn headings(tree: &Tree, sites: &Sites) -> Vec<Heading> {
    let is_heading = |i: &usize| {
        tree.element(*i).is_some_and(|(tag, marks)| {
            matches!(tag, Tag::H1 | Tag::H2 | Tag::H3) || marks.any(Marks::TITLE) && !tag.is_heading()
        })
    };
    let found = (0..tree.nodes.len()).filter(is_heading).take(MAX_HEADINGS);
    let heading = |at: usize| {
        let (tag, marks) = tree.element(at)?;
        let text = short_text(tree, at)?.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_marked = marks.any(Marks::TITLE);
        Some(Heading { letters: letters(&text), text, tag, is_marked, is_banner: is_banner(tree, at) })
    };
    found.filter_map(heading).filter(|h| !h.letters.is_empty() && !sites.contain(&h.letters)).collect()
}

/// The text of an element that is short enough for a title.
fn short_text(tree: &Tree, at: usize) -> Option<String> {
    let mut text = String::new();
    for node in &tree.nodes[at..tree.nodes[at].end] {
        if let Kind::Text(piece) = &node.kind {
            text.push_str(piece);
        }
        if text.len() > MAX_HEADING {
            return None;
        }
    }
    Some(text)
}

/// Whether the heading is in the header of the page: one inside no post.
fn is_banner(tree: &Tree, at: usize) -> bool {
    let tags = tree.ancestors(at).filter_map(|a| tree.element(a));
    let mut outwards = tags.skip_while(|(tag, _)| *tag != Tag::Header).peekable();
    outwards.peek().is_some()
        && !outwards.any(|(tag, marks)| matches!(tag, Tag::Article | Tag::Main) || marks.any(Marks::ENTRY))
}

/// Where no title is declared, the heading that is named so, or the only one of the first rank.
fn main_heading(headings: &[Heading]) -> Option<String> {
    let marked = headings.iter().find(|h| h.is_marked);
    let mut first_rank = headings.iter().filter(|h| h.tag == Tag::H1);
    let only = first_rank.next().filter(|_| first_rank.next().is_none());
    marked.or(only).map(|h| h.text.clone())
}

/// The part of a declared title that is the post's: the part that stands as a heading on the page,
/// or all but the name of the site.
fn cut(title: &str, headings: &[Heading], sites: &Sites) -> String {
    let parts = parts(title);
    let own = own_parts(title, &parts, sites);
    let heading = headings
        .iter()
        .filter_map(|h| Some((h, run_of(title, own, &h.letters)?)))
        .max_by_key(|(h, run)| rank(h, run.0 == own[0].0));
    match heading {
        // What the header of the page says last in every title is the site.
        Some((h, (start, end)))
            if h.is_banner && !h.is_marked && start > own[0].0 && end == own[own.len() - 1].1 =>
        {
            before(title, own, start)
        }
        Some((h, (start, end))) => unquoted(&title[start..end], &h.text).to_owned(),
        None => title[own[0].0..own[own.len() - 1].1].to_owned(),
    }
}

/// How likely a heading that matches is the title rather than the name of site or section.
fn rank(heading: &Heading, is_first_part: bool) -> (bool, bool, bool, usize) {
    (heading.is_marked, !heading.is_banner, is_first_part, heading.letters.len())
}

/// The title up to the part that starts at `end`.
fn before(title: &str, parts: &[(usize, usize)], end: usize) -> String {
    let last = parts.iter().rev().find(|p| p.1 <= end).map_or(end, |p| p.1);
    title[parts[0].0..last].to_owned()
}

/// Where the parts of a title stand: at least one.
fn parts(title: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < title.len() {
        match SEPARATORS.iter().find(|s| title[at..].starts_with(**s)) {
            Some(separator) if at > start && parts.len() + 1 < MAX_PARTS => {
                parts.push((start, at));
                at += separator.len();
                start = at;
            }
            _ => at += title[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    parts.push((start, title.len()));
    parts
}

/// The parts without those at either end that are the name of the site; never none.
fn own_parts<'a>(title: &str, parts: &'a [(usize, usize)], sites: &Sites) -> &'a [(usize, usize)] {
    let is_site = |run: &[(usize, usize)]| sites.contain(&letters(&title[run[0].0..run[run.len() - 1].1]));
    let count = parts.len();
    if let Some(cut) = (1..count).find(|&i| is_site(&parts[i..])) {
        return own_parts(title, &parts[..cut], sites);
    }
    match (1..count).rev().find(|&i| is_site(&parts[..i])) {
        Some(cut) => own_parts(title, &parts[cut..], sites),
        None => parts,
    }
}

/// The run of parts whose letters are those of a heading.
fn run_of(title: &str, parts: &[(usize, usize)], heading: &str) -> Option<(usize, usize)> {
    let runs = (0..parts.len()).flat_map(|i| (i..parts.len()).map(move |j| (parts[i].0, parts[j].1)));
    runs.into_iter().find(|&(start, end)| letters(&title[start..end]) == heading)
}

/// The title without quotation marks that its heading does not have.
fn unquoted<'a>(title: &'a str, heading: &str) -> &'a str {
    let inner = title.strip_prefix('『').and_then(|t| t.strip_suffix('』'));
    inner.filter(|inner| !heading.starts_with('『') && !inner.contains('『')).unwrap_or(title).trim()
}
