//! What the estimators and the features promise, measured on random documents whose true resemblance is known.

use firstcopy_text::{
    Estimate, FeatureMaker, FeatureRule, LevelSketch, MODULUS, MinSketch, ModSketch, Overlap, Rabin, Seed,
    ShingleSet, Shingler, Tokens,
};

/// A stream of random numbers (splitmix64): the tests are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Random words of a vocabulary of 5,000.
    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| format!("w{} ", self.below(5000))).collect()
    }
}

/// Two documents of `words` words each, that share a run of them so that they resemble each other by about `r`.
fn pair(numbers: &mut Numbers, shingler: &Shingler, words: usize, r: f64) -> (ShingleSet, ShingleSet) {
    // |A| = |B| = n and |A ∩ B| = c give r = c / (2n - c), so c = 2nr / (1 + r).
    let shared = (words as f64 * 2.0 * r / (1.0 + r)) as usize;
    let common = numbers.words(shared);
    let mut set = || shingler.set(&Tokens::of(&format!("{common}{}", numbers.words(words - shared))));
    (set(), set())
}

/// Mean error and coverage of one estimator.
#[derive(Default)]
struct Record {
    name: &'static str,
    error: f64,
    covered: usize,
    pairs: usize,
}

impl Record {
    fn add(&mut self, name: &'static str, estimate: Estimate, truth: f64) {
        self.name = name;
        self.error += estimate.value - truth;
        self.covered += usize::from(estimate.low <= truth && truth <= estimate.high);
        self.pairs += 1;
    }

    fn check(&self) {
        let (error, covered) = (self.error / self.pairs as f64, self.covered as f64 / self.pairs as f64);
        println!(
            "{}: mean error {error:+.4}, interval right {covered:.3} of {} pairs",
            self.name, self.pairs
        );
        assert!(error.abs() < 0.01, "{}: biased by {error}", self.name);
        assert!(covered >= 0.94, "{}: interval right only {covered} of the time", self.name);
    }
}

#[test]
fn estimators_are_unbiased_and_their_intervals_right() {
    let shingler = Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), 10);
    let mut numbers = Numbers(1);
    let mut records: [Record; 5] = Default::default();
    for round in 0..2000 {
        let r = 0.1 + 0.85 * f64::from(round % 18) / 17.0;
        let words = 800 + numbers.below(4000) as usize;
        let (a, b) = pair(&mut numbers, &shingler, words, r);
        let truth = Overlap::of(&a, &b);
        let (mod_a, mod_b) = (ModSketch::new(&a, MODULUS), ModSketch::new(&b, MODULUS));
        let (level_a, level_b) = (LevelSketch::new(&a), LevelSketch::new(&b));
        let min = MinSketch::new(&a, 200).resemblance(&MinSketch::new(&b, 200));
        records[0].add("MIN_s resemblance", min, truth.resemblance());
        records[1].add("MOD_m resemblance", mod_a.resemblance(&mod_b), truth.resemblance());
        records[2].add("MOD_m containment", mod_a.containment_in(&mod_b), truth.containment_a_in_b());
        records[3].add("V_i resemblance", level_a.resemblance(&level_b), truth.resemblance());
        records[4].add("V_i containment", level_a.containment_in(&level_b), truth.containment_a_in_b());
    }
    records.iter().for_each(Record::check);
}

/// The containment of a post in a page that holds it whole: its sketch compared with the page's.
fn check_contained(name: &'static str, rounds: usize, words: usize, before: usize, behind: usize) {
    let shingler = Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), 10);
    let mut numbers = Numbers(2);
    let mut record = Record::default();
    for _ in 0..rounds {
        let post = numbers.words(words);
        let page = format!("{}{post}{}", numbers.words(before), numbers.words(behind));
        let (a, b) = (shingler.set(&Tokens::of(&post)), shingler.set(&Tokens::of(&page)));
        let truth = Overlap::of(&a, &b).containment_a_in_b();
        let estimate = LevelSketch::new(&a).containment_in(&LevelSketch::new(&b));
        assert!(estimate.value > 0.0, "{name}: no sample in common");
        record.add(name, estimate, truth);
    }
    record.check();
}

#[test]
fn containment_is_estimated_between_documents_of_very_different_size() {
    check_contained("V_i containment of a tenth", 300, 1000, 4000, 5000);
    check_contained("V_i containment of a thousandth", 100, 109, 50_000, 60_000);
}

#[test]
fn the_two_of_six_rule_detects_as_often_as_its_formula_says() {
    const PAIRS: usize = 6000;
    const UNION: usize = 1000;
    let rule = FeatureRule::default();
    let maker = FeatureMaker::new(rule, &Seed::PUBLIC);
    let mut numbers = Numbers(3);
    for r in [0.77, 0.9, 0.95, 0.975] {
        let common = (r * UNION as f64).round() as usize;
        let detected = (0..PAIRS)
            .filter(|_| {
                let union: Vec<u64> = (0..UNION).map(|_| numbers.next()).collect();
                let (shared, rest) = union.split_at(common);
                let (mine, yours) = rest.split_at(rest.len() / 2);
                let features =
                    |own: &[u64]| maker.features(&ShingleSet::from_fingerprints([shared, own].concat()));
                features(mine).shared(&features(yours)) >= rule.needed
            })
            .count();
        let (measured, formula) = (detected as f64 / PAIRS as f64, rule.detection_probability(r));
        println!("r = {r}: detected {measured:.3}, formula {formula:.3}");
        assert!((measured - formula).abs() < 0.02, "r = {r}: {measured} against {formula}");
    }
}
