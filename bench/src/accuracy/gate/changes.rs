//! What happens to a text that is copied: words replaced, text added, pieces swapped or exchanged. Pure.

use crate::random::Random;
use firstcopy_text::Tokens;

/// One way in which copies differ from what they were made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// So many words, anywhere, are others.
    Replaced(usize),
    /// Percent of the words, anywhere, that are replaced.
    ReplacedShare(usize),
    /// So many words of each hundred are added in front and behind.
    Added { front: usize, behind: usize },
    /// The second and third quarter change places.
    Swapped,
    /// So many words of each hundred, at the end, are others.
    Exchanged(usize),
    /// Nothing is the same.
    Unrelated,
}

/// Groups of changes that one line is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Up to one word in twenty is another.
    SmallEdits,
    /// Up to one word in ten is another.
    TenthReplaced,
    /// More than that, up to one word in four: people may see it either way, and nothing is asked of it.
    ManyReplaced,
    /// Up to a fifth is added at the ends.
    AddedAtEnds,
    /// Two quarters changed places.
    Swapped,
    /// Up to twelve of a hundred words at the end are others.
    EndExchanged,
    /// The last third is another text: no copy, but its source must be named.
    ThirdExchanged,
    /// Another text.
    OtherText,
}

/// All that are measured.
pub const CHANGES: [Change; 19] = [
    Change::Replaced(1),
    Change::Replaced(2),
    Change::Replaced(3),
    Change::Replaced(4),
    Change::Replaced(5),
    Change::ReplacedShare(2),
    Change::ReplacedShare(5),
    Change::ReplacedShare(10),
    Change::Added { front: 5, behind: 0 },
    Change::Added { front: 10, behind: 0 },
    Change::Added { front: 0, behind: 5 },
    Change::Added { front: 0, behind: 10 },
    Change::Added { front: 5, behind: 5 },
    Change::Added { front: 10, behind: 10 },
    Change::Swapped,
    Change::Exchanged(5),
    Change::Exchanged(12),
    Change::Exchanged(33),
    Change::Unrelated,
];

impl Change {
    pub fn name(self) -> String {
        match self {
            Change::Replaced(1) => "1 word replaced".to_owned(),
            Change::Replaced(words) => format!("{words} words replaced"),
            Change::ReplacedShare(share) => format!("{share} % of the words replaced"),
            Change::Added { front, behind: 0 } => format!("{front} % added in front"),
            Change::Added { front: 0, behind } => format!("{behind} % added behind"),
            Change::Added { front, behind } => format!("{front} % added in front, {behind} % behind"),
            Change::Swapped => "two quarters swapped".to_owned(),
            Change::Exchanged(share) => format!("last {share} % exchanged"),
            Change::Unrelated => "another text".to_owned(),
        }
    }

    /// The goal that copies of texts of this many words belong to after this change.
    pub fn goal(self, length: usize) -> Goal {
        match self {
            Change::Replaced(words) if words * 20 <= length => Goal::SmallEdits,
            Change::ReplacedShare(share) if share <= 5 => Goal::SmallEdits,
            Change::Replaced(words) if words * 10 <= length => Goal::TenthReplaced,
            Change::ReplacedShare(share) if share <= 10 => Goal::TenthReplaced,
            Change::Replaced(_) | Change::ReplacedShare(_) => Goal::ManyReplaced,
            Change::Added { .. } => Goal::AddedAtEnds,
            Change::Swapped => Goal::Swapped,
            Change::Exchanged(share) if share <= 12 => Goal::EndExchanged,
            Change::Exchanged(_) => Goal::ThirdExchanged,
            Change::Unrelated => Goal::OtherText,
        }
    }

