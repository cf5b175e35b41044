//! Room to shingle one text after the other in: whoever reads a whole collection keeps the memory that the one before
//! needed, and computes no more of a document than clusters depend on.

use crate::document::Analyzer;
use crate::features::Features;
use crate::page::Content;
use crate::shingles::{SetRoom, ShingleSet};
use crate::tokens::Tokens;
use twox_hash::XxHash3_128;

/// The tokens and shingles of one text at a time.
#[derive(Debug, Default)]
pub struct Room {
    tokens: Tokens,
    shingles: ShingleSet,
    set_room: SetRoom,
    bytes: Vec<u8>,
}

impl Analyzer {
    /// Finds the tokens and shingles of a core text, in place of those of another one.
    pub fn shingle(&self, text: &str, room: &mut Room) {
        let Room { tokens, shingles, set_room, .. } = room;
        self.read_tokens(text, tokens);
        self.shingler().fill_set(tokens, shingles, set_room);
    }

    /// The features of a set of shingles.
    pub fn features(&self, shingles: &ShingleSet) -> Features {
        self.feature_maker().features(shingles)
    }
}

impl Room {
    /// The shingles of the text.
    pub fn shingles(&self) -> &ShingleSet {
        &self.shingles
    }

    /// Of the sequence of tokens. Many times as quick as the one of [`crate::WholeContent`], and no less apart, unless
    /// somebody makes two texts for the purpose: so it is for those who compare the shingles too.
    pub fn quick_fingerprint(&mut self) -> u128 {
        let Room { tokens, bytes, .. } = self;
        let (words, ends) = (tokens.canonical(0..tokens.len()), tokens.canonical_ends());
        bytes.clear();
        bytes.extend_from_slice(words);
        // The ends keep "ab c" and "a bc" apart, and the last one tells where the words end.
        bytes.resize(words.len() + 4 * ends.len(), 0);
        let (places, _) = bytes[words.len()..].as_chunks_mut();
        places.iter_mut().zip(ends).for_each(|(place, end)| *place = end.to_le_bytes());
        XxHash3_128::oneshot(bytes)
    }
}

impl Content {
    /// Of the bytes as received; quick, as [`Room::quick_fingerprint`] is.
    pub fn quick_fingerprint(&self) -> u128 {
        XxHash3_128::oneshot(&self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Parameters;
    use crate::page::Page;
    use crate::seed::Seed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_in_one_room_are_as_documents_are(texts in prop::collection::vec("[abc가東 .,]{0,60}", 2..6)) {
            let analyzer = Analyzer::new(Parameters { shingle_words: 3, ..Parameters::default() }, &Seed::PUBLIC);
            let mut room = Room::default();
            let mut known = Vec::new();
            for text in &texts {
                let document = analyzer.document(Page { content: Content::text(text), ..Page::default() });
                analyzer.shingle(text, &mut room);
                prop_assert_eq!(room.shingles().as_slice(), document.shingles.as_slice());
                prop_assert_eq!(analyzer.features(room.shingles()), document.features.clone());
                known.push((document.whole, room.quick_fingerprint(), Content::text(text).quick_fingerprint()));
            }
            for (a, lexical_a, identical_a) in &known {
                for (b, lexical_b, identical_b) in &known {
                    prop_assert_eq!(a.lexical == b.lexical, lexical_a == lexical_b);
                    prop_assert_eq!(a.identical == b.identical, identical_a == identical_b);
                }
            }
        }
    }

    #[test]
    fn where_words_end_counts() {
        let analyzer = Analyzer::new(Parameters { shingle_words: 1, ..Parameters::default() }, &Seed::PUBLIC);
        let fingerprint = |text: &str| {
            let mut room = Room::default();
            analyzer.shingle(text, &mut room);
            room.quick_fingerprint()
        };
        assert_ne!(fingerprint("a aa"), fingerprint("aa a"));
        assert_eq!(fingerprint("A, aa!"), fingerprint("a aa"));
    }
}
