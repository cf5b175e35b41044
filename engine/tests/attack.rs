//! Whoever knows the seeds can make unrelated posts duplicates and hide a copy. A data directory draws its own, so the
//! same texts do neither there. Each attack is first shown to work where the seeds are public.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Engine, OpenOptions, Policy, Verdict};
use firstcopy_text::likeness::{KEYS, KeyMaker, Weights, Words, shared_keys};
use firstcopy_text::{Analyzer, Content, FeatureRule, Page, Parameters, Permutations, Seed};
use support::{options, words};

/// The bytes of `Seed::PUBLIC`.
const PUBLIC: [u8; 32] = *b"firstcopy: the public batch seed";
const PERMUTATIONS: usize = 84;
const SHINGLE: usize = 10;

/// For every permutation of the public seed, the shingle of lowest image among two million random ones. A post of n
/// shingles has a lower one with a probability of n in two million.
fn lowest_shingles() -> Vec<String> {
    const PIECES: usize = 2000;
    const PIECE: usize = 1000;
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
    let permutations = Permutations::new(PERMUTATIONS, &Seed::PUBLIC);
    let mut lowest = vec![(u32::MAX, String::new()); PERMUTATIONS];
    for piece in 0..PIECES {
        let words = words(piece as u64, PIECE + SHINGLE - 1);
        let core = firstcopy_text::CoreText::of_plain_text(&words.join(" "));
        let shingles = analyzer.shingles(&core);
        let minima = permutations.minima(shingles.as_slice());
        let better: Vec<usize> = (0..PERMUTATIONS).filter(|&j| minima[j] < lowest[j].0).collect();
        if better.is_empty() {
            continue;
        }
        // The shingles of random words are all different, and so in the order of the text.
        for (start, shingle) in shingles.as_slice().iter().enumerate() {
            let images = permutations.minima(&[*shingle]);
            for &j in better.iter().filter(|&&j| images[j] == minima[j]) {
                lowest[j] = (minima[j], words[start..start + SHINGLE].join(" "));
            }
        }
    }
    lowest.into_iter().map(|(_, words)| words).collect()
}

/// The verdict of the second of two posts in a new directory with these seeds, or its own.
fn second(policy: Policy, seeds: Option<[u8; 32]>, first: &str, second: &str) -> Verdict {
    let folder = support::folder();
    let options = OpenOptions { seeds, ..options(policy) };
    let engine = Engine::open(&folder.path().join("data"), options).unwrap();
    let post =
        |id: &str, text: &str| Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
    engine.add(post("first", first)).unwrap();
    engine.add(post("second", second)).unwrap()
}

const BOTH: [Policy; 2] = [Policy::Paper, Policy::Resemblance];

#[test]
fn a_crafted_block_makes_no_duplicates() {
    let block = lowest_shingles().join(" ");
    let post = |seed: u64| words(seed, 1000).join(" ") + " " + &block;
    let (one, other) = (post(1 << 40), post(1 << 41));
    let fooled = second(Policy::Paper, Some(PUBLIC), &one, &other);
    assert_eq!((fooled.verdict, fooled.reason.as_str()), ("duplicate", "features"));
    assert!(fooled.resemblance < 0.5, "the posts are unrelated: {}", fooled.resemblance);
    // True resemblance is not fooled even so.
    assert!(second(Policy::Resemblance, Some(PUBLIC), &one, &other).is_original());
    for policy in BOTH {
        for _ in 0..10 {
            let verdict = second(policy, None, &one, &other);
            assert!(verdict.is_original(), "{verdict:?}");
        }
    }
}

#[test]
fn added_words_hide_no_copy() {
    let lowest = lowest_shingles();
    // One lower image in every group changes every feature and every candidate key.
    let candidates = Parameters::default().candidates;
    let block = lowest.chunks_exact(candidates.group_size).map(|group| group[0].as_str()).collect::<Vec<_>>();
    let original = words(1 << 42, 6000).join(" ");
    let copy = original.clone() + " " + &block.join(" ");
    for policy in BOTH {
        let fooled = second(policy, Some(PUBLIC), &original, &copy);
        assert!(fooled.is_original(), "{policy:?}: {fooled:?}");
    }
    const DIRECTORIES: usize = 20;
    let find = |policy| -> Vec<Verdict> {
        let verdicts = (0..DIRECTORIES).map(|_| second(policy, None, &original, &copy));
        verdicts.filter(|verdict| !verdict.is_original()).collect()
    };
    let found = find(Policy::Resemblance);
    let resemblance = found[0].resemblance;
    assert!((0.97..0.98).contains(&resemblance), "{resemblance}");
    // 16 groups of 5: missed with a probability of (1 - 0.974^5)^16 = 3 in 10^15.
    assert!(1.0 - candidates.detection_probability(resemblance) < 1e-12);
    assert_eq!(found.len(), DIRECTORIES);
    // 2 of 6 features of 14: found with a probability of 0.988. Five or more of twenty missed: 4 in a million.
    let probability = FeatureRule::default().detection_probability(resemblance);
    assert!(probability > 0.985, "{probability}");
    let found = find(Policy::Paper);
    assert!(found.len() > DIRECTORIES - 5, "{} of {DIRECTORIES}", found.len());
}

/// For every class of keys of the public seed, the phrase of lowest hash among some hundred thousand random ones.
fn lowest_phrases() -> Vec<String> {
    const TEXTS: u64 = 300;
    let (maker, weights) = (KeyMaker::new(&Seed::PUBLIC), Weights::default());
    let keys = |text: &str| maker.keys(&Words::of(text, &weights));
    let mut lowest = vec![(u64::MAX, String::new()); KEYS];
    for seed in 0..TEXTS {
        let words = words(seed + (1 << 20), 1000);
        let of_text = keys(&words.join(" "));
        for (class, lowest) in lowest.iter_mut().enumerate() {
            if of_text[class] >= lowest.0 {
                continue;
            }
            // Three words of random text make a phrase; six are sure to hold it.
            let windows = words.windows(6).map(|window| window.join(" "));
            let found = windows.into_iter().find(|window| keys(window)[class] == of_text[class]);
            *lowest = (of_text[class], found.unwrap());
        }
    }
    lowest.into_iter().map(|(_, phrase)| phrase).collect()
}

#[test]
fn likeness_crafted_phrases_make_no_duplicates() {
    let block = lowest_phrases().join(" ");
    let post = |seed: u64| words(seed, 1000).join(" ") + " " + &block;
    let (one, other) = (post(1 << 40), post(1 << 41));
    // All keys agree where the seed is public; the words decide, and differ.
    let maker = KeyMaker::new(&Seed::PUBLIC);
    let keys = |text: &str| maker.keys(&Words::of(text, &Weights::default()));
    let shared = shared_keys(&keys(&one), &keys(&other));
    assert!(shared > KEYS / 2, "{shared}");
    for seeds in [Some(PUBLIC), None] {
        let verdict = second(Policy::Likeness, seeds, &one, &other);
        assert!(verdict.is_original() && verdict.likeness < 0.5, "{verdict:?}");
    }
}

#[test]
fn likeness_added_phrases_hide_no_copy() {
    let block = lowest_phrases().join(" ");
    let original = words(1 << 42, 3000).join(" ");
    let copy = original.clone() + " " + &block;
    assert!(second(Policy::Likeness, Some(PUBLIC), &original, &copy).is_original());
    for _ in 0..20 {
        let verdict = second(Policy::Likeness, None, &original, &copy);
        assert!(verdict.likeness > 0.95 && !verdict.is_original(), "{verdict:?}");
    }
}
