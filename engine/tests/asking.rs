//! What can be asked of a data directory, and how soon it knows: one short case for every promise.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{
    Catalogue, Engine, Hit, HoldersQuestion, OpenOptions, Policy, SearchQuestion, SimilarQuestion, Sort,
};
use firstcopy_text::{Content, Page};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::{assert_clean, options, words};
use tempfile::TempDir;

/// A data directory with search and similarity.
struct Data {
    _folder: TempDir,
    path: PathBuf,
}

impl Data {
    fn new() -> Self {
        let folder = support::folder();
        Data { path: folder.path().join("data"), _folder: folder }
    }

    fn engine(&self) -> Engine {
        Engine::open(&self.path, OpenOptions { followers: true, ..options(Policy::Resemblance) }).unwrap()
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::open(&self.path).unwrap()
    }

    /// Adds pages and closes the directory.
    fn add(&self, pages: impl IntoIterator<Item = Page>) {
        let engine = self.engine();
        pages.into_iter().for_each(|page| drop(engine.add(page).unwrap()));
        engine.catch_up().unwrap();
    }
}

/// Midnight of a day of 2020.
fn day(number: i64) -> i64 {
    1_577_836_800 + 86_400 * number
}

fn page(id: &str, text: &str) -> Page {
    let url = Some(format!("https://{id}.example/"));
    Page { id: id.to_owned(), url, content: Content::text(text), ..Page::default() }
}

fn dated(id: &str, text: &str, created: i64) -> Page {
    Page { created_at: Some(day(created)), ..page(id, text) }
}

fn question(query: &str) -> SearchQuestion {
    SearchQuestion { query: query.to_owned(), all: false, sort: Sort::Relevance, limit: 10, cursor: None }
}

fn search(path: &Path, query: &str) -> Vec<String> {
    let answer = Catalogue::open(path).unwrap().search(&question(query)).unwrap();
    answer.hits.into_iter().map(|hit| hit.id).collect()
}

/// A text of so many words; other seeds, other words.
fn text(seed: u64, length: usize) -> String {
    words(seed, length).join(" ")
}

#[test]
fn duplicates_are_found_only_when_all_is_asked_for() {
    let data = Data::new();
    let copied = text(1, 100) + " lighthouse";
    data.add([
        dated("first", &copied, 1),
        dated("second", &copied.to_uppercase(), 2),
        dated("third", &(copied.clone() + " harbour"), 3),
        dated("other", "a lighthouse and nothing else of interest to anybody here", 4),
    ]);
    let catalogue = data.catalogue();
    let hits = catalogue.search(&question("lighthouse")).unwrap().hits;
    let mut ids: Vec<(&str, usize)> = hits.iter().map(|hit| (hit.id.as_str(), hit.copies)).collect();
    ids.sort_unstable();
    assert_eq!(ids, [("first", 2), ("other", 0)]);
    let first = hits.iter().find(|hit| hit.id == "first").unwrap();
    let named: Vec<&str> = first.first_copies.iter().map(|copy| copy.id.as_str()).collect();
    assert_eq!(named, ["second", "third"]);
    assert!(catalogue.search(&question("harbour")).unwrap().hits.is_empty());

    let all = |query: &str| catalogue.search(&SearchQuestion { all: true, ..question(query) }).unwrap().hits;
    let folded = |hits: &[Hit]| -> Vec<(String, Vec<String>)> {
        let copies = |hit: &Hit| hit.matching_copies.iter().map(|copy| copy.id.clone()).collect();
        let mut folded: Vec<_> = hits.iter().map(|hit| (hit.id.clone(), copies(hit))).collect();
        folded.sort();
        folded
    };
    let third = [("first".to_owned(), vec!["third".to_owned()])];
    assert_eq!(folded(&all("harbour")), third);
    assert!(all("harbour")[0].snippet.contains("harbour"));
    let lighthouse = folded(&all("lighthouse"));
    assert_eq!(lighthouse.len(), 2);
    assert_eq!(lighthouse[0].1.len(), 2);
}

