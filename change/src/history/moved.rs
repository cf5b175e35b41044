//! Which page is another one's continuation? A page that was not seen any more, and a page that began afterwards with much
//! the same text. Candidates share values of their sketches; texts are compared before anything is said.

use super::calendar::time;
use super::collection::{Chapter, Resources};
use super::error::HistoryError;
use super::events::Visit;
use super::ordered::for_each_in_order;
use super::spool::Spool;
use firstcopy_text::{Analyzer, Confidence, CoreText, LevelSketch, Overlap, ShingleSet};
use foldhash::fast::FixedState;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// The resemblance from which on a page is the same one elsewhere: half of what both say (broder-1997's threshold).
const SAME_PAGE: f64 = 0.5;
/// Pages with fewer shingles say too little to be known again: "Page not found" is nobody's new home.
const FEWEST_SHINGLES: usize = 20;
/// A value in more beginnings than that is machine-made noise (broder-1997: 1,000 documents).
const COMMON: usize = 1000;
/// So many candidates are compared for an ending: the best by their sketches, to bound the work on families of pages.
const CANDIDATES: usize = 16;

/// A page that went on elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageMove {
    /// Where it was.
    pub from: String,
    /// Where it went on.
    pub to: String,
    /// When it was last seen where it was, in RFC 3339.
    #[serde(serialize_with = "time")]
    pub last_seen: i64,
    /// When it was first seen where it went on.
    #[serde(serialize_with = "time")]
    pub first_seen: i64,
    /// How much its last text there and its first text here have in common.
    pub resemblance: f64,
    /// Whether it stayed on its host.
    pub within_host: bool,
}

/// A page that may have moved, by its place among all pages.
struct End<'a> {
    page: usize,
    visit: &'a Visit,
    sketch: LevelSketch,
}

/// An ending, a beginning, and how much they resemble.
struct Match {
    from: usize,
    to: usize,
    begins: i64,
    resemblance: f64,
}

/// All moves, earliest first. Every page moves once at most, to where most of it went on.
pub(super) fn moves(
    chapters: &[Chapter],
    texts: (&Spool, &Analyzer),
    resources: &Resources,
) -> Result<Vec<(usize, usize, PageMove)>, HistoryError> {
    let firsts = || chapters.iter().filter_map(|chapter| chapter.events.first());
    let lasts = || chapters.iter().filter_map(|chapter| chapter.events.last());
    let latest_beginning = firsts().map(|visit| visit.at).max();
    let earliest_ending = lasts().map(|visit| visit.at).min();
    let (Some(latest), Some(earliest)) = (latest_beginning, earliest_ending) else { return Ok(Vec::new()) };
    let endings = sketched(chapters, |c| c.events.last().filter(|v| v.at < latest), texts, resources)?;
    let beginnings = sketched(chapters, |c| c.events.first().filter(|v| v.at > earliest), texts, resources)?;
    let matches = matches(&endings, &beginnings, texts, resources)?;
    Ok(best(matches).into_iter().map(|found| told(&found, chapters)).collect())
}

/// The chosen visits of all pages that say enough, with their sketches.
fn sketched<'a>(
    chapters: &'a [Chapter],
    choose: impl Fn(&'a Chapter) -> Option<&'a Visit>,
    texts: (&Spool, &Analyzer),
    resources: &Resources,
) -> Result<Vec<End<'a>>, HistoryError> {
    let chosen: Vec<(usize, &Visit)> =
        chapters.iter().enumerate().filter_map(|(page, chapter)| Some((page, choose(chapter)?))).collect();
    let mut ends = Vec::new();
    let sketch = |&(page, visit): &(usize, &'a Visit)| {
        let shingles = shingles(visit, texts)?;
        let sketch = (shingles.len() >= FEWEST_SHINGLES).then(|| LevelSketch::new(&shingles));
        Ok(sketch.map(|sketch| End { page, visit, sketch }))
    };
    for_each_in_order(&chosen, resources.threads, sketch, |end: Result<_, HistoryError>| {
        ends.extend(end?);
        resources.go_on()
    })?;
    Ok(ends)
}

fn shingles(visit: &Visit, (spool, analyzer): (&Spool, &Analyzer)) -> Result<ShingleSet, HistoryError> {
    Ok(analyzer.shingles(&CoreText::from_blocks([spool.text(visit.piece)?])))
}

