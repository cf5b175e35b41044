//! `firstcopy changes` as a user meets it: every kind of input, every form of output, and inputs that are out to harm.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Folder, Run};

#[track_caller]
fn run(folder: &Folder, arguments: &str, code: i32) -> Run {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {run:?}");
    run
}

fn words(name: &str, count: usize) -> String {
    (0..count).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join(" ")
}

fn record(url: &str, date: &str, text: &str) -> Value {
    json!({"url": url, "date": date, "text": text})
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// A page that grows by a word in a hundred, one that is rewritten, one that only its white space changes.
fn versions() -> String {
    let text = words("w", 99);
    lines(&[
        record("http://a/grows", "2024-01-01", &text),
        record("http://a/grows", "2024-02-01", &format!("{text} more")),
        record("http://a/rewritten", "2024-01-01", "all of this was said before"),
        record("http://a/rewritten", "2024-02-01", "nobody would ever say such things"),
        record("http://a/spaces", "2024-01-01", "the same   as ever"),
        record("http://a/spaces", "2024-02-01", "the same\n\nas ever "),
    ])
}

#[track_caller]
fn pages_and_overall(run: &Run) -> (Vec<Value>, Value) {
    let mut lines = run.json();
    let last = lines.pop().unwrap();
    assert!(lines.iter().all(|line| line["page"].is_string()), "{run:?}");
    (lines, last["overall"].clone())
}

#[test]
fn lines_with_url_and_date() {
    let folder = Folder::with(&[("v.jsonl", versions())]);
    let (pages, overall) = pages_and_overall(&run(&folder, "changes --json v.jsonl", 0));
    assert_eq!(pages[0]["page"], "http://a/grows");
    assert_eq!(pages[0]["intervals"][0]["operations"]["add"], 1);
    assert_eq!(pages[0]["mean_change"]["ied"], 0.01);
    assert_eq!(pages[0]["first_seen"], "2024-01-01T00:00:00Z");
    assert_eq!((&pages[0]["lifetime_days"], &pages[2]["changes"]), (&json!(31.0), &json!(0)));
    assert_eq!((&overall["pages"], &overall["changed_intervals"]), (&json!(3), &json!(2)));
    assert_eq!(
        (&overall["sweeps"], &overall["births"], &overall["deaths"]),
        (&json!(2), &json!(0), &json!(0))
    );
    let said = run(&folder, "changes v.jsonl", 0);
    assert!(
        said.stdout.starts_with("3 pages, 6 versions: 2 of 3 intervals changed, 2 of the pages\n"),
        "{said:?}"
    );
    assert!(said.stdout.contains("http://a/rewritten: 2 versions, 1 change, revisit in "), "{said:?}");
    assert_eq!(said.stderr, "firstcopy: 6 documents\n");
}

#[test]
fn one_line_for_every_interval() {
    let folder = Folder::with(&[("v.jsonl", versions())]);
    let csv = run(&folder, "changes --csv v.jsonl", 0).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "page,from,to,days,bw,cos,wd,ed,shingle,ied,add,copy,drop,shrink,replace,move");
    assert!(lines[1].starts_with("http://a/grows,2024-01-01T00:00:00Z,2024-02-01T00:00:00Z,31,1,"));
    assert!(lines[1].ends_with(",0.01,1,0,0,0,0,0"), "{}", lines[1]);
    assert_eq!(
        lines[3],
        "http://a/spaces,2024-01-01T00:00:00Z,2024-02-01T00:00:00Z,31,0,0,0,0,0,0,0,0,0,0,0,0"
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn pages_to_look_at_again() {
    let folder = Folder::with(&[("v.jsonl", versions())]);
    let watched = |arguments: &str| run(&folder, arguments, 0).stdout;
    let one = watched("changes --watch-threshold 0.1 v.jsonl");
    assert_eq!(one, "1.000  http://a/rewritten, revisit in 20 days\n");
    assert_eq!(watched("changes --watch-threshold 0.005 v.jsonl").lines().count(), 2);
    assert_eq!(watched("changes --watch-threshold 0.1 --metric bw v.jsonl").lines().count(), 2);
    assert_eq!(watched("changes --watch-threshold 1 v.jsonl"), "");
    let line: Value = serde_json::from_str(&watched("changes --json --watch-threshold 0.1 v.jsonl")).unwrap();
    assert_eq!((&line["page"], &line["metric"]), (&json!("http://a/rewritten"), &json!("ied")));
    run(&folder, "changes --watch-threshold 7 v.jsonl", 2);
}

#[test]
fn a_record_of_many_versions() {
    let versions = json!({"id": "약관", "lang": "ko", "versions": [
        {"date": "20240301000000", "text": "셋째 판은 아주 다르다"},
        {"date": 1_704_067_200, "html": "<p>첫째 판이다</p>"},
        {"date": "2024-02-01", "text": " "},
        {"date": "2024-02-02T00:00:00+09:00", "text": "첫째 판이다"},
        {"text": "날짜가 없다"},
        {"date": "언젠가", "text": "날짜가 아니다"},
    ]});
    let folder = Folder::with(&[("v.jsonl", lines(&[versions]))]);
    let said = run(&folder, "changes --json v.jsonl --rejects bad.jsonl", 0);
    let (pages, overall) = pages_and_overall(&said);
    assert_eq!(
        (&pages[0]["page"], &pages[0]["versions"], &pages[0]["changes"]),
        (&json!("약관"), &json!(3), &json!(1))
    );
    assert_eq!((&pages[0]["empty_versions"], &overall["empty_versions"]), (&json!(1), &json!(1)));
    assert_eq!(pages[0]["intervals"][0]["metrics"]["bw"], 0.0);
    assert!(
        said.stderr.contains("v.jsonl: line 1: version 5 of 약관: no date: give it a `date`"),
        "{said:?}"
    );
    assert!(
        said.stderr.contains("v.jsonl: line 1: version 6 of 약관: date \"언젠가\" is not a date"),
        "{said:?}"
    );
    let rejects = std::fs::read_to_string(folder.path().join("bad.jsonl")).unwrap();
    assert_eq!(rejects.lines().count(), 2);
    run(&folder, "changes --strict v.jsonl", 3);
}

#[test]
fn a_directory_of_captures() {
    let page = |text: &str| format!("<html><body><article><p>{text}</p></article></body></html>");
    let folder = Folder::with(&[
        ("c/20240101/about.html", page("we write about who wrote what first")),
        ("c/20240201/about.html", page("we write about who wrote what last")),
        ("c/20240201/undated.html", page("begins in february")),
        ("c/terms-2024-01-01.txt", "these are the terms".to_owned()),
        ("c/terms-2024-03-01.txt", "these are the terms".to_owned()),
        ("c/nodate.txt", "when was this?".to_owned()),
    ]);
    let said = run(&folder, "changes --json c", 0);
    let (pages, _) = pages_and_overall(&said);
    let names: Vec<(&str, u64)> = pages
        .iter()
        .map(|page| (page["page"].as_str().unwrap(), page["changes"].as_u64().unwrap()))
        .collect();
    assert_eq!(names, [("c/about.html", 1), ("c/terms.txt", 0), ("c/undated.html", 0)]);
    assert!(said.stderr.contains("c/nodate.txt: no date: give it"), "{said:?}");
}

#[test]
fn archives() {
    let response = |date: &str, text: &str| {
        let body = format!("<html><body><article><p>{text}</p></article></body></html>");
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: {date}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let folder = Folder::with(&[
        ("2.warc", response("2024-02-01T00:00:00Z", "who wrote this first and last?")),
        ("1.warc", response("2024-01-01T00:00:00Z", "who wrote this first?")),
    ]);
    let (pages, _) = pages_and_overall(&run(&folder, "changes --json 2.warc 1.warc", 0));
    assert_eq!((&pages[0]["page"], &pages[0]["operations"]["add"]), (&json!("http://a.example/"), &json!(2)));
}

#[test]
fn births_deaths_and_moves() {
    let text = words("moving", 40);
    let records = lines(&[
        record("http://a/stays", "2024-01-01", "it stays"),
        record("http://a/old", "2024-01-01", &text),
        record("http://a/dies", "2024-01-01", "it dies"),
        record("http://a/stays", "2024-02-01", "it stays"),
        record("http://b/new", "2024-02-01", &text),
        record("http://a/born", "2024-02-01", "it is born"),
        json!({"url": "http://a/told", "date": "2024-01-01", "text": "somebody says it is gone"}),
        json!({"url": "http://a/told", "date": "2024-01-20", "status": 404}),
        json!({"url": "http://a/born", "date": "2024-02-02", "status": 500}),
    ]);
    let folder = Folder::with(&[("v.jsonl", records)]);
    let (pages, overall) = pages_and_overall(&run(&folder, "changes --json v.jsonl", 0));
    let count = |name: &str| overall[name].as_u64().unwrap();
    assert_eq!(["sweeps", "births", "deaths"].map(count), [2, 1, 2]);
    assert_eq!(["moves_within_host", "moves_between_hosts", "empty_versions"].map(count), [0, 1, 1]);
    assert_eq!(overall["moves"][0]["to"], "http://b/new");
    let told = pages.iter().find(|page| page["page"] == "http://a/told").unwrap();
    assert_eq!((&told["gone_at"], &told["died"]), (&json!("2024-01-20T00:00:00Z"), &json!(true)));
    let (_, without) = pages_and_overall(&run(&folder, "changes --json --sweeps none v.jsonl", 0));
    assert_eq!((&without["births"], &without["deaths"]), (&json!(0), &json!(1)));
    let (_, named) =
        pages_and_overall(&run(&folder, "changes --json --sweeps 2024-01-01,2024-02-01 v.jsonl", 0));
    assert_eq!(named["births"], 1);
    run(&folder, "changes --sweeps soon v.jsonl", 2);
}

#[test]
fn a_data_directory() {
    let may = lines(&[
        json!({"url": "http://a/edited", "text": words("edited", 30)}),
        json!({"url": "http://a/gone", "text": words("gone", 30)}),
    ]);
    let june = lines(&[
        json!({"url": "http://a/edited", "text": words("edited", 33)}),
        json!({"url": "http://a/born", "text": words("born", 30)}),
    ]);
    let folder = Folder::with(&[("may.jsonl", may), ("june.jsonl", june)]);
    run(&folder, "add --quiet --data d --sweep 2026-05-01 may.jsonl", 0);
    run(&folder, "add --quiet --data d --sweep 2026-06-01 june.jsonl", 0);
    run(&folder, "add --quiet --data d --sweep 2026-07-01 june.jsonl", 0);
    let (pages, overall) = pages_and_overall(&run(&folder, "changes --json --data d", 0));
    let count = |name: &str| overall[name].as_u64().unwrap();
    assert_eq!(["pages", "versions", "sweeps", "births", "deaths"].map(count), [3, 6, 3, 1, 1]);
    let changes: Vec<f64> = pages[1]["intervals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|interval| interval["metrics"]["bw"].as_f64().unwrap())
        .collect();
    assert_eq!((pages[1]["page"].as_str(), changes.as_slice()), (Some("http://a/edited"), &[1.0, 0.0][..]));
    assert_eq!(pages[2]["gone_at"], "2026-06-01T00:00:00Z");
    run(&folder, "changes --data nowhere", 4);
    run(&folder, "changes --data d may.jsonl", 2);
    run(&folder, "changes", 2);
}

#[test]
fn a_folder_to_look_at() {
    let folder = Folder::with(&[("v.jsonl", versions()), ("out/pages/000009.html", String::new())]);
    run(&folder, "changes --quiet v.jsonl -o out", 0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let index = read("index.html");
    assert!(index.contains("<svg") && index.contains("href=\"pages/000002.html\""));
    assert!(index.find("http://a/rewritten") < index.find("http://a/spaces"));
    assert!(read("pages/000002.html").contains("href=\"http://a/rewritten\""));
    assert_eq!(read("pages.jsonl").lines().count(), 3);
    assert_eq!(read("intervals.csv").lines().count(), 4);
    let overall: Value = serde_json::from_str(&read("overall.json")).unwrap();
    assert_eq!(overall["distribution"]["ied"], json!([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
    assert!(!folder.path().join("out/pages/000009.html").exists(), "of an earlier report");
    run(&folder, "changes out/pages.jsonl -o out", 2);
}

#[test]
fn inputs_that_are_out_to_harm() {
    let script = "</title><script>alert(1)</script>";
    let evil = lines(&[
        record(script, "2024-01-01", "<img src=x onerror=alert(2)>"),
        record(script, "2024-01-02", "\u{202e}\u{1b}[31m"),
        record(script, "9999999999999999999", "far away"),
        record(script, "2024-01-03", &"x ".repeat(10_000)),
        json!({"url": "http://a", "date": null, "text": "no date"}),
        json!({"url": "http://a", "date": ["2024"], "text": "a list"}),
        json!({"url": "http://a", "date": "2024-01-01"}),
        json!({"url": "http://a", "date": "2024-01-01", "versions": "none"}),
        json!({"url": "http://a", "date": "2024-01-01", "features": ["a", "b"]}),
        json!({"url": "http://b", "versions": []}),
        json!({"url": "http://far", "date": -62_135_596_800_i64, "text": "early"}),
        json!({"url": "http://far", "date": 253_402_128_000_i64, "text": "late"}),
    ]);
    let folder = Folder::with(&[("evil.jsonl", evil), ("empty.jsonl", String::new())]);
    let said = run(&folder, "changes evil.jsonl -o out", 0);
    assert!(said.stderr.contains("firstcopy: 7 documents; 5 bad records left out"), "{said:?}");
    assert!(!said.stdout.contains('\u{1b}') && !said.stderr.contains('\u{1b}'));
    for file in ["index.html", "pages/000001.html", "pages/000002.html"] {
        let Ok(html) = std::fs::read_to_string(folder.path().join("out").join(file)) else { continue };
        assert!(!html.contains("<script") && !html.contains("<img"), "{file}");
    }
    let nothing = run(&folder, "changes empty.jsonl -o nothing", 0);
    assert!(nothing.stdout.starts_with("0 pages, 0 versions: 0 of 0 intervals changed"), "{nothing:?}");
    run(&folder, "changes missing.jsonl", 3);
    run(&folder, "changes --temp-dir missing empty.jsonl", 2);
}

#[test]
fn threads_change_nothing() {
    let records: Vec<Value> = (0..400)
        .map(|n| {
            let text = words("w", 20 + n % 17) + &words("x", n % 5);
            record(&format!("http://a/{}", n % 60), &format!("2024-{:02}-01", 1 + n / 60), &text)
        })
        .collect();
    let folder = Folder::with(&[("v.jsonl", lines(&records))]);
    let one = run(&folder, "changes --json --threads 1 v.jsonl -o one", 0).stdout;
    assert_eq!(one, run(&folder, "changes --json --threads 2 v.jsonl -o two", 0).stdout);
    let index = |name: &str| std::fs::read(folder.path().join(name).join("index.html")).unwrap();
    assert_eq!(index("one"), index("two"));
}
