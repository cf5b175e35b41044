//! What became of every word: kwon-2007's six kinds of change, counted in its four steps.

use crate::common::Run;
use crate::moves;
use crate::words::Pair;
use serde::Serialize;

/// What became of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChangeKind))]
pub enum Kind {
    /// It stands in both texts, in the same order.
    Kept,
    /// New in the second text.
    Add,
    /// In the second text once more.
    Copy,
    /// Gone from the second text.
    Drop,
    /// In the second text once less.
    Shrink,
    /// Another word stands at the same position.
    Replace,
    /// At another place of the second text.
    Move,
}

impl Kind {
    /// The name as it is written in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Kept => "kept",
            Kind::Add => "add",
            Kind::Copy => "copy",
            Kind::Drop => "drop",
            Kind::Shrink => "shrink",
            Kind::Replace => "replace",
            Kind::Move => "move",
        }
    }

    /// What the same change is the other way round.
    fn mirrored(self) -> Self {
        match self {
            Kind::Add => Kind::Drop,
            Kind::Drop => Kind::Add,
            Kind::Copy => Kind::Shrink,
            Kind::Shrink => Kind::Copy,
            Kind::Kept | Kind::Replace | Kind::Move => self,
        }
    }
}

/// What operations cost; adding, dropping and replacing a word cost 1 (kwon-2007: 0.75 both).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// s: of copying or shrinking a word.
    pub copy: f64,
    /// t: of moving a word.
    pub moving: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Costs { copy: 0.75, moving: 0.75 }
    }
}

impl Costs {
    /// Whether copying and shrinking a word is cheaper than moving it.
    fn prefers_copy_to_move(self) -> bool {
        self.moving > 2.0 * self.copy
    }

    /// Whether copying and shrinking is cheaper than replacing.
    fn prefers_copy_to_replace(self) -> bool {
        self.copy < 0.5
    }
}

/// How many words every operation took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Operations {
    /// Words that are new.
    pub add: usize,
    /// Words that are there once more.
    pub copy: usize,
    /// Words that are gone.
    pub drop: usize,
    /// Words that are there once less.
    pub shrink: usize,
    /// Words that stand where others stood.
    pub replace: usize,
    /// Words that stand elsewhere.
    #[serde(rename = "move")]
    pub moved: usize,
}

impl Operations {
    /// δ_E: what all of them cost.
    pub fn cost(&self, costs: Costs) -> f64 {
        (self.add + self.drop + self.replace) as f64
            + costs.copy * (self.copy + self.shrink) as f64
            + costs.moving * self.moved as f64
    }

    /// The kinds there are, with how many words each took, most first.
    pub fn kinds(&self) -> Vec<(Kind, usize)> {
        let all = [
            (Kind::Add, self.add),
            (Kind::Copy, self.copy),
            (Kind::Drop, self.drop),
            (Kind::Shrink, self.shrink),
            (Kind::Replace, self.replace),
            (Kind::Move, self.moved),
        ];
        let mut kinds: Vec<_> = all.into_iter().filter(|(_, words)| *words > 0).collect();
        kinds.sort_by_key(|(_, words)| std::cmp::Reverse(*words));
        kinds
    }

    /// The name of the one kind there is; `none`, or `mixture`.
    pub fn kind(&self) -> &'static str {
        match self.kinds()[..] {
            [] => "none",
            [(kind, _)] => kind.name(),
            _ => "mixture",
        }
    }

    fn mirrored(self) -> Self {
        Operations { add: self.drop, drop: self.add, copy: self.shrink, shrink: self.copy, ..self }
    }
}

/// What became of the words of two sequences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fates {
    pub a: Vec<Kind>,
    pub b: Vec<Kind>,
    /// Runs of words that moved together.
    pub moves: Vec<Run>,
    pub operations: Operations,
}

impl Fates {
    /// The four steps; the first, the common subsequence, is done.
    pub fn of(pair: &Pair, common: &[Run], costs: Costs) -> Self {
        let mut left = Left::new(pair, common);
        let moves = left.take_moves(costs);
        left.take_copies(costs);
        left.take_rest();
        let count = |kinds: &[Kind], kind: Kind| kinds.iter().filter(|other| **other == kind).count();
        let operations = Operations {
            add: count(&left.kinds_b, Kind::Add),
            copy: count(&left.kinds_b, Kind::Copy),
            drop: count(&left.kinds_a, Kind::Drop),
            shrink: count(&left.kinds_a, Kind::Shrink),
            replace: count(&left.kinds_a, Kind::Replace),
            moved: count(&left.kinds_a, Kind::Move),
        };
        Fates { a: left.kinds_a, b: left.kinds_b, moves, operations }
    }

