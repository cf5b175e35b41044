//! What becomes of posts: one short case for every promise, readable as documentation.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Engine, OpenOptions, PastVerdict, Policy, Verdict};
use firstcopy_text::Page;
use support::{assert_clean, near, options, post, text, verdicts};
use tempfile::TempDir;

/// Midnight of a day; later is larger.
fn day(number: i64) -> Option<i64> {
    Some(1_600_000_000 + 86_400 * number)
}

fn dated(id: &str, text: impl Into<String>, created_at: Option<i64>) -> Page {
    Page { created_at, ..post(id, text) }
}

/// A new data directory, and the folder that it goes with.
fn fresh(options: OpenOptions) -> (TempDir, Engine) {
    let folder = support::folder();
    let engine = Engine::open(&folder.path().join("data"), options).unwrap();
    (folder, engine)
}

fn add(engine: &Engine, pages: impl IntoIterator<Item = Page>) -> Vec<Verdict> {
    pages.into_iter().map(|page| engine.add(page).unwrap()).collect()
}

/// Checks all documents that there are: "original", or the id of the original.
#[track_caller]
fn check(engine: &Engine, expected: &[(&str, &str)]) {
    let found = verdicts(engine);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(id, verdict)| (id.as_str(), verdict.original.as_deref().unwrap_or("original")))
        .collect();
    assert_eq!(found, expected);
    assert_clean(engine);
}

/// Checks what was said of a document before: why it ended, through whom, and what it was.
#[track_caller]
fn check_history(engine: &Engine, id: &str, expected: &[(&str, &str, Option<&str>, Option<&str>)]) {
    let history = engine.reader().show(id).unwrap().unwrap().history;
    let found: Vec<_> = history
        .iter()
        .map(|PastVerdict { cause, cause_id, verdict, original, .. }| {
            (cause.as_str(), cause_id.as_deref().unwrap(), verdict.as_deref(), original.as_deref())
        })
        .collect();
    assert_eq!(found, expected);
}

fn changed(verdict: &Verdict) -> Vec<(&str, &str)> {
    let name = |original: &Option<String>| original.clone().unwrap_or_default();
    assert!(verdict.changed.iter().all(|it| (it.verdict == "original") == name(&it.original).is_empty()));
    verdict.changed.iter().map(|it| (it.id.as_str(), it.original.as_deref().unwrap_or("original"))).collect()
}

#[test]
fn an_older_original_that_comes_late_takes_over() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(&engine, [dated("b", text(1), day(5)), dated("c", near(1), day(6)), dated("other", text(2), day(0))]);
    check(&engine, &[("b", "original"), ("c", "b"), ("other", "original")]);
    let late = engine.add(dated("a", text(1), day(1))).unwrap();
    assert!(late.is_original());
    assert_eq!(changed(&late), [("b", "a"), ("c", "a")]);
    check(&engine, &[("a", "original"), ("b", "a"), ("c", "a"), ("other", "original")]);
    check_history(&engine, "b", &[("added", "a", Some("original"), None)]);
    check_history(&engine, "c", &[("added", "a", Some("duplicate"), Some("b"))]);
    check_history(&engine, "other", &[]);
}

#[test]
fn an_edited_original_frees_its_copies() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(&engine, [post("a", text(1)), post("b", text(1)), post("c", text(1))]);
    let edited = engine.add(post("a", text(2))).unwrap();
    assert_eq!((edited.version, changed(&edited)), (2, vec![("b", "original"), ("c", "b")]));
    check(&engine, &[("a", "original"), ("b", "original"), ("c", "b")]);
    check_history(&engine, "a", &[("edited", "a", Some("original"), None)]);
    check_history(&engine, "c", &[("edited", "a", Some("duplicate"), Some("a"))]);
    // Back again, it is the last who says so.
    engine.add(post("a", text(1))).unwrap();
    check(&engine, &[("a", "b"), ("b", "original"), ("c", "b")]);
    let shown = engine.reader().show("a").unwrap().unwrap();
    assert_eq!(shown.versions.iter().map(|version| version.version).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn an_edit_keeps_its_place_as_long_as_it_is_the_same_text() {
    for policy in [Policy::Resemblance, Policy::Paper] {
        let (_folder, engine) = fresh(options(policy));
        add(&engine, [post("a", text(1) + " " + &text(3)), post("b", text(2))]);
        // Ten words of the first text, and all of a stranger's: not the first with that.
        engine.add(post("a", text(1)[..120].to_owned() + " " + &text(2))).unwrap();
        let verdict = engine.add(post("a", text(2))).unwrap();
        assert_eq!(verdict.original.as_deref(), Some("b"), "{policy:?}");
        check(&engine, &[("a", "b"), ("b", "original")]);
    }
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(&engine, [post("a", text(1)), post("b", near(1))]);
    engine.add(post("a", near(1))).unwrap();
    check(&engine, &[("a", "original"), ("b", "a")]);
}

#[test]
fn a_deleted_original_is_succeeded_by_its_earliest_copy() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(
        &engine,
        [dated("a", text(1), day(1)), dated("late", text(1), day(9)), dated("early", near(1), day(2))],
    );
    let deleted = engine.delete("a").unwrap().unwrap();
    assert!(deleted.is_original());
    assert_eq!(changed(&deleted), [("early", "original"), ("late", "early")]);
    check(&engine, &[("early", "original"), ("late", "early")]);
    check_history(&engine, "early", &[("deleted", "a", Some("duplicate"), Some("a"))]);
    assert!(engine.delete("a").unwrap().is_none());
    let shown = engine.reader().show("a").unwrap().unwrap();
    assert!(shown.verdict.is_none() && shown.deleted_at.is_some() && shown.core_text.is_none());
}

