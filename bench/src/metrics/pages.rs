//! Pages that changed in ways that are known: so many words, of this kind, and what that should measure.
//!
//! Fair means that the words are of the kind they are said to be. What is added, or stands in place of something, is new to
//! the page; what is dropped, replaced or moved word by word stands nowhere else on it; what is copied or shrunk stands
//! elsewhere on it as well, as often as chance has it. All other words, and a run that moves in one piece, are as frequent as
//! words are in texts (Zipf's law). Changed words stand in one run, as in kwon-2007.

use crate::random::Random;
use firstcopy_change::{Comparison, Measures, Settings, Text};
use firstcopy_text::Tokens;

/// α and β of the yardstick (kwon-2007), and the costs s and t that IED has by default.
pub const WEIGHT: f64 = 0.75;
/// Different words that a text is written with; the most frequent is then one word in thirteen, as "the" is in English.
const VOCABULARY: u32 = 10_000;
/// Of the words that stay one in so many stands in front of a run that moves, and as many behind where it moves to.
const MARGIN: usize = 8;

/// In what way words change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Words that are new.
    Add,
    /// Words that are there once more.
    Copy,
    /// Words that are gone.
    Drop,
    /// Words that are there once less.
    Shrink,
    /// Words that stand where others stood.
    Replace,
    /// A run in one piece, from near the beginning of the page to near its end: only the shorter of two parts of a page that
    /// change places moved.
    Move,
    /// The words of a run, each to a place of its own, and no two of them in the old order: else fewer would have moved.
    MoveApart,
}

impl Change {
    /// All of them.
    pub const ALL: [Change; 7] = [
        Change::Add,
        Change::Copy,
        Change::Drop,
        Change::Shrink,
        Change::Replace,
        Change::Move,
        Change::MoveApart,
    ];

    /// The name of the kind, as in tables.
    pub fn name(self) -> &'static str {
        match self {
            Change::Add => "add",
            Change::Copy => "copy",
            Change::Drop => "drop",
            Change::Shrink => "shrink",
            Change::Replace => "replace",
            Change::Move => "move",
            Change::MoveApart => "move apart",
        }
    }

    /// What a word of this kind weighs in the yardstick.
    pub fn weight(self) -> f64 {
        if self.weight_name().is_some() { WEIGHT } else { 1.0 }
    }

    /// What the weight is called in kwon-2007, if it can be chosen.
    pub fn weight_name(self) -> Option<&'static str> {
        match self {
            Change::Copy | Change::Shrink => Some("α"),
            Change::Move | Change::MoveApart => Some("β"),
            Change::Add | Change::Drop | Change::Replace => None,
        }
    }

    fn is_on_the_page_before(self) -> bool {
        !matches!(self, Change::Add | Change::Copy)
    }
}

/// Which words change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// Those that make the change what it is said to be.
    Fair,
    /// Any, as they come: a word that is dropped or replaced may stand elsewhere, too.
    Any,
}

/// So many words that change in one way.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub change: Change,
    pub words: usize,
}

/// A page before and after, and what a perfect metric would say.
#[derive(Debug)]
pub struct Changed {
    before: String,
    after: String,
    pub yardstick: f64,
}

impl Changed {
    /// A page of so many words; each part changes one run of it.
    pub fn new(words: usize, parts: &[Part], wording: Wording, seed: u64) -> Self {
        let mut draft = Draft::new(words, parts, wording, seed);
        parts.iter().for_each(|part| draft.take_moved(*part));
        let margin = draft.margin();
        let cost: f64 = parts.iter().map(|part| draft.cost(*part, margin)).sum();
        let in_place: Vec<Part> = parts.iter().filter(|part| !is_move(part.change)).copied().collect();
        draft.fill(&in_place, margin);
        let (before, after) = draft.pages();
        let yardstick = cost / before.len().max(after.len()) as f64;
        Changed { before: written(&before), after: written(&after), yardstick }
    }

    /// What the metrics say.
    pub fn measures(&self) -> Measures {
        let (before, after) = (Tokens::of_words(&self.before), Tokens::of_words(&self.after));
        let settings = Settings::default();
        let text = |text, tokens| Text { text, tokens };
        Comparison::of(text(&self.before, &before), text(&self.after, &after), &settings).measures()
    }
}

fn is_move(change: Change) -> bool {
    matches!(change, Change::Move | Change::MoveApart)
}

