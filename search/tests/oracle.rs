//! Queries against a naive twin that reads every text, and pages against the whole list.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_search::{Ask, Entry, Hit, Query, SearchIndex, Searcher, Sort};
use proptest::prelude::*;
use tempfile::TempDir;

/// Few words and characters, so that queries hit.
const WORDS: [&str; 8] = ["red", "blue", "학교", "급식", "교육", "東京", "都", "に"];

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS.as_slice());
    let space = prop::sample::select(["", " ", ", "].as_slice());
    prop::collection::vec((word, space), 0..8)
        .prop_map(|parts| parts.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
}

fn index_of(texts: &[String]) -> (TempDir, SearchIndex) {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    for (number, text) in (0..).zip(texts) {
        // Few dates, so that numbers decide; two commits, so that there are segments.
        index.put(&Entry { number, text, date: i64::from(number % 3), ..Entry::default() }).unwrap();
        if number as usize == texts.len() / 2 {
            index.commit(1).unwrap();
        }
    }
    index.commit(2).unwrap();
    (folder, index)
}

/// The words of a text, and its characters where it is searched by these.
fn units(text: &str) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    for word in firstcopy_text::Tokens::of(text).words() {
        let parts = word.split_inclusive(|_: char| true).collect::<Vec<_>>();
        let parts = parts.chunk_by(|a, b| a.is_ascii() && b.is_ascii());
        units.extend(parts.map(|part| part.concat()));
    }
    units
}

/// Whether a phrase stands in a text, wherever spaces and punctuation are.
fn naive_holds(text: &str, phrase: &str) -> bool {
    let (text, phrase) = (units(text), units(phrase));
    text.windows(phrase.len()).any(|window| window == phrase)
}

fn all(searcher: &Searcher, query: &Query, sort: Sort) -> Vec<Hit> {
    searcher.search(query, &Ask { limit: 1000, sort, after: None }).unwrap().hits
}

fn sorted_numbers(hits: &[Hit]) -> Vec<u32> {
    let mut numbers: Vec<u32> = hits.iter().map(|hit| hit.number).collect();
    numbers.sort_unstable();
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn phrases_are_where_they_stand(texts in prop::collection::vec(text(), 1..12), phrase in text()) {
        prop_assume!(!firstcopy_text::Tokens::of(&phrase).is_empty());
        let (_folder, index) = index_of(&texts);
        let query = Query::parse(&format!("\"{phrase}\"")).unwrap();
        let without = Query::parse(&format!("-\"{phrase}\"")).unwrap();
        let holds = |text: &String| naive_holds(text, &phrase);
        let expected: Vec<u32> = (0..).zip(&texts).filter(|(_, text)| holds(text)).map(|(number, _)| number).collect();
        let searcher = index.searcher();
        prop_assert_eq!(sorted_numbers(&all(&searcher, &query, Sort::Newest)), expected.clone());
        let others: Vec<u32> = (0..texts.len() as u32).filter(|number| !expected.contains(number)).collect();
        prop_assert_eq!(sorted_numbers(&all(&searcher, &without, Sort::Relevance)), others);
    }

    #[test]
    fn a_word_of_a_text_finds_it(texts in prop::collection::vec(text(), 1..12), words in prop::collection::vec(prop::sample::select(WORDS.as_slice()), 1..4)) {
        let (_folder, index) = index_of(&texts);
        let query = Query::parse(&words.join(" ")).unwrap();
        let hits = sorted_numbers(&all(&index.searcher(), &query, Sort::Relevance));
        for (number, text) in (0..).zip(&texts) {
            if words.iter().all(|word| naive_holds(text, word)) {
                prop_assert!(hits.contains(&number), "{:?} does not find {:?}", words, text);
            }
        }
    }

    #[test]
    fn pages_are_the_whole_list(texts in prop::collection::vec(text(), 1..30), limit in 1..6_usize, word in prop::sample::select(WORDS.as_slice())) {
        let (_folder, index) = index_of(&texts);
        let searcher = index.searcher();
        for query in [word, ""] {
            let query = Query::parse(query).unwrap();
            for sort in [Sort::Relevance, Sort::Newest, Sort::Oldest] {
                let whole = all(&searcher, &query, sort);
                let (mut pages, mut after) = (Vec::new(), None);
                loop {
                    let found = searcher.search(&query, &Ask { limit, sort, after }).unwrap();
                    prop_assert_eq!(found.total as usize, whole.len());
                    pages.extend(found.hits);
                    let Some(next) = found.next else { break };
                    after = Some(next.to_string().parse().unwrap());
                }
                prop_assert_eq!(pages, whole);
            }
        }
    }
}
