//! Lost and found on dated crawls made from real texts: pages stay, change, go, move within their host or to another,
//! with and without edits, and are copied by strangers while they are there.

use crate::CommonArguments;
use crate::data::{LANGUAGES, texts};
use crate::frames::framed;
use crate::random::Random;
use crate::report::Report;
use crate::temporary;
use anyhow::Result;
use firstcopy_engine::{Catalogue, Engine, OpenOptions};
use firstcopy_text::{Analyzer, Content, CoreText, Page, Parameters, Seed};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Pages of the first crawl.
const PAGES: usize = 1500;
/// Crawls, a month apart.
const SWEEPS: usize = 5;
/// The first: 2025-01-01.
const FIRST: i64 = 1_735_689_600;
const MONTH: i64 = 30 * 86_400;
/// Bytes of a page's text, at most.
const TEXT: usize = 6000;
/// Hosts that pages move between.
const HOSTS: usize = 25;

/// How many moves were told rightly.
#[derive(Debug, Default, Clone, Copy)]
pub struct Traced {
    /// Pages that really moved and live somewhere at the end.
    pub moved: usize,
    /// Pages that were said to have moved.
    pub said: usize,
    /// Those said to be where they are.
    pub right: usize,
}

impl Traced {
    /// The share of what was said that is right.
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.said.max(1) as f64
    }

    /// The share of all moves that were told.
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.moved.max(1) as f64
    }
}

pub fn run(common: &CommonArguments, worst: usize) -> Result<()> {
    let pages = if common.quick { 300 } else { PAGES };
    let (rows, wrong) = traced(&common.data, pages)?;
    for line in wrong.iter().take(worst) {
        eprintln!("{line}");
    }
    let mut report =
        Report::new("accuracy-trace", &["how it moved", "moved", "said", "right", "precision", "recall"]);
    for (name, traced) in rows {
        report.row(vec![
            json!(name),
            json!(traced.moved),
            json!(traced.said),
            json!(traced.right),
            json!(traced.precision()),
            json!(traced.recall()),
        ]);
    }
    report.finish(common, "recall")
}

/// All moves; none if there are no real texts.
pub fn sampled_traces(data: &Path) -> Option<Result<Traced>> {
    let all = |(rows, _): (Rows, Vec<String>)| rows.last().map(|(_, traced)| *traced).unwrap_or_default();
    data.is_dir().then(|| traced(data, PAGES).map(all))
}

/// Leaves out texts that share shingles with one before: if two pages were alike from the start, nobody could say which
/// of them a third one was.
fn unlike_each_other(texts: Vec<String>) -> Vec<String> {
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
    let mut known = HashSet::new();
    let mut is_unlike = |text: &String| {
        let shingles = analyzer.shingles(&CoreText::of_plain_text(text));
        let shared = shingles.as_slice().iter().filter(|shingle| known.contains(*shingle)).count();
        let is_unlike = 20 * shared < shingles.len();
        known.extend(shingles.as_slice().iter().copied().filter(|_| is_unlike));
        is_unlike
    };
    texts.into_iter().filter(|text| is_unlike(text)).collect()
}

/// A page of the made web.
#[derive(Clone)]
struct Living {
    url: String,
    text: String,
}

/// What the crawls see, and what really happened.
struct Web {
    living: Vec<Living>,
    /// From the url that a page had to the one it has, and how it moved.
    moves: BTreeMap<String, (String, &'static str)>,
    /// Texts that no page has yet.
    fresh: Vec<String>,
    random: Random,
    made: usize,
}

impl Web {
    fn new(data: &Path, pages: usize) -> Self {
        let mut fresh: Vec<String> = LANGUAGES
            .iter()
            .flat_map(|language| texts(data, language, usize::MAX).0)
            .map(|text| text[..text.floor_char_boundary(TEXT)].to_owned())
            .collect();
        fresh.sort_unstable();
        let fresh = unlike_each_other(fresh);
        let mut web =
            Web { living: Vec::new(), moves: BTreeMap::new(), fresh, random: Random::new(3), made: 0 };
        (0..pages).for_each(|_| web.publish());
        web
    }

    fn url(&mut self, host: usize) -> String {
        self.made += 1;
        format!("https://site{host}.example/{}", self.made)
    }

    /// A new page with a text of its own.
    fn publish(&mut self) {
        let place = self.random.below(self.fresh.len());
        let text = self.fresh.swap_remove(place);
        let host = self.random.below(HOSTS);
        let url = self.url(host);
        self.living.push(Living { url, text });
    }

    /// A month passes.
    fn pass(&mut self) {
        for place in (0..self.living.len()).rev() {
            match self.random.below(100) {
                0..5 => drop(self.living.swap_remove(place)),
                5..10 => self.change(place),
                10..14 => self.copy(place),
                14..29 => self.relocate(place),
                _ => {}
            }
        }
        (0..self.living.len() / 20).for_each(|_| self.publish());
    }

    fn change(&mut self, place: usize) {
        let text = replaced(&self.living[place].text, 3, &mut self.random);
        self.living[place].text = text;
    }

