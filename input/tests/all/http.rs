//! Archived responses in chunks and encodings: what the server meant to send.

use std::io::Write;

use firstcopy_input::ReadOptions;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};

use crate::support::{gzip, gzip_with_zeros, limited, read_bytes, zstd};
use crate::warcs::{record, response};

const PAGE: &[u8] = b"<p>page";
const HTML: &str = "Content-Type: text/html\r\n";

fn said(headers: &str, body: &[u8]) -> String {
    let archive = response("http://a/", &format!("{HTML}{headers}"), body);
    read_bytes("a.warc", archive, ReadOptions::default()).remove(0)
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let chunks = body
        .chunks(10)
        .flat_map(|chunk| [format!("{:X};x=y\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    chunks.chain(*b"0\r\n\r\n").collect()
}

fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn brotli(body: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::new();
    brotli::BrotliCompress(&mut &*body, &mut encoded, &brotli::enc::BrotliEncoderParams::default()).unwrap();
    encoded
}

#[test]
fn encodings() {
    let check =
        |headers: &str, body: &[u8]| assert_eq!(said(headers, body), "http://a/ = html <p>page", "{headers}");
    check("", PAGE);
    check("Content-Encoding: gzip\r\n", &gzip(PAGE));
    check("Content-Encoding: x-gzip\r\n", &[gzip("<p>"), gzip("page")].concat());
    check("Content-Encoding: deflate\r\n", &zlib(PAGE));
    check("Content-Encoding: deflate\r\n", &deflate(PAGE));
    check("Content-Encoding: br\r\n", &brotli(PAGE));
    check("Content-Encoding: zstd\r\n", &zstd(PAGE));
    check("Content-Encoding: identity\r\n", PAGE);
    check("Content-Encoding: gzip, br\r\n", &brotli(&gzip(PAGE)));
    check("Transfer-Encoding: chunked\r\n", &chunked(PAGE));
    check("Transfer-Encoding: Chunked\r\nContent-Encoding: GZIP\r\n", &chunked(&gzip(PAGE)));
    check("Transfer-Encoding: chunked\r\n", PAGE);
    check("Content-Encoding: gzip\r\n", PAGE);
}

#[test]
fn what_cannot_be_undone() {
    let reject = |reason: &str| format!("REJECT a.warc: record 1 (http://a/): {reason}");
    let fetch = "is damaged or ends early: fetch the page again";
    assert_eq!(said("Content-Encoding: br\r\n", &[0xff; 9]), reject(&format!("the br body {fetch}")));
    assert_eq!(
        said("Content-Encoding: gzip\r\n", &gzip(PAGE)[..14]),
        reject(&format!("the gzip body {fetch}"))
    );
    assert_eq!(
        said("Transfer-Encoding: chunked\r\n", b"ff\r\n<p>"),
        reject(&format!("the chunked body {fetch}"))
    );
    assert_eq!(
        said("Content-Encoding: compress\r\n", PAGE),
        reject("the content encoding compress is not known: fetch the page without it")
    );
    assert_eq!(
        said("Content-Encoding: gzip,gzip,gzip,gzip,gzip\r\n", PAGE),
        reject("5 content encodings on top of each other: fetch the page again")
    );
}

#[test]
fn a_page_that_the_crawler_cut_is_kept() {
    let block = [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n".as_slice(),
        b"ff\r\n<p>",
    ];
    let archive = record("response", "http://a/", "WARC-Truncated: length\r\n", &block.concat());
    assert_eq!(
        read_bytes("a.warc", archive, ReadOptions::default()),
        ["http://a/ = html <p> ! the chunked body was cut short when it was archived"]
    );
}

#[test]
fn an_encoding_that_is_a_bomb() {
    let archive = response(
        "http://a/",
        &format!("{HTML}Content-Encoding: gzip\r\n"),
        &gzip_with_zeros(b"", 64 << 20, b""),
    );
    assert_eq!(
        read_bytes("a.warc", archive, limited(1 << 20)),
        [
            "REJECT a.warc: record 1 (http://a/): the page is larger than 1 MiB: raise --max-document-size to read it"
        ]
    );
}
