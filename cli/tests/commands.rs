//! Every command as a user meets it: what it prints where, and the code it ends with.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Folder, Run};

const ROSE: &str = "a rose is a rose is a rose";
const FLOWER: &str = "a rose is a flower which is a rose";
const PAGE: &str = "<html lang=en><title>On roses</title><meta name=author content=Gertrude>\
    <body><nav><a href=/>Home</a></nav><article><h1>On roses</h1><p>A rose is a rose is a rose. Everyone knows it.</p>\
    <p>Whatever its name, it smells as sweet.</p></article>";

/// Runs on these files and expects a code.
#[track_caller]
fn run(files: &[(&str, &str)], arguments: &str, stdin: &str, code: i32) -> Run {
    let run = Folder::with(files).run(arguments, stdin);
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {run:?}");
    run
}

/// The line with every long hexadecimal word masked: fingerprints have tests of their own.
fn masked(text: &str) -> String {
    let is_fingerprint = |word: &str| word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mask = |word| if is_fingerprint(word) { "#" } else { word };
    text.split(' ').map(mask).collect::<Vec<_>>().join(" ")
}

/// Those fields of the only document that are not fingerprints.
#[track_caller]
fn only_document(run: &Run) -> Value {
    let documents = run.json();
    assert_eq!(documents.len(), 1, "{run:?}");
    let Value::Object(mut fields) = documents.into_iter().next().unwrap() else { panic!("{run:?}") };
    fields.retain(|name, _| !name.ends_with("_fingerprint") && name != "feature_values");
    Value::Object(fields)
}

#[test]
fn inspect_for_people() {
    let run = run(&[("page.html", PAGE)], "inspect page.html", "", 0);
    let lines: Vec<String> = run.stdout.lines().map(masked).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    page.html
      title      On roses
      author     Gertrude
      language   en
      encoding   UTF-8
      core text  85 characters in 2 blocks
      read       91 % of the page was read as its text
      tokens     18
      segments   3, 3 of them in the digest
      shingles   9; sketch of 9 shingles (V_0)
      features   # # # # # #
      text       A rose is a rose is a rose. Everyone knows it. Whatever its name, it smells as sweet.
    ");
    assert_eq!(run.stderr, "");
}

