//! Web archives: which records become pages, and how the reading survives damaged ones.

use firstcopy_input::ReadOptions;

use crate::support::{Folder, gzip, gzip_with_zeros, limited, read, read_bytes, read_counting, say};

/// A record with a correct length.
pub fn record(kind: &str, uri: &str, headers: &str, block: &[u8]) -> Vec<u8> {
    record_of_length(kind, uri, headers, block, block.len() as u64)
}

pub fn record_of_length(kind: &str, uri: &str, headers: &str, block: &[u8], length: u64) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2010-03-04T05:06:07Z\r\n\
         {headers}Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response with a page.
pub fn response(uri: &str, http_headers: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{http_headers}\r\n");
    record(
        "response",
        uri,
        "Content-Type: application/http; msgtype=response\r\n",
        &[http.as_bytes(), body].concat(),
    )
}

pub fn page(uri: &str) -> Vec<u8> {
    response(uri, "Content-Type: text/html\r\n", b"<p>hi")
}

fn check(bytes: impl AsRef<[u8]>, expected: &[&str]) {
    assert_eq!(read_bytes("a.warc", bytes, ReadOptions::default()), expected);
}

#[test]
fn records_that_are_pages() {
    let folder = Folder::new();
    let euc_kr = b"<p>\xb0\xa1\xb3\xaa";
    let archive = [
        record("warcinfo", "", "", b"software: x"),
        response("http://a/", "Content-Type: text/html; charset=EUC-KR\r\n", euc_kr),
        record("request", "http://a/", "", b"GET / HTTP/1.1\r\n\r\n"),
        record("response", "http://moved/", "", b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n"),
        response("http://image/", "Content-Type: image/png\r\n", b"\x89PNG"),
        response("http://plain/", "content-type:text/plain\r\n", b"words"),
        response("http://untyped/", "", b"  <html>"),
        response("http://untyped-data/", "", b"\x01\x02"),
        record(
            "response",
            "http://two/",
            "",
            b"HTTP/2 203\r\nContent-Type: application/xhtml+xml\r\n\r\n<p>two",
        ),
        record("response", "dns:a", "Content-Type: text/dns\r\n", b"20100304 1.2.3.4"),
        record("resource", "<file:///b.html>", "Content-Type: text/html\r\n", b"<p>b"),
        record("conversion", "http://c/", "Content-Type: text/plain\r\n", "가".as_bytes()),
        record("revisit", "http://a/", "", b""),
        record("metadata", "http://a/", "", b"WARC/1.0 is a format"),
    ];
    let path = folder.file("a.warc", archive.concat());
    let (items, progress) = read_counting(&[&path], ReadOptions::default());
    let said: Vec<String> = items.iter().map(say).collect();
    assert_eq!(
        said,
        [
            r"http://a/ = html(EUC-KR) <p>\xb0\xa1\xb3\xaa",
            "http://plain/ = text words",
            "http://untyped/ = html   <html>",
            "http://two/ = html <p>two",
            "file:///b.html = html <p>b",
            r"http://c/ = text \xea\xb0\x80",
        ]
    );
    let first = items[0].as_ref().unwrap();
    assert_eq!((first.url.as_deref(), first.created_at), (Some("http://a/"), Some(1_267_679_167)));
    assert_eq!((progress.pages(), progress.rejects(), progress.skipped()), (6, 0, 8));
}

/// Found by fuzzing: an empty header named the page "".
#[test]
fn a_page_with_an_empty_url_is_named_by_its_place() {
    check(page(""), &["a.warc:record 1 = html <p>hi"]);
    check(page("<>"), &["a.warc:record 1 = html <p>hi"]);
    let unnamed = record("resource", "", "WARC-Record-ID: \r\nContent-Type: text/html\r\n", b"<p>hi");
    check(unnamed, &["a.warc:record 1 = html <p>hi"]);
    let named = record("resource", "", "WARC-Record-ID: <urn:x>\r\nContent-Type: text/html\r\n", b"<p>hi");
    check(named, &["<urn:x> = html <p>hi"]);
}

#[test]
fn members_for_each_record_or_for_all() {
    let pages: Vec<Vec<u8>> = (0..50).map(|n| page(&format!("http://a/{n}"))).collect();
    let each: Vec<u8> = pages.iter().flat_map(gzip).collect();
    let folder = Folder::new();
    for bytes in [pages.concat(), gzip(pages.concat()), each, crate::support::zstd(pages.concat())] {
        let path = folder.file("a.warc.any", bytes);
        let ids: Vec<String> =
            read(&[&path], ReadOptions::default()).into_iter().map(|item| item.unwrap().id).collect();
        assert_eq!(ids, (0..50).map(|n| format!("http://a/{n}")).collect::<Vec<_>>());
    }
}

#[test]
fn a_record_that_ends_early() {
    let whole = [page("http://a/"), page("http://b/")].concat();
    check(
        &whole[..whole.len() - 7],
        &[
            "http://a/ = html <p>hi",
            "REJECT a.warc: record 2 (http://b/): the archive ends inside it: fetch the archive again",
        ],
    );
    check(
        &whole[..whole.len() / 2 + 30],
        &[
            "http://a/ = html <p>hi",
            "REJECT a.warc: record 2: the archive ends inside the head: fetch the archive again",
        ],
    );
}

#[test]
fn reading_goes_on_after_a_bad_record() {
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hi";
    let right = http.len() as u64;
    let lying = |length| record_of_length("response", "http://lies/", "", http, length);
    let check_between = |bad: Vec<u8>, reason: &str| {
        let expected = ["http://a/ = html <p>hi", reason, "http://b/ = html <p>hi"];
        check([page("http://a/"), bad, page("http://b/")].concat(), &expected);
    };
    let wrong =
        "REJECT a.warc: record 2 (http://lies/): its Content-Length is wrong: fetch the archive again";
    check_between(lying(right + 20), wrong);
    check_between(lying(right - 2), wrong);
    check_between(
        lying(right + 100_000),
        "REJECT a.warc: record 2 (http://lies/): the archive ends inside it: fetch the archive again",
    );
    check_between(
        lying(50_000_000_000),
        "REJECT a.warc: record 2 (http://lies/): the page is larger than 16 MiB: raise --max-document-size to read it",
    );
    check_between(
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nx\r\n\r\n".to_vec(),
        "REJECT a.warc: record 2: no valid Content-Length: fetch the archive again",
    );
    check_between(
        b"what is this?\r\n\r\n".to_vec(),
        "REJECT a.warc: record 2: not a WARC/1.0 or 1.1 record: fetch the archive again",
    );
    check_between(
        record("response", "http://c/", "Content-Type: application/http\r\n", b"<p>no head"),
        "REJECT a.warc: record 2 (http://c/): no valid HTTP head: fetch the page again",
    );
}

#[test]
fn a_hostile_archive_is_read_once() {
    let lie = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 9000000\r\n\r\n".repeat(150_000);
    let start = std::time::Instant::now();
    let read = read_bytes("a.warc", lie, ReadOptions::default());
    assert!(!read.is_empty());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_damaged_member_costs_only_its_record() {
    let mut bad = gzip(response("http://bad/", "Content-Type: text/html\r\n", &[b'x'; 40]));
    let at = bad.len() - 30;
    bad[at..at + 10].fill(0xff);
    let bytes = [gzip(page("http://a/")), bad, gzip(page("http://b/"))].concat();
    let read = read_bytes("a.warc.gz", bytes, ReadOptions::default());
    assert_eq!(read.len(), 3, "{read:?}");
    assert_eq!((read[0].as_str(), read[2].as_str()), ("http://a/ = html <p>hi", "http://b/ = html <p>hi"));
    assert!(read[1].contains("record 2") && read[1].contains("the gzip stream is damaged"), "{read:?}");
}

#[test]
fn large_records_are_passed_over() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let size = 256 << 20;
    let large = record_of_length("response", "http://large/", "", head, size as u64 + head.len() as u64);
    let bomb = gzip_with_zeros(&large[..large.len() - 4], size, b"\r\n\r\n");
    let video = record_of_length(
        "response",
        "http://video/",
        "",
        b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n",
        5000,
    );
    let video = [&video[..], &vec![7; 5000]].concat();
    let bytes = [gzip(page("http://a/")), bomb, gzip(video), gzip(page("http://b/"))].concat();
    assert_eq!(
        read_bytes("a.warc.gz", bytes, limited(4096)),
        [
            "http://a/ = html <p>hi",
            "REJECT a.warc.gz: record 2 (http://large/): the page is larger than 4 KiB: raise --max-document-size to read it",
            "http://b/ = html <p>hi",
        ]
    );
}
