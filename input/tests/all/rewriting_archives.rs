//! Copies of web archives: every record but the dropped ones byte for byte, each where a reader can seek to it.

use firstcopy_input::{Fate, ReadOptions};
use serde_json::json;

use crate::rewriting::{copy, fields, folder_of, ungzip};
use crate::support::{gzip, limited, zstd};
use crate::warcs::{page, record, response};

fn records() -> Vec<Vec<u8>> {
    vec![
        record("warcinfo", "", "", b"software: x\r\n"),
        record("request", "http://a/", "", b"GET / HTTP/1.1\r\n\r\n"),
        page("http://a/"),
        record("metadata", "http://a/", "X-Folded: 1\r\n 2\r\n", b"WARC/1.0 is a format"),
        response("http://video/", "Content-Type: video/mp4\r\n", &[7; 9000]),
        page("http://b/"),
        record("revisit", "http://a/", "", b""),
    ]
}

/// Copies an archive of these records without the first page.
fn copied(name: &str, bytes: Vec<u8>, options: &ReadOptions) -> Vec<u8> {
    let folder = folder_of(&[(name, bytes)]);
    let (done, rejects) =
        copy(&folder, "out", options, |number, _| if number == 0 { Fate::Drop } else { Fate::Keep });
    assert_eq!((done.kept, done.dropped, done.other_records, rejects.len()), (1, 1, 5, 0));
    std::fs::read(folder.path(&format!("out/{name}"))).unwrap()
}

fn stay() -> Vec<Vec<u8>> {
    let mut stay = records();
    stay.remove(2);
    stay
}

#[test]
fn records_keep_their_bytes() {
    // Beyond the limit a record that is no document is still copied, by way of a temporary file.
    for limit in [8000, 1 << 20] {
        assert_eq!(copied("a.warc", records().concat(), &limited(limit)), stay().concat(), "{limit}");
    }
}

#[test]
fn records_are_members_and_frames_of_their_own() {
    let each: Vec<u8> = records().iter().flat_map(gzip).collect();
    for bytes in [each, gzip(records().concat())] {
        let copied = copied("a.warc.gz", bytes, &limited(8000));
        assert_eq!(members(&copied), stay());
        assert_eq!(ungzip(&copied), stay().concat());
    }
    let each: Vec<u8> = records().iter().flat_map(zstd).collect();
    for bytes in [each, zstd(records().concat())] {
        assert_eq!(frames(&copied("a.warc.zst", bytes, &limited(8000))), stay());
    }
}

fn members(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut members = Vec::new();
    while !bytes.is_empty() {
        let mut member = flate2::bufread::GzDecoder::new(bytes);
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut member, &mut plain).unwrap();
        members.push(plain);
        bytes = member.into_inner();
    }
    members
}

fn frames(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while !bytes.is_empty() {
        let size = zstd::zstd_safe::find_frame_compressed_size(bytes).unwrap();
        frames.push(zstd::decode_all(&bytes[..size]).unwrap());
        bytes = &bytes[size..];
    }
    frames
}

#[test]
fn fields_are_added_to_the_heads() {
    let folder = folder_of(&[("a.warc.gz", records().iter().flat_map(gzip).collect())]);
    let added = fields(json!({"cluster": 7, "duplicate_of": "http://x/"}));
    let (done, _) = copy(&folder, "out", &ReadOptions::default(), |number, _| match number {
        0 => Fate::Annotate(added.clone()),
        _ => Fate::Keep,
    });
    assert_eq!((done.kept, done.annotated, done.other_records), (2, 1, 5));
    let copied = members(&std::fs::read(folder.path("out/a.warc.gz")).unwrap());
    let annotated = String::from_utf8(records()[2].clone()).unwrap().replacen(
        "\r\n\r\n",
        "\r\nWARC-Firstcopy-Cluster: 7\r\nWARC-Firstcopy-Duplicate-Of: http://x/\r\n\r\n",
        1,
    );
    assert_eq!(copied[2], annotated.into_bytes());
    assert_eq!([&copied[..2], &copied[3..]].concat(), stay());
}
