//! What an editor's word does, what a client's conditions do, and what a request sent twice does: one short case each.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Condition, Decision, Engine, EngineError, Policy, Request, Standing, Verdict};
use firstcopy_text::Page;
use support::{assert_clean, near, options, post, text, verdicts};
use tempfile::TempDir;

fn fresh(pages: impl IntoIterator<Item = Page>) -> (TempDir, Engine) {
    let folder = support::folder();
    let engine = Engine::open(&folder.path().join("data"), options(Policy::Resemblance)).unwrap();
    pages.into_iter().for_each(|page| drop(engine.add(page).unwrap()));
    (folder, engine)
}

#[track_caller]
fn decide(engine: &Engine, id: &str, standing: Option<Standing>) -> Verdict {
    let decision = Decision { standing, by: "Ann".to_owned(), reason: "drafts of May".to_owned() };
    engine.decide(id, decision).unwrap().unwrap()
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

#[test]
fn what_was_first_takes_over_and_gives_back() {
    let (_folder, engine) = fresh([post("a", text(1)), post("b", text(1)), post("c", near(1))]);
    check(&engine, &[("a", "original"), ("b", "a"), ("c", "a")]);
    let verdict = decide(&engine, "b", Some(Standing::First));
    assert_eq!((verdict.verdict, verdict.reason.as_str()), ("original", "none"));
    let appeal = verdict.appeal.unwrap();
    assert_eq!((&*appeal.decision, &*appeal.by, &*appeal.reason), ("first", "Ann", "drafts of May"));
    assert_eq!(verdict.changed.len(), 2);
    check(&engine, &[("a", "b"), ("b", "original"), ("c", "b")]);
    assert_eq!(engine.add(post("later", text(1))).unwrap().original.as_deref(), Some("b"));
    assert_eq!(engine.check(post("later still", near(1))).unwrap().original.as_deref(), Some("b"));
    assert!(decide(&engine, "b", Some(Standing::First)).unchanged);
    let verdict = decide(&engine, "b", None);
    assert_eq!((verdict.original.as_deref(), verdict.appeal), (Some("a"), None));
    check(&engine, &[("a", "original"), ("b", "a"), ("c", "a"), ("later", "a")]);
    let decisions = engine.reader().show("b").unwrap().unwrap().appeals;
    let decisions: Vec<&str> = decisions.iter().map(|appeal| appeal.decision.as_str()).collect();
    assert_eq!(decisions, ["first", "withdrawn"]);
}

#[test]
fn what_is_independent_concerns_only_who_has_its_words() {
    let (_folder, engine) = fresh([post("a", text(1)), post("b", near(1)), post("c", near(1))]);
    check(&engine, &[("a", "original"), ("b", "a"), ("c", "a")]);
    decide(&engine, "b", Some(Standing::Independent));
    check(&engine, &[("a", "original"), ("b", "original"), ("c", "b")]);
    assert_eq!(engine.add(post("d", text(1))).unwrap().original.as_deref(), Some("a"));
    decide(&engine, "b", None);
    check(&engine, &[("a", "original"), ("b", "a"), ("c", "a"), ("d", "a")]);
}

#[test]
fn it_counts_after_a_restart_an_edit_a_reindex_and_an_import() {
    let (folder, engine) = fresh([post("a", text(1)), post("b", text(1))]);
    decide(&engine, "b", Some(Standing::First));
    drop(engine);
    let path = folder.path().join("data");
    let engine = support::open(&path, Policy::Resemblance);
    check(&engine, &[("a", "b"), ("b", "original")]);
    assert!(engine.add(post("b", near(1))).unwrap().appeal.is_some());
    check(&engine, &[("a", "b"), ("b", "original")]);
    let mut exported = Vec::new();
    let export = engine.reader().export(|record| -> Result<(), EngineError> {
        exported.push(record.clone());
        Ok(())
    });
    export.unwrap();
    drop(engine);
    let wanted = firstcopy_engine::Wanted { min_resemblance: Some(0.7), ..Default::default() };
    Engine::reindex(&path, &firstcopy_engine::OpenOptions { wanted, ..options(Policy::Resemblance) }, |_| ())
        .unwrap();
    let engine = Engine::open(&path, firstcopy_engine::OpenOptions::default()).unwrap();
    check(&engine, &[("a", "b"), ("b", "original")]);
    let (_other, imported) = fresh([]);
    for mut record in exported {
        let mut field = |name: &str| record.shift_remove(name).unwrap().as_str().unwrap().to_owned();
        let page = post(&field("id"), field("text"));
        let page = Page { metadata: record, ..page };
        imported.submit(imported.analyze_exported(page)).wait().unwrap();
    }
    check(&imported, &[("a", "b"), ("b", "original")]);
    assert!(verdicts(&imported)["b"].appeal.is_some());
}

#[test]
fn it_ends_with_the_text_that_was_meant() {
    let (_folder, engine) = fresh([post("a", text(1)), post("b", text(1)), post("c", text(2))]);
    decide(&engine, "b", Some(Standing::First));
    let stolen = engine.add(post("b", text(2))).unwrap();
    assert_eq!((stolen.original.as_deref(), stolen.appeal), (Some("c"), None));
    check(&engine, &[("a", "original"), ("b", "c"), ("c", "original")]);
    let appeals = engine.reader().show("b").unwrap().unwrap().appeals;
    assert_eq!(appeals.last().unwrap().decision, "lapsed");
}

#[test]
fn an_appeal_has_a_reason_and_a_document() {
    let (_folder, engine) = fresh([post("a", text(1))]);
    let decision = |reason: &str| Decision {
        standing: Some(Standing::First),
        by: "Ann".to_owned(),
        reason: reason.to_owned(),
    };
    assert!(engine.decide("none", decision("why")).unwrap().is_none());
    for reason in [" ", &"x".repeat(2001)] {
        let error = engine.decide("a", decision(reason)).unwrap_err();
        assert!(matches!(error, EngineError::Appeal { field: "reason", .. }), "{error}");
    }
}

#[test]
fn nothing_is_stored_or_deleted_against_a_condition() {
    let (_folder, engine) = fresh([post("a", text(1))]);
    let add = |page: Page, condition| engine.store(engine.analyze(page).on_condition(condition));
    let refused = |answer: Result<Verdict, EngineError>| {
        assert!(matches!(answer, Err(EngineError::OtherVersion { .. })), "{answer:?}");
    };
    refused(add(post("a", text(2)), Condition::Version(2)));
    refused(add(post("a", text(2)), Condition::Absent));
    refused(add(post("b", text(2)), Condition::Present));
    assert_eq!(add(post("a", text(2)), Condition::Version(1)).unwrap().version, 2);
    assert_eq!(add(post("b", text(3)), Condition::Absent).unwrap().version, 1);
    assert!(matches!(engine.delete_if("a", Condition::Version(1)), Err(EngineError::OtherVersion { .. })));
    assert!(engine.delete_if("a", Condition::Version(2)).unwrap().is_some());
    check(&engine, &[("b", "original")]);
}

#[test]
fn a_request_is_carried_out_once() {
    let (_folder, engine) = fresh([]);
    let send = |id: &str, key: &str, what: &str| {
        let request = Request { key: key.into(), fingerprint: what.into() };
        engine.store(engine.analyze(post(id, text(1))).once(request))
    };
    assert!(!send("a", "key", "this").unwrap().unchanged);
    let again = send("b", "key", "this").unwrap();
    assert_eq!((again.id.as_str(), again.unchanged), ("a", true));
    assert!(matches!(send("b", "key", "that"), Err(EngineError::OtherRequest)));
    assert_eq!(send("b", "other key", "that").unwrap().id, "b");
    engine.delete("a").unwrap();
    assert!(matches!(send("a", "key", "this"), Err(EngineError::DeletedSince { .. })));
    check(&engine, &[("b", "original")]);
}
