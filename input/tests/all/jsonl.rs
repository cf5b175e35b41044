//! Lines of JSON: fields, dates, ids, and what has to be mended or rejected.

use firstcopy_input::{Keys, ReadOptions, open};
use serde_json::json;

use crate::support::{Folder, read, read_bytes};

#[test]
fn all_fields() {
    let folder = Folder::new();
    let line = json!({
        "id": "a", "url": "https://example.com/", "text": "words", "title": "T", "author": "A",
        "created_at": "2010-03-04T05:06:07Z", "likes": 3, "tags": ["x", {"y": null}], "none": null
    });
    let path = folder.file("a.jsonl", line.to_string());
    let page = read(&[&path], ReadOptions::default()).remove(0).unwrap();
    assert_eq!(page.url.as_deref(), Some("https://example.com/"));
    assert_eq!((page.title.as_deref(), page.author.as_deref()), (Some("T"), Some("A")));
    assert_eq!(page.created_at, Some(1_267_679_167));
    assert_eq!(
        serde_json::Value::Object(page.metadata),
        json!({"likes": 3, "tags": ["x", {"y": null}], "none": null})
    );
    assert!(page.warnings.is_empty());
}

fn check(line: impl AsRef<[u8]>, expected: &str) {
    let name = String::from_utf8_lossy(line.as_ref()).chars().take(80).collect::<String>();
    assert_eq!(read_bytes("a.jsonl", line, ReadOptions::default()), [expected], "{name}");
}

