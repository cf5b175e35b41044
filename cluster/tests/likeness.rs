//! Clustering by likeness beside a comparison of all pairs: families of edited copies, excerpts, and templates whose
//! phrases very many documents share.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_cluster::{
    ClusterError, Collection, InputFile, Joining, Linkage, OutputFormat, Policy, Resources, Settings,
    Unwatched, choices, recluster,
};
use firstcopy_text::likeness::{CopyRelation, MIN_LIKENESS};
use firstcopy_text::{Content, Feature, Page};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicI64;
use support::families::{Naive, Random, sharing, template_page};
use support::{Run, StopsAfter, page, push_all};

fn by_likeness(min_likeness: f64, linkage: Linkage) -> Settings {
    let joining = Joining { threshold: min_likeness, ..Joining::by_likeness(linkage) };
    Settings { joining, ..Settings::default() }
}

fn connected() -> Settings {
    by_likeness(MIN_LIKENESS, Linkage::Connected)
}

#[test]
fn clusters_are_the_components_of_all_matching_pairs() {
    for seed in 0..6 {
        let pages = sharing(seed, 20);
        let run = Run::new();
        run.cluster(&pages, &connected());
        assert_eq!(run.clusters(), Naive::new(&pages).clusters(&pages, MIN_LIKENESS), "seed {seed}");
    }
}

#[test]
fn duplicates_are_those_of_the_store_time_check() {
    for seed in 0..6 {
        let pages = sharing(seed, 20);
        let run = Run::new();
        run.cluster(&pages, &by_likeness(MIN_LIKENESS, Linkage::Original));
        let naive = Naive::new(&pages).originals(MIN_LIKENESS);
        let found: Vec<String> =
            run.members().iter().map(|member| member["original"].as_str().unwrap().to_owned()).collect();
        let expected: Vec<String> = naive.iter().map(|&number| pages[number].id.clone()).collect();
        let wrong: Vec<_> = (0..pages.len())
            .filter(|&number| found[number] != expected[number])
            .map(|number| (&pages[number].id, &found[number], &expected[number]))
            .collect();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:?}");
        let relations = run.members();
        for member in relations.iter().filter(|member| member["is_duplicate"] == true) {
            let relation = CopyRelation::from_name(member["relation"].as_str().unwrap()).unwrap();
            assert!(relation.is_copy(), "{member}");
        }
    }
}

#[test]
fn threads_and_memory_change_no_byte() {
    let pages = sharing(7, 20);
    let (a, b) = (Run::new(), Run::new());
    a.cluster_with(&pages, &connected(), &Resources { memory: 8 << 30, ..Resources::default() });
    b.cluster_with(&pages, &connected(), &Resources { memory: 17 << 20, threads: 3, ..Resources::default() });
    for file in ["members.jsonl", "clusters.jsonl", "lookup/members"] {
        assert!(a.file_bytes(file) == b.file_bytes(file), "{file}");
    }
}

#[test]
fn run_that_is_cut_off_goes_on_and_ends_the_same() {
    let pages = sharing(8, 15);
    let whole = Run::new();
    whole.cluster(&pages, &connected());
    let run = Run::new();
    let resources = Resources { memory: 17 << 20, ..Resources::default() };
    let begin = || Collection::begin(run.path(), &connected(), Vec::new()).unwrap().within(resources.memory);
    let mut stops = 0;
    loop {
        let watch = StopsAfter(AtomicI64::new(stops));
        match push_all(begin(), &pages, &resources).cluster(&resources, &watch) {
            Err(ClusterError::Stopped) => stops += 1,
            done => break assert_eq!(done.unwrap().documents, pages.len() as u64),
        }
    }
    assert!(stops > 2, "it was never stopped");
    for file in ["members.jsonl", "clusters.jsonl"] {
        assert_eq!(whole.file(file), run.file(file));
    }
}

