//! Clustering with weights learnt from the input, beside a learner that holds all words in memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_cluster::{
    ClusterError, Collection, InputFile, Joining, Linkage, Resources, Settings, Sketcher, Unwatched,
    recluster,
};
use firstcopy_text::likeness::{MIN_LIKENESS, Weights};
use firstcopy_text::{Content, Feature, Page};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicI64;
use support::families::{Naive, Random, learn_naively, sharing};
use support::{Run, StopsAfter, page, push_all};

fn built_in() -> Settings {
    Settings { joining: Joining::by_likeness(Linkage::Connected), ..Settings::default() }
}

fn learning() -> Settings {
    Settings { learn_weights: true, ..built_in() }
}

/// Little memory: several pieces, and several blocks of words.
fn scarce(threads: usize) -> Resources {
    Resources { memory: 17 << 20, threads, ..Resources::default() }
}

fn weights_of(run: &Run) -> Weights {
    Weights::from_bytes(&run.file_bytes("work/weights")).unwrap()
}

fn input(name: &str) -> Vec<InputFile> {
    vec![InputFile { path: name.to_owned(), bytes: 1, modified: 1 }]
}

/// Pages with enough words for several pieces of a megabyte.
fn long_pages(seed: u64) -> Vec<Page> {
    let mut random = Random(seed);
    let mut pages = sharing(seed, 20);
    let common = random.words(40);
    for number in 0..150 {
        let mut words = random.words(4_000);
        // Of different shares of the documents.
        for (rank, word) in common.iter().enumerate() {
            if random.below(40) >= rank {
                let at = random.below(words.len());
                words[at] = word.clone();
            }
        }
        pages.push(page(&format!("long-{number}"), &words.join(" ")));
    }
    pages
}

#[test]
fn clusters_equal_the_naive_twin() {
    for seed in 0..4 {
        let pages = sharing(seed, 20);
        let run = Run::new();
        let report = run.cluster(&pages, &learning());
        let weights = learn_naively(&pages);
        let naive = Naive::weighed(&pages, &weights).clusters(&pages, MIN_LIKENESS);
        assert_eq!(run.clusters(), naive, "seed {seed}");
        assert!(report.words_learnt.unwrap() > 100, "{report:?}");
        assert!(report.phases.iter().any(|phase| phase.phase == "weights"));
    }
}

#[test]
fn weights_equal_the_naive_learner_whatever_threads_memory_and_order() {
    let mut pages = long_pages(3);
    // No numbers and no kana are in these words: their weights are never learnt.
    let is_long = |page: &Page| page.id.starts_with("long");
    pages.retain(is_long);
    let naive = learn_naively(&pages).to_bytes();
    assert_ne!(naive, Weights::default().to_bytes());
    let mut random = Random(1);
    for resources in [Resources::default(), scarce(1), scarce(3)] {
        let run = Run::new();
        run.cluster_with(&pages, &learning(), &resources);
        assert!(weights_of(&run).to_bytes() == naive, "{resources:?}");
        for at in (1..pages.len()).rev() {
            pages.swap(at, random.below(at + 1));
        }
    }
}

#[test]
fn threads_and_memory_change_no_byte() {
    let pages = long_pages(4);
    let (a, b) = (Run::new(), Run::new());
    a.cluster_with(&pages, &learning(), &Resources { memory: 8 << 30, ..Resources::default() });
    b.cluster_with(&pages, &learning(), &scarce(3));
    assert!(b.path().join("work/documents-000002").exists(), "several pieces");
    for file in ["members.jsonl", "clusters.jsonl", "work/weights"] {
        assert!(a.file_bytes(file) == b.file_bytes(file), "{file}");
    }
}