#[test]
fn ids() {
    check(r#"{"id":17,"text":"x"}"#, "17 = text(utf-8) x");
    check(r#"{"id":-0.50,"text":"x"}"#, "-0.50 = text(utf-8) x");
    check(
        r#"{"id":123456789012345678901234567890,"text":"x"}"#,
        "123456789012345678901234567890 = text(utf-8) x",
    );
    check(r#"{"id":null,"url":"u:1","text":"x"}"#, "u:1 = text(utf-8) x");
    check(r#"{"id":"","text":"x"}"#, "a.jsonl:1 = text(utf-8) x");
    check(r#"{"id":["a"],"text":"x"}"#, "a.jsonl:1 = text(utf-8) x");
    check(r#"{"id":"first","id":"last","text":"x"}"#, "last = text(utf-8) x");
}

#[test]
fn contents() {
    check(r#"{"text":"t","html":"<h>","features":[1]}"#, "a.jsonl:1 = text(utf-8) t");
    check(r#"{"text":"","html":"<h>"}"#, "a.jsonl:1 = html(utf-8) <h>");
    check(
        r#"{"text":null,"html":"","features":[1,"b",-2,18446744073709551615]}"#,
        r#"a.jsonl:1 = features [1,"b",-2,"18446744073709551615"]"#,
    );
    check(r#"{"text":""}"#, "a.jsonl:1 = text(utf-8) ");
    check(r#"{"features":[]}"#, "a.jsonl:1 = features []");
    check(
        r#"{"text":"a\u0000b\n\u00e9\ud83d\ude00"}"#,
        r"a.jsonl:1 = text(utf-8) a\x00b\n\xc3\xa9\xf0\x9f\x98\x80",
    );
    check("{\"text\":\"x\"}\r", "a.jsonl:1 = text(utf-8) x");
    check("\u{feff}{\"text\":\"x\"}", "a.jsonl:1 = text(utf-8) x");
    check(
        r#"{"text":"x","created_at":"soon"}"#,
        "a.jsonl:1 = text(utf-8) x ! created_at \"soon\" is not a date: use RFC 3339 or Unix seconds",
    );
}

#[test]
fn what_is_not_unicode_is_mended() {
    let surrogate = "! a lone surrogate (\\ud800 to \\udfff) was replaced by U+FFFD";
    check(r#"{"text":"a\ud800b"}"#, &format!(r"a.jsonl:1 = text(utf-8) a\xef\xbf\xbdb {surrogate}"));
    check(r#"{"id":"x\udc00","text":"y"}"#, &format!("x\u{fffd} = text(utf-8) y {surrogate}"));
    check(
        b"{\"text\":\"a\xffb\"}",
        r"a.jsonl:1 = text(utf-8) a\xef\xbf\xbdb ! invalid UTF-8 was replaced by U+FFFD",
    );
    check(
        b"{\"text\":\"a\",\"\xc3\":\"\xed\xa0\x80\"}",
        "a.jsonl:1 = text(utf-8) a ! invalid UTF-8 was replaced by U+FFFD",
    );
}

#[test]
fn rejects() {
    let keys = "name the right one with --text-key, --html-key or --features-key";
    check(
        r#"{"id":1,"body":"x","created_at":5}"#,
        &format!(
            "REJECT a.jsonl: line 1: neither `text`, `html` nor `features` among its keys (id, created_at, body): {keys}"
        ),
    );
    check(
        "{}",
        &format!(
            "REJECT a.jsonl: line 1: neither `text`, `html` nor `features` among its keys (it has none): {keys}"
        ),
    );
    check(
        r#"{"features":[1,{}]}"#,
        "REJECT a.jsonl: line 1: `features` holds something else than strings and integers: convert it",
    );
    check(
        r#"{"text":"x",}"#,
        "REJECT a.jsonl: line 1: not valid JSON (key must be a string, column 13): mend or remove the record",
    );
    check(
        r#"{"text":"x"} {"text":"y"}"#,
        "REJECT a.jsonl: line 1: not valid JSON (trailing characters, column 14): mend or remove the record",
    );
    check(
        "{\"text\":\"a\0b\"}",
        "REJECT a.jsonl: line 1: not valid JSON (control character (\\u0000-\\u001F) found while parsing a string, column 10): mend or remove the record",
    );
    for line in ["[1,2]", "17", "hello", "\0\0\0", "\"text\""] {
        check(
            line,
            "REJECT a.jsonl: line 1: not a JSON object: write one object a line, {\"id\": …, \"text\": …}",
        );
    }
}

#[test]
fn no_depth_overflows_the_stack() {
    let deep = 100_000;
    check(
        "[".repeat(deep),
        "REJECT a.jsonl: line 1: not a JSON object: write one object a line, {\"id\": …, \"text\": …}",
    );
    let closed = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    check(
        format!("{{\"text\":\"x\",\"meta\":{closed}}}"),
        "REJECT a.jsonl: line 1: cannot be taken in (nested deeper than 100 levels): simplify the record",
    );
    for line in [
        format!("{{\"text\":{closed}}}"),
        format!("{{\"meta\":{closed},\"id\":1.5,\"text\":\"x\"}}"),
        "{\"a\":".repeat(deep),
    ] {
        let read = read_bytes("a.jsonl", line, ReadOptions::default());
        assert!(read.len() == 1 && read[0].starts_with("REJECT a.jsonl: line 1: "), "{read:?}");
    }
}

#[test]
fn a_hostile_line_is_read_once() {
    let line = format!("{{\"text\":\"{}\"{}}}", "x".repeat(4_000_000), ",\"id\":1.50".repeat(400_000));
    let start = std::time::Instant::now();
    check(line, "1.50 = text(utf-8) 4000000 bytes");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_bad_line_stops_nothing() {
    let lines = "\n{\"text\":\"a\"}\n  \r\nnot json\n\n{\"text\":\"b\"}\n{\"text\":\"c\"}";
    assert_eq!(
        read_bytes("a.jsonl", lines, ReadOptions::default()),
        [
            "a.jsonl:2 = text(utf-8) a",
            "REJECT a.jsonl: line 4: not a JSON object: write one object a line, {\"id\": …, \"text\": …}",
            "a.jsonl:6 = text(utf-8) b",
            "a.jsonl:7 = text(utf-8) c",
        ]
    );
}

#[test]
fn keys_can_be_renamed() {
    let keys = Keys { id: "n".to_owned(), text: "body".to_owned(), ..Keys::default() };
    let options = ReadOptions { keys, ..ReadOptions::default() };
    let folder = Folder::new();
    let path = folder.file("a.jsonl", r#"{"id":"meta","n":"5","text":"meta","body":"x"}"#);
    let page = read(&[&path], options).remove(0).unwrap();
    assert_eq!(page.id, "5");
    assert_eq!(page.metadata.keys().collect::<Vec<_>>(), ["id", "text"]);
}

#[test]
fn a_field_may_stand_in_for_content() {
    let folder = Folder::new();
    let path =
        folder.file("a.jsonl", "{\"id\":1,\"versions\":[{\"text\":\"x\"}]}\n{\"id\":2,\"version\":3}\n");
    let options = ReadOptions { stand_ins: vec!["versions".to_owned()], ..ReadOptions::default() };
    let pages: Vec<_> = open(std::slice::from_ref(&path), options).unwrap().pages().collect();
    let page = pages[0].as_ref().unwrap();
    assert!(page.content.is_empty() && page.metadata["versions"][0]["text"] == "x");
    assert!(pages[1].as_ref().unwrap_err().reason.starts_with("neither `text`"));
    assert!(open(&[path], ReadOptions::default()).unwrap().pages().all(|page| page.is_err()));
}
