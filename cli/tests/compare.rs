//! `firstcopy compare`: what changed, by six metrics and in six kinds, shown to programs and to people.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Folder, Run};

const A: &str = "w1 w2 w2 w2 w3 w3 w4 w5 w2";
const B: &str = "w3 w1 w4 w2 w3 w5 w5 w6 w6 w7";

/// Runs in a folder of these files, and must end with this code.
#[track_caller]
fn run(files: &[(&str, &str)], arguments: &str, code: i32) -> Run {
    let run = Folder::with(files).run(arguments, "");
    assert_eq!(run.code, Some(code), "{arguments}: {run:?}");
    run
}

fn compared(files: &[(&str, &str)], arguments: &str) -> Value {
    run(files, &format!("compare -q --json {arguments}"), 0).json()[0].clone()
}

/// Example 1 of kwon-2007.
#[test]
fn the_worked_example() {
    let found =
        compared(&[("a.txt", A), ("b.txt", B)], "--words --copy-cost 0.4 --move-cost 0.9 a.txt b.txt");
    let expected = json!({"add": 2, "copy": 3, "drop": 0, "shrink": 4, "replace": 0, "move": 1});
    assert_eq!(found["operations"], expected);
    assert!((found["metrics"]["ied"].as_f64().unwrap() - 0.57).abs() < 1e-9, "{found}");
    assert_eq!(found["kind"], "mixture");
}

