//! JSON files that are an array, or one object spread over lines.

use firstcopy_input::ReadOptions;

use crate::support::{limited, read_bytes};

#[test]
fn items_of_arrays_and_spread_objects() {
    let check = |bytes: &str, expected: &[&str]| {
        assert_eq!(read_bytes("a.json", bytes, ReadOptions::default()), expected, "{bytes}");
    };
    check("[]", &[]);
    check(
        "[{\"id\":1,\"text\":\"a]}\\\"\"},\n {\"id\":2,\"text\":\"b\"}]\n",
        &["1 = text(utf-8) a]}\\\"", "2 = text(utf-8) b"],
    );
    check("\u{feff}[\n{\"text\":\"a\"}\n]", &["a.json:item 1 = text(utf-8) a"]);
    check("{\n  \"text\": \"a\",\n  \"x\": [1, {}]\n}\n", &["a.json:item 1 = text(utf-8) a"]);
    check("{\"text\":\"a\"}\n{\"text\":\"b\"}\n", &["a.json:1 = text(utf-8) a", "a.json:2 = text(utf-8) b"]);
    check(
        "[{\"text\":\"a\"}, 17, {\"text\":\"c\"",
        &[
            "a.json:item 1 = text(utf-8) a",
            "REJECT a.json: item 2: not a JSON object: write one object a line, {\"id\": …, \"text\": …}",
            "REJECT a.json: item 3: cannot be read (the file ends inside an item): fetch or copy the file again",
        ],
    );
}

#[test]
fn a_large_item_is_passed_over() {
    let json = format!("[{{\"text\":\"{}\"}},{{\"text\":\"b\"}}]", "a".repeat(5000));
    assert_eq!(
        read_bytes("a.json", json, limited(1024)),
        [
            "REJECT a.json: item 1: the item is larger than 1 KiB: raise --max-document-size to read it",
            "a.json:item 2 = text(utf-8) b"
        ]
    );
}

#[test]
fn no_depth_overflows_the_stack() {
    let read = read_bytes("a.json", "[".repeat(100_000), ReadOptions::default());
    assert_eq!(
        read,
        [
            "REJECT a.json: item 1: cannot be read (the file ends inside an item): fetch or copy the file again"
        ]
    );
}
