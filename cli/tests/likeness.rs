//! The likeness of two texts as every command tells it: the same figures and the same relation, whichever is asked.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Folder, Run};

/// A post of 85 words.
const POST: &str = "우리 동네 빵집이 이번 달 말에 문을 닫는다고 합니다. 사십 년 동안 새벽마다 빵을 굽던 주인 할아버지는 밀가루 값과 \
    전기 요금이 두 배로 올랐고 새벽 세 시에 일을 시작하려는 젊은이가 없다고 말했습니다. 이웃들은 서명을 모아 구청에 냈고 구청장은 \
    다음 주에 만나서 이야기를 듣겠다고 약속했습니다. 은퇴한 국어 선생님은 토요일마다 호밀빵을 대신 구워 보겠다고 나섰습니다. \
    저도 어릴 때 학교가 끝나면 그곳에 들러 따뜻한 단팥빵을 사 먹던 기억이 납니다. 작은 가게가 하나씩 사라지면 골목의 불빛도 함께 \
    사라집니다. 서명에 함께해 주실 분은 가게 앞에 놓인 공책에 이름을 적어 주세요.";

/// A text that has nothing to do with the post.
const OTHER: &str = "어제 밤 북쪽 산간 지역에 많은 눈이 내려 기차가 여러 시간 늦게 도착했고 승객들은 역에서 추위에 떨며 기다려야 했다. \
    철도 공사는 제설 작업을 마치는 대로 모든 노선을 다시 운행하겠다고 밝혔으며 환불은 각 역의 창구에서 받을 수 있다고 안내했다. \
    기상청은 주말까지 영하의 날씨가 이어지니 노약자는 외출을 삼가고 수도관이 얼지 않도록 미리 살펴 달라고 당부했다.";

fn edited() -> String {
    POST.replace("동네", "마을").replace("작은", "오래된")
}

fn run(folder: &Folder, arguments: &str, code: i32) -> Run {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {run:?}");
    run
}

/// The answer of one command about the later text.
#[derive(Debug, PartialEq)]
struct Told {
    likeness: f64,
    covered: f64,
    original_covered: f64,
    relation: Value,
}

impl Told {
    fn of(answer: &Value, covered: &str, original_covered: &str) -> Self {
        let share = |name: &str| answer[name].as_f64().unwrap_or_else(|| panic!("{name}: {answer}"));
        Told {
            likeness: share("likeness"),
            covered: share(covered),
            original_covered: share(original_covered),
            relation: answer["relation"].clone(),
        }
    }
}