#[test]
fn pages_of_one_template_stay_apart_and_their_copies_are_found() {
    let mut random = Random(3);
    let template = random.words(160);
    let texts: Vec<Vec<String>> = (0..1200).map(|_| template_page(&template, &mut random, 0)).collect();
    let mut pages: Vec<Page> =
        (0..).zip(&texts).map(|(number, text)| page(&format!("t{number}"), &text.join(" "))).collect();
    for (number, text) in texts.iter().enumerate().step_by(40) {
        let copy = [text.as_slice(), &random.words(6)].concat();
        pages.push(page(&format!("c{number}"), &copy.join(" ")));
    }
    for linkage in [Linkage::Connected, Linkage::Original] {
        let run = Run::new();
        let report = run.cluster(&pages, &by_likeness(MIN_LIKENESS, linkage));
        let expected: BTreeSet<BTreeSet<String>> =
            (0..1200).step_by(40).map(|number| [format!("t{number}"), format!("c{number}")].into()).collect();
        assert_eq!(run.clusters(), expected, "{linkage:?}");
        // All pairs would be 756,000.
        assert!(report.compared_pairs < 40 * 1230, "{}", report.compared_pairs);
    }
}

#[test]
fn thousands_of_copies_of_one_text_are_one_cluster() {
    let mut random = Random(5);
    let text = random.words(120);
    let pages: Vec<Page> = (0..3000)
        .map(|number| {
            let mut copy = text.clone();
            for _ in 0..6 {
                let at = random.below(copy.len());
                copy[at] = random.word();
            }
            page(&number.to_string(), &copy.join(" "))
        })
        .collect();
    let run = Run::new();
    let report = run.cluster(&pages, &connected());
    assert_eq!((report.clusters, report.duplicates), (1, 2999));
    assert!(report.pairs < 60_000, "pairs grow with the documents: {report:?}");
}

#[test]
fn later_excerpt_is_joined_and_later_extension_is_not() {
    let mut random = Random(9);
    let (whole, other) = (random.words(200), random.words(200));
    let extended = [other.as_slice(), &random.words(150)].concat();
    let pages = [
        page("whole", &whole.join(" ")),
        page("excerpt", &whole[50..120].join(" ")),
        page("other", &other.join(" ")),
        page("extended", &extended.join(" ")),
    ];
    let run = Run::new();
    let report = run.cluster(&pages, &connected());
    assert_eq!((report.clusters, report.duplicates), (1, 1));
    let members = run.members();
    assert_eq!((&members[1]["original"], &members[1]["relation"]), (&"whole".into(), &"excerpt".into()));
    assert!(members[1]["likeness"].as_f64().unwrap() < 0.7, "{}", members[1]);
    assert_eq!(members[1]["likeness"], members[1]["resemblance"]);
    assert_eq!((&members[0]["likeness"], &members[0]["relation"]), (&1.0.into(), &"none".into()));
    let cluster: serde_json::Value = serde_json::from_str(run.file("clusters.jsonl").trim()).unwrap();
    assert_eq!(cluster["min_likeness"], members[1]["likeness"]);
}

#[test]
fn relations_tell_bytes_words_and_edits_apart() {
    let mut random = Random(11);
    let text = random.words(100);
    let mut edited = text.clone();
    edited[30] = random.word();
    let pages = [
        page("first", &text.join(" ")),
        page("identical", &text.join(" ")),
        page("same-words", &text.join(", ").to_uppercase()),
        page("edited", &edited.join(" ")),
    ];
    let run = Run::new();
    run.cluster(&pages, &connected());
    let relation = |member: &serde_json::Value| member["relation"].as_str().unwrap().to_owned();
    let relations: Vec<String> = run.members().iter().map(relation).collect();
    assert_eq!(relations, ["none", "identical", "same_words", "edited"]);
    let choices = choices(run.path(), firstcopy_cluster::Keep::Earliest).unwrap();
    assert_eq!(choices.removed(3).unwrap().relation, Some(CopyRelation::Edited));
    assert_eq!(choices.removed(2).unwrap().relation, Some(CopyRelation::SameWords));
}

