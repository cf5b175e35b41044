//! Clustering by likeness beside a comparison of all pairs: families of edited copies, excerpts, and templates whose
//! phrases very many documents share.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_cluster::{
    ClusterError, Collection, InputFile, Joining, Linkage, OutputFormat, Policy, Resources, Settings,
    Unwatched, choices, recluster,
};
use firstcopy_text::likeness::{
    CopyRelation, KeyMaker, MIN_LIKENESS, Weights, Words, compare, may_be_copies, shared_keys,
};
use firstcopy_text::{Content, Feature, Page, Seed};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicI64;
use support::{Run, StopsAfter, page, push_all};

/// Random numbers (SplitMix64): the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A word of letters.
    fn word(&mut self) -> String {
        let mut number = self.next();
        (0..5)
            .map(|_| {
                let letter = char::from(b'a' + (number % 26) as u8);
                number /= 26;
                letter
            })
            .collect()
    }

    fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.word()).collect()
    }

    /// Replaces a share of the words, adds some at the end, or takes an excerpt.
    fn copy(&mut self, text: &[String]) -> Vec<String> {
        let mut copy = text.to_vec();
        match self.below(4) {
            0 => {
                let length = text.len() * (40 + self.below(50)) / 100;
                let start = self.below(text.len() - length);
                copy = text[start..start + length].to_vec();
            }
            1 => copy.extend({
                let length = self.below(text.len());
                self.words(length)
            }),
            _ => {
                for _ in 0..self.below(text.len() / 6) {
                    let at = self.below(copy.len());
                    copy[at] = self.word();
                }
            }
        }
        copy
    }
}

/// A page of a template: its words with other figures between them, and some words of its own.
fn template_page(template: &[String], random: &mut Random, own: usize) -> Vec<String> {
    let mut text = Vec::new();
    for part in template.chunks(8) {
        text.extend_from_slice(part);
        text.push(random.below(90_000).to_string());
    }
    text.extend(random.words(own));
    text
}

/// Documents that share much: a template, a text with very many copies, families, and texts alone; some dated.
fn sharing(seed: u64, scale: usize) -> Vec<Page> {
    let mut random = Random(seed);
    let mut texts: Vec<Vec<String>> = Vec::new();
    let template = random.words(100 + seed as usize * 13 % 80);
    for _ in 0..5 * scale {
        let own = random.below(40);
        texts.push(template_page(&template, &mut random, own));
    }
    let famous = random.words(150);
    for _ in 0..4 * scale {
        texts.push(random.copy(&famous));
    }
    for _ in 0..scale {
        let length = 20 + random.below(300);
        texts.push(random.words(length));
    }
    for _ in 0..4 * scale {
        let of = random.below(texts.len());
        let text = texts[of].clone();
        texts.push(if random.below(4) == 0 { text } else { random.copy(&text) });
    }
    // In random order: a copy may come before what it was made from.
    for at in (1..texts.len()).rev() {
        texts.swap(at, random.below(at + 1));
    }
    let mut pages: Vec<Page> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let created_at = (random.below(3) > 0).then(|| random.below(1000) as i64);
        pages.push(Page { created_at, ..page(&format!("d{number}"), &text.join(" ")) });
    }
    pages.push(page("empty-1", ""));
    pages.push(page("empty-2", "!"));
    pages
}

/// Compares all pairs that share enough keys to be candidates, as the store-time check does: a pair that shares fewer is not
/// compared there either, even if it would match.
struct Naive {
    words: Vec<Words>,
    keys: Vec<Vec<u64>>,
    codes: Vec<Vec<u8>>,
    /// Documents from the earliest on.
    order: Vec<usize>,
}

impl Naive {
    fn new(pages: &[Page]) -> Self {
        let words = |page: &Page| match &page.content {
            Content::Unicode { text, .. } => Words::of(text, &Weights::default()),
            Content::Text { bytes, .. } => {
                Words::of(std::str::from_utf8(bytes).unwrap(), &Weights::default())
            }
            _ => Words::default(),
        };
        let words: Vec<Words> = pages.iter().map(words).collect();
        let codes = |words: &Words| {
            let mut bytes = Vec::new();
            words.to_bytes(&mut bytes);
            bytes.truncate(4 * words.len());
            bytes
        };
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_by_key(|&number| (pages[number].created_at.unwrap_or(i64::MAX), number));
        let maker = KeyMaker::new(&Seed::PUBLIC);
        let keys = words.iter().map(|words| maker.keys(words)).collect();
        Naive { codes: words.iter().map(codes).collect(), keys, words, order }
    }

    fn has_same_words(&self, a: usize, b: usize) -> bool {
        !self.words[a].is_empty() && self.codes[a] == self.codes[b]
    }

    fn are_candidates(&self, a: usize, b: usize, min_likeness: f64) -> bool {
        let weight = |number: usize| self.words[number].total_weight();
        may_be_copies(weight(a), weight(b), shared_keys(&self.keys[a], &self.keys[b]), min_likeness)
    }

    fn is_copy(&self, earlier: usize, later: usize, min_likeness: f64) -> bool {
        self.has_same_words(earlier, later)
            || self.are_candidates(earlier, later, min_likeness)
                && compare(&self.words[earlier], &self.words[later]).relation(min_likeness).is_copy()
    }

    /// The connected components of matching pairs.
    fn clusters(&self, pages: &[Page], min_likeness: f64) -> BTreeSet<BTreeSet<String>> {
        let mut group: Vec<usize> = (0..pages.len()).collect();
        for (place, &later) in self.order.iter().enumerate() {
            for &earlier in &self.order[..place] {
                if group[earlier] != group[later] && self.is_copy(earlier, later, min_likeness) {
                    let (old, new) = (group[later], group[earlier]);
                    group.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
                }
            }
        }
        let of = |number: usize| -> BTreeSet<String> {
            let members = (0..pages.len()).filter(|&other| group[other] == number);
            members.map(|other| pages[other].id.clone()).collect()
        };
        (0..pages.len()).map(of).filter(|cluster| cluster.len() > 1).collect()
    }

    /// The original of every document by the rule of the store-time check.
    fn originals(&self, min_likeness: f64) -> Vec<usize> {
        let mut original: Vec<usize> = (0..self.words.len()).collect();
        let mut originals: Vec<usize> = Vec::new();
        for &number in &self.order {
            let same = originals.iter().find(|&&other| self.has_same_words(other, number));
            let found =
                same.or_else(|| originals.iter().find(|&&other| self.is_copy(other, number, min_likeness)));
            match found {
                Some(&found) => original[number] = found,
                None => originals.push(number),
            }
        }
        original
    }
}

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