    /// The same, seen from the second sequence.
    pub fn mirrored(self) -> Self {
        let mirrored = |kinds: Vec<Kind>| kinds.into_iter().map(Kind::mirrored).collect();
        Fates {
            a: mirrored(self.b),
            b: mirrored(self.a),
            moves: self.moves.into_iter().map(Run::mirrored).collect(),
            operations: self.operations.mirrored(),
        }
    }
}

/// A' and B': the words of each side that nothing is known of yet.
struct Left<'a> {
    pair: &'a Pair,
    free_a: Vec<bool>,
    free_b: Vec<bool>,
    kinds_a: Vec<Kind>,
    kinds_b: Vec<Kind>,
}

impl<'a> Left<'a> {
    /// Step 1: what is left without the common subsequence.
    fn new(pair: &'a Pair, common: &[Run]) -> Self {
        let mut left = Left {
            free_a: vec![true; pair.a.len()],
            free_b: vec![true; pair.b.len()],
            kinds_a: vec![Kind::Kept; pair.a.len()],
            kinds_b: vec![Kind::Kept; pair.b.len()],
            pair,
        };
        for run in common {
            left.free_a[run.a..run.a + run.length].fill(false);
            left.free_b[run.b..run.b + run.length].fill(false);
        }
        left
    }

    /// Step 2: words in both A' and B' moved; not those that occur more than once in A and in B if copying and shrinking
    /// them is cheaper.
    fn take_moves(&mut self, costs: Costs) -> Vec<Run> {
        let Pair { a, b, .. } = self.pair;
        let (mut movable_a, mut movable_b) = (self.free_a.clone(), self.free_b.clone());
        if costs.prefers_copy_to_move() {
            let (in_a, in_b) = (self.pair.counts(a), self.pair.counts(b));
            let is_barred = |word: &u32| in_a[*word as usize] > 1 && in_b[*word as usize] > 1;
            movable_a.iter_mut().zip(a).for_each(|(movable, word)| *movable &= !is_barred(word));
            movable_b.iter_mut().zip(b).for_each(|(movable, word)| *movable &= !is_barred(word));
        }
        let runs = moves::paired(a, b, &mut movable_a, &mut movable_b);
        for run in &runs {
            for step in 0..run.length {
                self.set_a(run.a + step, Kind::Move);
                self.set_b(run.b + step, Kind::Move);
            }
        }
        runs
    }

    /// Step 3: copies and shrinks.
    fn take_copies(&mut self, costs: Costs) {
        let mut shrinks = self.candidates(&self.pair.a, &self.free_a);
        let mut copies = self.candidates(&self.pair.b, &self.free_b);
        // (a) In both lists: such words exist only if copying and shrinking is cheaper than moving.
        let in_both = self.in_both(&shrinks, &copies);
        self.take_first(&in_both, &mut shrinks, &mut copies);
        // (b) At the same position: either both, or one replaces the other.
        for position in 0..shrinks.len().min(copies.len()) {
            if shrinks[position] && copies[position] {
                (shrinks[position], copies[position]) = (false, false);
                if costs.prefers_copy_to_replace() {
                    self.set_a(position, Kind::Shrink);
                    self.set_b(position, Kind::Copy);
                }
            }
        }
        // (c) The rest.
        positions(&shrinks).for_each(|position| self.set_a(position, Kind::Shrink));
        positions(&copies).for_each(|position| self.set_b(position, Kind::Copy));
    }

    /// Step 4: at the same position one word replaces the other; what is left was dropped or added.
    fn take_rest(&mut self) {
        for position in 0..self.free_a.len().min(self.free_b.len()) {
            if self.free_a[position] && self.free_b[position] {
                self.set_a(position, Kind::Replace);
                self.set_b(position, Kind::Replace);
            }
        }
        positions(&self.free_a.clone()).for_each(|position| self.set_a(position, Kind::Drop));
        positions(&self.free_b.clone()).for_each(|position| self.set_b(position, Kind::Add));
    }

