//! Removing duplicates as a user meets it: what stays, what is listed, what is refused, and what a kill leaves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::Folder;

fn text(seed: usize, length: usize) -> String {
    let word =
        |place: usize| format!("w{:x}", (seed * 7919 + place + 1).wrapping_mul(0x9e37_79b9) & 0xf_ffff);
    (0..length).map(word).collect::<Vec<_>>().join(" ")
}

fn post(id: &str, text: &str, created_at: Option<i64>) -> String {
    match created_at {
        Some(time) => json!({"id": id, "text": text, "kept as": "it is", "created_at": time}).to_string(),
        None => json!({"id": id, "text": text}).to_string(),
    }
}

/// Three of one text, the second one longer, the third one older; and another text.
fn posts() -> String {
    [
        post("a", &text(1, 100), Some(2000)),
        post("b", &(text(1, 100) + " and more"), Some(3000)),
        post("c", &text(1, 100).to_uppercase(), Some(1000)),
        post("d", &text(2, 100), None),
    ]
    .join("\n")
}

#[track_caller]
fn done(folder: &Folder, arguments: &str, code: i32) -> String {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {}{}", run.stdout, run.stderr);
    run.stdout + &run.stderr
}

fn lines(folder: &Folder, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(folder: &Folder, file: &str) -> Vec<String> {
    lines(folder, file).iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn one_of_each_group_is_kept_byte_for_byte() {
    let folder = Folder::with(&[("posts.jsonl", posts())]);
    for (keep, kept) in [("earliest", ["c", "d"]), ("first", ["a", "d"]), ("longest", ["b", "d"])] {
        let printed = done(&folder, &format!("dedup --quiet posts.jsonl -o {keep} --keep {keep}"), 0);
        assert!(printed.starts_with("4 documents: 2 kept, 2 removed, in 1 file"), "{printed}");
        assert_eq!(ids(&folder, &format!("{keep}/posts.jsonl")), kept);
        let removed = lines(&folder, &format!("{keep}/removed.jsonl"));
        assert!(
            removed.iter().all(|line| line["kept"] == kept[0] && line["resemblance"].as_f64().unwrap() > 0.9)
        );
        assert_eq!(removed.len(), 2);
        let entries = std::fs::read_dir(folder.path().join(keep)).unwrap().count();
        assert_eq!(entries, 2, "nothing else is left");
    }
    let all = posts();
    let line = all.lines().nth(2).unwrap();
    assert!(
        std::fs::read_to_string(folder.path().join("earliest/posts.jsonl"))
            .unwrap()
            .starts_with(&format!("{line}\n"))
    );
}

#[test]
fn all_may_be_kept_and_marked_instead() {
    let folder = Folder::with(&[("posts.jsonl", posts())]);
    done(&folder, "dedup --quiet posts.jsonl -o marked.jsonl --annotate", 0);
    let marked = lines(&folder, "marked.jsonl");
    let is_duplicate: Vec<bool> = marked.iter().map(|line| line["is_duplicate"].as_bool().unwrap()).collect();
    assert_eq!(is_duplicate, [true, true, false, false]);
    assert_eq!((&marked[0]["duplicate_of"], &marked[0]["kept as"]), (&"c".into(), &"it is".into()));
    assert_eq!(lines(&folder, "marked.jsonl.removed.jsonl").len(), 2);
}

#[test]
fn policy_decides_what_is_said_of_removed_documents() {
    let folder = Folder::with(&[("posts.jsonl", posts())]);
    done(&folder, "dedup --quiet posts.jsonl -o likeness", 0);
    let removed = lines(&folder, "likeness/removed.jsonl");
    assert_eq!((&removed[0]["relation"], &removed[0]["likeness"]), (&"same_words".into(), &1.0.into()));
    assert_eq!(removed[1]["relation"], "edited");
    assert_eq!(removed[1]["likeness"], removed[1]["resemblance"]);
    done(&folder, "dedup --quiet posts.jsonl -o resemblance --threshold 0.8", 0);
    let removed = lines(&folder, "resemblance/removed.jsonl");
    assert!(removed.len() == 2 && removed[0].get("likeness").is_none());
    done(&folder, "dedup --quiet posts.jsonl -o marked.jsonl --annotate --min-likeness 0.9", 0);
    let marked = lines(&folder, "marked.jsonl");
    assert_eq!(
        (&marked[1]["duplicate_relation"], &marked[2]["is_duplicate"]),
        (&"edited".into(), &false.into())
    );
    assert!(marked[1]["duplicate_likeness"].as_f64().unwrap() > 0.9);
}

#[test]
fn what_is_in_a_reference_is_removed() {
    let known = [
        post("old-1", &text(2, 100), Some(9000)),
        post("old-2", &text(2, 100), None),
        post("old-3", &text(5, 100), None),
    ];
    let folder = Folder::with(&[("posts.jsonl", posts()), ("known.jsonl", known.join("\n"))]);
    done(&folder, "dedup --quiet posts.jsonl -o out --against known.jsonl", 0);
    assert_eq!(ids(&folder, "out/posts.jsonl"), ["c"]);
    let removed = lines(&folder, "out/removed.jsonl");
    assert_eq!((&removed[2]["id"], &removed[2]["kept"]), (&"d".into(), &"old-1".into()));
    assert!(!folder.path().join("out/known.jsonl").exists());
}

#[test]
fn nothing_is_overwritten_and_stdin_is_refused() {
    let folder = Folder::with(&[("posts.jsonl", posts()), ("mine/precious.txt", "mine".to_owned())]);
    assert!(done(&folder, "dedup posts.jsonl -o mine", 2).contains("is not overwritten"));
    assert_eq!(std::fs::read_to_string(folder.path().join("mine/precious.txt")).unwrap(), "mine");
    assert!(done(&folder, "dedup posts.jsonl -o posts.jsonl", 2).contains("is not overwritten"));
    assert!(done(&folder, "dedup - -o out", 2).contains("twice"));
    done(&folder, "dedup posts.jsonl -o out", 0);
    assert!(done(&folder, "dedup posts.jsonl -o out", 2).contains("is not overwritten"));
}

#[test]
fn folders_of_pages_keep_their_names() {
    let page = |seed: usize| format!("<html><body><p>{}</p></body></html>", text(seed, 120));
    let folder = Folder::with(&[
        ("blog/2020/first.html", page(1)),
        ("blog/2021/copy.html", page(1)),
        ("blog/2021/other.html", page(2)),
    ]);
    done(&folder, "dedup --quiet blog -o out", 0);
    let there = |name: &str| folder.path().join("out").join(name).exists();
    assert!(there("2020/first.html") && there("2021/other.html") && !there("2021/copy.html"));
}

#[test]
fn killed_at_any_moment_it_goes_on() {
    let many: Vec<String> = (0..4000)
        .map(|number| {
            post(&number.to_string(), &text(if number % 3 == 2 { number - 2 } else { number }, 150), None)
        })
        .collect();
    let folder = Folder::with(&[("posts.jsonl", many.join("\n"))]);
    done(&folder, "dedup --quiet posts.jsonl -o whole", 0);
    let there = |name: &str| folder.path().join(name).exists();
    // Killed when everything was done, the same command would refuse to write over it.
    let was_done = || there("out.jsonl.removed.jsonl") && !there("out.jsonl.unfinished-work");
    let kills = folder.kill_until_done("dedup --quiet posts.jsonl -o out.jsonl --memory 20MB", was_done);
    assert!(kills > 2, "it was too quick to be killed");
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert!(read("whole/posts.jsonl") == read("out.jsonl"));
    assert!(read("whole/removed.jsonl") == read("out.jsonl.removed.jsonl"));
}
