//! Real pages, when the data for measuring is there.

#![allow(clippy::expect_used, reason = "test data that cannot be read is a failed test")]

use std::io::Read;
use std::path::Path;

/// The pages of a language, or nothing when the data is not there.
pub fn labelled(language: &str) -> Option<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/1_extract");
    let Ok(file) = std::fs::File::open(folder.join(format!("{language}.jsonl.gz"))) else {
        println!("skipped: no data in {}", folder.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("gzipped text");
    Some(text.lines().map(parse).collect())
}

fn parse(line: &str) -> String {
    let row: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
    row["html"].as_str().unwrap_or_default().to_owned()
}

/// Cuts a page into what stands before, inside and after the container of its post, if it names one.
pub fn cut(html: &str) -> Option<(&str, &str, &str)> {
    let names = [
        "itemprop=\"articleBody\"",
        "class=\"article-entry\"",
        "class=\"post-content",
        "class=\"entry-content",
    ];
    let at = names.iter().find_map(|name| html.find(name))?;
    let tag = html[..at].rfind('<').filter(|&t| html[t..].starts_with("<div"))?;
    let start = tag + html[tag..].find('>')? + 1;
    let mut depth = 1;
    let mut end = start;
    while depth > 0 {
        end += 1 + html[end + 1..].find("<div").into_iter().chain(html[end + 1..].find("</div")).min()?;
        depth = if html[end..].starts_with("</") { depth - 1 } else { depth + 1 };
    }
    Some((&html[..start], &html[start..end], &html[end..]))
}
