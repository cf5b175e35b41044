//! Who is at a place, unless that are too many? Listens to the words on it, newest first, until that is clear.

use crate::runs::Word;

/// Leaves in `heard` the last word on every document, ascending, and returns true; or stops listening and returns false
/// once it is clear that more than `limit` documents are there.
pub(super) fn hear(words: impl Iterator<Item = Word>, limit: usize, heard: &mut Vec<Word>) -> bool {
    heard.clear();
    let mut enough = limit.saturating_add(1);
    for word in words {
        heard.push(word);
        if heard.len() >= enough {
            let living = settle(heard);
            if living > limit {
                return false;
            }
            // As many as are needed at least; with many removals half as many again, so that settling stays cheap.
            enough = heard.len() + (limit - living + 1).max(heard.len() / 2);
        }
    }
    settle(heard) <= limit
}

/// Keeps the first word on every document, sorts them by number, and counts the documents that are there.
fn settle(heard: &mut Vec<Word>) -> usize {
    // Stable, so that of several words the newest stays in front and survives.
    heard.sort_by_key(|word| word.number);
    heard.dedup_by_key(|word| word.number);
    heard.iter().filter(|word| !word.removed).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against a map that is filled from the oldest word to the newest.
        #[test]
        fn hears_what_a_map_holds(
            words in prop::collection::vec((0u32..30, any::<bool>()), 0..200),
            limit in prop_oneof![0usize..40, Just(usize::MAX)],
        ) {
            let last: BTreeMap<u32, bool> = words.iter().rev().copied().collect();
            let living: Vec<u32> = last.iter().filter(|(_, removed)| !**removed).map(|(number, _)| *number).collect();
            let mut heard = Vec::new();
            let words = words.iter().map(|&(number, removed)| Word { number, removed });
            prop_assert_eq!(hear(words, limit, &mut heard), living.len() <= limit);
            if living.len() <= limit {
                let heard: Vec<u32> = heard.iter().filter(|word| !word.removed).map(|word| word.number).collect();
                prop_assert_eq!(heard, living);
            }
        }
    }

    #[test]
    fn listens_no_longer_than_it_must() {
        // (limit, removals before the living, the most words that may be listened to)
        for (limit, removals, most) in
            [(0, 0, 1), (10, 0, 11), (1000, 0, 1001), (10, 100, 200), (1000, 100, 1602)]
        {
            let words = (0..100_000).map(|number| Word { number, removed: number < removals });
            let mut listened = 0;
            assert!(!hear(words.inspect(|_| listened += 1), limit, &mut Vec::new()));
            assert!(listened <= most, "{listened} for {limit} after {removals}");
        }
    }
}