#[test]
fn reclustering_is_clustering_with_a_higher_likeness() {
    let pages = sharing(12, 12);
    let run = Run::new();
    run.cluster(&pages, &connected());
    for min_likeness in [0.9, 0.95, 0.8] {
        for linkage in [Linkage::Connected, Linkage::Original] {
            let settings = by_likeness(min_likeness, linkage);
            recluster(run.path(), &settings.joining, &Resources::default(), &Unwatched).unwrap();
            let fresh = Run::new();
            fresh.cluster(&pages, &settings);
            assert_eq!(run.file("members.jsonl"), fresh.file("members.jsonl"), "{min_likeness} {linkage:?}");
        }
    }
}

#[test]
fn what_was_not_kept_cannot_be_joined_by() {
    let pages = sharing(13, 3);
    let (words, shingles) = (Run::new(), Run::new());
    words.cluster(&pages, &connected());
    shingles.cluster(&pages, &Settings::default());
    let refusal = |run: &Run, joining: &Joining| {
        recluster(run.path(), joining, &Resources::default(), &Unwatched).unwrap_err().to_string()
    };
    let lower = refusal(&words, &by_likeness(0.7, Linkage::Connected).joining);
    assert!(lower.contains("min-likeness (0.8; now 0.7"), "{lower}");
    assert!(refusal(&words, &Joining::default()).contains("keeps no shingles"));
    assert!(refusal(&shingles, &connected().joining).contains("keep no words"));
    let begun = Collection::begin(words.path(), &Settings::default(), Vec::new()).unwrap_err().to_string();
    assert!(begun.contains("policy likeness"), "{begun}");
}

#[test]
fn adding_is_clustering_all_at_once() {
    let pages = sharing(14, 20);
    let all = Run::new();
    all.cluster(&pages, &connected());
    let run = Run::new();
    run.cluster(&pages[..100], &connected());
    let input = vec![InputFile { path: "more".to_owned(), bytes: 1, modified: 1 }];
    let collection = Collection::add_to(run.path(), input).unwrap();
    push_all(collection, &pages[100..], &Resources::default())
        .cluster(&Resources::default(), &Unwatched)
        .unwrap();
    assert_eq!(all.file("members.jsonl"), run.file("members.jsonl"));
}

#[test]
fn ready_made_features_are_compared_by_resemblance_and_never_with_text() {
    let features = |numbers: std::ops::Range<i64>| Content::Features(numbers.map(Feature::Number).collect());
    let of = |id: &str, content| Page { id: id.to_owned(), content, ..Page::default() };
    let mut random = Random(15);
    let text = random.words(60).join(" ");
    let run = Run::new();
    let report = run.cluster(
        &[
            of("a", features(0..50)),
            page("text", &text),
            of("b", features(2..51)),
            of("c", features(20..70)),
            page("copy", &format!("{text} again")),
        ],
        &connected(),
    );
    assert_eq!((report.clusters, report.duplicates), (2, 2));
    let members = run.members();
    assert_eq!(members[2]["original"], "a");
    assert_eq!(members[2]["likeness"].as_f64().unwrap(), (48.0f64 / 51.0 * 1e6).round() / 1e6);
    assert_eq!(members[4]["original"], "text");
}

#[test]
fn members_are_written_as_parquet_with_likeness() {
    let pages = sharing(16, 3);
    let run = Run::new();
    let resources = Resources { output_format: OutputFormat::Parquet, ..Resources::default() };
    run.cluster_with(&pages, &connected(), &resources);
    let bytes = run.file_bytes("members.parquet");
    let holds = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    assert!(holds("likeness") && holds("relation"));
}

#[test]
fn policies_by_shingles_say_nothing_of_likeness() {
    let pages = sharing(17, 3);
    let run = Run::new();
    let report = run.cluster(&pages, &Settings::default());
    assert_eq!((report.settings.joining.policy, report.min_likeness), (Policy::Resemblance, None));
    assert!(!run.file("members.jsonl").contains("likeness"));
    assert!(!run.file("clusters.jsonl").contains("likeness"));
}
