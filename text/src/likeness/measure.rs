//! The measure: from two sequences of words to one number and two shares. Defined in `docs/likeness.md`.

use super::gaps::{Filled, fill_gaps};
use super::order::drop_chance_tiles;
use super::phrases::PHRASE;
use super::tiles::{Tile, Used, lay_tiles};
use super::words::Words;

/// The least weight of a run that counts once much of the texts is known to be the same, or that counts in short texts.
const FINE: u32 = 20;
/// The share of the shorter text that must be the same before shorter runs count.
const MUCH: f64 = 0.4;
/// In texts so short that a phrase is more than this part of them, shorter runs count from the start.
const SHORT: u64 = 8;
/// The cost of a number in the place of another, in weight of both texts together: three ordinary words of each.
const NUMBER_COST: u64 = 96;
/// The cost of a name in the place of another.
const NAME_COST: u64 = 24;
/// The discount on the first contradictions, at most half: one corrected number does not make another text.
const FORGIVEN: u64 = 48;

/// The most that counts half at each end of a text: this part of the shorter text. A greeting, a comment in front or
/// another farewell does not make another text.
pub(super) const END_PART: u64 = 10;
/// The weight of a text whose ends count in full: 20 words have no greeting. From there to [`SHORT_TEXT`] the part grows.
const BARE_TEXT: u64 = 300;
/// Weights of the shorter text between which a difference comes to count more: some 90 and 350 words. A reader forgives
/// ten new words in a post of fifty, and calls an article with 150 new words among a thousand another one.
const SHORT_TEXT: u64 = 1_200;
const LONG_TEXT: u64 = 4_800;
/// How much more of a difference counts in a long text. Chosen so that 16 % of a long text may differ where 20 % of a short
/// one may (`docs/likeness.md`).
const LONG_COST: f64 = 0.3;

/// How much alike two texts are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Likeness {
    /// From 0 (nothing in common) to 1 (the same words): `in_common` less the cost of contradicting facts.
    pub likeness: f64,
    /// The likeness if no facts contradicted each other.
    pub in_common: f64,
    /// The share of the words of the first text that the second has.
    pub covered_a: f64,
    /// The share of the words of the second text that the first has.
    pub covered_b: f64,
    /// Words that both have.
    pub common: usize,
    /// Numbers and names in the place of others: pages of one template have many.
    pub contradictions: u32,
    /// The weight of the heaviest common run.
    pub heaviest_run: u32,
    /// The common runs: start in the first text, start in the second, words; in the order of the first.
    pub runs: Vec<(usize, usize, usize)>,
}

/// Compares two texts. The same both ways, but for which text is which.
pub fn compare(a: &Words, b: &Words) -> Likeness {
    let is_ordered = (a.len(), &a.codes) <= (b.len(), &b.codes);
    if is_ordered { compare_ordered(a, b, lay_tiles) } else { compare_ordered(b, a, lay_tiles).turned() }
}

/// The function that lays tiles: the fast one, or its naive twin.
type LayTiles = fn(&Words, &Words, u32, &mut Used) -> Vec<Tile>;

fn compare_ordered(a: &Words, b: &Words, lay_tiles: LayTiles) -> Likeness {
    if a.is_empty() || b.is_empty() {
        return Likeness::default();
    }
    let mut used = Used::none(a, b);
    let shorter = a.total_weight().min(b.total_weight());
    let least = PHRASE.min((shorter / SHORT) as u32).max(FINE);
    let mut tiles = lay_tiles(a, b, least, &mut used);
    let weight = weigh(a, &tiles);
    if least > FINE && weight as f64 >= MUCH * shorter as f64 && weight < shorter {
        tiles.extend(lay_tiles(a, b, FINE, &mut used));
        tiles.sort_unstable();
    }
    drop_chance_tiles(a, b, &mut tiles, &mut used);
    let filled = fill_gaps(a, b, &tiles, &used);
    Likeness::of(a, b, &tiles, &filled)
}

fn weigh(a: &Words, tiles: &[Tile]) -> u64 {
    tiles.iter().map(|tile| u64::from(a.weigh(tile.range_a()))).sum()
}

