//! The commands over a data directory as a user meets them: what they print where, and the code they end with.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Folder, Run};

/// A text of so many words that no other seed shares.
fn words(seed: usize, count: usize) -> Vec<String> {
    (0..count).map(|index| format!("w{}", (seed * 7919 + index * 104_729) % 99_991)).collect()
}

fn text(seed: usize) -> String {
    words(seed, 200).join(" ")
}

/// The same text with so many words appended.
fn longer(seed: usize, more: usize) -> String {
    [words(seed, 200), words(seed + 1000, more)].concat().join(" ")
}

fn post(id: &str, text: &str) -> Value {
    json!({ "id": id, "text": text })
}

fn dated(id: &str, text: &str, created_at: &str) -> Value {
    json!({ "id": id, "text": text, "created_at": created_at })
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// Runs in a folder and expects a code.
#[track_caller]
fn run(folder: &Folder, arguments: &str, stdin: &str, code: i32) -> Run {
    let run = folder.run(arguments, stdin);
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {run:?}");
    run
}

#[track_caller]
fn add(folder: &Folder, records: &[Value]) -> Vec<Value> {
    run(folder, "add --json --format jsonl -", &lines(records), 0).json()
}

/// Adds to a data directory whose policy is resemblance.
#[track_caller]
fn add_by_resemblance(folder: &Folder, records: &[Value]) -> Vec<Value> {
    run(folder, "add --json --policy resemblance --format jsonl -", &lines(records), 0).json()
}

fn folder() -> Folder {
    Folder::with::<&str>(&[])
}

#[test]
fn a_verdict_has_the_fields_of_the_interface() {
    let folder = folder();
    let first = json!({ "id": "a", "url": "http://x/a", "text": text(1), "created_at": "2024-05-01T10:00:00Z", "mood": "good" });
    let verdicts = add_by_resemblance(&folder, &[first.clone(), post("b", &longer(1, 10))]);
    let names = [
        "id",
        "url",
        "summary",
        "verdict",
        "relation",
        "likeness",
        "covered",
        "original_covered",
        "nearest",
        "read_share",
        "attribution",
        "copied_share",
        "original",
        "original_url",
        "shared_features",
        "resemblance",
        "resemblance_low",
        "resemblance_high",
        "containment",
        "reason",
        "received_at",
        "created_at",
        "warnings",
    ];
    for verdict in &verdicts {
        assert!(names.iter().all(|name| verdict.get(name).is_some()), "{verdict}");
    }
    let (a, b) = (&verdicts[0], &verdicts[1]);
    assert_eq!(
        (&a["verdict"], &a["original"], &a["reason"]),
        (&json!("original"), &Value::Null, &json!("none"))
    );
    assert_eq!(a["created_at"], "2024-05-01T10:00:00Z");
    assert_eq!(
        (&b["verdict"], &b["original"], &b["reason"]),
        (&json!("duplicate"), &json!("a"), &json!("resemblance"))
    );
    assert_eq!(b["original_url"], "http://x/a");
    for name in ["resemblance", "containment"] {
        let share = b[name].as_f64().unwrap();
        assert!((share - 191.0 / 201.0).abs() < 1e-9, "{name} {share}");
    }
    assert_eq!((&b["resemblance_low"], &b["resemblance_high"]), (&b["resemblance"], &b["resemblance"]));

    // By default words decide, and all of the same fields are there.
    let verdicts = add(&self::folder(), &[first, post("b", &longer(1, 10))]);
    for verdict in &verdicts {
        assert!(names.iter().all(|name| verdict.get(name).is_some()), "{verdict}");
    }
    let b = &verdicts[1];
    assert_eq!(
        (&b["verdict"], &b["original"], &b["reason"], &b["relation"]),
        (&json!("duplicate"), &json!("a"), &json!("likeness"), &json!("edited"))
    );
    assert_eq!((&b["nearest"]["id"], &b["nearest"]["url"]), (&json!("a"), &json!("http://x/a")));
    assert_eq!((&b["nearest"]["likeness"], &b["copied_share"]), (&b["likeness"], &b["covered"]));
    for (name, expected) in
        [("resemblance", 191.0 / 201.0), ("covered", 200.0 / 210.0), ("original_covered", 1.0)]
    {
        let share = b[name].as_f64().unwrap();
        assert!((share - expected).abs() < 1e-9, "{name} {share}");
    }
}

#[test]
fn add_for_people_and_check() {
    let folder = folder();
    let records = lines(&[post("a", &text(1)), post("b", &text(1).to_uppercase()), post("c", &text(2))]);
    let missing = run(&folder, "check --format jsonl -", &records, 4);
    assert!(missing.stderr.contains("no data directory is there"), "{missing:?}");
    let added = run(&folder, "add --format jsonl -", &records, 0);
    let today =
        &run(&folder, "show a --json", "", 0).json()[0]["received_at"].as_str().unwrap()[..10].to_owned();
    let said = format!(
        "a: The collection is empty: there is nothing to compare this text with.\n           original\n\
         b: 100 % of this text is in a ({today}): the same words.\n           \
         duplicate of a, likeness 1.000, relation same_words\n\
         c: No copy of this text is in the collection.\n           original\n"
    );
    assert_eq!(added.stdout, said);
    assert!(added.stderr.contains("2 originals, 1 duplicate in ./firstcopy-data"), "{added:?}");
    let again = run(&folder, "add --format jsonl -", &records, 0);
    assert!(again.stderr.contains("2 originals, 1 duplicate, 3 of them unchanged"), "{again:?}");

    let copies = lines(&[post("d", &text(2)), post("e", &text(3)), post("f", &text(3))]);
    let checked = run(&folder, "check --format jsonl -", &copies, 1);
    let said = format!(
        "d: 100 % of this text is in c ({today}): the same page.\n           \
         duplicate of c, likeness 1.000, relation identical\n\
         e: No copy of this text is in the collection.\n           original\n\
         f: 100 % of this text is in e ({today}): the same page.\n           \
         duplicate of e, likeness 1.000, relation identical\n"
    );
    assert_eq!(checked.stdout, said);
    run(&folder, "check --quiet --format jsonl -", &lines(&[post("e", &text(3))]), 0);
    assert_eq!(run(&folder, "stats --json", "", 0).json()[0]["documents"], 3);
}

#[test]
fn late_originals_edits_and_deletions() {
    let folder = folder();
    add(&folder, &[dated("new", &text(1), "2024-01-01T00:00:00Z"), post("copy", &longer(1, 5))]);
    let late = add(&folder, &[dated("old", &text(1), "2020-01-01T00:00:00Z")]);
    assert_eq!(late[0]["verdict"], "original");
    assert_eq!(late[0]["changed"].as_array().unwrap().len(), 2);
    let shown = &run(&folder, "show new --json", "", 0).json()[0];
    assert_eq!((&shown["verdict"], &shown["original"]), (&json!("duplicate"), &json!("old")));
    assert_eq!(
        (&shown["history"][0]["verdict"], &shown["history"][0]["cause_id"]),
        (&json!("original"), &json!("old"))
    );
    assert_eq!(run(&folder, "show old --json", "", 0).json()[0]["copies"], json!(["new", "copy"]));

    add(&folder, &[dated("old", &text(9), "2020-01-01T00:00:00Z")]);
    let people = run(&folder, "show new", "", 0).stdout;
    assert!(people.starts_with("original   new\n"), "{people}");
    assert!(
        people.contains("duplicate of old until ") && people.contains(", when old was edited"),
        "{people}"
    );

    let deleted = run(&folder, "delete new", "", 0).stdout;
    assert_eq!(deleted, "deleted    new\n           copy is now an original\n");
    let copy = &run(&folder, "show copy --json", "", 0).json()[0];
    assert_eq!(copy["history"].as_array().unwrap().last().unwrap()["original"], "new");
    assert!(run(&folder, "show new", "", 0).stdout.starts_with("deleted    new ("));
    assert!(run(&folder, "delete new", "", 3).stderr.contains("no document"));
    assert_eq!(add(&folder, &[post("new", &text(1))])[0]["version"], 2);
    assert_eq!(run(&folder, "verify", "", 0).stdout, "3 documents: nothing is wrong\n");
}

#[test]
fn dates_that_cannot_be_believed() {
    let folder = folder();
    let verdicts = add(
        &folder,
        &[
            dated("future", &text(1), "2999-01-01T00:00:00Z"),
            dated("ancient", &text(2), "1970-01-02T00:00:00Z"),
        ],
    );
    assert_eq!(verdicts[0]["warnings"], json!(["created_at lies in the future: judged by received_at"]));
    assert_eq!(verdicts[1]["warnings"], json!(["created_at lies before 1990: judged by received_at"]));
    let claim = lines(&[dated("thief", &text(1), "2001-01-01T00:00:00Z")]);
    let caught = run(&folder, "check --json --max-backdate 7d --format jsonl -", &claim, 1).json();
    assert_eq!((&caught[0]["backdated"], &caught[0]["original"]), (&json!(true), &json!("future")));
    let believed = run(&folder, "check --json --format jsonl -", &claim, 0).json();
    assert_eq!((&believed[0]["backdated"], &believed[0]["verdict"]), (&json!(false), &json!("original")));
}

#[test]
fn relation_and_attribution_are_said() {
    let folder = folder();
    let records = [
        json!({ "id": "a", "url": "http://x/a", "author": "Kim", "text": text(1) }),
        json!({ "id": "b", "author": " KIM", "text": longer(1, 3) }),
        json!({ "id": "c", "author": "Lee", "source_url": "http://x/a", "text": text(1) }),
        json!({ "id": "d", "author": "Lee", "text": text(1) }),
    ];
    let verdicts = add(&folder, &records);
    let of = |name: &str| verdicts.iter().map(|verdict| verdict[name].clone()).collect::<Vec<Value>>();
    assert_eq!(of("attribution"), [Value::Null, json!("same_author"), json!("declared"), Value::Null]);
    assert_eq!(of("relation"), ["none", "edited", "identical", "identical"]);
    assert!(run(&folder, "show b", "", 0).stdout.starts_with("duplicate  b of a, likeness 0.9"));
    assert!(run(&folder, "show c", "", 0).stdout.contains(", relation identical, as it declares\n"));
}

#[test]
fn parameters_do_not_mix() {
    let folder = folder();
    let record = lines(&[post("a", &text(1))]);
    run(&folder, "add --shingle-words 8 --format jsonl -", &record, 0);
    let mixed = run(&folder, "add --shingle-words 10 --format jsonl -", &record, 2);
    assert!(mixed.stderr.contains("stored with shingle-words 8, asked for 10"), "{mixed:?}");
    assert!(mixed.stderr.contains("firstcopy reindex --shingle-words 10"), "{mixed:?}");
    let settings = folder.path().join("firstcopy-data/firstcopy.toml");
    let edited = std::fs::read_to_string(&settings).unwrap().replace("= 8", "= 6");
    std::fs::write(&settings, edited).unwrap();
    let edited = run(&folder, "add --format jsonl -", &record, 4);
    assert!(
        edited.stderr.contains("says shingle-words 6") && edited.stderr.contains("made with shingle-words 8")
    );
    assert_eq!(run(&folder, "reindex", "", 0).stdout, "1 document judged anew, 0 verdicts changed\n");
    run(&folder, "add --format jsonl -", &record, 0);
    run(&folder, "verify", "", 0);
}

#[test]
fn reindex_backup_export_and_import() {
    let folder = folder();
    add(
        &folder,
        &[
            post("a", &text(1)),
            post("b", &longer(1, 30)),
            post("c", "short post here"),
            post("a", &longer(1, 2)),
        ],
    );
    std::fs::remove_dir_all(folder.path().join("firstcopy-data/index")).unwrap();
    run(&folder, "verify", "", 0);
    assert_eq!(run(&folder, "reindex --index b6d1", "", 0).stdout, "the index of 3 documents was rebuilt\n");
    run(&folder, "verify --index b6d1", "", 0);

    run(&folder, "backup copy", "", 0);
    run(&folder, "backup copy", "", 2);
    run(&folder, "verify --data copy", "", 0);

    run(&folder, "export -o all.jsonl", "", 0);
    let exported = std::fs::read_to_string(folder.path().join("all.jsonl")).unwrap();
    assert_eq!(exported.lines().count(), 4);
    run(&folder, "import --data other all.jsonl", "", 0);
    let verdict = |data: &str, id: &str| {
        let shown = run(&folder, &format!("show {id} --json --data {data}"), "", 0).json().remove(0);
        [
            shown["verdict"].clone(),
            shown["original"].clone(),
            shown["received_at"].clone(),
            shown["version"].clone(),
        ]
    };
    for id in ["a", "b", "c"] {
        assert_eq!(verdict("other", id), verdict("firstcopy-data", id), "{id}");
    }
}

#[test]
fn a_directory_in_use_or_of_strangers_is_refused() {
    let folder = Folder::with(&[("photos/holiday.jpg", "x")]);
    let record = lines(&[post("a", &text(1))]);
    let foreign = run(&folder, "add --data photos --format jsonl -", &record, 4);
    assert!(foreign.stderr.contains("is no data directory"), "{foreign:?}");
    run(&folder, "add --format jsonl -", &record, 0);
    let lock = std::fs::File::open(folder.path().join("firstcopy-data/lock")).unwrap();
    lock.lock().unwrap();
    let busy = run(&folder, "add --format jsonl -", &record, 4);
    assert!(busy.stderr.contains("another process"), "{busy:?}");
    // Reading goes on.
    run(&folder, "show a", "", 0);
    run(&folder, "stats", "", 0);
}

#[test]
fn every_index_gives_the_same_verdicts_under_every_policy() {
    let records = [
        post("a", &text(1)),
        post("b", &longer(1, 1)),
        post("c", &text(2)),
        dated("z", &text(2), "2010-01-01T00:00:00Z"),
    ];
    for policy in ["likeness", "resemblance", "paper"] {
        let of = |index: &str| {
            let arguments = format!("add --json --format jsonl --policy {policy} --index {index} -");
            let verdicts = run(&folder(), &arguments, &lines(&records), 0).json();
            verdicts
                .iter()
                .map(|verdict| [verdict["verdict"].clone(), verdict["original"].clone()])
                .collect::<Vec<_>>()
        };
        let expected = of("default");
        assert_eq!(expected[3][0], "original");
        for index in ["b6d1", "r15d2", "r1d3"] {
            assert_eq!(of(index), expected, "{policy} {index}");
        }
    }
}

#[test]
fn what_was_answered_before_it_was_synced_outlives_the_process() {
    let folder = folder();
    let posts: Vec<Value> = (0..40).map(|seed| post(&format!("p{seed}"), &text(seed))).collect();
    std::fs::write(folder.path().join("posts.jsonl"), lines(&posts)).unwrap();
    // The input never ends, so that it is killed while it waits, and after it has answered.
    let script = "mkfifo more; \"$0\" \"$@\" < more > answers & { cat posts.jsonl; \
        until [ \"$(wc -l < answers)\" -ge 20 ]; do sleep 0.05; done; kill -9 $!; } > more; wait $! 2>/dev/null; true";
    let killed = folder.shell(script, "add --json --quiet --sync-every 1h --format jsonl -", "");
    assert_eq!(killed.code, Some(0), "{killed:?}");
    let answers = std::fs::read_to_string(folder.path().join("answers")).unwrap();
    let answered: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answered.len() >= 20);
    for verdict in answered {
        run(&folder, &format!("show --json {}", verdict["id"].as_str().unwrap()), "", 0);
    }
}