    /// Makes the copy. What is added or exchanged comes from a text of the same length.
    pub fn apply(self, source: &Cut, donor: &Cut, random: &mut Random) -> String {
        let all = source.len();
        let part = |share: usize| (all * share / 100).max(usize::from(share > 0));
        match self {
            Change::Replaced(words) => source.with_replaced(words, donor, random),
            Change::ReplacedShare(share) => source.with_replaced(part(share), donor, random),
            Change::Added { front, behind } => joined(&[
                donor.piece(0, part(front)),
                source.piece(0, all),
                donor.piece(donor.len().saturating_sub(part(behind)), donor.len()),
            ]),
            Change::Swapped => joined(&[
                source.piece(0, all / 4),
                source.piece(all / 2, all * 3 / 4),
                source.piece(all / 4, all / 2),
                source.piece(all * 3 / 4, all),
            ]),
            Change::Exchanged(share) => {
                let kept = all - part(share);
                joined(&[source.piece(0, kept), donor.piece(kept, donor.len())])
            }
            Change::Unrelated => donor.text.clone(),
        }
    }
}

fn joined(pieces: &[&str]) -> String {
    pieces.iter().filter(|piece| !piece.is_empty()).copied().collect::<Vec<_>>().join("\n\n")
}

/// A text of a certain number of tokens.
#[derive(Debug, Clone)]
pub struct Cut {
    pub text: String,
    tokens: Tokens,
}

impl Cut {
    /// The first `words` tokens of a text; none if it has fewer.
    pub fn front(text: &str, tokens: &Tokens, words: usize) -> Option<Self> {
        (tokens.len() >= words).then(|| Self::between(text, tokens, 0, words))
    }

    /// The last `words` tokens of a text; none if it has fewer.
    pub fn back(text: &str, tokens: &Tokens, words: usize) -> Option<Self> {
        let start = tokens.len().checked_sub(words)?;
        Some(Self::between(text, tokens, start, tokens.len()))
    }

    fn between(text: &str, tokens: &Tokens, start: usize, end: usize) -> Self {
        let text = text[tokens.place(start).start..tokens.place(end - 1).end].to_owned();
        Cut { tokens: Tokens::of(&text), text }
    }

    /// How many tokens it has.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    fn piece(&self, start: usize, end: usize) -> &str {
        let end = end.min(self.len());
        if start >= end {
            return "";
        }
        &self.text[self.tokens.place(start).start..self.tokens.place(end - 1).end]
    }

    fn with_replaced(&self, words: usize, donor: &Cut, random: &mut Random) -> String {
        let mut text = self.text.clone();
        let mut places: Vec<usize> = Vec::new();
        while places.len() < words.min(self.len()) {
            let place = random.below(self.len());
            if !places.contains(&place) {
                places.push(place);
            }
        }
        // From the end, so that the places before stay where they are.
        places.sort_unstable_by(|a, b| b.cmp(a));
        for place in places {
            text.replace_range(self.tokens.place(place), donor.word_unlike(self.tokens.word(place), random));
        }
        text
    }

    /// Any word but this one.
    fn word_unlike(&self, word: &str, random: &mut Random) -> &str {
        let start = random.below(self.len());
        let others = (start..self.len()).chain(0..start).filter(|&place| self.tokens.word(place) != word);
        others.map(|place| self.piece(place, place + 1)).next().unwrap_or("firstcopy")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Cut {
        let tokens = Tokens::of(text);
        Cut::front(text, &tokens, tokens.len()).unwrap()
    }

    #[track_caller]
    fn check(change: Change, expected: &str) {
        let source = cut("a b c d e f g h i j k l m n o p q r s t");
        let donor = cut("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
        let changed = change.apply(&source, &donor, &mut Random::new(1));
        assert_eq!(changed.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn texts_are_changed_as_named() {
        check(Change::Added { front: 10, behind: 0 }, "1 2 a b c d e f g h i j k l m n o p q r s t");
        check(Change::Added { front: 0, behind: 1 }, "a b c d e f g h i j k l m n o p q r s t 20");
        check(Change::Swapped, "a b c d e k l m n o f g h i j p q r s t");
        check(Change::Exchanged(12), "a b c d e f g h i j k l m n o p q r 19 20");
    }

    #[test]
    fn as_many_words_are_replaced_as_asked_for() {
        let (source, donor) = (cut("a b c d e f g h"), cut("a a a z"));
        for words in 1..=5 {
            let changed = cut(&Change::Replaced(words).apply(&source, &donor, &mut Random::new(9)));
            let differ = (0..8).filter(|&at| changed.tokens.word(at) != source.tokens.word(at)).count();
            assert_eq!((changed.len(), differ), (8, words));
        }
    }
}