#[test]
fn a_deleted_id_goes_on_counting_when_it_is_posted_again() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(&engine, [post("a", text(1)), post("a", text(2)), post("b", text(1))]);
    engine.delete("a").unwrap();
    let again = engine.add(post("a", text(1))).unwrap();
    assert_eq!((again.version, again.original.as_deref()), (3, Some("b")));
    let history = [
        ("edited", "a", Some("original"), None),
        ("deleted", "a", Some("original"), None),
        ("posted again", "a", None, None),
    ];
    check_history(&engine, "a", &history);
    check(&engine, &[("a", "b"), ("b", "original")]);
}

#[test]
fn the_same_content_under_the_same_id_is_nothing_new() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    let [first, again, other] =
        [text(1), text(1), text(1) + "!"].map(|text| engine.add(post("a", text)).unwrap());
    assert_eq!((first.unchanged, first.version), (false, 1));
    assert_eq!(again, Verdict { unchanged: true, ..first });
    assert_eq!((other.unchanged, other.version), (false, 2));
    assert_eq!(engine.statistics().unwrap().versions, 1);
}

#[test]
fn dates_that_cannot_be_are_not_believed() {
    for (created_at, warning) in
        [(i64::MAX, "future"), (253_402_300_000, "future"), (0, "1990"), (-1, "1990")]
    {
        let (_folder, engine) = fresh(options(Policy::Resemblance));
        engine.add(dated("a", text(1), day(1))).unwrap();
        let verdict = engine.add(dated("b", text(1), Some(created_at))).unwrap();
        assert!(verdict.warnings.iter().any(|it| it.contains(warning)), "{created_at}: {verdict:?}");
        engine.add(post("c", text(1))).unwrap();
        engine.delete("a").unwrap();
        // It came before c, and is judged by that.
        check(&engine, &[("b", "original"), ("c", "b")]);
    }
}

#[test]
fn a_date_may_be_too_early_to_be_believed() {
    let days = |days: i64| Some(86_400 * days);
    for (max_backdate, is_backdated) in [(None, false), (Some(0), true), (days(3), true), (days(4), false)] {
        let (_folder, engine) = fresh(OpenOptions { max_backdate, ..options(Policy::Resemblance) });
        engine.add(dated("a", text(1), day(5))).unwrap();
        let late = engine.add(dated("b", text(1), day(1))).unwrap();
        let alone = engine.add(dated("c", text(2), day(1))).unwrap();
        assert_eq!((late.backdated, alone.backdated), (is_backdated, false), "{max_backdate:?}");
        assert_eq!(late.warnings.len(), usize::from(is_backdated));
        match is_backdated {
            true => check(&engine, &[("a", "original"), ("b", "a"), ("c", "original")]),
            false => check(&engine, &[("a", "b"), ("b", "original"), ("c", "original")]),
        }
    }
}

#[test]
fn a_copy_may_stand_well_with_its_original() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    let url = "https://example.org/1";
    let original = Page { url: Some(url.to_owned()), author: Some("Ann".to_owned()), ..post("a", text(1)) };
    engine.add(original).unwrap();
    let source = |source: &str| [("source_url".to_owned(), source.into())].into_iter().collect();
    let copy = |author: &str, of: &str| Page {
        author: Some(author.to_owned()),
        metadata: source(of),
        ..post("b", text(1))
    };
    for (author, of, expected) in [
        ("Bob", "nowhere", None),
        (" ANN ", "nowhere", Some("same_author")),
        ("Bob", url, Some("declared")),
        ("Ann", "a", Some("declared")),
        ("", "", None),
    ] {
        let verdict = engine.check(copy(author, of)).unwrap();
        assert_eq!(verdict.attribution.as_deref(), expected, "{author} {of}");
        assert_eq!((verdict.original.as_deref(), verdict.original_url.as_deref()), (Some("a"), Some(url)));
    }
}

