//! Texts that repeat themselves without end, as sources and as pages: no work grows with the square of their length. If it
//! did, these tests would not end.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_passages::{Finder, Rule, SourceDatabase, SourceSettings, SourceWriter};
use firstcopy_text::{Analyzer, Content, Document, Page};

fn digested(analyzer: &Analyzer, id: &str, text: &str) -> Document {
    analyzer.digest(Page { id: id.to_owned(), content: Content::text(text), ..Page::default() })
}

fn database(analyzer: &Analyzer, texts: &[(&str, String)]) -> (tempfile::TempDir, SourceDatabase) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sources");
    let mut writer = SourceWriter::build(&path, SourceSettings::default(), 1 << 30).unwrap();
    texts.iter().for_each(|(id, text)| writer.push(digested(analyzer, id, text)).unwrap());
    writer.finish().unwrap();
    (folder, SourceDatabase::open(&path).unwrap())
}

#[test]
fn the_same_sentence_over_and_over() {
    let analyzer = SourceSettings::default().analyzer();
    let text = |count: usize| "This is the same sentence over and over. ".repeat(count);
    let (_folder, database) = database(&analyzer, &[("a", text(10_000)), ("b", text(6_000))]);
    for weigh in [true, false] {
        let finder = Finder::new(&database, &analyzer, Rule { weigh, ..Rule::default() });
        for (id, count) in [("a", 10_000), ("page", 3_000)] {
            let copies = finder.copies(&digested(&analyzer, id, &text(count))).unwrap();
            assert!(copies.copied_share > 0.6, "{id} {weigh}: {}", copies.copied_share);
        }
    }
}

#[test]
fn a_page_whose_every_sentence_stands_in_many_sources() {
    let analyzer = SourceSettings::default().analyzer();
    let sentence =
        |number: usize| format!("Sentence number {number} of those that everybody has, word for word. ");
    // Every source has the sentences in another order, so that no two in a row agree.
    let shuffled =
        |seed: usize| -> String { (0..50).map(|place| sentence(place * (2 * seed + 1) % 50)).collect() };
    let texts: Vec<(String, String)> =
        (0..200).map(|number| (format!("s{number}"), shuffled(number))).collect();
    let texts: Vec<(&str, String)> = texts.iter().map(|(id, text)| (id.as_str(), text.clone())).collect();
    let (_folder, database) = database(&analyzer, &texts);
    let page: String = (0..10_000).map(|place| sentence(place * place % 50)).collect();
    let finder = Finder::new(&database, &analyzer, Rule::default());
    assert!(finder.copies(&digested(&analyzer, "page", &page)).unwrap().copied_share <= 1.0);
}