    /// The free words of a side, except, for a word all of whose occurrences are free, its first.
    fn candidates(&self, words: &[u32], free: &[bool]) -> Vec<bool> {
        let all = self.pair.counts(words);
        let mut free_count = vec![0; self.pair.words];
        words
            .iter()
            .zip(free)
            .filter(|(_, free)| **free)
            .for_each(|(word, _)| free_count[*word as usize] += 1);
        let mut is_first = vec![true; self.pair.words];
        let is_candidate = |(&word, &free): (&u32, &bool)| {
            let word = word as usize;
            let is_new = free && free_count[word] == all[word] && is_first[word];
            is_first[word] &= !free;
            free && !is_new
        };
        words.iter().zip(free).map(is_candidate).collect()
    }

    /// For each word, how often it stands in both lists.
    fn in_both(&self, shrinks: &[bool], copies: &[bool]) -> Vec<u32> {
        let count = |words: &[u32], listed: &[bool]| {
            let mut counts = vec![0u32; self.pair.words];
            positions(listed).for_each(|position| counts[words[position] as usize] += 1);
            counts
        };
        let (in_a, in_b) = (count(&self.pair.a, shrinks), count(&self.pair.b, copies));
        in_a.into_iter().zip(in_b).map(|(a, b)| a.min(b)).collect()
    }

    fn take_first(&mut self, in_both: &[u32], shrinks: &mut [bool], copies: &mut [bool]) {
        let pair = self.pair;
        let first = |words: &[u32], listed: &mut [bool]| {
            let mut open = in_both.to_vec();
            let mut taken = Vec::new();
            for (position, listed) in listed.iter_mut().enumerate().filter(|(_, listed)| **listed) {
                let open = &mut open[words[position] as usize];
                if *open > 0 {
                    *open -= 1;
                    *listed = false;
                    taken.push(position);
                }
            }
            taken
        };
        first(&pair.a, shrinks).into_iter().for_each(|position| self.set_a(position, Kind::Shrink));
        first(&pair.b, copies).into_iter().for_each(|position| self.set_b(position, Kind::Copy));
    }

    fn set_a(&mut self, position: usize, kind: Kind) {
        (self.free_a[position], self.kinds_a[position]) = (false, kind);
    }

    fn set_b(&mut self, position: usize, kind: Kind) {
        (self.free_b[position], self.kinds_b[position]) = (false, kind);
    }
}