#[test]
fn pages_of_a_search_join_without_gaps() {
    let data = Data::new();
    data.add((0..23).map(|number| {
        let copy = number % 3 == 2;
        let text = format!("tulip {}", text(if copy { number - 1 } else { number }, 60));
        dated(&format!("post-{number}"), &text, number as i64)
    }));
    let catalogue = data.catalogue();
    for (all, sort) in
        [(false, Sort::Relevance), (false, Sort::Newest), (true, Sort::Relevance), (true, Sort::Oldest)]
    {
        let mut question = SearchQuestion { all, sort, limit: 4, ..question("tulip") };
        let mut found = Vec::new();
        loop {
            let page = catalogue.search(&question).unwrap();
            assert!(page.hits.len() <= 4);
            found.extend(page.hits.into_iter().map(|hit| hit.id));
            question.cursor = page.next;
            if question.cursor.is_none() {
                break;
            }
        }
        let whole = catalogue.search(&SearchQuestion { limit: 100, cursor: None, ..question }).unwrap();
        let whole: Vec<String> = whole.hits.into_iter().map(|hit| hit.id).collect();
        assert_eq!(found, whole, "{all} {sort:?}");
        assert_eq!(found.len(), 16);
    }
}

/// Waits until something is so, and says how long that took.
fn within(wait: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < wait {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn promoted_copies_appear_and_demoted_originals_disappear_by_themselves() {
    let data = Data::new();
    let engine = data.engine();
    let copied = text(7, 80);
    let query = words(7, 80)[5].clone();
    let finds = |expected: &[&str]| {
        let expected: Vec<String> = expected.iter().map(|id| (*id).to_owned()).collect();
        // Far more than the second that is promised: this machine may be busy.
        within(Duration::from_secs(20), || search(&data.path, &query) == expected)
    };
    engine.add(dated("late", &copied, 20)).unwrap();
    assert!(finds(&["late"]));
    engine.add(dated("early", &copied, 10)).unwrap();
    assert!(finds(&["early"]), "the older original takes its place");
    engine.delete("early").unwrap();
    assert!(finds(&["late"]), "the copy takes its place");
    engine.add(dated("late", &text(8, 80), 20)).unwrap();
    assert!(finds(&[]), "the text was edited away");
    assert_clean(&engine);
}

#[test]
fn similar_tells_who_resembles_contains_and_is_contained() {
    let data = Data::new();
    let post = text(3, 120);
    let long = [text(4, 700), post.clone(), text(5, 700)].join(" ");
    let near = words(3, 120)[..100].join(" ");
    data.add([page("post", &post), page("long", &long), page("near", &near), page("other", &text(6, 200))]);
    let catalogue = data.catalogue();
    let question = SimilarQuestion::default();
    let answer = catalogue.similar(page("draft", &post), &question).unwrap();
    let found: Vec<_> = answer.similar.iter().map(|one| (one.id.as_str(), one.relation)).collect();
    assert_eq!(found, [("post", "resembles"), ("near", "resembles"), ("long", "contains")]);
    assert_eq!((answer.similar[0].resemblance, answer.similar[1].containment_b_in_a), (1.0, 1.0));
    assert!(answer.similar.iter().all(|one| one.resemblance_low <= one.resemblance));

    let stored = catalogue.similar_to("long", &question).unwrap().unwrap();
    let found: Vec<_> = stored.similar.iter().map(|one| (one.id.as_str(), one.relation)).collect();
    assert_eq!(found, [("post", "contained"), ("near", "contained")]);
    assert!(catalogue.similar_to("nobody", &question).unwrap().is_none());
    assert!(catalogue.similar(page("x", ""), &question).unwrap().similar.is_empty());
}

#[test]
fn a_text_of_very_many_copies_is_found_in_all_of_them() {
    let data = Data::new();
    let common = text(11, 60);
    data.add((0..1005).map(|number| page(&format!("p{number}"), &common)));
    let catalogue = data.catalogue();
    let question = SimilarQuestion { limit: 3, ..SimilarQuestion::default() };
    let draft = catalogue.similar(page("draft", &common), &question).unwrap();
    assert_eq!((draft.total, draft.similar.len(), draft.ignored_shingles), (1005, 3, 0));
    let stored = catalogue.similar_to("p3", &question).unwrap().unwrap();
    assert_eq!((stored.total, stored.similar.len()), (1004, 3));
}

/// Asks who holds a text that stands in so many pages, each with text of its own, stored or not. The engine stays open:
/// of five thousand pages, the outbox has let go of those that all followers have written.
fn check_text_in_pages(pages: usize, policy: Policy) {
    let data = Data::new();
    let shared = text(31, 80);
    let options = || OpenOptions { followers: true, ..options(policy) };
    let engine = Engine::open(&data.path, options()).unwrap();
    let page_of = |number: usize| {
        // Of longer texts fewer shingles are sampled.
        let own = [text(1000 + number as u64, 60), text(9_000_000 + number as u64, number % 3 * 150)];
        page(&format!("p{number}"), &[&own[0], &shared, &own[1]].map(String::as_str).join(" "))
    };
    (0..pages).for_each(|number| drop(engine.add(page_of(number)).unwrap()));
    engine.add(page("stored", &shared)).unwrap();
    engine.add(page("other", &text(32, 80))).unwrap();
    engine.catch_up().unwrap();
    let catalogue = data.catalogue();
    let question = SimilarQuestion { limit: usize::MAX, ..SimilarQuestion::default() };
    let draft = catalogue.similar(page("draft", &shared), &question).unwrap();
    assert_eq!((draft.total, draft.ignored_shingles), (pages + 1, 0), "{pages} {policy:?}");
    assert!(draft.similar.iter().all(|found| found.containment_a_in_b == 1.0));
    let stored = catalogue.similar_to("stored", &question).unwrap().unwrap();
    assert_eq!(stored.total, pages, "{pages} {policy:?}");
    let answer = catalogue.holders("stored", &HoldersQuestion::default()).unwrap().unwrap();
    let contained = answer.holders.iter().filter(|holder| holder.holds == "contained").count();
    assert_eq!((contained, answer.holders.len()), (pages, pages), "{pages} {policy:?}");
    assert_eq!(answer.ignored_shingles, 0);
}

#[test]
fn a_text_in_very_many_pages_is_found_in_all_of_them() {
    for pages in [2, 24, 25, 999, 1000, 1001, 1100, 5000] {
        check_text_in_pages(pages, Policy::Resemblance);
    }
    check_text_in_pages(1100, Policy::Likeness);
}

#[test]
fn holders_have_all_most_or_some_of_it() {
    let data = Data::new();
    let post = words(21, 300);
    let part = [text(22, 100), post[..100].join(" ")].join(" ");
    let within = [text(23, 900), post.join(" "), text(24, 900)].join(" ");
    data.add([
        dated("post", &post.join(" "), 1),
        dated("copy", &(post.join(" ") + " and more"), 3),
        dated("within", &within, 2),
        dated("part", &part, 4),
        dated("other", &text(25, 300), 5),
    ]);
    let catalogue = data.catalogue();
    let holders = catalogue.holders("post", &HoldersQuestion::default()).unwrap().unwrap();
    let found: Vec<_> = holders.holders.iter().map(|holder| (holder.id.as_str(), holder.holds)).collect();
    assert_eq!(found, [("within", "contained"), ("copy", "whole"), ("part", "partial")]);
    assert_eq!(holders.holders[0].site.as_deref(), Some("within.example"));
    let far = HoldersQuestion { since: Some(i64::MAX), ..HoldersQuestion::default() };
    assert_eq!(catalogue.holders("post", &far).unwrap().unwrap().holders, []);
    assert!(catalogue.holders("nobody", &HoldersQuestion::default()).unwrap().is_none());
}

/// Merges a sweep of pages, given as url and text. Returns how many pages are gone.
fn sweep(data: &Data, at: i64, pages: &[(&str, &str)]) -> u64 {
    let engine = data.engine();
    engine.begin_sweep(day(at)).unwrap();
    for (url, text) in pages {
        let page = Page {
            id: (*url).to_owned(),
            url: Some((*url).to_owned()),
            content: Content::text(*text),
            ..Page::default()
        };
        engine.submit(engine.analyze_swept(page, day(at))).wait().unwrap();
    }
    let gone = engine.finish_sweep(day(at)).unwrap();
    engine.catch_up().unwrap();
    gone
}

#[test]
fn sweeps_mark_what_is_gone_and_what_is_back() {
    let data = Data::new();
    let (a, b, edited) = (text(31, 100), text(32, 100), text(33, 100));
    assert_eq!(sweep(&data, 1, &[("http://x/a", &a), ("http://x/b", &b)]), 0);
    assert_eq!(sweep(&data, 2, &[("http://x/a", &edited)]), 1);
    assert_eq!(sweep(&data, 2, &[("http://x/a", &edited)]), 0, "the same sweep again changes nothing");
    assert_eq!(sweep(&data, 3, &[("http://x/b", &b)]), 1);
    let engine = data.engine();
    let show = |url: &str| engine.reader().show(url).unwrap().unwrap();
    let (a, b) = (show("http://x/a"), show("http://x/b"));
    assert_eq!(a.versions.len(), 2);
    assert_eq!(a.verdict.unwrap().received_at, "2020-01-03T00:00:00Z");
    let seen = |number: i64| format!("2020-01-{:02}T00:00:00Z", number + 1);
    let of_a = a.sightings.unwrap();
    assert_eq!((of_a.first_seen, of_a.last_seen, of_a.gone_at), (seen(1), seen(2), Some(seen(3))));
    let of_b = b.sightings.unwrap();
    assert_eq!((of_b.gone_at, of_b.absences), (None, vec![(seen(2), seen(3))]));
    assert_eq!(engine.statistics().unwrap().gone, 1);
    let old = engine.begin_sweep(day(2)).unwrap_err().to_string();
    assert!(old.contains("order of their dates"), "{old}");
    assert!(engine.begin_sweep(i64::MAX / 2).is_err());
    assert_clean(&engine);
}

#[test]
fn a_page_is_traced_through_its_moves() {
    let data = Data::new();
    let (page, copy, other) = (text(41, 200), text(41, 200), text(42, 200));
    let edited = words(41, 200)[..150].join(" ");
    let (first, second, third) = ("http://old/p", "http://new/p", "http://new/q");
    sweep(&data, 1, &[(first, &page), ("http://spam/p", &copy), ("http://old/o", &other)]);
    sweep(&data, 2, &[(second, &page), ("http://spam/p", &copy), ("http://old/o", &other)]);
    sweep(&data, 3, &[(third, &edited), ("http://spam/p", &copy)]);
    let catalogue = data.catalogue();
    let trace = catalogue.trace(first).unwrap().unwrap();
    assert_eq!((trace.status, trace.now.as_deref()), ("moved", Some(third)));
    let urls: Vec<&str> = trace.path.iter().map(|step| step.url.as_str()).collect();
    assert_eq!(urls, [first, second, third]);
    assert_eq!(catalogue.trace(third).unwrap().unwrap().status, "here");
    let lost = catalogue.trace("http://old/o").unwrap().unwrap();
    assert_eq!((lost.status, lost.now), ("gone", None));
    assert!(catalogue.trace("http://nobody/").unwrap().is_none());
    let moved = catalogue.all_moved(|_| ()).unwrap();
    let moved: Vec<_> = moved.iter().map(|one| (one.from.as_str(), one.to.as_str())).collect();
    assert_eq!(moved, [(first, third), (second, third)]);
}

#[test]
fn without_sweeps_dates_tell() {
    let data = Data::new();
    let text = text(51, 100);
    data.add([dated("old", &text, 1), dated("new", &text, 9), dated("middle", &text, 5)]);
    let trace = data.catalogue().trace("https://old.example/").unwrap().unwrap();
    assert_eq!((trace.status, trace.now.as_deref()), ("unswept", Some("https://new.example/")));
    assert_eq!(trace.path.len(), 3);
}

#[test]
fn whoever_asks_catches_up_with_what_nobody_followed() {
    let data = Data::new();
    let engine = Engine::open(&data.path, options(Policy::Resemblance)).unwrap();
    engine.add(page("a", "a lighthouse at night")).unwrap();
    drop(engine);
    assert_eq!(search(&data.path, "lighthouse"), ["a"]);
    // Gone altogether, everything is built again.
    std::fs::remove_dir_all(data.path.join("index")).unwrap();
    assert_eq!(search(&data.path, "lighthouse"), ["a"]);
    assert_clean(&data.engine());
}

#[test]
fn damage_is_built_again() {
    let data = Data::new();
    data.add([page("a", &text(61, 100))]);
    let query = words(61, 100)[3].clone();
    for name in ["search/originals/meta.json", "generation-1/postings/manifest"] {
        std::fs::write(data.path.join("index").join(name), "nonsense").unwrap();
        assert_eq!(search(&data.path, &query), ["a"], "{name}");
        assert_clean(&data.engine());
    }
}

#[test]
fn what_knows_more_than_a_store_that_was_brought_back_is_built_again() {
    let data = Data::new();
    data.add([page("a", "a lighthouse at night")]);
    let backup = data.path.with_file_name("backup");
    data.engine().reader().backup(&backup).unwrap();
    data.add([page("b", "another lighthouse by day, and quite another story")]);
    for name in ["store.sqlite-wal", "store.sqlite-shm"] {
        let _ = std::fs::remove_file(data.path.join(name));
    }
    std::fs::copy(backup.join("store.sqlite"), data.path.join("store.sqlite")).unwrap();
    assert!(data.catalogue().is_in_step().unwrap());
    assert_eq!(search(&data.path, "lighthouse"), ["a"]);
    assert_clean(&data.engine());
}