/// Clusters and deduplicates two files: the later one goes if it is expected to be a copy, with the expected figures.
#[track_caller]
fn check_batch(folder: &Folder, (earlier, later): (&str, &str), expected: Option<&Told>) {
    for output in ["clusters", "clean"] {
        let _ = std::fs::remove_dir_all(folder.path().join(output));
    }
    run(folder, &format!("cluster --quiet {earlier} {later} -o clusters"), 0);
    run(folder, &format!("dedup --quiet {earlier} {later} -o clean"), 0);
    let lines = |path: &str| -> Vec<Value> {
        let lines = std::fs::read_to_string(folder.path().join(path)).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let member = lines("clusters/members.jsonl").pop().unwrap();
    let removed = lines("clean/removed.jsonl");
    assert_eq!(
        (&member["is_duplicate"], removed.len()),
        (&json!(expected.is_some()), usize::from(expected.is_some()))
    );
    for answer in expected.iter().flat_map(|_| [&member, &removed[0]]) {
        let likeness = answer["likeness"].as_f64().unwrap();
        let expected = expected.unwrap();
        assert!((likeness - expected.likeness).abs() < 1e-6, "{answer}: {expected:?}");
        assert_eq!(answer["relation"], expected.relation);
    }
}

/// A page of links under a notice, which is all that the extractor keeps of it.
fn notice_page(title: &str, link: &str) -> String {
    let links: String =
        (0..12).map(|number| format!("<li><a href=/{number}>{link} {number}</a></li>")).collect();
    let notice = "This page was translated by volunteers; please ask the list if a sentence is hard to understand, or send a \
                  correction to the author of the page, or read the original of it, which is in English and may be newer than \
                  what you find here in your own language.";
    let menu = "<nav><a href=/a>Home</a> <a href=/b>Contents</a> <a href=/c>About this manual</a></nav>";
    format!("<body>{menu}<div role=main><h1>{title}</h1><div><p>{notice}</p></div><ul>{links}</ul></div>")
}

#[test]
fn pages_that_share_only_a_notice_are_copies_for_no_command() {
    let pages = [
        ("sound.html", notice_page("Sound", "Driver of the sound chip")),
        ("printer.html", notice_page("Paper", "How printers feed tray")),
    ];
    let copy = pages[0].1.replace("<h1>", "<h1 class=title>");
    let folder =
        Folder::with(&[("sound.html", &pages[0].1), ("printer.html", &pages[1].1), ("copy.html", &copy)]);
    run(&folder, "add --quiet sound.html", 0);
    let of = |arguments: &str, code: i32| run(&folder, arguments, code).json();
    let checked = of("check --json printer.html", 0).pop().unwrap();
    assert!(checked["read_share"].as_f64().unwrap() < 0.5, "{checked}");
    assert_eq!(of("compare --quiet --json sound.html printer.html", 0)[0]["relation"], checked["relation"]);
    assert_eq!(of("similar --json --min-likeness 0.8 printer.html", 0).len(), 0);
    check_batch(&folder, ("sound.html", "printer.html"), None);
    let checked = of("check --json copy.html", 1).pop().unwrap();
    assert_eq!(checked["relation"], "same_words");
    let compared = of("compare --quiet --json sound.html copy.html", 0).pop().unwrap();
    let expected = Told::of(&compared, "covered_b", "covered_a");
    assert_eq!(Told::of(&of("similar --json copy.html", 1)[0], "covered", "original_covered"), expected);
    assert_eq!(Told::of(&checked, "covered", "original_covered"), expected);
    check_batch(&folder, ("sound.html", "copy.html"), Some(&expected));
}

#[test]
fn every_command_says_the_same_of_a_pair() {
    let words: Vec<&str> = POST.split_whitespace().collect();
    let half = words[..words.len() / 2].join(" ");
    let long = format!("{OTHER}\n{POST}\n{}", OTHER.replace("눈이", "비가").replace("기차", "버스"));
    let quoting = format!("{}\n{OTHER}", words[..50].join(" "));
    let moved = format!("{} {half}", words[words.len() / 2..].join(" "));
    for (earlier, later, relation, code) in [
        (POST, POST, "identical", 1),
        (POST, &POST.replace(". ", " … "), "same_words", 1),
        (POST, &edited(), "edited", 1),
        (POST, &moved, "edited", 1),
        (POST, &half, "excerpt", 1),
        (POST, &long, "extended", 0),
        (POST, &quoting, "quotes", 0),
        (&long, POST, "excerpt", 1),
    ] {
        let folder = Folder::with(&[("earlier.txt", earlier), ("later.txt", later)]);
        run(&folder, "add --quiet earlier.txt", 0);
        let answer = |arguments: &str, code: i32| run(&folder, arguments, code).json()[0].clone();
        let checked = answer("check --json later.txt", code);
        let similar = answer("similar --json --min-resemblance 0.01 --min-containment 0.1 later.txt", 1);
        let added = answer("add --json later.txt", 0);
        let compared = answer("compare --quiet --json earlier.txt later.txt", 0);
        let expected = Told::of(&compared, "covered_b", "covered_a");
        assert_eq!(expected.relation, relation, "{later}");
        for (command, answer) in [("check", &checked), ("similar", &similar), ("add", &added)] {
            assert_eq!(Told::of(answer, "covered", "original_covered"), expected, "{command}: {later}");
        }
        check_batch(&folder, ("earlier.txt", "later.txt"), (code == 1).then_some(&expected));
        let verdict = if code == 1 { "duplicate" } else { "original" };
        assert_eq!((&checked["verdict"], &added["verdict"]), (&json!(verdict), &json!(verdict)), "{later}");
        assert_eq!(added["nearest"]["id"], "earlier.txt");
    }
}

#[test]
fn post_of_85_words_with_two_changed_is_a_duplicate() {
    assert_eq!(POST.split_whitespace().count(), 85);
    let first = json!({
        "id": "first", "url": "https://blog.example.kr/1", "title": "동네 빵집", "text": POST,
        "created_at": "2017-08-26T00:00:00Z",
    });
    let folder = Folder::with(&[("first.jsonl", first.to_string()), ("copy.txt", edited())]);
    run(&folder, "add --quiet first.jsonl", 0);
    let verdict = run(&folder, "check --json copy.txt", 1).json()[0].clone();
    assert_eq!((&verdict["verdict"], &verdict["relation"]), (&json!("duplicate"), &json!("edited")));
    let shown = run(&folder, "add copy.txt", 0).stdout;
    let lines: Vec<&str> = shown.lines().collect();
    let covered = (100.0 * verdict["covered"].as_f64().unwrap()).round();
    let expected = format!(
        "copy.txt: {covered} % of this text is in 동네 빵집 (blog.example.kr, 2017-08-26): the same text with changes."
    );
    assert_eq!(lines[0], expected);
    let likeness = verdict["likeness"].as_f64().unwrap();
    assert!((0.9..1.0).contains(&likeness), "{verdict}");
    assert_eq!(lines[1], format!("           duplicate of first, likeness {likeness:.3}, relation edited"));
    // In the words of the other commands.
    let compared = run(&folder, "compare --quiet copy.txt copy.txt", 0).stdout;
    assert!(compared.starts_with("100 % is the same: identical, byte for byte.\n"), "{compared}");
    let similar = run(&folder, "similar --stored copy.txt", 1).stdout;
    let expected = format!(
        "  {covered} % of it is in first https://blog.example.kr/1: the same text with changes (likeness "
    );
    assert!(similar.lines().nth(1).unwrap().starts_with(&expected), "{similar}");
}

#[test]
fn original_that_quotes_names_its_source_and_how_much() {
    let words: Vec<&str> = POST.split_whitespace().collect();
    let quoting = format!("{}\n{OTHER}", words[..40].join(" "));
    let folder = Folder::with(&[("first.txt", POST), ("quoting.txt", &quoting)]);
    run(&folder, "add --quiet first.txt", 0);
    let shown = run(&folder, "check quoting.txt", 0).stdout;
    assert!(shown.contains(" % of this text is in first.txt ("), "{shown}");
    assert!(
        shown.contains("original; closest is first.txt, likeness 0.") && shown.contains("relation quotes"),
        "{shown}"
    );
    assert!(!shown.contains("No copy") && !shown.contains("nobody"), "{shown}");
}

#[test]
fn compare_answers_in_one_sentence() {
    let words: Vec<&str> = POST.split_whitespace().collect();
    let (half, quoting) = (words[..40].join(" "), format!("{}\n{OTHER}", words[..20].join(" ")));
    let folder = Folder::with(&[
        ("post.txt", POST),
        ("edited.txt", &edited()),
        ("half.txt", &half),
        ("quoting.txt", &quoting),
        ("other.txt", OTHER),
    ]);
    for (arguments, expected) in [
        (
            "post.txt edited.txt",
            "97 % of the words are the same, in the same order or moved: the same text with changes.",
        ),
        ("post.txt half.txt", "B is an excerpt of A: 100 % of B is in A."),
        ("half.txt post.txt", "A is an excerpt of B: 100 % of A is in B."),
        ("post.txt other.txt", "They are different texts: 0 % of the words are the same."),
    ] {
        let shown = run(&folder, &format!("compare --quiet {arguments}"), 0).stdout;
        assert_eq!(shown.lines().next(), Some(expected), "{arguments}");
    }
    let shown = run(&folder, "compare --quiet post.txt quoting.txt", 0).stdout;
    assert!(
        shown.starts_with("They have passages in common: ") && shown.contains(" % of B is in A.\n"),
        "{shown}"
    );
}

/// A page of a template: the same words around other facts.
fn weather(town: &str, numbers: [u32; 6]) -> String {
    let [day, high, low, wind, rain, sun] = numbers;
    format!(
        "Weather report for the town of {town} on the {day} of May. It will be sunny in the morning with a high of {high} \
         degrees and cloudy later with a low of {low} degrees during the night. Winds come from the west at {wind} \
         kilometres an hour. The chance of rain is {rain} per cent, and the sun will be seen for {sun} hours. Please check \
         our page again in the evening, when the next report is published, and tell your neighbours about it."
    )
}

#[test]
fn pages_of_one_template_are_no_copies_and_say_so() {
    let (lyon, paris) = (weather("Lyon", [3, 23, 11, 14, 20, 9]), weather("Paris", [9, 17, 8, 30, 65, 4]));
    let folder = Folder::with(&[("lyon.txt", lyon), ("paris.txt", paris)]);
    run(&folder, "add --quiet lyon.txt", 0);
    let shown = run(&folder, "check paris.txt", 0).stdout;
    assert!(shown.contains("pages of one template"), "{shown}");
    assert!(
        shown.contains("template: numbers and names differ, so the words in common do not make it a copy"),
        "{shown}"
    );
    let compared = run(&folder, "compare --quiet lyon.txt paris.txt", 0).stdout;
    assert!(
        compared
            .contains("of the words are the same, but numbers and names differ: pages of one template.\n"),
        "{compared}"
    );
    assert_eq!(run(&folder, "compare --quiet --json lyon.txt paris.txt", 0).json()[0]["template"], true);
}

#[test]
fn empty_collection_says_so() {
    let folder = Folder::with(&[("post.txt", POST)]);
    assert_eq!(folder.run("add --format jsonl -", "").code, Some(0));
    let checked = run(&folder, "check post.txt", 0).stdout;
    assert_eq!(
        checked.lines().collect::<Vec<_>>(),
        [
            "post.txt: The collection is empty: there is nothing to compare this text with.",
            "           original"
        ]
    );
    assert_eq!(
        run(&folder, "similar post.txt", 0).stdout,
        "post.txt: 0 similar documents; the collection is empty\n"
    );
    run(&folder, "add --quiet post.txt", 0);
    std::fs::write(folder.path().join("other.txt"), OTHER).unwrap();
    let checked = run(&folder, "check other.txt", 0).stdout;
    assert!(checked.starts_with("other.txt: No copy of this text is in the collection"), "{checked}");
}

#[test]
fn what_is_no_text_ends_with_code_3() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".as_slice();
    let pdf = b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj".as_slice();
    let record = format!("{}\n", json!({ "id": "in-a-record", "text": "%PDF-1.4 stream" }));
    let folder = Folder::with(&[
        ("a.pdf", pdf),
        ("image.png", png),
        ("zeros", &[0; 5000]),
        ("zeros.txt", &[0; 5000]),
        ("records.jsonl", record.as_bytes()),
        ("post.txt", POST.as_bytes()),
    ]);
    run(&folder, "add --quiet post.txt", 0);
    let without_detection = "could not be read: it is";
    for (input, reason) in [
        ("a.pdf", "a.pdf: a PDF file, not html, text, jsonl, parquet or warc"),
        (
            "--format text a.pdf",
            "a.pdf: could not be read: it is a PDF document, not text; give its text, or its HTML",
        ),
        ("--format html a.pdf", without_detection),
        ("image.png", "image.png: a PNG image, not html, text, jsonl, parquet or warc"),
        ("--format html image.png", "image.png: could not be read: it is a PNG image, not text"),
        ("zeros", "zeros: binary data, not html, text, jsonl, parquet or warc"),
        ("zeros.txt", "zeros.txt: could not be read: it is binary data, not text"),
        ("records.jsonl", "records.jsonl: line 1: could not be read: it is a PDF document, not text"),
        ("a.pdf image.png zeros.txt", without_detection),
    ] {
        for command in ["add", "add --passages", "check", "similar"] {
            let refused = run(&folder, &format!("{command} {input}"), 3);
            assert!(refused.stderr.contains(reason), "{command} {input}: {}", refused.stderr);
            assert!(refused.stderr.contains("nothing of what was given could be read"), "{}", refused.stderr);
            assert_eq!(refused.stdout, "", "{command} {input}");
        }
    }
    for inputs in ["zeros.txt zeros.txt", "post.txt zeros.txt", "records.jsonl post.txt", "a.pdf image.png"] {
        let refused = run(&folder, &format!("compare {inputs}"), 3);
        assert!(
            refused.stderr.contains("not text") || refused.stderr.contains("not html"),
            "{}",
            refused.stderr
        );
        assert_eq!(refused.stdout, "");
    }
    let inspected = run(&folder, "inspect zeros.txt", 0).stdout;
    assert!(
        inspected.starts_with("zeros.txt: could not be read: it is binary data, not text; "),
        "{inspected}"
    );
    assert_eq!(run(&folder, "stats --json", 0).json()[0]["documents"], 1);
}

