//! What holds for every metric, and the plain twins of those that are computed cleverly.

use firstcopy_change::{Comparison, Costs, Idf, METRICS, Measures, Settings, Text};
use firstcopy_text::Tokens;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn measures(a: &str, b: &str, settings: &Settings) -> Measures {
    let (tokens_a, tokens_b) = (Tokens::of_words(a), Tokens::of_words(b));
    let text = |text, tokens| Text { text, tokens };
    Comparison::of(text(a, &tokens_a), text(b, &tokens_b), settings).measures()
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-e]", 0..25).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn from_0_to_1_and_the_same_both_ways(a in text(), b in text(), copy in 0.0f64..=1.0, moving in 0.0f64..=1.0) {
        let mut idf = Idf::of_words(["a", "b", "c"]);
        idf.add(a.split(' '));
        for idf in [None, Some(idf)] {
            let settings = Settings { costs: Costs { copy, moving }, idf, ..Settings::default() };
            let there = measures(&a, &b, &settings);
            prop_assert_eq!(there, measures(&b, &a, &settings));
            prop_assert!(there.values().iter().all(|value| (0.0..=1.0).contains(value)), "{there:?}");
            prop_assert_eq!(measures(&a, &a, &settings), Measures::default());
        }
    }

    #[test]
    fn equal_to_their_twins(a in text(), b in text(), shingle_words in 1usize..13) {
        let settings = Settings { shingle_words, ..Settings::default() };
        let found = measures(&a, &b, &settings);
        let (a, b): (Vec<&str>, Vec<&str>) = (a.split_whitespace().collect(), b.split_whitespace().collect());
        let (m, n) = (a.len() as f64, b.len() as f64);
        let share = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
        let vocabulary: BTreeSet<&str> = a.iter().chain(&b).copied().collect();
        let count = |words: &[&str], word: &str| words.iter().filter(|other| **other == word).count() as f64;

        let bags: f64 = vocabulary.iter().map(|word| count(&a, word).min(count(&b, word))).sum();
        prop_assert!((found.wd - share(m + n - 2.0 * bags, m + n)).abs() < 1e-12);

        let common = table(&a, &b) as f64;
        prop_assert!((found.ed - share(m + n - 2.0 * common, m + n)).abs() < 1e-12);

        let product = |x: &[&str], y: &[&str]| vocabulary.iter().map(|word| count(x, word) * count(y, word)).sum::<f64>();
        let cos = match (a.is_empty(), b.is_empty()) {
            (true, true) => 0.0,
            (false, false) => 1.0 - product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt(),
            _ => 1.0,
        };
        prop_assert!((found.cos - cos).abs() < 1e-9);

        let wrapped = |words: &[&str]| -> BTreeSet<Vec<String>> {
            let shingle = |start: usize| (0..shingle_words).map(|step| words[(start + step) % words.len()].to_owned()).collect();
            (0..words.len()).map(shingle).collect()
        };
        let (of_a, of_b) = (wrapped(&a), wrapped(&b));
        let (both, all) = (of_a.intersection(&of_b).count() as f64, of_a.union(&of_b).count() as f64);
        prop_assert!((found.shingle - share(all - both, all)).abs() < 1e-12);
        prop_assert_eq!(found.bw, f64::from(a != b));
    }
}

/// The length of a longest common subsequence, by the plain quadratic table.
fn table(a: &[&str], b: &[&str]) -> usize {
    let mut lengths = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (row, word) in a.iter().enumerate() {
        for (column, other) in b.iter().enumerate() {
            lengths[row + 1][column + 1] = if word == other {
                lengths[row][column] + 1
            } else {
                lengths[row][column + 1].max(lengths[row + 1][column])
            };
        }
    }
    lengths[a.len()][b.len()]
}

#[test]
fn the_worked_example() {
    let (a, b) = ("w1 w2 w2 w2 w3 w3 w4 w5 w2", "w3 w1 w4 w2 w3 w5 w5 w6 w6 w7");
    let settings = Settings { costs: Costs { copy: 0.4, moving: 0.9 }, ..Settings::default() };
    assert!((measures(a, b, &settings).ied - 0.57).abs() < 1e-12);
}

#[test]
fn every_metric_has_a_name_of_its_own() {
    let names = METRICS.map(|metric| metric.name);
    assert_eq!(names, ["bw", "cos", "wd", "ed", "shingle", "ied"]);
}

#[test]
fn white_space_is_no_change() {
    assert_eq!(measures("a  b\n c", "a b c\n", &Settings::default()), Measures::default());
    assert_eq!(measures("", " \n", &Settings::default()), Measures::default());
    assert_eq!(measures("", "a", &Settings::default()).values(), [1.0; 6]);
}
