//! Hundreds of pages of one template, each with text of its own: more holders of the same keys than a lookup follows. Copies
//! of these pages are found all the same, by every index, and again when everything is judged anew.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Engine, IndexKind, OpenOptions, Policy};
use firstcopy_text::Page;
use std::path::Path;
use support::{Random, assert_clean, options, post, timeless, words};

/// Pages: with 32 keys, three fifths of them of the template, more than twice as many holders as are followed.
const PAGES: u64 = 450;
/// Every how manieth page is copied.
const COPIED: u64 = 15;

/// Sixty words of the template, and forty of the page's own in four places.
fn page(number: u64) -> Vec<String> {
    let (template, own) = (words(1, 60), words(1_000 + number, 40));
    template.chunks(15).zip(own.chunks(10)).flat_map(|(template, own)| [template, own].concat()).collect()
}

/// The page with another greeting, and a few words replaced anywhere.
fn copy(number: u64) -> Vec<String> {
    let mut random = Random(number);
    let mut copy = page(number);
    let others = words(500_000 + number, 6);
    for other in &others[..4] {
        let place = random.below(copy.len());
        copy[place].clone_from(other);
    }
    [&others[4..], &copy].concat()
}

fn posts() -> Vec<Page> {
    let originals = (0..PAGES).map(|number| post(&format!("page-{number}"), page(number).join(" ")));
    let copies = (0..PAGES).step_by(COPIED as usize);
    let copies = copies.map(|number| post(&format!("copy-{number}"), copy(number).join(" ")));
    originals.chain(copies).collect()
}

fn open(path: &Path, index: IndexKind) -> Engine {
    Engine::open(path, OpenOptions { index, ..options(Policy::Likeness) }).unwrap()
}

#[test]
fn copies_of_pages_of_a_large_template_are_found() {
    let folders = [IndexKind::Default, IndexKind::B6d1].map(|kind| (kind, support::folder()));
    let stored = folders.each_ref().map(|(kind, folder)| {
        let engine = open(folder.path(), *kind);
        for page in posts() {
            let verdict = engine.add(page).unwrap();
            let original = verdict.id.strip_prefix("copy-").map(|number| format!("page-{number}"));
            assert_eq!(verdict.original, original, "{kind:?}: {}", verdict.id);
        }
        assert_clean(&engine);
        timeless(&engine)
    });
    assert_eq!(stored[0], stored[1]);
}

#[test]
fn pages_of_a_template_that_come_after_their_copies_take_their_place() {
    let folder = support::folder();
    let engine = open(folder.path(), IndexKind::Default);
    for page in posts().into_iter().rev() {
        let date = if page.id.starts_with("page-") { 1_000_000_000 } else { 1_100_000_000 };
        engine.add(Page { created_at: Some(date), ..page }).unwrap();
    }
    for verdict in engine.reader().verdicts().unwrap() {
        let original = verdict.id.strip_prefix("copy-").map(|number| format!("page-{number}"));
        assert_eq!(verdict.original, original, "{}", verdict.id);
    }
}
