//! The same post in another frame: it must be a duplicate, whatever stands around it.

use super::tally::Tally;
use super::trial::Trial;
use crate::accuracy::bag::Agreement;
use crate::data::{LANGUAGES, read_lines};
use crate::frames;
use anyhow::Result;
use firstcopy_engine::Policy;
use firstcopy_text::{Content, Tokens, extractors};
use serde::Deserialize;
use std::path::Path;

/// The copies of one language.
#[derive(Debug)]
pub struct Framed {
    pub language: &'static str,
    pub frames: &'static str,
    pub policy: Policy,
    pub tally: Tally,
}

#[derive(Deserialize)]
struct Labelled {
    html: String,
    gold: String,
}

/// Posts that are shorter say nothing.
const LEAST_TOKENS: usize = 20;
/// Frames that a post is put into besides its own.
const REAL_FRAMES: usize = 7;
/// The share of the marked words that a container must hold to be that of the post: some pages give the name to an empty
/// element, or to the introduction alone.
const LEAST_MARKED: f64 = 0.5;

/// Puts up to `count` posts of every language into other frames.
pub fn run(data: &Path, policies: &[Policy], count: usize) -> Result<Vec<Framed>> {
    let mut all = Vec::new();
    for language in LANGUAGES {
        let pages: Vec<Labelled> = read_lines(&data.join(format!("1_extract/{language}.jsonl.gz")))?;
        let (made, real) = (in_made_frames(&pages, count), in_real_frames(&pages, count));
        for &policy in policies {
            for (frames, posts) in [("made", &made), ("real", &real)] {
                all.push(Framed { language, frames, policy, tally: judge(posts, policy)? });
            }
        }
    }
    Ok(all)
}

/// One post in all its frames.
type InFrames = Vec<String>;

/// The first frame of every post is stored, all others are judged.
fn judge(posts: &[InFrames], policy: Policy) -> Result<Tally> {
    let mut trial = Trial::open(policy)?;
    let mut tally = Tally::default();
    for (number, pages) in posts.iter().enumerate() {
        let id = number.to_string();
        let Some((first, others)) = pages.split_first() else { continue };
        if !trial.add(&id, Content::html(first.as_str()))?.is_original() {
            continue;
        }
        for page in others {
            tally.0.push(trial.check(&id, Content::html(page.as_str()))?);
        }
    }
    Ok(tally)
}

/// The texts that people marked, in the frames of the extractor's tests.
fn in_made_frames(pages: &[Labelled], count: usize) -> Vec<InFrames> {
    let long = pages.iter().filter(|page| Tokens::of(&page.gold).len() >= LEAST_TOKENS).take(count);
    let frames_of = |(number, page): (usize, &Labelled)| {
        (0..frames::COUNT).map(|frame| frames::framed(number + frame, "제목 title", &page.gold)).collect()
    };
    long.enumerate().map(frames_of).collect()
}

/// The posts of pages that name their container, in the frames of other pages.
fn in_real_frames(pages: &[Labelled], count: usize) -> Vec<InFrames> {
    let cut: Vec<CutPage> = pages.iter().filter_map(cut).collect();
    let frames: Vec<_> = cut.iter().step_by(cut.len() / REAL_FRAMES + 1).collect();
    let long = cut.iter().filter(|page| Tokens::of(page.post).len() >= 3 * LEAST_TOKENS);
    let whole = long.filter(|page| marked_share(page) >= LEAST_MARKED).take(count);
    let frames_of = |own: &CutPage| {
        let all = [own].into_iter().chain(frames.iter().copied().filter(|frame| frame.head != own.head));
        all.map(|CutPage { head, tail, .. }| format!("{head}{}{tail}", own.post)).collect()
    };
    whole.map(frames_of).collect()
}

/// The share of the words that people marked on a page that are in its container.
fn marked_share(page: &CutPage<'_>) -> f64 {
    let all_text = extractors().iter().find(|extractor| extractor.name() == "all-text");
    let text = all_text.map(|extractor| extractor.extract(page.post).core.text).unwrap_or_default();
    Agreement::of(&text, page.gold).recall
}

/// A page cut at the container of its post.
struct CutPage<'a> {
    /// Before the post.
    head: &'a str,
    post: &'a str,
    /// After the post.
    tail: &'a str,
    /// The text that people marked.
    gold: &'a str,
}

/// Cuts a page at the container of its post, if it names one.
fn cut(page: &Labelled) -> Option<CutPage<'_>> {
    let html = page.html.as_str();
    const NAMES: [&str; 4] = [
        "itemprop=\"articleBody\"",
        "class=\"article-entry\"",
        "class=\"post-content",
        "class=\"entry-content",
    ];
    let at = NAMES.iter().find_map(|name| html.find(name))?;
    let tag = html[..at].rfind('<').filter(|&tag| html[tag..].starts_with("<div"))?;
    let start = tag + html[tag..].find('>')? + 1;
    let (mut depth, mut end) = (1, start);
    while depth > 0 {
        let rest = &html[end + 1..];
        end += 1 + rest.find("<div").into_iter().chain(rest.find("</div")).min()?;
        depth = if html[end..].starts_with("</") { depth - 1 } else { depth + 1 };
    }
    Some(CutPage { head: &html[..start], post: &html[start..end], tail: &html[end..], gold: &page.gold })
}
