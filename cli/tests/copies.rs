//! Copied passages as a user meets them: sources are built, grown and counted, pages are checked and shown, and what is
//! damaged, cut off or killed is told apart from what is right.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::ops::Range;
use support::{Folder, Run};

/// A word of six letters that no other number has.
fn word(number: usize) -> String {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    (0..6).map(|place| char::from(b'a' + (mixed / 26usize.pow(place) % 26) as u8)).collect()
}

/// A sentence of so many words that no other seed and place has.
fn sentence(seed: usize, place: usize, words: usize) -> String {
    let first = seed * 7_919_000 + place * 16;
    (first..first + words).map(word).collect::<Vec<_>>().join(" ") + "."
}

fn sentences(seed: usize, places: Range<usize>) -> String {
    places.map(|place| sentence(seed, place, 8)).collect::<Vec<_>>().join(" ")
}

fn source(number: usize) -> String {
    let (id, url) = (format!("source-{number}"), format!("https://news.example/{number}"));
    let created_at = 1_577_836_800 + number;
    json!({"id": id, "url": url, "created_at": created_at, "text": sentences(number, 0..12)}).to_string()
}

fn sources(numbers: Range<usize>) -> String {
    numbers.map(source).collect::<Vec<_>>().join("\n")
}

/// A page of a stranger's own sentences around others.
fn around(number: usize, copied: &str) -> String {
    format!("{} {copied} {}", sentences(10_000 + number, 0..4), sentences(20_000 + number, 0..4))
}

fn page(id: &str, text: &str) -> String {
    json!({"id": id, "text": text}).to_string()
}

/// Pages of which every second has five sentences of a source.
fn pages(numbers: Range<usize>) -> String {
    let copied =
        |number: usize| if number.is_multiple_of(2) { sentences(number, 2..7) } else { String::new() };
    let one = |number: usize| page(&format!("page-{number}"), &around(number, &copied(number)));
    numbers.map(one).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn done(folder: &Folder, arguments: &str, code: i32) -> Run {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {}{}", run.stdout, run.stderr);
    run
}

/// The error of a run that fails with this code, in which all of this is said.
#[track_caller]
fn refused(folder: &Folder, arguments: &str, code: i32, said: &[&str]) {
    let run = done(folder, arguments, code);
    for words in said {
        assert!(run.stderr.contains(words), "firstcopy {arguments}: no {words:?} in {}", run.stderr);
    }
}

#[track_caller]
fn only(run: &Run) -> Value {
    let mut all = run.json();
    assert_eq!(all.len(), 1, "{run:?}");
    all.remove(0)
}

fn slice(text: &str, start: &Value, end: &Value) -> String {
    let (start, end) = (start.as_u64().unwrap() as usize, end.as_u64().unwrap() as usize);
    text.chars().skip(start).take(end - start).collect()
}

#[test]
fn sources_are_built_and_counted_and_passages_found_in_them() {
    let text = around(1, &sentences(3, 2..7));
    let folder = Folder::with(&[
        ("sources.jsonl", sources(0..20)),
        ("page.jsonl", page("copy", &text)),
        ("own.jsonl", page("own", &sentences(99, 0..12))),
    ]);
    let built = done(&folder, "sources build sources.jsonl -o db", 0);
    assert_eq!((built.stdout.as_str(), built.stderr.as_str()), ("", "firstcopy: 20 documents\n"));
    let statistics = only(&done(&folder, "sources stats db --json --verify", 0));
    let bytes = |name: &str| std::fs::metadata(folder.path().join("db").join(name)).unwrap().len();
    let per_segment = statistics["bytes_per_segment"].as_f64().unwrap();
    assert!((per_segment - bytes("part-000001") as f64 / 240.0).abs() < 1e-9, "{per_segment}");
    assert_eq!(
        statistics,
        json!({
            "documents": 20, "segments": 240, "parts": 1, "index_bytes": bytes("part-000001"),
            "document_bytes": bytes("names") + bytes("texts"), "bytes_per_segment": per_segment, "texts": true,
            "min_segment_chars": 5,
        })
    );
    let printed = done(&folder, "sources stats db --verify", 0).stdout;
    assert!(printed.starts_with("20 documents with 240 segments in 1 part\n"), "{printed}");
    assert!(printed.ends_with("Every byte is as it was written.\n"), "{printed}");

    let found = only(&done(&folder, "copies page.jsonl --sources db --json", 1));
    let fields: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["id", "url", "copied_share", "kind", "passages"]);
    assert_eq!(
        (&found["id"], &found["url"], &found["kind"]),
        (&json!("copy"), &Value::Null, &json!("partial"))
    );
    let passage = &found["passages"][0];
    let copied = sentences(3, 2..7);
    assert_eq!(slice(&text, &passage["start"], &passage["end"]), copied);
    assert_eq!(slice(&sentences(3, 0..12), &passage["source_start"], &passage["source_end"]), copied);
    let share = found["copied_share"].as_f64().unwrap();
    assert!((share - 5.0 / 13.0).abs() < 0.02, "{share}");
    let weight = passage["weight"].as_f64().unwrap();
    assert!((5.0..5.0 * 2.25).contains(&weight), "{weight}");
    let expected = json!({
        "source": "source-3", "source_url": "https://news.example/3", "source_created_at": "2020-01-01T00:00:03Z",
        "kind": "partial", "segments": 5, "weight": weight, "start": passage["start"], "end": passage["end"],
        "source_start": passage["source_start"], "source_end": passage["source_end"], "gaps": [], "text": copied,
    });
    assert_eq!(found["passages"], json!([expected]));

    let printed = done(&folder, "copies page.jsonl --sources db", 1).stdout;
    assert!(
        printed.starts_with("copy: 38.") && printed.contains("from source-3 https://news.example/3"),
        "{printed}"
    );
    assert_eq!(done(&folder, "copies own.jsonl --sources db", 0).stdout, "");
    // Every one of them is a source of its own id only.
    assert_eq!(done(&folder, "copies sources.jsonl --sources db --json", 0).stdout, "");
}