fn matches(
    endings: &[End],
    beginnings: &[End],
    texts: (&Spool, &Analyzer),
    resources: &Resources,
) -> Result<Vec<Match>, HistoryError> {
    let mut holders: HashMap<u64, Vec<usize>, FixedState> = HashMap::default();
    for (index, beginning) in beginnings.iter().enumerate() {
        beginning.sketch.values().iter().for_each(|&value| holders.entry(value).or_default().push(index));
    }
    holders.retain(|_, holders| holders.len() <= COMMON);
    let mut all = Vec::new();
    let work = |ending: &End| -> Result<Vec<Match>, HistoryError> {
        let candidates = candidates(ending, beginnings, &holders);
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let last = shingles(ending.visit, texts)?;
        let mut matches = Vec::new();
        for beginning in candidates {
            let resemblance = Overlap::of(&last, &shingles(beginning.visit, texts)?).resemblance();
            if resemblance >= SAME_PAGE {
                let (from, to, begins) = (ending.page, beginning.page, beginning.visit.at);
                matches.push(Match { from, to, begins, resemblance });
            }
        }
        Ok(matches)
    };
    for_each_in_order(endings, resources.threads, work, |matches| {
        all.extend(matches?);
        resources.go_on()
    })?;
    Ok(all)
}

/// The beginnings after an ending that may resemble it, the best first.
fn candidates<'b>(
    ending: &End,
    beginnings: &'b [End<'b>],
    holders: &HashMap<u64, Vec<usize>, FixedState>,
) -> Vec<&'b End<'b>> {
    let sharing: HashSet<usize> =
        ending.sketch.values().iter().filter_map(|value| holders.get(value)).flatten().copied().collect();
    let mut candidates: Vec<(f64, &End)> = sharing
        .into_iter()
        .map(|index| &beginnings[index])
        .filter(|beginning| beginning.page != ending.page && beginning.visit.at > ending.visit.at)
        .map(|beginning| (ending.sketch.overlap(&beginning.sketch), beginning))
        .map(|(overlap, beginning)| (overlap.resemblance(Confidence::Cautious), beginning))
        .filter(|(estimate, _)| estimate.high >= SAME_PAGE)
        .map(|(estimate, beginning)| (estimate.value, beginning))
        .collect();
    candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.page.cmp(&b.1.page)));
    candidates.truncate(CANDIDATES);
    candidates.into_iter().map(|(_, beginning)| beginning).collect()
}

/// The most resembling first, each page once on each side; then by time.
fn best(mut matches: Vec<Match>) -> Vec<Match> {
    matches.sort_unstable_by(|a, b| {
        b.resemblance.total_cmp(&a.resemblance).then((a.begins, a.from, a.to).cmp(&(b.begins, b.from, b.to)))
    });
    let (mut left, mut reached) = (HashSet::new(), HashSet::new());
    matches.retain(|found| {
        let is_free = !left.contains(&found.from) && !reached.contains(&found.to);
        is_free && left.insert(found.from) && reached.insert(found.to)
    });
    matches.sort_unstable_by_key(|found| (found.begins, found.from));
    matches
}

fn told(found: &Match, chapters: &[Chapter]) -> (usize, usize, PageMove) {
    let (from, to) = (&chapters[found.from], &chapters[found.to]);
    let moved = PageMove {
        from: from.page.clone(),
        to: to.page.clone(),
        last_seen: from.events.last().map_or(0, |visit| visit.at),
        first_seen: found.begins,
        resemblance: found.resemblance,
        within_host: host(&from.page) == host(&to.page),
    };
    (found.from, found.to, moved)
}

/// The host of a url, without user and port, in small letters; what is no url has none.
fn host(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host =
        if host.starts_with('[') { host.split_inclusive(']').next()? } else { host.split(':').next()? };
    Some(host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (page, expected) in [
            ("https://Blog.example:8080/a?b", Some("blog.example")),
            ("http://me@a.example#x", Some("a.example")),
            ("http://[::1]:80/", Some("[::1]")),
            ("posts/2024.html", None),
        ] {
            assert_eq!(host(page).as_deref(), expected, "{page}");
        }
    }

    #[test]
    fn every_page_moves_once() {
        let found = |from, to, begins, resemblance| Match { from, to, begins, resemblance };
        let matches =
            vec![found(1, 5, 9, 0.8), found(1, 6, 7, 0.9), found(2, 6, 7, 0.7), found(3, 5, 8, 0.6)];
        let pairs: Vec<_> = best(matches).iter().map(|found| (found.from, found.to)).collect();
        assert_eq!(pairs, [(1, 6), (3, 5)]);
    }
}