#[test]
fn little_and_nothing() {
    for policy in [Policy::Resemblance, Policy::Paper] {
        let (_folder, engine) = fresh(options(policy));
        let posts = ["good morning everyone", "Good morning, everyone!", "good night everyone", "", " ", ""];
        add(&engine, posts.iter().zip(1..).map(|(text, id)| post(&id.to_string(), *text)));
        let original = "original";
        check(
            &engine,
            &[
                ("1", original),
                ("2", "1"),
                ("3", original),
                ("4", original),
                ("5", original),
                ("6", original),
            ],
        );
    }
}

#[test]
fn a_document_is_found_by_its_url_if_it_is_the_only_one() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    let at = |id: &str, number: u64| Page {
        url: Some("https://example.org/x".to_owned()),
        ..post(id, text(number))
    };
    engine.add(at("a", 1)).unwrap();
    let found = engine.reader().show("https://example.org/x").unwrap().unwrap();
    assert_eq!(found.verdict.unwrap().id, "a");
    engine.add(at("b", 2)).unwrap();
    let error = engine.delete("https://example.org/x").unwrap_err().to_string();
    assert!(error.contains("a, b"), "{error}");
    // A wrong name stops nobody.
    assert_eq!(engine.delete("b").unwrap().unwrap().id, "b");
}

#[test]
fn a_check_stores_nothing_and_says_what_adding_says() {
    let (_folder, engine) = fresh(options(Policy::Resemblance));
    add(&engine, [dated("b", text(1), day(5)), dated("c", text(2), day(5))]);
    let before = (engine.statistics().unwrap(), verdicts(&engine));
    let pages =
        || [dated("d", near(1), day(7)), dated("a", text(1), day(1)), post("c", text(3)), post("c", text(2))];
    let checked: Vec<Verdict> = pages().map(|page| engine.check(page).unwrap()).into();
    assert_eq!((engine.statistics().unwrap(), verdicts(&engine)), before);
    assert_eq!(changed(&checked[1]), [("b", "a")]);
    for (page, checked) in pages().into_iter().zip(checked) {
        // Each alone: what was added before is not there for the next.
        let (_other, engine) = fresh(options(Policy::Resemblance));
        add(&engine, [dated("b", text(1), day(5)), dated("c", text(2), day(5))]);
        let added = engine.add(page).unwrap();
        let at = checked.received_at.clone();
        assert_eq!(Verdict { received_at: at, ..added }, checked);
    }
}

#[test]
fn a_rehearsal_judges_everything_and_stores_nothing() {
    let folder = support::folder();
    let path = folder.path().join("data");
    let open = |rehearsal: bool| {
        Engine::open(&path, OpenOptions { rehearsal, ..options(Policy::Resemblance) }).unwrap()
    };
    add(&open(false), [post("0", text(0))]);
    let pages =
        || (0..700u64).map(|number| dated(&number.to_string(), text(number % 200), day(number as i64 % 7)));
    let rehearsed = add(&open(true), pages());
    let engine = open(false);
    assert_eq!(engine.statistics().unwrap().documents, 1);
    assert_clean(&engine);
    let timeless = |verdicts: Vec<Verdict>| -> Vec<Verdict> {
        let timeless = |verdict| Verdict { received_at: String::new(), ..verdict };
        verdicts.into_iter().map(timeless).collect()
    };
    assert_eq!(timeless(rehearsed), timeless(add(&engine, pages())));
    assert_eq!(engine.statistics().unwrap().duplicates, 500);
}

#[test]
fn a_full_disk_stops_writing_and_not_reading() {
    let folder = support::folder();
    let path = folder.path().join("data");
    add(&support::open(&path, Policy::Resemblance), [post("a", text(1))]);
    let full = OpenOptions { disk_reserve: u64::MAX, ..options(Policy::Resemblance) };
    let engine = Engine::open(&path, full).unwrap();
    for _ in 0..2 {
        let errors = [engine.add(post("b", text(2))).unwrap_err(), engine.delete("a").unwrap_err()]
            .map(|it| it.to_string());
        assert!(errors.iter().all(|error| error.contains("disk is full")), "{errors:?}");
        check(&engine, &[("a", "original")]);
    }
    drop(engine);
    let engine = support::open(&path, Policy::Resemblance);
    add(&engine, [post("b", text(1))]);
    check(&engine, &[("a", "original"), ("b", "a")]);
}