#[test]
fn feature_sets_have_no_words_that_could_change() {
    let files = [
        ("a.jsonl", r#"{"id": "a", "features": ["x", "y", "z"]}"#),
        ("b.jsonl", r#"{"id": "b", "features": ["x", "y", "w"]}"#),
        ("same.jsonl", r#"{"id": "c", "features": ["z", "y", "x"]}"#),
    ];
    let found = compared(&files, "a.jsonl b.jsonl");
    assert_eq!((&found["likeness"], &found["relation"]), (&json!(0.5), &json!("none")));
    assert!(found.get("metrics").is_none(), "{found}");
    assert_eq!(compared(&files, "a.jsonl same.jsonl")["likeness"], 1.0);
    let shown = run(&files, "compare a.jsonl b.jsonl", 0).stdout;
    assert!(
        shown.starts_with("50 % of all features are in both sets.") && !shown.contains("metrics"),
        "{shown}"
    );
    run(&files, "compare --fail-over 0.1 a.jsonl b.jsonl", 2);
}

#[test]
fn one_kind_or_a_mixture() {
    let words: Vec<String> = (0..40).map(|number| format!("word{number}")).collect();
    let text = words.join(" ");
    let moved = [&words[10..], &words[..10]].concat().join(" ");
    let files = [
        ("a.txt", text.as_str()),
        ("spaced.txt", &text.replace(' ', "\n\n  ")),
        ("added.txt", &text.replace("word20", "word20 새로운 말")),
        ("dropped.txt", &text.replace("word20 ", "")),
        ("replaced.txt", &text.replace("word20", "단어")),
        ("moved.txt", &moved),
    ];
    for (file, kind, operation, words, ied) in [
        ("spaced.txt", "none", "add", 0, 0.0),
        ("added.txt", "add", "add", 2, 2.0 / 42.0),
        ("dropped.txt", "drop", "drop", 1, 1.0 / 40.0),
        ("replaced.txt", "replace", "replace", 1, 1.0 / 40.0),
        ("moved.txt", "move", "move", 10, 0.75 * 10.0 / 40.0),
    ] {
        let found = compared(&files, &format!("a.txt {file}"));
        assert_eq!(
            (&found["kind"], &found["operations"][operation]),
            (&json!(kind), &json!(words)),
            "{file}: {found}"
        );
        assert!((found["metrics"]["ied"].as_f64().unwrap() - ied).abs() < 1e-9, "{file}: {found}");
        let bw = if kind == "none" { 0.0 } else { 1.0 };
        assert_eq!(found["metrics"]["bw"], bw, "{file}");
    }
    let found = compared(&files, "a.txt moved.txt");
    let blocks: Vec<&Value> = found["changes"].as_array().unwrap().iter().collect();
    assert_eq!((blocks.len(), &blocks[0]["words"]), (1, &json!(10)), "{found}");
    assert_eq!(found["passages"][0]["moved"], false, "{found}");
    assert_eq!(found["passages"][1]["moved"], true, "{found}");
}

/// Places are characters of the core texts, whatever the script.
#[test]
fn passages_and_changes_have_their_places() {
    let (a, b) = ("누가 이 글을 먼저 썼는가? 아무도 모른다.", "서론. 누가 이 글을 먼저 썼는가! 모두 안다.");
    let found = compared(&[("a.txt", a), ("b.txt", b)], "--shingle-words 2 a.txt b.txt");
    let passage = &found["passages"][0];
    let at = |text: &str, start: &str, end: &str, of: &Value| -> String {
        let place = |name: &str| of[name].as_u64().unwrap() as usize;
        text.chars().skip(place(start)).take(place(end) - place(start)).collect()
    };
    assert_eq!(at(a, "start_a", "end_a", passage), "누가 이 글을 먼저 썼는가");
    assert_eq!(at(b, "start_b", "end_b", passage), "누가 이 글을 먼저 썼는가");
    assert_eq!(at(b, "start_b", "end_b", &found["changes"][0]), "서론");
}

#[test]
fn the_code_says_whether_it_changed_more() {
    let files = [("a.txt", A), ("b.txt", B)];
    for (most, code) in [("0.9", 0), ("0.5", 1), ("0", 1)] {
        run(&files, &format!("compare -q --words --fail-over {most} a.txt b.txt"), code);
    }
    run(&files, "compare -q --words --fail-over 0 a.txt a.txt", 0);
    let wrong = run(&files, "compare --fail-over 2 a.txt b.txt", 2);
    assert!(wrong.stderr.contains("must be from 0 to 1"), "{}", wrong.stderr);
    run(&files, "compare --copy-cost -1 a.txt b.txt", 2);
}

#[test]
fn people_see_what_changed() {
    let files = [("a.txt", A), ("b.txt", B)];
    let plain = run(&files, "compare -q --words a.txt b.txt", 0).stdout;
    assert!(plain.contains("changed    a mixture: ") && plain.contains("IED 0."), "{plain}");
    assert!(!plain.contains('\x1b'), "{plain}");
    let explained = run(&files, "compare -q --words --explain a.txt b.txt", 0).stdout;
    assert!(explained.contains("every kind of change"), "{explained}");
    let coloured = run(&files, "compare -q --words --color always a.txt b.txt", 0).stdout;
    assert!(
        coloured.contains("\x1b[3;35mw3\x1b[0m") && coloured.contains("\x1b[3;35mw4\x1b[0m"),
        "{coloured}"
    );
    // A stranger's text has no say over the terminal.
    let evil = [("a.txt", "one two \x1b[2J three"), ("b.txt", "one \x1b]0;evil\x07 two four")];
    let shown = run(&evil, "compare -q --color always a.txt b.txt", 0).stdout;
    assert!(!shown.contains("\x1b[2J") && !shown.contains("\x1b]0"), "{shown:?}");
}

#[test]
fn a_page_to_look_at() {
    let files =
        [("a.txt", "<script>alert(1)</script> one two three four"), ("b.html", "<p>two three four one</p>")];
    let folder = Folder::with(&files);
    assert_eq!(folder.run("compare -q --html page.html a.txt b.html", "").code, Some(0));
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page.matches("<section>").count(), 2);
    assert!(!page.contains("<script>alert"));
    let wrong = run(&files, "compare -q --html no/such/folder.html a.txt b.html", 3);
    assert!(wrong.stderr.contains("cannot write no/such/folder.html"), "{}", wrong.stderr);
}

/// Words that every stored text has say less of a change than words that none has.
#[test]
fn rarity_comes_from_a_collection() {
    let collection: String = (0..20)
        .map(|number| format!("{{\"id\": {number}, \"text\": \"the common words of text{number}\"}}\n"))
        .collect();
    let files = [
        ("posts.jsonl", collection.as_str()),
        ("a.txt", "the common words of whales"),
        ("b.txt", "the common words of ships"),
    ];
    let folder = Folder::with(&files);
    assert_eq!(folder.run("add -q posts.jsonl --data data", "").code, Some(0));
    let cos = |more: &str| {
        let found = folder.run(&format!("compare -q --json a.txt b.txt {more}"), "").json()[0].clone();
        found["metrics"]["cos"].as_f64().unwrap()
    };
    assert!((cos("") - 0.2).abs() < 1e-9);
    assert!(cos("--idf data") > 0.5);
    let wrong = folder.run("compare -q a.txt b.txt --idf nowhere", "");
    assert_eq!(wrong.code, Some(4));
    assert!(wrong.stderr.contains("nowhere"), "{}", wrong.stderr);
}