#[test]
fn inspect_as_json() {
    let run = run(&[("page.html", PAGE)], "inspect --json page.html", "", 0);
    insta::assert_snapshot!(serde_json::to_string_pretty(&only_document(&run)).unwrap(), @r#"
    {
      "id": "page.html",
      "url": null,
      "title": "On roses",
      "author": "Gertrude",
      "created_at": null,
      "language": "en",
      "encoding": "UTF-8",
      "core_text": "A rose is a rose is a rose. Everyone knows it.\nWhatever its name, it smells as sweet.",
      "read_share": 0.9066667,
      "characters": 85,
      "blocks": 2,
      "tokens": 18,
      "segments": 3,
      "digest_segments": 3,
      "shingles": 9,
      "features": 6,
      "sketch_size": 9,
      "sketch_level": 0,
      "warnings": []
    }
    "#);
}

#[test]
fn inspect_shows_one_thing() {
    let text = "One rose. Two\n\n꽃 ROSES!";
    let cases = [
        ("text", "One rose. Two\n꽃 ROSES!\n", Value::Null),
        ("tokens", "0-3\tone\n4-8\trose\n10-13\ttwo\n15-16\t꽃\n17-22\troses\n", json!("token_list")),
        ("segments", "0-9\tOne rose.\n10-13\tTwo\n15-23\t꽃 ROSES!\n", json!("segment_list")),
    ];
    for (what, expected, list) in cases {
        let arguments = format!("inspect --show {what} a.txt");
        assert_eq!(run(&[("a.txt", text)], &arguments, "", 0).stdout, expected);
        let document = only_document(&run(&[("a.txt", text)], &format!("{arguments} --json"), "", 0));
        if let Value::String(list) = list {
            let piece = |piece: &Value| {
                format!("{}-{}\t{}\n", piece["start"], piece["end"], piece["text"].as_str().unwrap())
            };
            assert_eq!(document[list].as_array().unwrap().iter().map(piece).collect::<String>(), expected);
        }
    }
}

#[test]
fn inspect_reads_several_inputs_and_stdin() {
    let files = [
        ("b.html", PAGE),
        ("a.txt", ROSE),
        ("posts/2.jsonl", "{\"id\": \"second\", \"text\": \"b\"}"),
        ("posts/1.jsonl", "{\"url\": \"https://a.example/\", \"text\": \"a\"}\n{\"text\": \"c\"}"),
    ];
    let run = run(&files, "inspect --json b.html - posts a.*", FLOWER, 0);
    let ids: Vec<Value> = run.json().into_iter().map(|document| document["id"].clone()).collect();
    assert_eq!(ids, ["b.html", "-", "https://a.example/", "posts/1.jsonl:2", "second", "a.txt"]);
    assert_eq!(run.json()[1]["core_text"], FLOWER);
    assert_eq!(run.stderr, "firstcopy: 6 documents\n");
}

/// Enough documents for many batches and for more than a pipe holds, with bad ones between them.
fn many_posts() -> String {
    let line = |n: usize| match n % 97 {
        0 => format!("{{\"id\": {n}\n"),
        _ => format!(
            "{{\"id\": {n}, \"text\": \"post {n}: {}\"}}\n",
            "누가 이 글을 먼저 썼는가? ".repeat(n % 13)
        ),
    };
    (1..2000).map(line).collect()
}

#[test]
fn threads_do_not_change_the_output() {
    let folder = Folder::with(&[("many.jsonl", many_posts())]);
    let by = |threads| folder.run(&format!("inspect --json --threads {threads} many.jsonl"), "");
    let (one, four) = (by(1), by(4));
    assert_eq!(one.json().len(), 1979);
    assert!(one.stdout == four.stdout, "the output depends on the threads");
    assert_eq!(one.stderr, four.stderr);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::with(&[("many.jsonl", many_posts())]);
    let script = "{ \"$0\" \"$@\"; echo code $? >&2; } | head -n 1";
    let run = folder.shell(script, "inspect --json --quiet many.jsonl", "");
    assert_eq!((run.json().len(), run.stderr.as_str()), (1, "code 0\n"));
}

#[test]
fn bad_records_are_named_listed_and_counted() {
    let posts = "{\"id\": \"good\", \"text\": \"a\"}\nnot json\n{\"id\": 3}\n";
    let folder = Folder::with(&[("posts.jsonl", posts)]);
    let run = folder.run("inspect --json --strict --rejects rejects.jsonl posts.jsonl", "");
    assert_eq!((run.code, run.json().len()), (Some(3), 1));
    let listed = std::fs::read_to_string(folder.path().join("rejects.jsonl")).unwrap();
    let rejects: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (reject, line) in rejects.iter().zip([2, 3]) {
        assert_eq!(
            (&reject["file"], &reject["record"]),
            (&json!("posts.jsonl"), &json!(format!("line {line}")))
        );
        let named = format!("firstcopy: posts.jsonl: line {line}: {}\n", reject["reason"].as_str().unwrap());
        assert!(run.stderr.contains(&named), "{named} in {}", run.stderr);
    }
    assert_eq!(rejects.len(), 2);
    let quiet = folder.run("inspect --json --strict --quiet posts.jsonl", "");
    assert_eq!((quiet.code, quiet.stderr.as_str(), quiet.stdout), (Some(3), "", run.stdout));
    let overwriting = folder.run("inspect --rejects ./posts.jsonl posts.jsonl", "");
    assert_eq!(overwriting.code, Some(2), "{overwriting:?}");
    assert!(overwriting.stderr.contains("posts.jsonl: --rejects would overwrite this input"));
    assert_eq!(std::fs::read_to_string(folder.path().join("posts.jsonl")).unwrap(), posts);
    let unwritable = folder.run("inspect --rejects no/such/folder/file posts.jsonl", "");
    assert!(unwritable.code == Some(3) && unwritable.stderr.contains("cannot write no/such/folder/file"));
}

#[test]
fn every_key_can_be_renamed() {
    let post = json!({
        "no": 7, "link": "https://a.example/", "body": ROSE, "head": "On roses", "by": "Gertrude", "when": 86400,
        "id": "not this", "text": "nor this",
    });
    let keys =
        "--id-key no --url-key link --text-key body --title-key head --author-key by --created-at-key when";
    let inspect = |keys: &str, post: &Value| {
        only_document(&run(
            &[("a.jsonl", &post.to_string())],
            &format!("inspect --json {keys} a.jsonl"),
            "",
            0,
        ))
    };
    let document = inspect(keys, &post);
    for (field, expected) in [
        ("id", json!("7")),
        ("url", json!("https://a.example/")),
        ("core_text", json!(ROSE)),
        ("title", json!("On roses")),
        ("author", json!("Gertrude")),
        ("created_at", json!("1970-01-02T00:00:00Z")),
    ] {
        assert_eq!(document[field], expected, "{field}");
    }
    let markup = inspect("--html-key markup", &json!({ "markup": PAGE }));
    assert_eq!(markup["title"], "On roses");
    let features = inspect("--features-key parts", &json!({ "parts": ["red", 5, "red"] }));
    assert_eq!(
        (&features["shingles"], &features["features"], &features["tokens"]),
        (&json!(2), &json!(6), &json!(0))
    );
}

#[test]
fn compare_says_how_two_documents_relate() {
    let files = [
        ("rose.txt", ROSE),
        ("same.txt", ROSE),
        ("loud.html", "<p>A ROSE is, a rose is (a rose)!"),
        ("other.txt", "tulips"),
    ];
    let relation = |resemblance: f64, identical: bool, lexical: bool, words_b: usize| {
        json!({
            "resemblance": resemblance, "containment_a_in_b": resemblance, "containment_b_in_a": resemblance,
            "identical": identical, "lexical": lexical, "words_a": 8, "words_b": words_b,
        })
    };
    for (arguments, expected, verdict, name) in [
        (
            "rose.txt same.txt",
            relation(1.0, true, true, 8),
            "100 % is the same: identical, byte for byte.",
            "identical",
        ),
        (
            "rose.txt loud.html",
            relation(1.0, false, true, 8),
            "100 % of the words are the same; markup, case, punctuation or spacing differ.",
            "same_words",
        ),
        (
            "rose.txt other.txt",
            relation(0.0, false, false, 1),
            "They are different texts: 0 % of the words are the same.",
            "none",
        ),
        (
            "rose.txt loud.html --words",
            relation(0.0, false, false, 8),
            "They have passages in common: 38 % of B is in A.",
            "quotes",
        ),
    ] {
        let document = run(&files, &format!("compare --json {arguments}"), "", 0);
        let found = &document.json()[0];
        assert_eq!(found["relation"], name, "{arguments}");
        assert!(
            found["likeness"].is_f64() && found["covered_a"].is_f64() && found["covered_b"].is_f64(),
            "{found}"
        );
        assert_eq!(found["template"], false, "{arguments}");
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(found[field], *value, "{arguments}: {field}");
        }
        let people = run(&files, &format!("compare {arguments}"), "", 0);
        assert_eq!(people.stdout.lines().next(), Some(verdict), "{arguments}");
        // Eight words are fewer than a shingle has: both sides are told, and how to compare them.
        assert_eq!(people.stderr.matches("shorter than one shingle of 10 words").count(), 2, "{arguments}");
        assert_eq!(run(&files, &format!("compare -q {arguments}"), "", 0).stderr, "");
    }
    let stdin = run(&files, "compare --json rose.txt -", ROSE, 0);
    assert_eq!(stdin.json()[0]["identical"], true);
}

