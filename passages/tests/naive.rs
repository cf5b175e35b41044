//! The search beside one that compares everything with everything: the plain method of sakurai-2009, on digests of made
//! sentences, where a page's passages are known by brute force.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_passages::{Finder, Rule, SourceDatabase, SourceSettings, SourceWriter};
use firstcopy_text::{Analyzer, Content, Document, Page};
use proptest::prelude::*;
use std::ops::Range;

/// A sentence for every letter of a small alphabet.
fn sentence(letter: u8) -> String {
    format!("Sentence number {letter} stands here")
}

fn digested(analyzer: &Analyzer, id: &str, letters: &[u8]) -> Document {
    let text: String = letters.iter().map(|&letter| sentence(letter) + ".\n").collect();
    let page = Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
    analyzer.digest(page)
}

/// Which letters of the page are in a run of at least `least` that stands in some source.
fn naive_cover(page: &[u8], sources: &[Vec<u8>], least: usize) -> Vec<bool> {
    let mut covered = vec![false; page.len()];
    for start in 0..page.len() {
        for end in start + least..=page.len() {
            let run = &page[start..end];
            if sources.iter().any(|source| source.windows(run.len()).any(|window| window == run)) {
                covered[start..end].fill(true);
            }
        }
    }
    covered
}

/// Every maximal run of at least three that a page and a source share: source and place in the page.
fn naive_runs(page: &[u8], sources: &[Vec<u8>]) -> Vec<(usize, Range<usize>)> {
    let mut runs = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        for (start, at) in (0..page.len()).flat_map(|start| (0..source.len()).map(move |at| (start, at))) {
            let begins_before = start > 0 && at > 0 && page[start - 1] == source[at - 1];
            let length = page[start..].iter().zip(&source[at..]).take_while(|(a, b)| a == b).count();
            if !begins_before && length >= 3 {
                runs.push((number, start..start + length));
            }
        }
    }
    runs
}

/// Half of the sources built, the others added one by one.
fn database(analyzer: &Analyzer, sources: &[Vec<u8>]) -> (tempfile::TempDir, SourceDatabase) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sources");
    let mut writer = SourceWriter::build(&path, SourceSettings::default(), 1 << 20).unwrap();
    for (number, source) in sources.iter().enumerate() {
        if number >= sources.len() / 2 {
            writer.finish().unwrap();
            writer = SourceWriter::add(&path, 1 << 20).unwrap();
        }
        writer.push(digested(analyzer, &format!("source {number}"), source)).unwrap();
    }
    writer.finish().unwrap();
    let database = SourceDatabase::open(&path).unwrap();
    database.verify().unwrap();
    (folder, database)
}

/// The letters between two places of a document's text.
fn letters(start: usize, end: usize, document: &Document) -> Range<usize> {
    let first = document.segments.iter().position(|segment| segment.place.start == start).unwrap();
    let last = document.segments.iter().position(|segment| segment.place.end == end).unwrap();
    first..last + 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_run_is_covered_and_nothing_else(
        sources in prop::collection::vec(prop::collection::vec(0u8..6, 0..14), 1..5),
        page in prop::collection::vec(0u8..7, 0..24),
        least in 1usize..5,
    ) {
        let analyzer = SourceSettings::default().analyzer();
        let (_folder, database) = database(&analyzer, &sources);
        let rule = Rule { min_segments: least, weigh: false, ..Rule::default() };
        let document = digested(&analyzer, "page", &page);
        let copies = Finder::new(&database, &analyzer, rule).copies(&document).unwrap();
        let mut covered = vec![false; page.len()];
        for passage in &copies.passages {
            let run = letters(passage.start, passage.end, &document);
            covered[run.clone()].fill(true);
            prop_assert!(run.len() >= least && run.len() == passage.segments);
            let source: usize = passage.source.strip_prefix("source ").unwrap().parse().unwrap();
            let source_document = digested(&analyzer, "source", &sources[source]);
            let there = letters(passage.source_start.unwrap(), passage.source_end.unwrap(), &source_document);
            prop_assert_eq!(&page[run], &sources[source][there]);
        }
        prop_assert_eq!(covered, naive_cover(&page, &sources, least));
    }

    #[test]
    fn all_sources_are_those_of_brute_force(
        sources in prop::collection::vec(prop::collection::vec(0u8..40, 0..14), 1..5),
        picked in prop::collection::vec((0usize..4, 0usize..14, 3usize..10), 1..4),
    ) {
        // A page pieced together from the sources, so that there is something to find.
        let mut page = Vec::new();
        for (source, start, length) in picked {
            page.extend(sources[source % sources.len()].iter().skip(start).take(length));
            page.push(200);
        }
        let analyzer = SourceSettings::default().analyzer();
        let (_folder, database) = database(&analyzer, &sources);
        let rule = Rule { weigh: false, all_sources: true, ..Rule::default() };
        let document = digested(&analyzer, "page", &page);
        let copies = Finder::new(&database, &analyzer, rule).copies(&document).unwrap();
        for (number, run) in naive_runs(&page, &sources) {
            let is_named = copies.passages.iter().any(|passage| {
                let there = letters(passage.start, passage.end, &document);
                passage.source == format!("source {number}") && there.start <= run.start && run.end <= there.end
            });
            prop_assert!(is_named, "source {} {:?}: {:?}", number, run, copies);
        }
    }
}
