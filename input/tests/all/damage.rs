//! Streams that end early or are damaged: what is whole is read, what is not is named.

use firstcopy_input::ReadOptions;

use crate::support::{gzip, read_bytes, zstd};

fn lines(from: usize, to: usize) -> String {
    // Words that do not compress well, so that a cut falls inside the data.
    let noise = |n: usize| {
        (0..40).map(|k| format!("{:x} ", (n * 7919 + k * 104_729) * 2_654_435_761)).collect::<String>()
    };
    (from..to).map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", noise(n))).collect()
}

#[test]
fn truncated_streams() {
    let whole = lines(0, 2000);
    for (name, mut bytes, reason) in [
        ("a.jsonl.gz", gzip(&whole), "the gzip stream ends in the middle"),
        ("a.jsonl.zst", zstd(&whole), "incomplete frame"),
    ] {
        bytes.truncate(bytes.len() / 2);
        let read = read_bytes(name, bytes, ReadOptions::default());
        let (last, before) = read.split_last().unwrap();
        assert!(before.iter().all(|item| !item.starts_with("REJECT")), "{name}");
        let line = before.len() + 1;
        let expected =
            format!("REJECT {name}: line {line}: cannot be read ({reason}): fetch or copy the file again");
        assert_eq!(last, &expected);
        assert!(before.len() > 200, "{name}: {}", before.len());
    }
}

#[test]
fn a_truncated_page_is_rejected() {
    let mut bytes = gzip(lines(0, 20));
    bytes.truncate(200);
    assert_eq!(
        read_bytes("a.html.gz", bytes, ReadOptions::default()),
        [
            "REJECT a.html.gz: cannot be read (the gzip stream ends in the middle): fetch or copy the file again"
        ]
    );
    assert_eq!(
        read_bytes("a.html.gz", &gzip("<p>")[..5], ReadOptions::default()),
        [
            "REJECT a.html.gz: cannot be read (the gzip stream ends in the middle): fetch or copy the file again"
        ]
    );
}

#[test]
fn a_file_that_begins_with_a_damaged_member() {
    let mut bad = gzip(lines(0, 10));
    bad[10..30].fill(0xff);
    assert_eq!(
        read_bytes("a.jsonl.gz", [bad.clone(), gzip("{\"text\":\"b\"}\n")].concat(), ReadOptions::default()),
        [
            "REJECT a.jsonl.gz: line 1: cannot be read (the gzip stream is damaged: corrupt deflate stream): \
             fetch or copy the file again",
            "a.jsonl.gz:2 = text(utf-8) b",
        ]
    );
    assert_eq!(
        read_bytes("unknown", bad, ReadOptions::default()),
        [
            "REJECT unknown: cannot be read (the gzip stream is damaged: corrupt deflate stream): fetch or copy the file again"
        ]
    );
}

#[test]
fn reading_goes_on_at_the_next_gzip_member() {
    let mut middle = gzip(lines(100, 200));
    let at = middle.len() / 2;
    middle[at..at + 40].fill(0xff);
    let bytes = [gzip(lines(0, 100)), middle, gzip(lines(200, 300))].concat();
    let read = read_bytes("a.jsonl.gz", bytes, ReadOptions::default());
    let ids: Vec<&str> = read.iter().map(|item| item.split(" =").next().unwrap()).collect();
    let rejects = ids.iter().filter(|id| id.starts_with("REJECT")).count();
    assert!(rejects > 0, "the damage is noticed at the latest by the checksum");
    assert_eq!(ids[..100], (0..100).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(ids[ids.len() - 100..], (200..300).map(|n| n.to_string()).collect::<Vec<_>>());
}