impl Likeness {
    fn of(a: &Words, b: &Words, tiles: &[Tile], filled: &Filled) -> Self {
        let count = |tiles: &[Tile]| tiles.iter().map(|tile| tile.length as usize).sum::<usize>();
        let common = count(tiles) + count(&filled.tiles);
        let shared = 2 * (weigh(a, tiles) + weigh(a, &filled.tiles));
        let cost = u64::from(filled.numbers) * NUMBER_COST + u64::from(filled.names) * NAME_COST;
        let lost = cost - FORGIVEN.min(cost / 2);
        let ends = weigh_ends(a, b, tiles, &filled.tiles);
        let whole = (a.total_weight() + b.total_weight()) as f64 - ends / 2.0;
        let strictness = strictness(a.total_weight().min(b.total_weight()));
        let share = shared as f64 / whole;
        let in_common = share * (1.0 - strictness * (1.0 - share));
        let runs = tiles.iter().map(|tile| (tile.a as usize, tile.b as usize, tile.length as usize));
        Likeness {
            likeness: (in_common - lost as f64 / whole).max(0.0),
            in_common,
            covered_a: common as f64 / a.len() as f64,
            covered_b: common as f64 / b.len() as f64,
            common,
            contradictions: filled.numbers + filled.names,
            heaviest_run: tiles.iter().map(|tile| a.weigh(tile.range_a())).max().unwrap_or_default(),
            runs: runs.collect(),
        }
    }

    /// Swaps the two texts.
    pub fn turned(mut self) -> Self {
        std::mem::swap(&mut self.covered_a, &mut self.covered_b);
        self.runs.iter_mut().for_each(|run| *run = (run.1, run.0, run.2));
        self.runs.sort_unstable();
        self
    }
}

/// Weighs what stands before the first and after the last common word, on each side at most a tenth of the shorter text.
fn weigh_ends(a: &Words, b: &Words, tiles: &[Tile], filled: &[Tile]) -> f64 {
    let (mut of_a, mut of_b) = (a.len()..0, b.len()..0);
    for tile in tiles.iter().chain(filled) {
        of_a = of_a.start.min(tile.range_a().start)..of_a.end.max(tile.range_a().end);
        of_b = of_b.start.min(tile.range_b().start)..of_b.end.max(tile.range_b().end);
    }
    if of_a.is_empty() {
        return 0.0;
    }
    let shorter = a.total_weight().min(b.total_weight());
    let length = shorter.clamp(BARE_TEXT, SHORT_TEXT) - BARE_TEXT;
    let most = shorter / END_PART * length / (SHORT_TEXT - BARE_TEXT);
    let weigh = |words: &Words, range| u64::from(words.weigh(range)).min(most);
    let ends = weigh(a, 0..of_a.start) + weigh(a, of_a.end..a.len());
    (ends + weigh(b, 0..of_b.start) + weigh(b, of_b.end..b.len())) as f64
}

/// The strictness with differences in texts of this weight: from 0 for a short text to [`LONG_COST`] for a long one.
fn strictness(shorter: u64) -> f64 {
    let length = shorter.clamp(SHORT_TEXT, LONG_TEXT) - SHORT_TEXT;
    LONG_COST * length as f64 / (LONG_TEXT - SHORT_TEXT) as f64
}

#[cfg(test)]
mod tests {
    use super::super::naive::lay_tiles_naively;
    use super::*;
    use crate::likeness::{MIN_LIKENESS, Weights};
    use proptest::prelude::*;

    fn words(text: &str) -> Words {
        Words::of(text, &Weights::default())
    }

    #[track_caller]
    fn check_naive(a: &str, b: &str) {
        let (a, b) = (words(a), words(b));
        assert_eq!(compare_ordered(&a, &b, lay_tiles), compare_ordered(&a, &b, lay_tiles_naively));
    }

