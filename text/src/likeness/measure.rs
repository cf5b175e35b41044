//! The measure: from two sequences of words to one number and two shares. Defined in `docs/likeness.md`.

use super::gaps::{Filled, fill_gaps};
use super::order::drop_chance_tiles;
use super::phrases::PHRASE;
use super::tiles::{Tile, Used, lay_tiles};
use super::words::Words;
use std::ops::Range;

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
/// another farewell does not make another text. What is twice as long counts in full.
pub(super) const END_PART: u64 = 10;

/// The most that a word weighs levelled: as much as a kana or one of the commonest words. A few light words exchanged for
/// heavy ones, such as endings for names in Latin letters, do not make another text.
pub(super) const LEVEL: u32 = 6;

/// Weights of the shorter text between which a difference comes to count more: some 110 and 350 words. A reader forgives
/// ten new words in a post of fifty, and calls an article with 150 new words among a thousand another one.
const SHORT_TEXT: u64 = 1_500;
const LONG_TEXT: u64 = 4_800;
/// How much more a difference counts in a long text.
const LONG_COST: f64 = 0.2;
/// How much more again what is missing in whole passages counts. Chosen so that 17 % of a long text may be others if they are
/// single words, and 13 % if they are passages, where 20 % of a short one may (`docs/likeness.md`).
const PASSAGE_COST: f64 = 2.0;

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
    /// Whether both have the same words in the same order.
    pub same_words: bool,
    /// The common runs: start in the first text, start in the second, words; in the order of the first.
    pub runs: Vec<(usize, usize, usize)>,
}

/// Compares two texts. The same both ways, but for which text is which.
pub fn compare(a: &Words, b: &Words) -> Likeness {
    if !a.is_empty() && a.codes == b.codes {
        let heaviest_run = u32::try_from(a.total_weight()).unwrap_or(u32::MAX);
        return Likeness {
            common: a.len(),
            heaviest_run,
            runs: vec![(0, 0, a.len())],
            ..Likeness::of_same_words()
        };
    }
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
    let in_order = drop_chance_tiles(a, b, &mut tiles, &mut used);
    let filled = fill_gaps(a, b, &tiles, &in_order, used);
    Likeness::of(a, b, &tiles, &filled)
}

fn weigh(a: &Words, tiles: &[Tile]) -> u64 {
    tiles.iter().map(|tile| u64::from(a.weigh(tile.range_a()))).sum()
}

impl Likeness {
    /// The likeness of texts that are known to have the same words, without their runs.
    pub fn of_same_words() -> Self {
        Likeness {
            likeness: 1.0,
            in_common: 1.0,
            covered_a: 1.0,
            covered_b: 1.0,
            same_words: true,
            ..Likeness::default()
        }
    }