fn written(words: &[u32]) -> String {
    words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

/// A page while it is made.
struct Draft {
    random: Random,
    wording: Wording,
    /// The number of the next word that no page has.
    unused: u32,
    /// What does not change.
    kept: Vec<u32>,
    before: Vec<u32>,
    after: Vec<u32>,
    /// What moves in one piece, and what moves word by word.
    moved: Vec<u32>,
    scattered: Vec<u32>,
}

impl Draft {
    fn new(words: usize, parts: &[Part], wording: Wording, seed: u64) -> Self {
        let changing = parts.iter().filter(|part| part.change.is_on_the_page_before());
        let kept = words - changing.map(|part| part.words).sum::<usize>();
        let mut draft = Draft {
            random: Random::new(seed),
            wording,
            unused: VOCABULARY,
            kept: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            moved: Vec::new(),
            scattered: Vec::new(),
        };
        draft.kept = draft.frequent(kept);
        draft
    }

    /// Draws what moves.
    fn take_moved(&mut self, part: Part) {
        match part.change {
            Change::Move => self.moved = self.frequent(part.words),
            Change::MoveApart => self.scattered = self.own(part.words),
            _ => {}
        }
    }

    /// How many words in front of a run that moves in one piece, and behind where it moves to, stay: a wrapped page of which
    /// nothing else stays would be the same to shingles. As many words as the run has must remain for it to move across.
    fn margin(&self) -> usize {
        if self.moved.is_empty() {
            return 0;
        }
        let kept = self.kept.len();
        let spare = kept - self.moved.len().min(kept.saturating_sub(2));
        (kept / MARGIN).max(1).min(spare / 2)
    }

    /// What the yardstick counts for a part.
    fn cost(&self, Part { change, words }: Part, margin: usize) -> f64 {
        let across = self.kept.len() - 2 * margin;
        let words = if change == Change::Move { words.min(across) } else { words };
        change.weight() * words as f64
    }

    /// The parts one behind the other, with words between them that stay.
    fn fill(&mut self, parts: &[Part], margin: usize) {
        let kept = std::mem::take(&mut self.kept);
        let (inner, pieces) = (kept.len() - 2 * margin, parts.len() + 1);
        let cut = |piece: usize| margin + inner * piece / pieces;
        self.keep(&kept[..margin]);
        self.before.extend_from_slice(&self.moved);
        self.before.extend_from_slice(&self.scattered);
        for (piece, part) in parts.iter().enumerate() {
            self.keep(&kept[cut(piece)..cut(piece + 1)]);
            self.change(*part, &kept);
        }
        self.keep(&kept[cut(parts.len())..margin + inner]);
        self.after.append(&mut self.moved);
        self.keep(&kept[margin + inner..]);
    }

    fn keep(&mut self, words: &[u32]) {
        self.before.extend_from_slice(words);
        self.after.extend_from_slice(words);
    }

    fn change(&mut self, Part { change, words }: Part, kept: &[u32]) {
        let run = match change {
            Change::Copy | Change::Shrink => self.drawn(words, kept),
            _ => self.own(words),
        };
        match change {
            Change::Add | Change::Copy => self.after.extend(run),
            Change::Drop | Change::Shrink => self.before.extend(run),
            Change::Replace => {
                self.before.extend(run);
                let other = self.own(words);
                self.after.extend(other);
            }
            Change::Move | Change::MoveApart => {}
        }
    }

    fn pages(mut self) -> (Vec<u32>, Vec<u32>) {
        if self.scattered.is_empty() {
            return (self.before, self.after);
        }
        // Never in front of the first word that stays: that is where they were.
        let mut places: Vec<usize> =
            self.scattered.iter().map(|_| 1 + self.random.below(self.after.len())).collect();
        places.sort_unstable();
        let mut arrivals = places.into_iter().zip(self.scattered.into_iter().rev()).peekable();
        let mut after = Vec::with_capacity(self.before.len());
        for (place, word) in (1..).zip(self.after) {
            after.push(word);
            while let Some((_, arrived)) = arrivals.next_if(|arrival| arrival.0 == place) {
                after.push(arrived);
            }
        }
        (self.before, after)
    }

    /// Words that stand nowhere else, if that is what makes the change fair.
    fn own(&mut self, words: usize) -> Vec<u32> {
        if self.wording == Wording::Any {
            return self.frequent(words);
        }
        let first = self.unused;
        self.unused += words as u32;
        (first..self.unused).collect()
    }

    /// Words as frequent as in texts: the second half as often as the first, the third a third as often.
    fn frequent(&mut self, words: usize) -> Vec<u32> {
        const STEPS: usize = 1 << 30;
        let mut rank = || {
            let share = self.random.below(STEPS) as f64 / STEPS as f64;
            f64::from(VOCABULARY).powf(share) as u32 - 1
        };
        (0..words).map(|_| rank()).collect()
    }

    fn drawn(&mut self, words: usize, from: &[u32]) -> Vec<u32> {
        (0..words).map(|_| from[self.random.below(from.len())]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firstcopy_change::Operations;

    fn operations(change: Change, page: usize, words: usize) -> Operations {
        let changed = Changed::new(page, &[Part { change, words }], Wording::Fair, 3);
        let (before, after) = (Tokens::of_words(&changed.before), Tokens::of_words(&changed.after));
        let settings = Settings::default();
        let text = |text, tokens| Text { text, tokens };
        Comparison::of(text(&changed.before, &before), text(&changed.after, &after), &settings).operations()
    }

    #[test]
    fn words_change_as_is_said() {
        for (page, words) in [(4, 1), (8, 2), (1000, 250), (1000, 500)] {
            let none = Operations::default();
            let check = |change, expected| assert_eq!(operations(change, page, words), expected);
            check(Change::Add, Operations { add: words, ..none });
            check(Change::Copy, Operations { copy: words, ..none });
            check(Change::Drop, Operations { drop: words, ..none });
            check(Change::Shrink, Operations { shrink: words, ..none });
            check(Change::Replace, Operations { replace: words, ..none });
            // Half of a page with a word on either side: the other half, which is shorter, moved.
            check(Change::Move, Operations { moved: words.min(page - words - 2), ..none });
            check(Change::MoveApart, Operations { moved: words, ..none });
        }
    }

    #[test]
    fn the_yardstick_of_kwon_2007() {
        let check = |change, expected: f64| {
            let changed = Changed::new(1000, &[Part { change, words: 200 }], Wording::Fair, 3);
            assert!((changed.yardstick - expected).abs() < 1e-12, "{change:?}: {}", changed.yardstick);
        };
        check(Change::Add, 200.0 / 1200.0);
        check(Change::Copy, 150.0 / 1200.0);
        check(Change::Drop, 0.2);
        check(Change::Shrink, 0.15);
        check(Change::Replace, 0.2);
        check(Change::Move, 0.15);
        check(Change::MoveApart, 0.15);
    }
}
