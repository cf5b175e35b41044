//! Who only tells of news: where it begins, whom a new document holds, and that nothing is kept for whoever is gone.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Catalogue, Change, Engine, Follower, OpenOptions, Reader, forget_follower};
use firstcopy_text::{Content, Page};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use support::{folder, words};

/// Remembers the ids it was told of.
#[derive(Default)]
struct Teller {
    position: Option<u64>,
    told: Vec<String>,
}

impl Follower for Teller {
    fn name(&self) -> &str {
        "teller"
    }

    fn position(&self) -> u64 {
        self.position.unwrap_or(u64::MAX)
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        self.told.extend(changes.iter().map(|change| change.id.clone()));
        self.position = Some(position);
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        self.position = None;
        Ok(())
    }

    fn wants_the_past(&self) -> bool {
        false
    }
}

fn add(engine: &Engine, id: &str, text: &str) {
    static TIME: AtomicI64 = AtomicI64::new(1_700_000_000);
    // A minute apart, because the first is named, and a second may not tell who that was.
    let created_at = Some(TIME.fetch_add(60, Ordering::Relaxed));
    let page = Page { id: id.to_owned(), content: Content::text(text), created_at, ..Page::default() };
    engine.add(page).unwrap();
}

/// A text of so many words that nobody else has.
fn text(number: u64, count: usize) -> String {
    let sentence = |words: &[String]| format!("{}.", words.join(" "));
    words(number, count).chunks(12).map(sentence).collect::<Vec<_>>().join(" ")
}

#[test]
fn it_begins_at_the_present() {
    let folder = folder();
    let path = folder.path().join("data");
    let engine = Engine::open(&path, OpenOptions::default()).unwrap();
    add(&engine, "old", &text(1, 100));
    let mut teller = Teller::default();
    engine.follow(&mut teller).unwrap();
    assert_eq!((teller.told.len(), teller.position), (0, Some(engine.reader().position().unwrap())));
    assert!(!engine.wait_for_news(teller.position(), Duration::from_millis(10)).unwrap());
    add(&engine, "new", &text(2, 100));
    assert!(engine.wait_for_news(teller.position(), Duration::from_secs(10)).unwrap());
    engine.follow(&mut teller).unwrap();
    assert_eq!(teller.told, ["new"]);
    add(&engine, "newer", &text(3, 100));
    drop(engine);
    // What it has still to be told is kept, until it is forgotten.
    let kept = || Reader::open(&path).unwrap().statistics().unwrap().outbox;
    assert!(kept() > 0);
    assert!(forget_follower(&path, "teller").unwrap());
    let engine = Engine::open(&path, OpenOptions::default()).unwrap();
    assert!(!forget_follower(&path, "teller").unwrap(), "somebody has it open");
    add(&engine, "newest", &text(4, 100));
    engine.follow(&mut teller).unwrap();
    engine.forget_follower("teller").unwrap();
    engine.forget_follower("nobody").unwrap();
    engine.catch_up().unwrap();
    drop(engine);
    assert_eq!(kept(), 0);
}

#[test]
fn whom_a_new_document_holds() {
    let folder = folder();
    let engine = Engine::open(&folder.path().join("data"), OpenOptions::default()).unwrap();
    let (first, second) = (text(1, 240), text(2, 240));
    add(&engine, "first", &first);
    add(&engine, "second", &second);
    engine.catch_up().unwrap();
    let mut catalogue = Catalogue::open(engine.path()).unwrap();
    let mut held = |id: &str, most: usize| -> Vec<(String, &'static str)> {
        assert!(catalogue.bring_up().unwrap());
        let content = content_of(&engine, id);
        let held = catalogue.newly_held(id, content, most).unwrap();
        held.into_iter().map(|held| (held.id, held.holds)).collect()
    };
    let said = |id: &str, holds: &'static str| (id.to_owned(), holds);
    assert_eq!(held("second", 20), []);
    add(&engine, "copy", &first);
    assert_eq!(held("copy", 20), [said("first", "whole")]);
    add(&engine, "both", &format!("{} {first} {second}", text(3, 600)));
    // The copy is no original, so nobody is told of it.
    assert_eq!(held("both", 20), [said("first", "contained"), said("second", "contained")]);
    assert_eq!(held("both", 1).len(), 1);
    // Of one that took the same passage from there nobody is told: it was not first with it.
    add(&engine, "quoting", &format!("{} {} {}", text(6, 200), first.split_at(800).0, text(7, 200)));
    assert_eq!(held("quoting", 20), [said("first", "partial")]);
    // What was held before an edit is no news, and what comes with it is.
    add(&engine, "edited", &format!("{} {first}", text(5, 300)));
    assert_eq!(held("edited", 20), [said("first", "contained")]);
    add(&engine, "edited", &format!("{} {first} {second}", text(5, 300)));
    assert_eq!(held("edited", 20), [said("second", "contained")]);
    // An earlier one is not held by a later one, nor asked for a content that it has no more.
    assert_eq!(held("first", 20), []);
    let catalogue = Catalogue::open(engine.path()).unwrap();
    assert_eq!(catalogue.newly_held("edited", 0, 20).unwrap(), []);
    assert_eq!(catalogue.newly_held("nobody", 1, 20).unwrap(), []);
}

/// The content that a document has now, as the outbox tells it.
fn content_of(engine: &Engine, id: &str) -> u32 {
    struct Last<'a>(&'a str, u64, u32);
    impl Follower for Last<'_> {
        fn name(&self) -> &str {
            "last"
        }
        fn position(&self) -> u64 {
            self.1
        }
        fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
            let own = changes.iter().rfind(|change| change.id == self.0);
            (self.1, self.2) = (position, own.map_or(self.2, |change| change.content));
            Ok(())
        }
        fn restart(&mut self) -> Result<(), String> {
            Ok(())
        }
    }
    let mut last = Last(id, 0, 0);
    engine.follow(&mut last).unwrap();
    last.2
}