fn positions(listed: &[bool]) -> impl Iterator<Item = usize> {
    listed.iter().enumerate().filter(|(_, listed)| **listed).map(|(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    fn fates(a: &str, b: &str, copy: f64, moving: f64) -> Fates {
        let pair = Pair::of(&split(a), &split(b));
        Fates::of(&pair, &pair.common(), Costs { copy, moving })
    }

    /// Example 1 of kwon-2007.
    #[test]
    fn the_worked_example() {
        let (a, b) = ("w1 w2 w2 w2 w3 w3 w4 w5 w2", "w3 w1 w4 w2 w3 w5 w5 w6 w6 w7");
        let found = fates(a, b, 0.4, 0.9).operations;
        assert_eq!(found, Operations { add: 2, drop: 0, copy: 3, shrink: 4, replace: 0, moved: 1 });
        assert!((found.cost(Costs { copy: 0.4, moving: 0.9 }) - 5.7).abs() < 1e-12);
        let back = fates(b, a, 0.4, 0.9).operations;
        assert_eq!(back, found.mirrored());
    }

    #[track_caller]
    fn check(a: &str, b: &str, expected: &str) {
        let found = fates(a, b, 0.75, 0.75);
        let kinds: Vec<String> = found
            .operations
            .kinds()
            .into_iter()
            .map(|(kind, words)| format!("{} {words}", kind.name()))
            .collect();
        assert_eq!(kinds.join(", "), expected, "{a} -> {b}: {found:?}");
    }

    #[test]
    fn one_kind_each() {
        check("a b c", "a b c", "");
        check("a b c", "a b x c", "add 1");
        check("a b c", "a b b c", "copy 1");
        check("a b c", "a c", "drop 1");
        check("a b b c", "a b c", "shrink 1");
        check("a b c", "a x c", "replace 1");
        check("a b c d", "b c d a", "move 1");
        check("", "a a", "add 1, copy 1");
    }

    #[test]
    fn blocks_move_as_blocks() {
        let found = fates("1 2 3 4 5 6 7 8 9 x y", "x y 1 2 3 4 5 6 7 8 9", 0.75, 0.75);
        assert_eq!(found.moves, [Run { a: 9, b: 0, length: 2 }]);
        assert_eq!(found.operations.moved, 2);
    }

    /// The twin: papers and lists, word by word; told what is common and what moved.
    fn by_lists(pair: &Pair, common: &[Run], moves: &[Run], costs: Costs) -> Operations {
        let taken = |of: fn(&Run) -> usize| -> Vec<usize> {
            common.iter().chain(moves).flat_map(|run| of(run)..of(run) + run.length).collect()
        };
        let (in_a, in_b) = (taken(|run| run.a), taken(|run| run.b));
        let mut a: Vec<usize> = (0..pair.a.len()).filter(|position| !in_a.contains(position)).collect();
        let mut b: Vec<usize> = (0..pair.b.len()).filter(|position| !in_b.contains(position)).collect();
        let candidates = |words: &[u32], left: &[usize]| -> Vec<usize> {
            let is_candidate = |position: &&usize| {
                let word = words[**position];
                let all_are_left =
                    (0..words.len()).filter(|other| words[*other] == word).all(|other| left.contains(&other));
                let first = left.iter().find(|other| words[**other] == word);
                !(all_are_left && first == Some(*position))
            };
            left.iter().filter(is_candidate).copied().collect()
        };
        let (mut shrinks, mut copies) = (candidates(&pair.a, &a), candidates(&pair.b, &b));
        let mut operations =
            Operations { moved: moves.iter().map(|run| run.length).sum(), ..Operations::default() };
        let remove = |from: &mut Vec<usize>, what: usize| from.retain(|position| *position != what);
        let mut take = |a: &mut Vec<usize>,
                        b: &mut Vec<usize>,
                        shrinks: &mut Vec<usize>,
                        copies: &mut Vec<usize>,
                        pairs: &dyn Fn(usize, usize) -> bool,
                        counts: bool| {
            for shrink in shrinks.clone() {
                let Some(copy) = copies.iter().copied().find(|copy| pairs(shrink, *copy)) else { continue };
                remove(shrinks, shrink);
                remove(copies, copy);
                if counts {
                    remove(a, shrink);
                    remove(b, copy);
                    operations.shrink += 1;
                    operations.copy += 1;
                }
            }
        };
        take(&mut a, &mut b, &mut shrinks, &mut copies, &|shrink, copy| pair.a[shrink] == pair.b[copy], true);
        take(&mut a, &mut b, &mut shrinks, &mut copies, &|shrink, copy| shrink == copy, costs.copy < 0.5);
        operations.shrink += shrinks.len();
        operations.copy += copies.len();
        a.retain(|position| !shrinks.contains(position));
        b.retain(|position| !copies.contains(position));
        operations.replace = a.iter().filter(|position| b.contains(position)).count();
        operations.drop = a.len() - operations.replace;
        operations.add = b.len() - operations.replace;
        operations
    }

    proptest! {
        #[test]
        fn equal_to_lists(
            a in prop::collection::vec(0u32..7, 0..30),
            b in prop::collection::vec(0u32..7, 0..30),
            copy in prop_oneof![Just(0.4), Just(0.5), Just(0.75)],
            moving in prop_oneof![Just(0.75), Just(0.9), Just(1.0)],
        ) {
            let (pair, costs) = (Pair { a, b, words: 7 }, Costs { copy, moving });
            let common = pair.common();
            let found = Fates::of(&pair, &common, costs);
            prop_assert_eq!(found.operations, by_lists(&pair, &common, &found.moves, costs));
            // As many words move as both sides have left, as bags.
            let left = |words: &[u32], of: fn(&Run) -> usize| {
                let mut counts = pair.counts(words);
                common.iter().flat_map(|run| of(run)..of(run) + run.length).for_each(|at| counts[words[at] as usize] -= 1);
                counts
            };
            let (in_a, in_b) = (pair.counts(&pair.a), pair.counts(&pair.b));
            let both: u32 = left(&pair.a, |run| run.a).iter().zip(left(&pair.b, |run| run.b)).enumerate()
                .filter(|(word, _)| !(moving > 2.0 * copy && in_a[*word] > 1 && in_b[*word] > 1))
                .map(|(_, (a, b))| *a.min(&b)).sum();
            prop_assert_eq!(found.operations.moved, both as usize);
            for run in &found.moves {
                prop_assert_eq!(&pair.a[run.a..run.a + run.length], &pair.b[run.b..run.b + run.length]);
            }
        }
    }
}
