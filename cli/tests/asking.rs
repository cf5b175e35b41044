//! The commands that ask a data directory, as a user meets them: what they print, and the code they end with.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use support::Folder;

/// Runs a command that must end with this code and returns what it printed.
#[track_caller]
fn printed(folder: &Folder, arguments: &str, code: i32) -> String {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {}{}", run.stdout, run.stderr);
    run.stdout
}

#[test]
fn what_is_stored_can_be_asked() {
    let words = |from: usize, to: usize| (from..to).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let post = |id: &str, text: String, day: usize| {
        let url = format!("https://{id}.example/post");
        let created_at = format!("2024-01-{day:02}T00:00:00Z");
        serde_json::json!({"id": id, "url": url, "title": id, "text": text, "created_at": created_at})
            .to_string()
    };
    let posts = [
        post("first", words(0, 80) + " 학교급식", 1),
        post("copy", words(0, 80) + " 학교급식 !", 2),
        post("long", words(200, 900) + " " + &words(0, 80) + " " + &words(1000, 1700), 3),
    ];
    let folder = Folder::with(&[("posts.jsonl", posts.join("\n")), ("draft.txt", words(0, 80))]);
    printed(&folder, "add --quiet posts.jsonl", 0);
    assert_eq!(printed(&folder, "search 학교", 0).lines().next(), Some("first"));
    let hit: serde_json::Value = serde_json::from_str(&printed(&folder, "search --json 급식을", 0)).unwrap();
    assert_eq!((&hit["id"], &hit["copies"]), (&"first".into(), &1.into()));
    assert_eq!(printed(&folder, "search nothinglikeit", 0), "");
    printed(&folder, "search before:soon", 2);
    let similar = printed(&folder, "similar --json draft.txt", 1);
    let lines: Vec<serde_json::Value> =
        similar.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().map(|line| line[name].as_str().unwrap()).collect::<Vec<&str>>();
    assert_eq!(of("overlap"), ["resembles", "resembles", "contains"]);
    assert_eq!(of("relation"), ["edited", "edited", "excerpt"]);
    let people = printed(&folder, "similar draft.txt", 1);
    assert!(
        people.contains("  100 % of it is in first https://first.example/post: the same text with changes ("),
        "{people}"
    );
    assert!(
        people.contains("  100 % of it is in long https://long.example/post: an excerpt of it (likeness 0."),
        "{people}"
    );
    assert_eq!(
        printed(&folder, "similar --stored long --min-containment 1", 0),
        "long: 0 similar documents\n"
    );
    printed(&folder, "similar nobody", 3);
    let holders = printed(&folder, "holders --csv first", 0);
    assert!(
        holders.starts_with("id,url,author,site,created_at,received_at,gone_at,verdict,holds,containment,")
    );
    assert_eq!(holders.lines().count(), 3);
    assert_eq!(printed(&folder, "holders --since 2999-01-01 first", 0), "");
    printed(&folder, "holders nobody", 3);
    let trace: serde_json::Value =
        serde_json::from_str(&printed(&folder, "trace --json https://first.example/post", 0)).unwrap();
    assert_eq!((&trace["status"], &trace["now"]), (&"unswept".into(), &"https://copy.example/post".into()));
    printed(&folder, "trace https://nobody.example/", 3);
    printed(&folder, "verify --quiet", 0);
}

#[test]
fn sweeps_tell_what_moved() {
    let words = |from: usize| (from..from + 100).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let page = |url: &str, from: usize| serde_json::json!({"url": url, "text": words(from)}).to_string();
    let (old, new, kept) =
        ("https://old.example/a?b=\"c\"", "https://new.example/a", "https://old.example/k");
    let folder = Folder::with(&[
        ("may.jsonl", [page(old, 0), page(kept, 500)].join("\n")),
        ("june.jsonl", [page(new, 0), page(kept, 500)].join("\n")),
    ]);
    printed(&folder, "add --quiet --sweep 2026-05-01 may.jsonl", 0);
    let june = folder.run("add --sweep 2026-06-01 june.jsonl", "");
    assert!(june.stderr.contains("1 of them unchanged, 1 gone"), "{}", june.stderr);
    printed(&folder, "add --sweep 2026-05-15 may.jsonl", 2);
    printed(&folder, "add --sweep soon may.jsonl", 2);
    let moved = format!("moved      {old} to {new}");
    assert_eq!(printed(&folder, &format!("trace {old}"), 0).lines().next(), Some(moved.as_str()));
    let csv = printed(&folder, "trace --all-moved", 0);
    assert_eq!(csv.lines().count(), 2);
    assert!(csv.contains("\"https://old.example/a?b=\"\"c\"\"\",https://new.example/a,2026-05-01"), "{csv}");
    let nginx = printed(&folder, "trace --all-moved --redirects nginx", 0);
    assert!(nginx.contains("    \"old.example/a?b=%22c%22\" \"https://new.example/a\";"), "{nginx}");
    assert!(printed(&folder, "stats", 0).contains("gone       1"));
    // What sweeps saw goes along.
    printed(&folder, "export -o everything.jsonl", 0);
    printed(&folder, "import --quiet --data another everything.jsonl", 0);
    printed(&folder, "import --quiet --data another everything.jsonl", 0);
    assert_eq!(printed(&folder, "trace --data another --all-moved", 0), csv);
    for url in [old, new, kept] {
        let show = |data: &str| printed(&folder, &format!("show --json {data} {url}"), 0);
        let sightings =
            |shown: String| serde_json::from_str::<serde_json::Value>(&shown).unwrap()["sightings"].clone();
        assert_eq!(sightings(show("")), sightings(show("--data another")));
    }
    printed(&folder, "add --data another --sweep 2026-05-15 may.jsonl", 2);
}
