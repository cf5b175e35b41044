//! Collections of families of texts, clustered in every way, beside a comparison of all pairs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_cluster::{
    ClusterError, Collection, InputFile, Joining, Linkage, Lookup, Method, Policy, Resources, Settings,
    Sketcher, Unwatched, Verify, recluster,
};
use firstcopy_text::{Analyzer, Content, Feature, Overlap, Page, Parameters, Seed};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicI64;
use support::{Run, StopsAfter, page, push_all};

/// So many words, different for every seed.
fn words(seed: u64, count: usize) -> Vec<String> {
    let word = |place: u64| {
        let mixed = (seed * 1_000_003 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("w{:x}", mixed >> 44)
    };
    (0..count as u64).map(word).collect()
}

/// A text of a family: its words from some place on, and words of its own at the end.
fn member(family: u64, from: usize, length: usize, own: usize, seed: u64) -> String {
    let mut text = words(family, from + length).split_off(from);
    text.extend(words(10_000 + seed, own));
    text.join(" ")
}

/// Families of related texts, and texts alone.
fn families(count: u64) -> Vec<Page> {
    let mut pages = Vec::new();
    for family in 0..count {
        let length = 15 + (family as usize * 37) % 300;
        for number in 0..1 + family % 5 {
            let text = member(family, 0, length, number as usize * length / 12, family * 10 + number);
            pages.push(page(&format!("{family}-{number}"), &text));
        }
    }
    pages.push(page("empty-1", ""));
    pages.push(page("empty-2", ""));
    pages
}

/// The clusters of comparing all pairs.
fn naive(pages: &[Page], settings: &Settings) -> BTreeSet<BTreeSet<String>> {
    let parameters = Parameters { shingle_words: settings.shingle_words, ..Parameters::default() };
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let sets: Vec<_> =
        pages.iter().map(|page| analyzer.sketched(analyzer.read(page.clone())).shingles).collect();
    let mut group: Vec<usize> = (0..pages.len()).collect();
    for b in 0..pages.len() {
        for a in 0..b {
            let overlap = Overlap::of(&sets[a], &sets[b]);
            let share = match settings.joining.policy {
                Policy::Resemblance | Policy::Likeness => overlap.resemblance(),
                Policy::Containment => overlap.containment_a_in_b().max(overlap.containment_b_in_a()),
            };
            if share >= settings.joining.threshold && group[a] != group[b] {
                let (old, new) = (group[b], group[a]);
                group.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
            }
        }
    }
    let of = |number: usize| -> BTreeSet<String> {
        (0..pages.len())
            .filter(|&other| group[other] == number)
            .map(|other| pages[other].id.clone())
            .collect()
    };
    (0..pages.len()).map(of).filter(|cluster| cluster.len() > 1).collect()
}

fn joined(threshold: f64, policy: Policy, linkage: Linkage) -> Settings {
    Settings { joining: Joining { threshold, policy, linkage }, ..Settings::default() }
}

#[test]
fn clusters_are_those_of_all_pairs() {
    let pages = families(60);
    for policy in [Policy::Resemblance, Policy::Containment] {
        for threshold in [0.3, 0.5, 0.8, 1.0] {
            let settings = joined(threshold, policy, Linkage::Connected);
            let run = Run::new();
            run.cluster(&pages, &settings);
            assert_eq!(run.clusters(), naive(&pages, &settings), "{policy:?} {threshold}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is grouped depends neither on the order nor on threads, memory or pieces.
    #[test]
    fn nothing_but_the_documents_counts(order in Just((0..150usize).collect::<Vec<_>>()).prop_shuffle(), many in any::<bool>()) {
        let pages = families(if many { 150 } else { 30 });
        let shuffled: Vec<Page> = order.iter().filter_map(|&place| pages.get(place)).cloned().chain(pages.iter().skip(150).cloned()).collect();
        let (a, b) = (Run::new(), Run::new());
        a.cluster(&pages, &Settings::default());
        b.cluster_with(&shuffled, &Settings::default(), &Resources { memory: 17 << 20, threads: 3, ..Resources::default() });
        prop_assert_eq!(a.clusters(), b.clusters());
    }
}

#[test]
fn threads_and_memory_change_no_byte() {
    let pages = families(80);
    let (a, b) = (Run::new(), Run::new());
    a.cluster_with(
        &pages,
        &Settings::default(),
        &Resources { memory: 8 << 30, threads: 1, ..Resources::default() },
    );
    b.cluster_with(
        &pages,
        &Settings::default(),
        &Resources { memory: 64 << 20, threads: 2, ..Resources::default() },
    );
    for file in ["members.jsonl", "clusters.jsonl", "lookup/members", "lookup/names"] {
        assert_eq!(
            std::fs::read(a.path().join(file)).unwrap(),
            std::fs::read(b.path().join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn the_earliest_is_the_original() {
    let text = words(1, 60).join(" ");
    let dated = |id: &str, created_at| Page { created_at, ..page(id, &text) };
    let run = Run::new();
    run.cluster(
        &[dated("undated", None), dated("late", Some(20)), dated("early", Some(10))],
        &Settings::default(),
    );
    let members = run.members();
    assert!(members.iter().all(|member| member["original"] == "early" && member["cluster_size"] == 3));
    let duplicates: Vec<bool> =
        members.iter().map(|member| member["is_duplicate"].as_bool().unwrap()).collect();
    assert_eq!(duplicates, [true, true, false]);
    let cluster: serde_json::Value = serde_json::from_str(run.file("clusters.jsonl").trim()).unwrap();
    assert_eq!(cluster["members"], serde_json::json!(["early", "late", "undated"]));
    assert_eq!((&cluster["identical_only"], &cluster["min_resemblance"]), (&true.into(), &1.0.into()));
}

#[test]
fn with_the_other_linkage_every_member_is_like_its_original() {
    // A chain: each like the next, the ends unlike.
    let pages: Vec<Page> =
        (0..8).map(|link| page(&link.to_string(), &member(1, 12 * link, 100, 0, 0))).collect();
    let connected = Run::new();
    let report = connected.cluster(&pages, &joined(0.6, Policy::Resemblance, Linkage::Connected));
    assert_eq!((report.clusters, report.duplicates), (1, 7));
    assert!(report.min_resemblance < 0.1, "{}", report.min_resemblance);
    let around = Run::new();
    let report = around.cluster(&pages, &joined(0.6, Policy::Resemblance, Linkage::Original));
    assert!(report.clusters > 1 && report.min_resemblance >= 0.6, "{report:?}");
    let low = |member: &serde_json::Value| member["resemblance"].as_f64().unwrap() < 0.6;
    assert!(!around.members().iter().any(low));
}

#[test]
fn thousands_of_copies_of_one_text_are_one_cluster() {
    let pages: Vec<Page> =
        (0..3000).map(|number| page(&number.to_string(), &member(7, 0, 120, 6, number))).collect();
    let run = Run::new();
    let report = run.cluster(&pages, &joined(0.8, Policy::Resemblance, Linkage::Connected));
    assert_eq!((report.clusters, report.duplicates), (1, 2999));
    assert!(report.common_shingles > 50, "{report:?}");
    assert!(report.pairs < 60_000, "pairs grow with the documents: {report:?}");
}

#[test]
fn cut_off_anywhere_it_goes_on_and_ends_the_same() {
    let pages = families(80);
    let whole = Run::new();
    whole.cluster(&pages, &Settings::default());
    let run = Run::new();
    let resources = Resources { memory: 17 << 20, ..Resources::default() };
    let begin =
        || Collection::begin(run.path(), &Settings::default(), Vec::new()).unwrap().within(resources.memory);
    // While it reads: what was in no piece is pushed again.
    let mut half = begin();
    let sketcher = Sketcher::new(half.settings());
    pages[..150].iter().for_each(|page| half.push(sketcher.sketch(page.clone())).unwrap());
    drop(half);
    // In every phase after that.
    let mut stops = 0;
    loop {
        let watch = StopsAfter(AtomicI64::new(stops));
        match push_all(begin(), &pages, &resources).cluster(&resources, &watch) {
            Err(ClusterError::Stopped) => stops += 1,
            done => {
                assert_eq!(done.unwrap().documents, pages.len() as u64);
                break;
            }
        }
    }
    assert!(stops > 2, "it was never stopped");
    for file in ["members.jsonl", "clusters.jsonl"] {
        assert_eq!(whole.file(file), run.file(file));
    }
}

#[test]
fn reading_goes_on_after_the_last_whole_piece() {
    // Large enough for several pieces of the smallest size.
    let pages: Vec<Page> =
        (0..400).map(|number| page(&number.to_string(), &member(number, 0, 1500, 0, 0))).collect();
    let run = Run::new();
    let small = Resources { memory: 17 << 20, ..Resources::default() };
    let begin =
        || Collection::begin(run.path(), &Settings::default(), Vec::new()).unwrap().within(small.memory);
    let mut first = begin();
    let sketcher = Sketcher::new(first.settings());
    pages[..300].iter().for_each(|page| first.push(sketcher.sketch(page.clone())).unwrap());
    drop(first);
    let before = begin().read_before();
    assert!(before > 0 && before < 300, "{before}");
    let report = push_all(begin(), &pages, &small).cluster(&small, &Unwatched).unwrap();
    assert_eq!((report.documents, report.clusters), (400, 0));
}

#[test]
fn other_settings_and_changed_inputs_are_refused() {
    let run = Run::new();
    let input = |bytes| vec![InputFile { path: "posts.jsonl".to_owned(), bytes, modified: 7 }];
    drop(Collection::begin(run.path(), &Settings::default(), input(1)).unwrap());
    drop(Collection::begin(run.path(), &Settings::default(), input(1)).unwrap());
    let refusal =
        |settings: &Settings, input| Collection::begin(run.path(), settings, input).unwrap_err().to_string();
    let changed = refusal(&Settings::default(), input(2));
    assert!(changed.contains("posts.jsonl has changed"), "{changed}");
    let others = refusal(&Settings { shingle_words: 5, ..Settings::default() }, input(1));
    assert!(others.contains("shingle-words 10") && others.contains("shingle-words 5"), "{others}");
    assert!(refusal(&Settings::default(), Vec::new()).contains("1 files then, 0 now"));
}

#[test]
fn two_collections_may_share_a_folder_for_temporary_files() {
    let temporary = Run::new();
    let resources = Resources { temp_dir: Some(temporary.path().to_owned()), ..Resources::default() };
    let (one, other) = (families(40), families(41));
    let same_number = &other[..one.len()];
    let (a, b) = (Run::new(), Run::new());
    // Cut off while it pairs, so that something of it lies there.
    let collection =
        push_all(Collection::begin(a.path(), &Settings::default(), Vec::new()).unwrap(), &one, &resources);
    let stopped = collection.cluster(&resources, &StopsAfter(AtomicI64::new(3)));
    assert!(matches!(stopped, Err(ClusterError::Stopped)));
    assert!(std::fs::read_dir(temporary.path()).unwrap().count() > 0);
    b.cluster_with(same_number, &Settings::default(), &resources);
    assert_eq!(b.clusters(), naive(same_number, &Settings::default()));
    a.cluster_with(&one, &Settings::default(), &resources);
    assert_eq!(a.clusters(), naive(&one, &Settings::default()));
}

#[test]
fn files_of_others_are_left_alone() {
    let run = Run::new();
    std::fs::write(run.path().join("mine.txt"), "mine").unwrap();
    let error = Collection::begin(run.path(), &Settings::default(), Vec::new()).unwrap_err().to_string();
    assert!(error.contains("is not empty"), "{error}");
    assert_eq!(std::fs::read_dir(run.path()).unwrap().count(), 1);
    // But an empty folder of a run that was cut off at once is taken.
    let begun = Run::new();
    std::fs::create_dir(begun.path().join("work")).unwrap();
    std::fs::write(begun.path().join("work/manifest.unfinished"), "{").unwrap();
    assert!(Collection::begin(begun.path(), &Settings::default(), Vec::new()).is_ok());
}

#[test]
fn reclustering_is_clustering_with_another_threshold() {
    let pages = families(60);
    let run = Run::new();
    run.cluster(&pages, &Settings::default());
    for (threshold, policy) in [
        (0.8, Policy::Resemblance),
        (0.3, Policy::Resemblance),
        (0.9, Policy::Containment),
        (0.5, Policy::Resemblance),
    ] {
        for linkage in [Linkage::Connected, Linkage::Original] {
            let settings = joined(threshold, policy, linkage);
            recluster(run.path(), &settings.joining, &Resources::default(), &Unwatched).unwrap();
            let fresh = Run::new();
            fresh.cluster(&pages, &settings);
            assert_eq!(
                run.file("members.jsonl"),
                fresh.file("members.jsonl"),
                "{threshold} {policy:?} {linkage:?}"
            );
        }
    }
}

#[test]
fn adding_is_clustering_all_at_once() {
    let pages = families(90);
    let all = Run::new();
    all.cluster(&pages, &Settings::default());
    let run = Run::new();
    run.cluster(&pages[..70], &Settings::default());
    for (sweep, end) in [(1, 140), (2, pages.len())] {
        let input = vec![InputFile { path: format!("sweep-{sweep}"), bytes: 1, modified: 1 }];
        let collection = Collection::add_to(run.path(), input).unwrap();
        let from = if sweep == 1 { 70 } else { 140 };
        push_all(collection, &pages[from..end], &Resources::default())
            .cluster(&Resources::default(), &Unwatched)
            .unwrap();
    }
    assert_eq!(all.file("members.jsonl"), run.file("members.jsonl"));
    assert_eq!(all.file("clusters.jsonl"), run.file("clusters.jsonl"));
}

#[test]
fn every_method_finds_near_copies() {
    let text = words(3, 600);
    let copy = [&text[..300], &["another".to_owned()], &text[301..]].concat();
    let pages = [page("a", &text.join(" ")), page("b", &copy.join(" ")), page("c", &words(4, 600).join(" "))];
    for method in [Method::Sketch, Method::SuperShingle, Method::Features] {
        for verify in [Verify::Exact, Verify::Sketch] {
            let run = Run::new();
            let report = run.cluster(&pages, &Settings { method, verify, ..Settings::default() });
            assert_eq!((report.clusters, report.duplicates), (1, 1), "{method:?} {verify:?}");
            let resemblance = run.members()[1]["resemblance"].as_f64().unwrap();
            // 581 of 601 shingles, exactly or by a sample.
            let exact = verify == Verify::Exact;
            assert!((resemblance - 581.0 / 601.0).abs() < if exact { 1e-6 } else { 0.06 }, "{resemblance}");
        }
    }
}

#[test]
fn ready_made_features_cluster_as_text_does() {
    let features = |numbers: std::ops::Range<i64>| Content::Features(numbers.map(Feature::Number).collect());
    let of = |id: &str, content| Page { id: id.to_owned(), content, ..Page::default() };
    let run = Run::new();
    let report = run.cluster(
        &[of("a", features(0..50)), of("b", features(2..51)), of("c", features(100..150))],
        &Settings::default(),
    );
    assert_eq!((report.clusters, report.duplicates), (1, 1));
    assert_eq!(run.members()[1]["resemblance"].as_f64().unwrap(), (48.0f64 / 51.0 * 1e6).round() / 1e6);
}

#[test]
fn documents_are_looked_up_by_url_and_id() {
    let pages = families(40);
    let run = Run::new();
    assert!(Lookup::of(run.path()).is_err());
    run.cluster(&pages, &Settings::default());
    let lookup = Lookup::of(run.path()).unwrap();
    for member in run.members() {
        let by_id = lookup.find(member["id"].as_str().unwrap()).unwrap();
        assert_eq!(by_id, lookup.find(member["url"].as_str().unwrap()).unwrap());
        assert_eq!(by_id.len(), 1);
        assert_eq!(u64::from(by_id[0].cluster), member["cluster"].as_u64().unwrap());
        assert_eq!(by_id[0].cluster_size, member["cluster_size"].as_u64().unwrap());
        assert_eq!(by_id[0].original, member["original"].as_str().unwrap());
        assert!(by_id[0].members.iter().any(|other| other.id == by_id[0].id));
    }
    assert!(lookup.find("nobody").unwrap().is_empty());
}

#[test]
fn too_little_memory_is_said_at_once() {
    let run = Run::new();
    let collection = Collection::begin(run.path(), &Settings::default(), Vec::new()).unwrap();
    let resources = Resources { memory: 1 << 20, ..Resources::default() };
    let error = collection.cluster(&resources, &Unwatched).unwrap_err().to_string();
    assert!(error.contains("--memory"), "{error}");
}

#[test]
fn damage_is_an_error_that_says_what_to_do() {
    let pages = families(20);
    for file in ["documents-000000", "keys-000000", "samples-000000", "pairs-42", "manifest.json"] {
        let run = Run::new();
        run.cluster(&pages, &Settings::default());
        let path = run.path().join("work").join(file.replace("42", &pages.len().to_string()));
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let joining = Joining { threshold: 0.2, ..Joining::default() };
        let result = recluster(run.path(), &joining, &Resources::default(), &Unwatched);
        // Keys are not read any more once there are pairs.
        assert!(result.is_err() || file.starts_with("keys"), "{file}");
    }
}