/// Sentences that no other number has.
fn sentences(numbers: std::ops::Range<usize>) -> String {
    let sentence = |number: usize| {
        format!("조사 {}에서는 {}명이 {number}번째 질문에 대답하였다.", number * 7919 % 9973, number * 31)
    };
    numbers.map(sentence).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_verdict_names_passages_of_originals_before_it() {
    let folder = folder();
    let copied = sentences(3..9);
    let records = [
        post("first", &sentences(0..30)),
        post("other", &sentences(100..130)),
        post("again", &sentences(0..30)),
        post("thief", &format!("{}\n{copied}\n{}", sentences(200..215), sentences(300..310))),
    ];
    let run = run(&folder, "add --passages --json --format jsonl -", &lines(&records), 0);
    let verdicts = run.json();
    assert_eq!((&verdicts[0]["copied_share"], &verdicts[0]["passages"]), (&json!(0.0), &json!([])));
    assert_eq!(
        (&verdicts[2]["verdict"], &verdicts[2]["passages"][0]["kind"]),
        (&json!("duplicate"), &json!("whole"))
    );
    let thief = &verdicts[3];
    assert_eq!((&thief["verdict"], thief["passages"].as_array().unwrap().len()), (&json!("original"), 1));
    let passage = &thief["passages"][0];
    // The duplicate holds it too, but only originals are named.
    assert_eq!(
        (&passage["source"], &passage["text"], &passage["segments"]),
        (&json!("first"), &json!(copied), &json!(6))
    );
    assert!((0.1..0.3).contains(&thief["copied_share"].as_f64().unwrap()), "{thief}");
    let shown = self::run(&folder, "verify", "", 0);
    assert!(shown.stderr.is_empty() || !shown.stderr.contains("digests"), "{shown:?}");
}

#[test]
fn passages_come_from_a_source_database_and_from_what_is_stored() {
    let folder = folder();
    let source = lines(&[json!({ "id": "encyclopedia", "url": "http://e/1", "text": sentences(500..540) })]);
    run(&folder, "sources build --format jsonl - -o sources", &source, 0);
    add(&folder, &[post("first", &sentences(0..30))]);
    let page = format!("{}\n{}\n{}", sentences(4..10), sentences(700..705), sentences(510..516));
    let page = lines(&[post("thief", &page)]);
    let said = run(&folder, "add --data other --sources sources --format jsonl -", &page, 0).stdout;
    assert!(
        said.starts_with("thief: ") && said.contains("% of this text is in passages of encyclopedia.\n"),
        "{said}"
    );
    let run = run(&folder, "add --sources sources --json --format jsonl -", &page, 0);
    let verdict = &run.json()[0];
    let named: Vec<&str> = verdict["passages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|passage| passage["source"].as_str().unwrap())
        .collect();
    assert_eq!(named, ["first", "encyclopedia"]);
    let share = verdict["copied_share"].as_f64().unwrap();
    assert!((0.6..0.8).contains(&share), "{share}");
}

#[test]
fn holders_of_a_passage_are_listed_however_little_they_hold() {
    let folder = folder();
    let thief = format!("{}\n{}", sentences(900..960), sentences(10..13));
    add(
        &folder,
        &[post("first", &sentences(0..60)), post("thief", &thief), post("stranger", &sentences(300..330))],
    );
    run(&folder, "sources build --format jsonl - -o sources", &lines(&[post("book", &sentences(40..47))]), 0);
    let holders = run(&folder, "holders --json first --sources sources", "", 0).json();
    let said: Vec<(&str, &str, &str)> = holders
        .iter()
        .map(|holder| {
            let field = |name: &str| holder[name].as_str().unwrap();
            (field("id"), field("verdict"), field("holds"))
        })
        .collect();
    assert_eq!(said, [("thief", "original", "partial"), ("book", "source", "partial")]);
    assert_eq!(holders[0]["passages"].as_array().unwrap().len(), 1);
    let later = run(&folder, "holders --json first --sources sources --since 2099-01-01", "", 0);
    assert!(later.stdout.is_empty(), "{later:?}");
    let none = run(&folder, "holders --json first --min-share 0.5", "", 0);
    assert!(none.stdout.is_empty(), "{none:?}");
}