    /// Texts of few words, so that many runs repeat.
    fn text(words: usize) -> impl Strategy<Value = String> {
        const VOCABULARY: &[&str] =
            &["the", "of", "red", "blue", "green", "한", "국", "의", "漢", "字", "の", "7", "88"];
        prop::collection::vec(prop::sample::select(VOCABULARY), 0..words).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn equals_the_naive_twin(a in text(60), b in text(60)) {
            check_naive(&a, &b);
        }

        #[test]
        fn equals_the_naive_twin_on_edited_copies(a in text(120), cut in 0usize..120, moved in 0usize..120, other in text(12)) {
            let words: Vec<&str> = a.split(' ').collect();
            let (cut, moved) = (cut.min(words.len()), moved.min(words.len()));
            let copy = [&words[moved..], &[other.as_str()], &words[..cut.min(moved)]].concat().join(" ");
            check_naive(&a, &copy);
        }

        #[test]
        fn is_symmetric_and_bounded(a in text(80), b in text(80)) {
            let (a, b) = (words(&a), words(&b));
            let likeness = compare(&a, &b);
            prop_assert_eq!(&likeness.clone().turned(), &compare(&b, &a));
            prop_assert!((0.0..=1.0).contains(&likeness.likeness) && (0.0..=1.0).contains(&likeness.covered_a));
        }

        #[test]
        fn is_one_for_the_same_words(a in text(80)) {
            let words = words(&a);
            prop_assume!(words.total_weight() >= u64::from(FINE));
            prop_assert_eq!(compare(&words, &words).likeness, 1.0);
        }
    }

    const POST: &str = "Our village bakery closes at the end of the month after forty years. The owner says flour, \
        energy and rent have doubled, and nobody wants to start work at three in the morning. Neighbours collected \
        signatures, the mayor promised a meeting, and a retired teacher offered to bake rye bread on Saturdays.";

    #[track_caller]
    fn check(copy: &str, least: f64, most: f64) {
        let likeness = compare(&words(POST), &words(copy)).likeness;
        assert!((least..=most).contains(&likeness), "{likeness}");
    }

    #[test]
    fn edits_moves_and_additions_keep_it_high() {
        check(&POST.replace("village", "little").replace("rye", "dark"), 0.9, 0.99);
        let (first, rest) = POST.split_once(". ").unwrap();
        check(&format!("{rest} {first}."), 0.95, 1.0);
        check(&format!("I found this today, so sad! {POST} Share it with your friends."), 0.9, 0.97);
        check("A completely different text about trains that were late again because of snow.", 0.0, 0.05);
    }

    #[test]
    fn text_added_at_an_end_counts_half() {
        let added = "Sad!";
        let middle = POST.replace(". The owner", &format!(". {added} The owner"));
        let [inside, behind] =
            [middle, format!("{POST} {added}")].map(|copy| compare(&words(POST), &words(&copy)));
        assert_eq!(inside.covered_a, behind.covered_a);
        let (lost_inside, lost_behind) = (1.0 - inside.likeness, 1.0 - behind.likeness);
        assert!((0.4..0.6).contains(&(lost_behind / lost_inside)), "{lost_inside} {lost_behind}");
    }

    #[test]
    fn difference_counts_more_in_a_long_text() {
        // Words of letters, all different.
        let word = |number: usize| {
            let letter = |step: u32| char::from(b'a' + (number / 26usize.pow(step) % 26) as u8);
            (0..4).map(letter).collect::<String>()
        };
        let likeness = |count: usize| {
            let text: Vec<String> = (0..count).map(word).collect();
            let mut copy = text.clone();
            (5..count - 5).step_by(6).for_each(|place| copy[place] = word(100_000 + place));
            compare(&words(&text.join(" ")), &words(&copy.join(" "))).likeness
        };
        let (short, long) = (likeness(60), likeness(1200));
        assert!(short > MIN_LIKENESS && long < MIN_LIKENESS && long > 0.75, "{short} {long}");
    }

    #[test]
    fn other_facts_bring_it_down() {
        let page = |town: &str, numbers: [u32; 4]| {
            let [day, high, low, wind] = numbers;
            format!(
                "Weather for {town} on the {day} of May: sunny with a high of {high} and a low of {low} degrees. \
                 Wind from the west at {wind} kilometres an hour. The next report follows in the evening."
            )
        };
        let (a, b) = (words(&page("Lyon", [3, 23, 11, 14])), words(&page("Paris", [9, 17, 8, 30])));
        let likeness = compare(&a, &b);
        assert!(likeness.in_common > 0.75 && likeness.likeness < 0.7, "{likeness:?}");
    }

    #[test]
    fn repetitive_texts_take_linear_time() {
        let (a, b) = ("na ".repeat(40_000) + "batman", "na ".repeat(39_000) + "robin");
        let likeness = compare(&words(&a), &words(&b));
        assert!(likeness.likeness > 0.98, "{}", likeness.likeness);
    }
}
