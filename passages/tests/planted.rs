//! Passages planted in pages of three languages, found at exactly their places, whatever was done to how they look.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_passages::{Copies, Finder, Kind, Rule, SourceDatabase, SourceSettings, SourceWriter};
use firstcopy_text::{Analyzer, Content, Document, Page};
use std::ops::Range;

const LANGUAGES: [&str; 3] = ["en", "ja", "ko"];

/// A sentence of some language that no other number has.
fn sentence(language: &str, number: usize) -> String {
    let (a, b, c) = (number * 7919 % 9973, number * 104_729 % 9949, number);
    match language {
        "ja" => format!("第{a}回の調査では{b}人の参加者が{c}番目の質問に答えている。"),
        "ko" => format!("제{a}차 조사에서는 {b}명의 참가자가 {c}번째 질문에 대답하였다."),
        _ => format!("In survey {a} some {b} people had answered question number {c} with care."),
    }
}

fn sentences(language: &str, numbers: Range<usize>) -> String {
    let between = if language == "ja" { "" } else { " " };
    numbers.map(|number| sentence(language, number)).collect::<Vec<_>>().join(between)
}

struct Sources {
    _folder: tempfile::TempDir,
    analyzer: Analyzer,
    database: SourceDatabase,
}

impl Sources {
    fn of(texts: &[(&str, String)]) -> Self {
        Self::dated(texts.iter().map(|(id, text)| (*id, text.clone(), None)))
    }

    fn dated<'a>(texts: impl Iterator<Item = (&'a str, String, Option<i64>)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (path, settings) = (folder.path().join("sources"), SourceSettings::default());
        let analyzer = settings.analyzer();
        let mut writer = SourceWriter::build(&path, settings, 1 << 30).unwrap();
        for (id, text, created_at) in texts {
            writer.push(Document { created_at, ..digested(&analyzer, id, &text) }).unwrap();
        }
        writer.finish().unwrap();
        Sources { _folder: folder, analyzer, database: SourceDatabase::open(&path).unwrap() }
    }

    fn copies(&self, text: &str, rule: Rule) -> Copies {
        let page = digested(&self.analyzer, "page", text);
        Finder::new(&self.database, &self.analyzer, rule).copies(&page).unwrap()
    }
}

const PLAIN: Rule = Rule { min_segments: 3, min_segment_chars: 5, weigh: false, all_sources: false };
const WEIGHED: Rule = Rule { weigh: true, ..PLAIN };