    fn of(a: &Words, b: &Words, tiles: &[Tile], filled: &Filled) -> Self {
        let count = |tiles: &[Tile]| tiles.iter().map(|tile| tile.length as usize).sum::<usize>();
        let common = count(tiles) + count(&filled.tiles);
        let common_weight = weigh(a, tiles) + weigh(a, &filled.tiles);
        let (of_a, of_b) = common_ranges(a, b, tiles, &filled.tiles);
        let whole = |weigh: fn(&Words, Range<usize>) -> u64| {
            let ends = |words: &Words, range: &Range<usize>| {
                [weigh(words, 0..range.start), weigh(words, range.end..words.len())]
            };
            Whole { a: weigh(a, 0..a.len()), b: weigh(b, 0..b.len()), ends: [ends(a, &of_a), ends(b, &of_b)] }
        };
        let weights = whole(|words, range| u64::from(words.weigh(range)));
        let levelled = whole(weigh_levelled);
        let all = tiles.iter().chain(&filled.tiles);
        let common_levelled = all.map(|tile| weigh_levelled(a, tile.range_a())).sum();
        let share = (weights.share(common_weight) + levelled.share(common_levelled)) / 2.0;
        let missing = 1.0 - share;
        let in_passages = (filled.passages as f64 / weights.counted()).min(missing);
        let in_common =
            share * (1.0 - strictness(weights.shorter()) * (missing + PASSAGE_COST * in_passages));
        let cost = u64::from(filled.numbers) * NUMBER_COST + u64::from(filled.names) * NAME_COST;
        let lost = cost - FORGIVEN.min(cost / 2);
        let runs = tiles.iter().map(|tile| (tile.a as usize, tile.b as usize, tile.length as usize));
        Likeness {
            likeness: (in_common - lost as f64 / weights.counted()).max(0.0),
            in_common,
            covered_a: common as f64 / a.len() as f64,
            covered_b: common as f64 / b.len() as f64,
            common,
            contradictions: filled.numbers + filled.names,
            heaviest_run: tiles.iter().map(|tile| a.weigh(tile.range_a())).max().unwrap_or_default(),
            same_words: false,
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

/// Weighs words, none of them heavier than [`LEVEL`].
fn weigh_levelled(words: &Words, range: Range<usize>) -> u64 {
    range.map(|index| u64::from(words.weight(index).min(LEVEL))).sum()
}

/// How much two texts weigh.
struct Whole {
    a: u64,
    b: u64,
    /// Words before the first and after the last common word of each text.
    ends: [[u64; 2]; 2],
}

impl Whole {
    fn shorter(&self) -> u64 {
        self.a.min(self.b)
    }

    /// The share that is common, given how much of each text is.
    fn share(&self, common: u64) -> f64 {
        2.0 * common as f64 / self.counted()
    }

    /// All of both texts; of the ends, a tenth of the shorter text counts half, and what is longer by so much less.
    fn counted(&self) -> f64 {
        let tenth = self.shorter() as f64 / END_PART as f64;
        let discount = |&end: &u64| (end as f64).min(2.0 * tenth - end as f64).max(0.0) / 2.0;
        (self.a + self.b) as f64 - self.ends.iter().flatten().map(discount).sum::<f64>()
    }
}

/// From the first to the last common word of each text; nothing if there is none.
fn common_ranges(a: &Words, b: &Words, tiles: &[Tile], filled: &[Tile]) -> (Range<usize>, Range<usize>) {
    let mut all = tiles.iter().chain(filled);
    let Some(first) = all.next() else { return (a.len()..a.len(), b.len()..b.len()) };
    let join = |all: Range<usize>, range: Range<usize>| all.start.min(range.start)..all.end.max(range.end);
    let ranges = (first.range_a(), first.range_b());
    all.fold(ranges, |(of_a, of_b), tile| (join(of_a, tile.range_a()), join(of_b, tile.range_b())))
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

    /// Words of letters, all different, and the likeness of a text of so many of them to one with others in these places.
    fn likeness_with_replaced(count: usize, places: impl Iterator<Item = usize>) -> f64 {
        let word = |number: usize| {
            let letter = |step: u32| char::from(b'a' + (number / 26usize.pow(step) % 26) as u8);
            (0..4).map(letter).collect::<String>()
        };
        let text: Vec<String> = (0..count).map(word).collect();
        let mut copy = text.clone();
        places.for_each(|place| copy[place] = word(100_000 + place));
        compare(&words(&text.join(" ")), &words(&copy.join(" "))).likeness
    }

    #[test]
    fn difference_counts_more_in_a_long_text() {
        let likeness = |count: usize| likeness_with_replaced(count, (5..count - 5).step_by(5));
        let (short, long) = (likeness(60), likeness(1200));
        assert!(short > MIN_LIKENESS && long < MIN_LIKENESS && long > 0.75, "{short} {long}");
    }

    #[test]
    fn whole_passage_counts_more_than_single_words_in_a_long_text() {
        let scattered = likeness_with_replaced(1200, (100..1000).step_by(6));
        let passage = likeness_with_replaced(1200, 100..250);
        assert!(scattered > 0.84 && passage < scattered - 0.03, "{scattered} {passage}");
        assert_eq!(likeness_with_replaced(60, (10..25).step_by(3)), likeness_with_replaced(60, 10..15));
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