#[test]
fn what_is_no_text_is_listed_and_the_rest_goes_on() {
    let records =
        [json!({ "id": "bad", "text": "\u{0}".repeat(500) }), json!({ "id": "good", "text": POST })];
    let lines = records.map(|record| format!("{record}\n")).concat();
    let folder = Folder::with(&[("records.jsonl", lines.as_bytes()), ("zeros.txt", &[0; 500])]);
    let added = run(&folder, "add --json --rejects rejects.jsonl records.jsonl zeros.txt", 0);
    assert_eq!(added.json().len(), 1);
    assert!(added.stderr.contains("1 document; 2 bad records left out"), "{}", added.stderr);
    let rejects = std::fs::read_to_string(folder.path().join("rejects.jsonl")).unwrap();
    let rejects: Vec<Value> = rejects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reason = "could not be read: it is binary data, not text; give its text, or its HTML";
    assert_eq!(
        rejects,
        [
            json!({ "file": "records.jsonl", "record": "line 1", "reason": reason }),
            json!({ "file": "zeros.txt", "record": "", "reason": reason }),
        ]
    );
    run(&folder, "check --strict records.jsonl", 3);
    run(&folder, "check records.jsonl", 0);
}

/// A crawl of which nothing could be read does not say that all pages are gone.
#[test]
fn sweep_that_cannot_be_read_marks_nothing_gone() {
    let page = json!({ "url": "https://a.example/", "text": POST }).to_string();
    let folder = Folder::with(&[("may.jsonl", page.as_bytes()), ("june.txt", &[0; 500])]);
    run(&folder, "add --quiet --sweep 2026-05-01 may.jsonl", 0);
    run(&folder, "add --quiet --sweep 2026-06-01 june.txt", 3);
    assert_eq!(run(&folder, "stats --json", 0).json()[0]["gone"], 0);
}