fn digested(analyzer: &Analyzer, id: &str, text: &str) -> Document {
    let page = Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
    analyzer.digest(page)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[test]
fn of_any_length_at_exactly_their_offsets() {
    for language in LANGUAGES {
        let texts = [("other", sentences(language, 500..560)), ("source", sentences(language, 0..60))];
        let sources = Sources::of(&texts);
        let before = length(&sentences(language, 0..5)) + usize::from(language != "ja");
        for (rule, segments) in [PLAIN, WEIGHED].iter().flat_map(|rule| (3..=50).map(move |n| (*rule, n))) {
            let (head, tail) = (sentences(language, 900..907), sentences(language, 950..957));
            let copied = sentences(language, 5..5 + segments);
            let copies = sources.copies(&format!("{head}\n{copied}\n{tail}"), rule);
            assert_eq!(copies.passages.len(), 1, "{language} {segments} {rule:?}: {copies:?}");
            let passage = &copies.passages[0];
            let start = length(&head) + 1;
            assert_eq!(
                (passage.start, passage.end),
                (start, start + length(&copied)),
                "{language} {segments}"
            );
            let there = (passage.source_start.unwrap(), passage.source_end.unwrap());
            assert_eq!(there, (before, before + length(&copied)), "{language} {segments}");
            assert_eq!((passage.source.as_str(), passage.text.as_str()), ("source", copied.as_str()));
            assert_eq!(passage.segments, segments);
        }
    }
}

#[test]
fn whatever_was_done_to_how_they_look() {
    let widened =
        |c: char| if c.is_ascii_alphanumeric() { char::from_u32(c as u32 + 0xfee0).unwrap() } else { c };
    for language in LANGUAGES {
        let sources = Sources::of(&[("source", sentences(language, 0..30))]);
        let copied = sentences(language, 4..12);
        let (head, tail) = (sentences(language, 900..904), sentences(language, 950..954));
        let looks = [
            ("case", copied.to_uppercase()),
            ("width", copied.chars().map(widened).collect()),
            ("line breaks", copied.replace(". ", ".\n").replace('。', "。\n\n")),
            ("symbols", copied.replace(' ', " ★ ").replace("の", "の・")),
            ("spaces", copied.replace(' ', "   ")),
        ];
        for (what, look) in looks {
            for rule in [PLAIN, WEIGHED] {
                let copies = sources.copies(&format!("{head}\n{look}\n{tail}"), rule);
                let found =
                    copies.passages.iter().any(|passage| passage.source == "source" && passage.segments == 8);
                assert!(found, "{language} {what} {rule:?}: {copies:?}");
            }
        }
    }
}

#[test]
fn one_changed_sentence_is_a_gap() {
    for language in LANGUAGES {
        let sources = Sources::of(&[("source", sentences(language, 0..30))]);
        let (before, changed) = (sentences(language, 2..5), sentence(language, 777));
        let page = [before.clone(), changed.clone(), sentences(language, 6..9)].join(" ");
        let copies = sources.copies(&page, WEIGHED);
        assert_eq!(copies.passages.len(), 1, "{language}: {copies:?}");
        let passage = &copies.passages[0];
        assert_eq!((passage.start, passage.end, passage.segments), (0, length(&page), 7), "{language}");
        let place = length(&before)..=length(&before) + 2 + length(&changed);
        let is_inside = |gap: &(usize, usize)| place.contains(&gap.0) && place.contains(&gap.1);
        assert!(!passage.gaps.is_empty() && passage.gaps.iter().all(is_inside), "{language}: {passage:?}");
        assert!(copies.copied_share < 1.0);
    }
}

#[test]
fn sentences_that_were_all_broken_are_found() {
    for language in LANGUAGES {
        let sources = Sources::of(&[("source", sentences(language, 0..30))]);
        let broken = |sentence: String| {
            let middle = sentence.char_indices().nth(length(&sentence) / 2).unwrap().0;
            format!("{}\n{}\n", &sentence[..middle], &sentence[middle..])
        };
        let page: String = (2..8).map(|number| broken(sentence(language, number))).collect();
        let copies = sources.copies(&page, WEIGHED);
        assert!(copies.copied_share > 0.9, "{language}: {copies:?}");
    }
}

#[test]
fn three_kinds() {
    for language in LANGUAGES {
        let (source, other) = (sentences(language, 0..20), sentences(language, 900..940));
        let sources = Sources::of(&[("source", source.clone())]);
        let kind = |text: &str| sources.copies(text, WEIGHED).kind();
        assert_eq!(kind(&source), Some(Kind::Whole), "{language}");
        assert_eq!(kind(&sentences(language, 3..9)), Some(Kind::Inclusion), "{language}");
        assert_eq!(kind(&format!("{other}\n{source}")), Some(Kind::Inclusion), "{language}");
        assert_eq!(
            kind(&format!("{other}\n{}", sentences(language, 3..9))),
            Some(Kind::Partial),
            "{language}"
        );
        assert_eq!(kind(&other), None, "{language}");
    }
}

#[test]
fn the_longest_source_then_the_earliest() {
    let sources = |created: [Option<i64>; 3]| {
        let text = |number: usize| sentences("ko", 0..if number == 2 { 12 } else { 6 });
        let names = ["s0", "s1", "s2"].into_iter().enumerate();
        Sources::dated(names.map(|(number, id)| (id, text(number), created[number])))
    };
    let best = |sources: &Sources, numbers| {
        sources.copies(&sentences("ko", numbers), WEIGHED).passages[0].source.clone()
    };
    let dated = sources([Some(20), Some(10), Some(30)]);
    assert_eq!(best(&dated, 0..6), "s1");
    assert_eq!(best(&dated, 0..10), "s2");
    assert_eq!(best(&sources([None, None, None]), 0..6), "s0");
    assert_eq!(best(&sources([None, Some(5), None]), 0..6), "s1");
    let all = dated.copies(&sentences("ko", 0..6), Rule { all_sources: true, ..WEIGHED });
    let mut named: Vec<&str> = all.passages.iter().map(|passage| passage.source.as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["s0", "s1", "s2"]);
}

#[test]
fn stock_phrases_are_no_passage_and_a_short_rare_copy_is_one() {
    const STOCK: &str = "Read more. Share this. Leave a comment.";
    let texts: Vec<(String, String)> = (0..40)
        .map(|number| {
            (format!("p{number}"), format!("{STOCK} {}", sentences("en", number * 10..number * 10 + 5)))
        })
        .collect();
    let sources =
        Sources::of(&texts.iter().map(|(id, text)| (id.as_str(), text.clone())).collect::<Vec<_>>());
    let own = sentences("en", 5000..5004);
    let stock = format!("{own} {STOCK}");
    assert_eq!(sources.copies(&stock, PLAIN).passages.len(), 1);
    assert!(sources.copies(&stock, WEIGHED).passages.is_empty());
    let short = format!("{own} {}", sentences("en", 71..73));
    assert!(sources.copies(&short, PLAIN).passages.is_empty());
    assert_eq!(sources.copies(&short, WEIGHED).passages[0].source, "p7");
}