#[test]
fn run_that_is_cut_off_goes_on_and_ends_the_same() {
    let pages = long_pages(5);
    let whole = Run::new();
    whole.cluster_with(&pages, &learning(), &scarce(1));
    let run = Run::new();
    let begin = || Collection::begin(run.path(), &learning(), Vec::new()).unwrap().within(17 << 20);
    let mut stops = 0;
    loop {
        let watch = StopsAfter(AtomicI64::new(stops));
        match push_all(begin(), &pages, &scarce(1)).cluster(&scarce(2), &watch) {
            Err(ClusterError::Stopped) => stops += 1,
            done => break assert_eq!(done.unwrap().documents, pages.len() as u64),
        }
    }
    assert!(stops > 5, "it was stopped {stops} times");
    for file in ["members.jsonl", "clusters.jsonl", "work/weights", "work/keys-000001"] {
        assert!(whole.file_bytes(file) == run.file_bytes(file), "{file}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::copy(from, to).unwrap();
}

#[test]
fn piece_that_was_half_written_anew_is_written_again() {
    let mut pages = long_pages(6);
    let features = Content::Features((0..50).map(Feature::Number).collect());
    pages.insert(7, Page { id: "features".to_owned(), content: features, ..Page::default() });
    let whole = Run::new();
    whole.cluster_with(&pages, &learning(), &scarce(1));
    // The files of a piece are put in place one after the other: keys, samples, documents.
    for placed in [&[][..], &["keys-000000"], &["keys-000000", "samples-000000"]] {
        let run = Run::new();
        let collection = Collection::begin(run.path(), &learning(), Vec::new()).unwrap();
        push_all(collection, &pages, &scarce(1)).finish_reading().unwrap();
        let work = |run: &Run, name: &str| run.path().join("work").join(name);
        for name in placed.iter().chain(&["weights"]) {
            copy(&work(&whole, name), &work(&run, name));
        }
        let begun = Collection::begin(run.path(), &learning(), Vec::new()).unwrap();
        begun.cluster(&scarce(1), &Unwatched).unwrap();
        for name in ["keys-000000", "samples-000000", "documents-000000"] {
            let (expected, found) = (work(&whole, name), work(&run, name));
            assert!(std::fs::read(expected).unwrap() == std::fs::read(found).unwrap(), "{placed:?}: {name}");
        }
        assert_eq!(run.file("members.jsonl"), whole.file("members.jsonl"));
    }
}

/// Pages of shops: boilerplate that all of them have around a few words of their own.
fn shops(count: usize) -> (Vec<Page>, Vec<Vec<String>>) {
    let mut random = Random(7);
    let boilerplate = random.words(90);
    let own: Vec<Vec<String>> = (0..count).map(|_| random.words(12)).collect();
    let text = |own: &[String]| [&boilerplate[..50], own, &boilerplate[50..]].concat().join(" ");
    let pages = (0..).zip(&own).map(|(number, own)| page(&format!("shop-{number}"), &text(own)));
    (pages.collect(), own)
}

#[test]
fn template_joins_pages_by_built_in_weights_and_not_by_learnt_ones() {
    let (mut pages, own) = shops(150);
    // A copy in other boilerplate, and one in the same.
    let mut random = Random(8);
    pages.push(page("other-frame", &[own[3].clone(), random.words(8)].concat().join(" ")));
    let Content::Unicode { text, .. } = pages[9].content.clone() else { panic!("no text") };
    pages.push(page("same-frame", &text.replacen(&own[9][4], "changed", 1)));
    let (joined, apart) = (Run::new(), Run::new());
    let report = joined.cluster(&pages, &built_in());
    assert_eq!((report.clusters, report.duplicates, report.words_learnt), (1, 150, None));
    let report = apart.cluster(&pages, &learning());
    let expected: BTreeSet<BTreeSet<String>> = [["shop-9".to_owned(), "same-frame".to_owned()].into()].into();
    assert_eq!(apart.clusters(), expected);
    assert_eq!(report.words_learnt, Some(90));
}

#[test]
fn few_documents_are_clustered_with_the_built_in_weights() {
    let (pages, _) = shops(60);
    let (a, b) = (Run::new(), Run::new());
    assert_eq!(a.cluster(&pages, &learning()).words_learnt, Some(0));
    b.cluster(&pages, &built_in());
    assert_eq!(a.file("members.jsonl"), b.file("members.jsonl"));
}

#[test]
fn added_documents_are_weighed_with_the_weights_of_the_folder() {
    let pages = sharing(9, 20);
    let run = Run::new();
    run.cluster(&pages[..150], &learning());
    let weights = run.file_bytes("work/weights");
    let collection = Collection::add_to(run.path(), input("more")).unwrap();
    push_all(collection, &pages[150..], &Resources::default())
        .cluster(&Resources::default(), &Unwatched)
        .unwrap();
    assert!(run.file_bytes("work/weights") == weights);
    let naive = Naive::weighed(&pages, &learn_naively(&pages[..150]));
    assert_eq!(run.clusters(), naive.clusters(&pages, MIN_LIKENESS));
}

#[test]
fn reference_and_inputs_are_learnt_from_together() {
    let pages = sharing(10, 20);
    let run = Run::new();
    let mut reference = Collection::begin_reference(run.path(), &learning(), input("reference")).unwrap();
    let sketcher = Sketcher::new(reference.settings());
    for page in &pages[..150] {
        reference.push(sketcher.sketch(page.clone()).of_reference()).unwrap();
    }
    reference.finish_reading().unwrap();
    drop(reference);
    let collection = Collection::add_to(run.path(), input("inputs")).unwrap();
    push_all(collection, &pages[150..], &Resources::default())
        .cluster(&Resources::default(), &Unwatched)
        .unwrap();
    let whole = Run::new();
    whole.cluster(&pages, &learning());
    assert!(run.file_bytes("work/weights") == whole.file_bytes("work/weights"));
}

#[test]
fn reclustering_keeps_the_weights() {
    let pages = sharing(11, 12);
    let run = Run::new();
    run.cluster(&pages, &learning());
    let joining = Joining { threshold: 0.9, ..learning().joining };
    let report = recluster(run.path(), &joining, &Resources::default(), &Unwatched).unwrap();
    let fresh = Run::new();
    let of_fresh = fresh.cluster(&pages, &Settings { joining, ..learning() });
    assert_eq!(run.file("members.jsonl"), fresh.file("members.jsonl"));
    assert_eq!(report.words_learnt, of_fresh.words_learnt);
}

#[test]
fn folder_with_other_weights_is_refused() {
    let pages = sharing(12, 3);
    let run = Run::new();
    run.cluster(&pages, &built_in());
    let error = Collection::begin(run.path(), &learning(), Vec::new()).unwrap_err().to_string();
    assert!(error.contains("built-in weights; now") && error.contains("learnt weights"), "{error}");
    let error = Collection::open(run.path()).unwrap().require_learnt_weights().unwrap_err().to_string();
    assert!(error.contains("--learn-weights"), "{error}");
}