#[test]
fn edits_inside_a_passage_are_its_gaps() {
    let original = sentence(3, 4, 8);
    let edited = format!("{} changed {}", &original[..20], &original[20..]);
    let copied = format!("{} {edited} {}", sentences(3, 1..4), sentences(3, 5..8));
    let text = around(1, &copied);
    let folder = Folder::with(&[("sources.jsonl", sources(0..9)), ("page.jsonl", page("copy", &text))]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let found = only(&done(&folder, "copies page.jsonl --sources db --json", 1));
    assert_eq!(found["passages"].as_array().unwrap().len(), 1, "{found}");
    let passage = &found["passages"][0];
    assert_eq!((&passage["text"], &passage["segments"]), (&json!(copied), &json!(7)));
    let gaps: Vec<String> =
        passage["gaps"].as_array().unwrap().iter().map(|gap| slice(&text, &gap[0], &gap[1])).collect();
    assert!(gaps.len() == 1 && gaps[0].contains("changed") && gaps[0].len() < 30, "{gaps:?}");
    // By the plain method there is one on each side.
    let plain = only(&done(&folder, "copies page.jsonl --sources db --json --no-weigh", 1));
    assert_eq!(plain["passages"].as_array().unwrap().len(), 2, "{plain}");
    assert_eq!((&plain["passages"][0]["gaps"], &plain["passages"][1]["segments"]), (&json!([]), &json!(3)));
}

#[test]
fn kinds_tell_how_much_of_which_is_copied() {
    let folder = Folder::with(&[
        ("sources.jsonl", sources(0..9)),
        (
            "pages.jsonl",
            format!(
                "{}\n{}\n{}",
                page("whole", &sentences(1, 0..12)),
                page("inside", &sentences(2, 3..9)),
                page("both", &around(3, &sentences(3, 3..9))),
            ),
        ),
    ]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let found = done(&folder, "copies pages.jsonl --sources db --json", 1).json();
    let kinds: Vec<&Value> = found.iter().map(|page| &page["kind"]).collect();
    assert_eq!(kinds, ["whole", "inclusion", "partial"]);
    assert_eq!(found[0]["copied_share"], 1.0);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::with(&[("sources.jsonl", sources(0..200)), ("pages.jsonl", pages(0..200))]);
    done(&folder, "sources build sources.jsonl -o one --threads 1", 0);
    done(&folder, "sources build sources.jsonl -o four --threads 4", 0);
    for file in ["part-000001", "names", "names.table", "texts", "texts.table", "sources.json"] {
        let read = |database: &str| std::fs::read(folder.path().join(database).join(file)).unwrap();
        assert!(read("one") == read("four"), "{file}");
    }
    for options in ["--json", "--json --all-sources", ""] {
        let said = |threads: usize| {
            done(&folder, &format!("copies pages.jsonl --sources one --threads {threads} {options}"), 1)
                .stdout
        };
        let one = said(1);
        assert!(one.contains("page-0") && one.contains("page-198") && !one.contains("page-1\""), "{one}");
        assert!(one == said(4), "{options}");
    }
}

/// So many segments that little memory holds only a part of them.
fn long_sources() -> Vec<String> {
    let text =
        |number: usize| (0..1200).map(|place| sentence(number, place, 2)).collect::<Vec<_>>().join(" ");
    (0..60).map(|number| page(&format!("long-{number}"), &text(number))).collect()
}

#[test]
fn however_it_is_built_the_same_is_found() {
    let long = long_sources();
    let copied = |seed: usize, places: Range<usize>| {
        around(seed, &places.map(|place| sentence(seed, place, 2)).collect::<Vec<_>>().join(" "))
    };
    let pages: Vec<String> = (0..60)
        .step_by(3)
        .map(|number| page(&format!("page-{number}"), &copied(number, number * 15..number * 15 + 30)))
        .collect();
    let folder = Folder::with(&[
        ("all.jsonl", long.join("\n")),
        ("a.jsonl", long[..7].join("\n")),
        ("b.jsonl", long[7..8].join("\n")),
        ("c.jsonl", long[8..].join("\n")),
        ("pages.jsonl", pages.join("\n")),
    ]);
    let parts =
        |database: &str| only(&done(&folder, &format!("sources stats {database} --json --verify"), 0));
    done(&folder, "sources build all.jsonl -o whole", 0);
    done(&folder, "sources build all.jsonl -o little --memory 1MB", 0);
    done(&folder, "sources build a.jsonl -o grown", 0);
    done(&folder, "sources add b.jsonl --to grown", 0);
    let before = parts("grown");
    assert_eq!((&before["documents"], &before["parts"]), (&json!(8), &json!(2)));
    done(&folder, "sources add c.jsonl --to grown --memory 1MB", 0);
    assert_eq!((&parts("whole")["parts"], &parts("little")["parts"]), (&json!(1), &json!(2)));
    for field in ["documents", "segments", "min_segment_chars", "texts"] {
        assert_eq!(parts("whole")[field], parts("little")[field]);
        assert_eq!(parts("whole")[field], parts("grown")[field]);
    }
    for options in ["", "--no-weigh"] {
        let said = |database: &str| {
            done(&folder, &format!("copies pages.jsonl --sources {database} --json {options}"), 1).stdout
        };
        let whole = said("whole");
        assert_eq!(whole.lines().count(), 20);
        assert!(whole == said("little") && whole == said("grown"), "{options}");
    }
}

#[test]
fn the_rule_says_what_a_passage_is() {
    let short =
        |places: Range<usize>| places.map(|place| sentence(7, place, 2)).collect::<Vec<_>>().join(" ");
    let folder = Folder::with(&[
        ("sources.jsonl", format!("{}\n{}", sources(0..9), page("short", &short(0..9)))),
        ("three-short.jsonl", page("three-short", &around(1, &short(3..6)))),
        ("two-long.jsonl", page("two-long", &around(2, &sentences(4, 3..5)))),
        ("five-long.jsonl", page("five-long", &around(3, &sentences(5, 3..8)))),
    ]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    // Three sentences of two words are three segments, but weigh little.
    let cases = [
        ("three-short", "", 0),
        ("three-short", "--no-weigh", 1),
        ("three-short", "--no-weigh --min-segments 4", 0),
        ("three-short", "--no-weigh --weigh", 0),
        ("three-short", "--no-weigh --min-segment-chars 30", 0),
        ("two-long", "--no-weigh", 0),
        ("two-long", "--no-weigh --min-segments 2", 1),
        ("two-long", "--min-segments 2", 1),
        ("five-long", "", 1),
        ("five-long", "--no-weigh --min-segment-chars 30", 1),
        ("five-long", "--min-segment-chars 300", 0),
        ("five-long", "--min-segments 30", 0),
    ];
    for (file, options, code) in cases {
        done(&folder, &format!("copies {file}.jsonl --sources db {options}"), code);
    }
    refused(&folder, "copies two-long.jsonl --sources db --min-segments 0", 2, &["--min-segments"]);
}

#[test]
fn every_source_is_listed_if_asked_for() {
    let with = |id: &str, created_at: usize, places: Range<usize>| {
        let text = format!("{} {}", sentences(created_at, 0..3), sentences(1, places));
        json!({"id": id, "created_at": created_at, "text": text}).to_string()
    };
    let all = [with("later", 3000, 0..6), with("longest", 4000, 0..9), with("earlier", 2000, 0..6)];
    let folder = Folder::with(&[
        ("sources.jsonl", all.join("\n")),
        ("page.jsonl", page("page", &around(1, &sentences(1, 0..9)))),
        ("shorter.jsonl", page("shorter", &around(2, &sentences(1, 0..6)))),
    ]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let found = |arguments: &str| {
        let found = only(&done(&folder, &format!("copies {arguments} --sources db --json"), 1));
        let passages = found["passages"].as_array().unwrap().iter();
        passages.map(|passage| passage["source"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("page.jsonl"), ["longest"]);
    assert_eq!(found("page.jsonl --all-sources"), ["longest", "earlier", "later"]);
    assert_eq!(found("shorter.jsonl"), ["earlier"]);
    assert_eq!(found("shorter.jsonl --all-sources"), ["earlier", "later", "longest"]);
}

#[test]
fn settings_stay_those_of_the_database() {
    let folder = Folder::with(&[
        ("sources.jsonl", sources(0..4)),
        ("page.jsonl", page("page", &around(1, &sentences(2, 1..9)))),
    ]);
    done(&folder, "sources build sources.jsonl -o db --min-segment-chars 12", 0);
    done(&folder, "sources add sources.jsonl --to db", 0);
    let statistics = only(&done(&folder, "sources stats db --json", 0));
    assert_eq!((&statistics["min_segment_chars"], &statistics["documents"]), (&json!(12), &json!(8)));
    refused(
        &folder,
        "copies page.jsonl --sources db --min-segment-chars 7",
        2,
        &["--min-segment-chars 7", "built with 12"],
    );
    done(&folder, "copies page.jsonl --sources db --min-segment-chars 12", 1);
    // A database that cuts at commas knows sentences that others do not have.
    let commas = |places: Range<usize>| {
        places.map(|place| sentence(5, place, 6).replace('.', ",")).collect::<String>()
    };
    std::fs::write(folder.path().join("commas.jsonl"), page("commas", &commas(0..9))).unwrap();
    std::fs::write(
        folder.path().join("of.jsonl"),
        page("of", &(commas(40..43) + &commas(2..7) + &commas(50..53))),
    )
    .unwrap();
    for (separators, code) in [("--separators ,", 1), ("", 0)] {
        let name = format!("separated-{code}");
        done(&folder, &format!("sources build commas.jsonl -o {name} {separators}"), 0);
        done(&folder, &format!("copies of.jsonl --sources {name} --no-weigh"), code);
    }
}

#[test]
fn what_is_in_the_way_is_said_with_a_remedy() {
    let folder = Folder::with(&[("sources.jsonl", sources(0..4)), ("mine/precious.txt", "mine".to_owned())]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let before = read("db/sources.json");
    let said = ["db: there is a source database already", "sources add INPUT… --to DB"];
    refused(&folder, "sources build sources.jsonl -o db", 2, &said);
    assert_eq!(read("db/sources.json"), before);
    let said = ["mine: there are other files", "empty folder"];
    refused(&folder, "sources build sources.jsonl -o mine", 2, &said);
    assert_eq!(read("mine/precious.txt"), "mine");
    for arguments in ["sources add sources.jsonl --to", "sources stats", "copies sources.jsonl --sources"] {
        for place in ["nowhere", "mine"] {
            let said = [&format!("{place}: is no source database"), "sources build INPUT… -o DB"];
            refused(&folder, &format!("{arguments} {place}"), 2, &said);
        }
    }
    assert!(!folder.path().join("nowhere").exists());
    refused(&folder, "copies missing.jsonl --sources db", 3, &["missing.jsonl"]);
    refused(&folder, "sources build missing.jsonl -o other", 3, &["missing.jsonl"]);
    // What that left behind is no reason to refuse.
    done(&folder, "sources build sources.jsonl -o other", 0);
}

#[test]
fn files_of_others_are_left_as_they_are() {
    let files = ["mine/lock", "mine/names", "mine/texts.table", "mine/part-time.txt"];
    let mut all = files.map(|file| (file, "mine".to_owned())).to_vec();
    all.push(("sources.jsonl", sources(0..4)));
    let folder = Folder::with(&all);
    refused(&folder, "sources build sources.jsonl -o mine", 2, &["mine: there are other files"]);
    for file in files {
        assert_eq!(std::fs::read_to_string(folder.path().join(file)).unwrap(), "mine", "{file}");
    }
    assert_eq!(std::fs::read_dir(folder.path().join("mine")).unwrap().count(), files.len());
}

#[test]
fn only_one_adds_at_a_time() {
    let folder = Folder::with(&[("sources.jsonl", sources(0..4))]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let lock = std::fs::File::open(folder.path().join("db/lock")).unwrap();
    lock.lock().unwrap();
    refused(&folder, "sources add sources.jsonl --to db", 2, &["db: another process is writing", "wait"]);
    // Whoever asks does not wait.
    done(&folder, "sources stats db --verify", 0);
    lock.unlock().unwrap();
    done(&folder, "sources add sources.jsonl --to db", 0);
}

#[test]
fn nothing_is_found_in_nothing() {
    let empty = format!("{}\n{}", page("empty", ""), page("blank", " \n "));
    let folder =
        Folder::with(&[("none.jsonl", String::new()), ("empty.jsonl", empty), ("pages.jsonl", pages(0..4))]);
    for (input, documents) in [("none", 0), ("empty", 2)] {
        done(&folder, &format!("sources build {input}.jsonl -o {input}"), 0);
        let statistics = only(&done(&folder, &format!("sources stats {input} --json --verify"), 0));
        assert_eq!((&statistics["documents"], &statistics["segments"]), (&json!(documents), &json!(0)));
        for pages in ["pages", "empty", "none"] {
            assert_eq!(
                done(&folder, &format!("copies {pages}.jsonl --sources {input} --json"), 0).stdout,
                ""
            );
        }
        done(&folder, &format!("sources add pages.jsonl --to {input}"), 0);
        done(&folder, &format!("copies pages.jsonl --sources {input}"), 0);
    }
}

/// Changes a file of the database and expects that this is noticed and the file named.
#[track_caller]
fn check_damaged(folder: &Folder, file: &str, damage: impl Fn(&mut Vec<u8>)) {
    let path = folder.path().join("db").join(file);
    let sound = std::fs::read(&path).unwrap();
    let mut bytes = sound.clone();
    damage(&mut bytes);
    std::fs::write(&path, bytes).unwrap();
    let named = format!("db/{file}: ");
    refused(folder, "copies pages.jsonl --sources db", 3, &[&named]);
    refused(folder, "sources stats db --verify", 3, &[&named]);
    std::fs::write(&path, sound).unwrap();
}

#[test]
fn damage_is_noticed_and_named() {
    let folder = Folder::with(&[("sources.jsonl", sources(0..60)), ("pages.jsonl", pages(0..60))]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    for file in ["part-000001", "names", "texts", "sources.json"] {
        let length = std::fs::metadata(folder.path().join("db").join(file)).unwrap().len() as usize;
        // The line break that sources.json ends with does not matter.
        for place in [0, length / 3, length / 2, length - 2] {
            check_damaged(&folder, file, |bytes| bytes[place] ^= 1);
        }
        for left in [0, length / 2, length - 2] {
            check_damaged(&folder, file, |bytes| bytes.truncate(left));
        }
    }
    done(&folder, "sources stats db --verify", 0);
    std::fs::rename(folder.path().join("db/part-000001"), folder.path().join("elsewhere")).unwrap();
    refused(&folder, "copies pages.jsonl --sources db", 3, &["db/part-000001: "]);
}

/// It says which document each block begins with. What is not looked at is not noticed by `copies`, but changes no answer.
#[test]
fn damage_of_the_table_is_noticed_and_named() {
    let copied = page("page", &around(1, &sentences(55, 2..7)));
    let folder = Folder::with(&[("sources.jsonl", sources(0..150)), ("pages.jsonl", copied)]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    let sound = done(&folder, "copies pages.jsonl --sources db", 1).stdout;
    let path = folder.path().join("db/texts.table");
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 2 * 16, "all documents are in one block");
    let named = "db/texts.table: ";
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        let copies = folder.run("copies pages.jsonl --sources db", "");
        assert!(
            copies.stdout == sound || copies.code == Some(3) && copies.stderr.contains(named),
            "{copies:?}"
        );
        if place % 16 == 8 {
            refused(&folder, "sources stats db --verify", 3, &[named]);
        }
    }
    for left in [0, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..left]).unwrap();
        refused(&folder, "copies pages.jsonl --sources db", 3, &[named]);
    }
}

#[test]
fn killed_while_adding_it_is_as_it_was_or_complete() {
    let folder = Folder::with(&[
        ("first.jsonl", sources(0..40)),
        ("second.jsonl", sources(40..3000)),
        ("third.jsonl", sources(3000..3040)),
        ("all.jsonl", sources(0..3040)),
        ("pages.jsonl", pages(2940..3040)),
    ]);
    let is_built = || folder.path().join("db/sources.json").exists();
    folder.kill_until_done("sources build --quiet first.jsonl -o db", is_built);
    let is_complete = || {
        let statistics = only(&done(&folder, "sources stats db --json --verify", 0));
        let documents = statistics["documents"].as_u64().unwrap();
        assert!([40, 3000].contains(&documents), "{documents}");
        documents == 3000
    };
    let kills = folder.kill_until_done("sources add --quiet second.jsonl --to db", is_complete);
    assert!(kills > 1, "it was too quick to be killed");
    assert!(is_complete());
    done(&folder, "sources add third.jsonl --to db", 0);
    done(&folder, "sources build all.jsonl -o whole", 0);
    let found =
        |database: &str| done(&folder, &format!("copies pages.jsonl --sources {database} --json"), 1).stdout;
    let all = found("db");
    assert_eq!(all.lines().count(), 50);
    assert!(all == found("whole"));
}

/// The tags of a page whose text has none that are not its own.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|piece| piece.split('>').next().unwrap_or(piece)).collect()
}

#[test]
fn the_report_shows_passages_and_runs_nothing() {
    let hostile = "<script>alert(1)</script><img src=http://evil.example/x onerror=alert(2)>";
    let copied = format!("{} {hostile} {}", sentences(1, 0..4), sentences(1, 4..8));
    let bad_source = json!({"id": format!("\"'>{hostile}"), "url": "javascript:alert(3)", "text": copied});
    let bad_page =
        json!({"id": hostile, "title": hostile, "url": "data:text/html,<b>", "text": around(1, &copied)});
    let folder = Folder::with(&[
        ("sources.jsonl", format!("{}\n{bad_source}", sources(2..9))),
        (
            "pages.jsonl",
            format!(
                "{bad_page}\n{}\n{}",
                page("none", &sentences(77, 0..9)),
                page("fine", &around(2, &sentences(5, 1..9)))
            ),
        ),
    ]);
    done(&folder, "sources build sources.jsonl -o db", 0);
    done(&folder, "copies pages.jsonl --sources db --html report", 1);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("report").join(name)).unwrap();
    let mut files: Vec<String> = std::fs::read_dir(folder.path().join("report"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["000001.html", "000002.html", "index.html"]);
    for file in &files {
        check_harmless(file, &read(file));
    }
    let index = read("index.html");
    assert!(index.contains("2 of 3 pages have copied passages"), "{index}");
    assert!(
        index.contains("href=\"000001.html\"") && index.contains("href=\"000002.html\">fine</a>"),
        "{index}"
    );
    let bad = read("000001.html");
    assert!(bad.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && bad.contains("<mark>"), "{bad}");
    let fine = read("000002.html");
    assert!(fine.contains("<a href=\"https://news.example/5\""), "{fine}");
    assert!(fine.contains(&format!("<mark>{}</mark>", sentences(5, 1..9))), "{fine}");
}

#[track_caller]
fn check_harmless(file: &str, html: &str) {
    const OURS: [&str; 25] = [
        "!doctype", "html", "head", "meta", "title", "style", "body", "p", "a", "h1", "br", "div", "ol",
        "li", "b", "sup", "span", "mark", "i", "table", "thead", "tbody", "tr", "th", "td",
    ];
    for tag in tags(html) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        assert!(OURS.contains(&name), "{file}: <{tag}>");
        let attributes = tag.split('"').step_by(2).collect::<String>();
        assert!(!attributes.contains("src=") && !attributes.contains(" on"), "{file}: <{tag}>");
        if let Some((_, place)) = tag.split_once("href=\"") {
            let is_harmless = ["#", "index.html\"", "00000", "https://news.example/"]
                .iter()
                .any(|start| place.starts_with(start));
            assert!(is_harmless, "{file}: <{tag}>");
        }
    }
    assert!(!html.contains("@import") && !html.contains("url("), "{file}");
}

#[test]
fn without_texts_there_are_no_places_in_the_sources() {
    let text = around(1, &sentences(3, 2..7));
    let folder = Folder::with(&[("sources.jsonl", sources(0..20)), ("page.jsonl", page("copy", &text))]);
    done(&folder, "sources build sources.jsonl -o with", 0);
    done(&folder, "sources build sources.jsonl -o without --no-texts", 0);
    done(&folder, "sources add sources.jsonl --to without", 0);
    let statistics = |database: &str| only(&done(&folder, &format!("sources stats {database} --json"), 0));
    assert_eq!(
        (&statistics("without")["texts"], &statistics("without")["documents"]),
        (&json!(false), &json!(40))
    );
    let bytes = |database: &str| statistics(database)["document_bytes"].as_u64().unwrap();
    assert!(bytes("without") < bytes("with") / 2);
    let found = only(&done(&folder, "copies page.jsonl --sources without --json", 1));
    let passage = &found["passages"][0];
    assert_eq!(
        (&passage["source"], &passage["source_url"]),
        (&json!("source-3"), &json!("https://news.example/3"))
    );
    assert_eq!((&passage["source_start"], &passage["source_end"]), (&Value::Null, &Value::Null));
    assert_eq!(passage["text"], sentences(3, 2..7));
    let printed = done(&folder, "copies page.jsonl --sources without", 1).stdout;
    assert!(printed.contains("from source-3 https://news.example/3 (partial copy, 5 segments)"), "{printed}");
}

/// A page as a blog or a newspaper has it, around paragraphs.
fn framed(language: &str, title: &str, paragraphs: &[&str]) -> String {
    let paragraphs: String = paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect();
    format!(
        "<!doctype html><html lang={language}><meta charset=utf-8><title>{title}</title><body>\
         <nav><ul><li><a href=/>home</a></li><li><a href=/about>about</a></li></ul></nav>\
         <article><h1>{title}</h1>{paragraphs}</article><footer><a href=/terms>terms</a></footer></body></html>"
    )
}

#[test]
fn pages_in_korean_and_japanese() {
    let korean = "산길을 오르면서 이렇게 생각하였다. 이지만을 따지면 타인과 충돌하게 마련이다. 감정의 흐름에만 몸을 맡기면 \
                  발목이 잡히고 만다. 고집을 부리다 보면 옹색하고 답답해진다. 아무튼 사람이 사는 세상은 살기가 어렵다.";
    let japanese = "山路を登りながら、こう考えた。智に働けば角が立つと昔から言われている。情に棹させば流されるのもまた本当だ。\
                    意地を通せば窮屈で仕方がない。とかくに人の世は住みにくいものである。";
    let folder = Folder::with(&[
        (
            "news/ko.html",
            framed(
                "ko",
                "풀베개",
                &["이 글은 오래전에 쓰인 소설의 첫머리를 옮긴 것으로 지금도 널리 읽히고 있다.", korean],
            ),
        ),
        (
            "news/ja.html",
            framed(
                "ja",
                "草枕",
                &["これは昔に書かれた小説の冒頭であり、今でも広く読まれている文章である。", japanese],
            ),
        ),
        (
            "blog/ko.html",
            framed(
                "ko",
                "오늘의 일기",
                &[
                    "오늘은 날씨가 아주 맑아서 오랜만에 공원을 한 바퀴 천천히 걸었다.",
                    korean,
                    "내일은 비가 온다고 하니 집에서 책이나 읽어야겠다고 생각한다.",
                ],
            ),
        ),
        (
            "blog/ja.html",
            framed(
                "ja",
                "今日の日記",
                &[
                    "今日はとても天気が良かったので、久しぶりに公園をゆっくりと散歩しました。",
                    japanese,
                    "明日は雨が降るそうなので、家で本でも読もうと思っています。",
                ],
            ),
        ),
        (
            "blog/other.html",
            framed(
                "ko",
                "다른 글",
                &[
                    "아무 데서도 가져오지 않은 글이라서 여기에는 베낀 문장이 하나도 없다.",
                    "그래서 이 쪽은 보고되지 않아야 하며, 그렇지 않다면 무언가 잘못된 것이다.",
                ],
            ),
        ),
    ]);
    done(&folder, "sources build news -o db", 0);
    let found = done(&folder, "copies blog --sources db --json", 1).json();
    assert_eq!(found.len(), 2, "{found:?}");
    for (page, language, text) in [(&found[0], "ja", japanese), (&found[1], "ko", korean)] {
        assert!(page["id"].as_str().unwrap().ends_with(&format!("{language}.html")), "{page}");
        let passages = page["passages"].as_array().unwrap();
        assert_eq!(passages.len(), 1, "{page}");
        let passage = &passages[0];
        assert!(passage["source"].as_str().unwrap().ends_with(&format!("{language}.html")), "{page}");
        assert_eq!((&passage["text"], &passage["segments"]), (&json!(text), &json!(5)));
        let length = |from: &str, to: &str| passage[to].as_u64().unwrap() - passage[from].as_u64().unwrap();
        assert_eq!(length("start", "end") as usize, text.chars().count());
        assert_eq!(length("source_start", "source_end") as usize, text.chars().count());
    }
}