/// The example of broder-1997, in sets of shingles.
#[test]
fn compare_counts_as_broder_does() {
    let files = [("a.txt", ROSE), ("b.txt", FLOWER)];
    for (words, resemblance) in [(1, 0.6), (2, 0.5), (3, 3.0 / 7.0)] {
        let run = run(&files, &format!("compare --json --words --shingle-words {words} a.txt b.txt"), "", 0);
        let relation = &run.json()[0];
        assert_eq!(relation["resemblance"], resemblance, "{words}");
        assert_eq!(relation["containment_a_in_b"], 1.0, "{words}");
        assert_eq!((&relation["words_a"], &relation["words_b"]), (&json!(8), &json!(9)));
    }
}

#[test]
fn mistakes_end_with_a_code_and_a_remedy() {
    let two = "{\"text\": \"a\"}\n{\"text\": \"b\"}\n";
    let files = [("a.txt", ROSE), ("two.jsonl", two), ("none.jsonl", ""), ("bad.jsonl", "{\"body\": \"a\"}")];
    for (arguments, code, message) in [
        (
            "compare a.txt two.jsonl",
            3,
            "two.jsonl: holds more than one document: compare takes one on each side",
        ),
        ("compare none.jsonl a.txt", 3, "none.jsonl: holds no document"),
        (
            "compare bad.jsonl a.txt",
            3,
            "bad.jsonl: line 1: neither `text`, `html` nor `features` among its keys (body)",
        ),
        ("compare a.txt missing.txt", 3, "missing.txt: no such file or directory: check the name"),
        ("inspect missing.txt", 3, "missing.txt: no such file or directory: check the name"),
        ("inspect no*.html", 3, "no*.html: the glob matches no file"),
        ("inspect - -", 2, "stdin is named more than once: name it once"),
        ("compare - -", 2, "name a file for the other"),
        ("compare a.txt", 2, "required arguments were not provided"),
        ("compare --nope a.txt a.txt", 2, "unexpected argument '--nope'"),
        ("inspect --format docx a.txt", 2, "no such format: use html, text, jsonl, parquet or warc"),
        ("inspect --max-document-size 0 a.txt", 2, "a size is a number of bytes"),
        ("inspect --threads 0 a.txt", 2, "0 is not in 1..=1024"),
        ("inspect", 2, "Usage: firstcopy inspect"),
        ("nothing", 2, "unrecognized subcommand 'nothing'"),
        ("", 2, "Usage: firstcopy [OPTIONS] <COMMAND>"),
    ] {
        let run = run(&files, arguments, "", code);
        assert!(run.stderr.contains(message), "firstcopy {arguments}: {}", run.stderr);
        assert_eq!(run.stdout, "", "firstcopy {arguments}");
    }
}

