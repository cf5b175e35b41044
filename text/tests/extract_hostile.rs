//! Markup made to hurt: each page must come out fast, whole and in bounded memory.

use std::time::{Duration, Instant};

use firstcopy_text::{Extracted, extract, extractors};
use proptest::prelude::*;

const MIB: usize = 1 << 20;
/// On an idle machine every case takes a fraction of this; a quadratic step takes minutes.
const LIMIT: Duration = Duration::from_secs(10);

fn check(name: &str, html: &str, expected: &str) -> Extracted {
    let start = Instant::now();
    let found = extract(html);
    let took = start.elapsed();
    println!("{name}: {} ms", took.as_millis());
    assert!(took < LIMIT, "{name} took {took:?}");
    assert!(found.core.text.contains(expected), "{name}: {expected:?} is lost");
    found
}

#[test]
fn nested_and_unclosed_elements() {
    let tags = [
        "div",
        "b",
        "a",
        "a href=x",
        "table",
        "span",
        "span class=x",
        "p",
        "li",
        "ul",
        "ul><li",
        "td",
        "tr",
        "table><tr><td",
        "table><div",
        "font",
        "font color=x",
        "i",
        "h1",
        "button",
        "select",
        "option",
        "form",
        "svg",
        "math",
        "template",
        "object",
        "title",
        "textarea",
        "iframe",
        "noscript",
        "dl><dd",
        "dt",
        "details",
        "blockquote",
        "x-y",
        "article",
        "p><b",
        "p><a href=x",
        "a><div",
        "a href=x><div",
        "b><div",
        "b><p",
        "nobr",
        "frameset",
        "body",
        "html",
        "head",
        "ruby><rt",
        "figure><figcaption",
        "div class=comments",
        "nav",
        "pre",
        "div hidden",
        "caption",
        "col",
        "marquee",
    ];
    for tag in tags {
        let many = format!("<{tag}>").repeat(100_000);
        check(&format!("100,000 <{tag}>"), &format!("{many}the text inside"), "the text inside");
    }
}

#[test]
fn misnested_pairs() {
    let pairs = [
        "<x><div></x>",
        "<a><div></a>",
        "<b><p></b>",
        "<div><span></div>",
        "<table><td><div></td>",
        "</p>",
        "</div>",
        "</br>",
        "<p></div>",
        "<table><b>",
        "<li></ul>",
        "<ul></li>",
        "<h1></h2>",
        "<table></p>",
        "<td></table>",
        "<b id=1><p>",
        "<div></nav>",
        "<svg></div>",
        "<select></p>",
        "<span class=x><p></span>",
    ];
    for pair in pairs {
        let many = pair.repeat(100_000);
        check(&format!("100,000 {pair}"), &format!("{many}<p>the text inside"), "");
    }
}

#[test]
fn long_pages() {
    let many_attributes: String = (0..200_000).map(|i| format!(" a{i}=v")).collect();
    let cases = [
        ("16 MiB of <", "<".repeat(16 * MIB)),
        ("16 MiB of &", "&".repeat(16 * MIB)),
        ("16 MiB of &lt;", "&lt;".repeat(4 * MIB)),
        ("16 MiB of </", "</".repeat(8 * MIB)),
        ("16 MiB of <!", "<!".repeat(8 * MIB)),
        ("16 MiB of <!--", "<!--".repeat(4 * MIB)),
        ("16 MiB of <a ", "<a ".repeat(16 * MIB / 3)),
        ("16 MiB in one attribute", format!("<p class=\"{}\">", "x ".repeat(8 * MIB))),
        ("16 MiB in one name", format!("<{}>", "x".repeat(16 * MIB))),
        ("16 MiB of one word", "x".repeat(16 * MIB)),
        ("16 MiB of spaces", " ".repeat(16 * MIB)),
        ("200,000 attributes", format!("<p{many_attributes}>")),
        ("a million <p>", "<p>".repeat(1_000_000)),
        ("a million <p>x", "<p>x".repeat(1_000_000)),
        ("a million <br>", "<br>".repeat(1_000_000)),
        ("a million <br>x", "<br>x".repeat(1_000_000)),
        ("a million links", "<a href=x>y</a>".repeat(1_000_000)),
        ("a million NULs", "\0".repeat(1_000_000)),
        ("a million <td>", format!("<table>{}", "<tr><td>x".repeat(500_000))),
        ("text in a table", format!("<table>{}", "x<tr>".repeat(500_000))),
        ("figcaptions", format!("<figure>{}", "<figcaption>x</figcaption>".repeat(200_000))),
        ("headings", "<h1>x y z w v</h1>".repeat(200_000)),
        ("articles", "<article><h1>title</h1><p>x</p></article>".repeat(100_000)),
        ("JSON-LD", format!("<script type=ld+json>{}</script>", "[".repeat(4 * MIB))),
        ("many metas", "<meta property=og:title content='&amp;x'>".repeat(100_000)),
        ("many times", "<time datetime='2026-05-01'>x</time>".repeat(100_000)),
        ("scripts", "<script>x</script>".repeat(500_000)),
        ("unclosed script", format!("<script>{}", "<".repeat(16 * MIB))),
        ("open svg", "<svg><p>".repeat(500_000)),
    ];
    for (name, html) in cases {
        check(name, &html, "");
    }
}

#[test]
fn cuts_are_said() {
    let deep = check("deep", &format!("{}x", "<div>".repeat(600)), "x");
    assert_eq!(deep.warnings, ["88 elements deeper than 512 were unwrapped"]);
    let long = check("long", &"x ".repeat(17 * MIB), "x");
    assert_eq!(long.warnings, ["the page is longer than 33554432 bytes: its end was not read"]);
    let wide = check("wide", &"<p>x</p>".repeat(300_000), "x");
    assert_eq!(wide.warnings, ["elements after the first 262144 were unwrapped"]);
}

/// Every block begins at a character, after a line break, and is trimmed and not empty.
fn check_blocks(found: &Extracted) {
    let (text, starts) = (&found.core.text, &found.core.block_starts);
    assert_eq!(text.is_empty(), starts.is_empty());
    assert!(starts.first().is_none_or(|&s| s == 0));
    assert!(starts.windows(2).all(|w| w[0] < w[1]));
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |next| next - 1);
        let block = &text[start..end];
        assert!(!block.trim().is_empty(), "empty block in {text:?}");
        assert_eq!(block.trim_end(), block);
        assert!(i == 0 || text.as_bytes()[start - 1] == b'\n');
    }
}

fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z가-힣あ-ん 。.,\\n\\t]{0,30}",
        4 => "</?(div|p|a|b|table|tr|td|li|ul|pre|br|span|h1|article|nav|svg|select|title|main|x-y|dd|caption|figure)( class=\"(nav|entry-content|comments|post|gutter)\")?>",
        1 => "(<!--|-->|<script>|</script>|<style>|<|>|&amp;|&#0;|&|\"|'|=|<!|</|<\\?|\\x00|\u{feff}|<textarea>|<template>)",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_string_gives_blocks(html in any::<String>()) {
        for extractor in extractors() {
            check_blocks(&extractor.extract(&html));
        }
    }

    #[test]
    fn any_markup_gives_blocks(html in markup()) {
        for extractor in extractors() {
            let found = extractor.extract(&html);
            check_blocks(&found);
            prop_assert_eq!(&found, &extractor.extract(&html));
        }
    }
}