#[test]
fn little_read_of_a_page_is_said() {
    let chapter = |number| {
        format!("<p>Chapter {number} explains how one part is taken off, cleaned and put on again.</p>")
    };
    let aside: String = (0..60).map(chapter).collect();
    let page = format!("<body><article><h1>Note</h1><p>{OTHER}</p></article><aside>{aside}</aside></body>");
    let folder = Folder::with(&[("page.html", page.as_str())]);
    let added = run(&folder, "add page.html", 0).stdout;
    let share = run(&folder, "check --json page.html", 0).json()[0]["read_share"].as_f64().unwrap();
    assert!((0.01..0.2).contains(&share), "{share}");
    let expected = format!("           {:.0} % of the page was read as its text\n", 100.0 * share);
    assert!(added.contains(&expected), "{added}");
    assert!(run(&folder, "inspect page.html", 0).stdout.contains(expected.trim_start()));
}

#[test]
fn settings_of_a_data_directory_are_chosen_once() {
    let folder = Folder::with(&[("post.txt", POST), ("edited.txt", &edited())]);
    let duplicates = "--duplicates same_words,identical";
    run(&folder, &format!("add --quiet --data exact {duplicates} --min-likeness 0.9 post.txt"), 0);
    run(&folder, "check --quiet --data exact edited.txt", 0);
    run(
        &folder,
        "check --quiet --data exact --duplicates identical,same_words --policy likeness edited.txt",
        0,
    );
    let stats = run(&folder, "stats --data exact", 0).stdout;
    assert!(stats.contains("policy     likeness, from 0.9 on: identical, same_words\n"), "{stats}");
    for (arguments, stored, flag) in [
        ("--min-likeness 0.8", "stored with min-likeness 0.9, asked for 0.8", "--min-likeness 0.8"),
        (
            "--duplicates identical",
            "stored with duplicates identical,same_words, asked for identical",
            "--duplicates identical",
        ),
        ("--policy paper", "stored with policy likeness, asked for paper", "--policy paper"),
    ] {
        let mixed = run(&folder, &format!("add --data exact {arguments} post.txt"), 2);
        assert!(mixed.stderr.contains(stored), "{}", mixed.stderr);
        assert!(mixed.stderr.contains(&format!("firstcopy reindex {flag}")), "{}", mixed.stderr);
    }
    let changed = run(&folder, "reindex --data exact --duplicates identical,same_words,edited", 0).stdout;
    assert_eq!(changed, "1 document judged anew, 0 verdicts changed\n");
    run(&folder, "check --quiet --data exact edited.txt", 1);
    // The older flag chooses the older policy.
    run(&folder, "add --quiet --data old --min-resemblance 0.7 post.txt", 0);
    assert!(run(&folder, "stats --data old", 0).stdout.contains("policy     resemblance, from 0.7 on\n"));
    for wrong in
        ["--min-likeness 0", "--min-likeness 1.5", "--duplicates none", "--duplicates copy", "--policy words"]
    {
        run(&folder, &format!("add --data new {wrong} post.txt"), 2);
    }
    assert!(!folder.path().join("new").exists());
}