    /// A stranger copies a page that stays.
    fn copy(&mut self, place: usize) {
        let text = self.living[place].text.clone();
        let host = self.random.below(HOSTS);
        let url = self.url(HOSTS + host);
        self.living.push(Living { url, text });
    }

    fn relocate(&mut self, place: usize) {
        let old = self.living[place].clone();
        let host =
            old.url.trim_start_matches("https://site").split('.').next().and_then(|host| host.parse().ok());
        let (host, how): (usize, &'static str) = match self.random.below(2) {
            0 => (host.unwrap_or(0), "within its host"),
            _ => (self.random.below(HOSTS), "to another host"),
        };
        let url = self.url(host);
        let (text, how) = match self.random.below(4) {
            0 => (replaced(&old.text, 2, &mut self.random), "2 % of its words replaced"),
            1 => (replaced(&old.text, 10, &mut self.random), "10 % of its words replaced"),
            2 => (self.shortened(&old.text), "a fifth cut, a fifth added"),
            _ => (old.text.clone(), how),
        };
        self.living[place] = Living { url: url.clone(), text };
        self.moves.insert(old.url, (url, how));
    }

    fn shortened(&mut self, text: &str) -> String {
        let other = &self.fresh[self.random.below(self.fresh.len())];
        let kept = &text[..text.floor_char_boundary(text.len() * 4 / 5)];
        let added = &other[..other.floor_char_boundary(text.len() / 5)];
        format!("{kept}\n{added}")
    }

    /// Where the page of a url is in the end, if anywhere, and how it moved last.
    fn end_of<'a>(&'a self, url: &'a str) -> Option<(&'a str, &'static str)> {
        let (mut at, mut how) = (url, "");
        while let Some((next, by)) = self.moves.get(at) {
            (at, how) = (next, by);
        }
        let lives = self.living.iter().any(|page| page.url == at);
        (lives && at != url).then_some((at, how))
    }
}

/// So many of a hundred words are others; in texts without spaces, characters.
fn replaced(text: &str, percent: usize, random: &mut Random) -> String {
    if text.split_whitespace().count() * 20 > text.chars().count() {
        let word =
            |word: &str| if random.below(100) < percent { "changed ".to_owned() } else { word.to_owned() };
        return text.split_inclusive(char::is_whitespace).map(word).collect();
    }
    text.chars().map(|character| if random.below(100) < percent { '変' } else { character }).collect()
}

/// How pages moved, and how well that was told; all of them in the last row.
type Rows = Vec<(String, Traced)>;

/// The rows, and what was told wrongly.
fn traced(data: &Path, pages: usize) -> Result<(Rows, Vec<String>)> {
    let folder = temporary::in_memory()?;
    let path = folder.path().join("data");
    let mut web = Web::new(data, pages);
    let mut urls = Vec::new();
    for number in 0..SWEEPS {
        if number > 0 {
            web.pass();
        }
        sweep(&path, FIRST + number as i64 * MONTH, &web.living)?;
        urls.extend(web.living.iter().map(|page| page.url.clone()));
    }
    urls.sort_unstable();
    urls.dedup();
    judge(&Catalogue::open(&path)?, &web, &urls)
}

fn sweep(path: &Path, at: i64, pages: &[Living]) -> Result<()> {
    let engine = Engine::open(path, OpenOptions::default())?;
    engine.begin_sweep(at)?;
    for (number, Living { url, text }) in pages.iter().enumerate() {
        let page = Page {
            id: url.clone(),
            url: Some(url.clone()),
            content: Content::html(framed(number % 9, "A page", text)),
            ..Page::default()
        };
        engine.store(engine.analyze_swept(page, at))?;
    }
    engine.finish_sweep(at)?;
    Ok(engine.catch_up()?)
}

fn judge(catalogue: &Catalogue, web: &Web, urls: &[String]) -> Result<(Rows, Vec<String>)> {
    let mut rows: BTreeMap<&str, Traced> = BTreeMap::new();
    let (mut all, mut wrong) = (Traced::default(), Vec::new());
    for url in urls {
        let truly = web.end_of(url);
        let trace = catalogue.trace(url)?;
        let path: Vec<_> =
            trace.iter().flat_map(|trace| &trace.path).filter_map(|step| step.resemblance).collect();
        let said = trace.filter(|trace| trace.status == "moved").and_then(|trace| trace.now);
        let is_right = said.is_some() && said.as_deref() == truly.map(|(at, _)| at);
        if !is_right && (said.is_some() || truly.is_some()) {
            wrong.push(format!("{url}: {truly:?}, said {said:?}, resembling by {path:.2?}"));
        }
        for traced in [rows.entry(truly.map_or("not at all", |(_, how)| how)).or_default(), &mut all] {
            traced.moved += usize::from(truly.is_some());
            traced.said += usize::from(said.is_some());
            traced.right += usize::from(is_right);
        }
    }
    let rows = rows.into_iter().map(|(how, traced)| (how.to_owned(), traced));
    Ok((rows.chain([("all".to_owned(), all)]).collect(), wrong))
}