#[test]
fn help_completions_and_manual() {
    for (arguments, expected) in [
        ("--help", "Usage: firstcopy"),
        ("inspect --help", "Examples:\n  firstcopy inspect"),
        ("--version", "firstcopy "),
        ("completions bash", "_firstcopy()"),
        ("completions zsh", "#compdef firstcopy"),
        ("completions fish", "complete -c firstcopy"),
        ("man", ".TH firstcopy 1"),
    ] {
        let run = run(&[], arguments, "", 0);
        assert!(run.stdout.contains(expected), "firstcopy {arguments}: {}", run.stdout);
        assert_eq!(run.stderr, "");
    }
    assert!(run(&[], "man", "", 0).stdout.starts_with(".ie \\n(.g"));
    let folder = Folder::with::<&str>(&[]);
    assert_eq!(folder.run("man --dir pages/man1", "").code, Some(0));
    let mut pages: Vec<String> = std::fs::read_dir(folder.path().join("pages/man1"))
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let of = |command: &str| format!("firstcopy{command}.1");
    let commands = "add appeal backup changes check cluster clusters-lookup clusters compare completions copies dedup delete export holders import inspect keys-add keys-list keys-remove keys man recluster reindex search serve show \
                    similar sources-add sources-build sources-stats sources stats trace verify webhooks-add webhooks-deliveries webhooks-list webhooks-remove webhooks-test webhooks";
    let expected: Vec<String> =
        commands.split(' ').map(|name| of(&format!("-{name}"))).chain([of("")]).collect();
    assert_eq!(pages, expected);
}

/// Neither from a page's text and title, nor from the names and keys that messages repeat.
#[test]
fn strangers_do_not_write_to_the_terminal() {
    let files = [
        ("evil.html", "<title>red \u{1b}[31m</title><p>text \u{1b}]0;mine\u{7} and \u{202e}backwards"),
        ("evil.jsonl", "{\"\\u001b[31mred\": 1}"),
        ("warned.jsonl", "{\"id\": \"\\u001b[31m\", \"text\": \"\\ud800\"}"),
    ];
    for (arguments, code) in [
        ("inspect evil.html", 0),
        ("inspect --show text evil.html", 0),
        ("inspect --show segments evil.html", 0),
        ("inspect evil.jsonl warned.jsonl", 0),
        ("compare evil.jsonl evil.html", 3),
        ("compare warned.jsonl evil.html", 0),
    ] {
        let run = run(&files, arguments, "", code);
        let said = run.stdout + &run.stderr;
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "firstcopy {arguments}: {said:?}");
    }
}