/// Every eighth word is another one: no ten words in a row are the same.
fn edited_all_over() -> String {
    let words = POST.split_whitespace().enumerate();
    words.map(|(place, word)| if place % 8 == 7 { "달라진" } else { word }).collect::<Vec<_>>().join(" ")
}

#[test]
fn similar_finds_what_check_finds() {
    let folder =
        Folder::with(&[("post.txt", POST), ("edited.txt", &edited_all_over()), ("other.txt", OTHER)]);
    run(&folder, "add --quiet post.txt other.txt", 0);
    let checked = run(&folder, "check --json edited.txt", 1).json()[0].clone();
    assert_eq!(checked["original"], "post.txt");
    let similar = run(&folder, "similar --json edited.txt", 1).json();
    assert_eq!(similar.len(), 1, "{similar:?}");
    assert_eq!(
        (&similar[0]["id"], &similar[0]["relation"], &similar[0]["likeness"]),
        (&json!("post.txt"), &checked["relation"], &checked["likeness"])
    );
    run(&folder, "similar --min-likeness 0.8 edited.txt", 1);
    run(&folder, "similar --min-likeness 0.99 edited.txt", 0);
    run(&folder, "similar --min-resemblance 0.5 edited.txt", 0);
    // Found from the other side, too, after the copy was stored.
    run(&folder, "add --quiet edited.txt", 0);
    assert_eq!(run(&folder, "similar --json --stored post.txt", 1).json()[0]["id"], "edited.txt");
    run(&folder, "verify", 0);
    run(&folder, "delete edited.txt", 0);
    run(&folder, "similar --stored post.txt", 0);
}

#[test]
fn similar_filters_by_likeness() {
    let folder = Folder::with(&[("post.txt", POST), ("edited.txt", &edited()), ("draft.txt", POST)]);
    run(&folder, "add --quiet post.txt edited.txt", 0);
    let ids = |arguments: &str, code: i32| -> Vec<Value> {
        let run = run(&folder, &format!("similar --json {arguments} draft.txt"), code);
        run.json().iter().map(|line| line["id"].clone()).collect()
    };
    assert_eq!(ids("", 1), ["post.txt", "edited.txt"]);
    assert_eq!(ids("--min-likeness 0.8", 1), ["post.txt", "edited.txt"]);
    assert_eq!(ids("--min-likeness 1", 1), ["post.txt"]);
    assert_eq!(ids("--min-likeness 0.8 --limit 1", 1), ["post.txt"]);
    run(&folder, "similar --min-likeness 0 draft.txt", 2);
}
