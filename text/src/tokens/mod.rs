//! From core text to tokens: canonical words, each with its place in the text.
//!
//! A token is a word by Unicode's word boundaries; in scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese)
//! one character. Tokens are NFKC, fully case folded, free of punctuation, symbols and invisible characters.
//! Hangul is spaced: an eojeol is a token (and punctuation between two syllables always ends one).
//!
//! Three readers take turns, each for what it is good at: [`ascii`] sees 64 bytes at a glance, [`scan`] goes by a table
//! of character classes, [`canonical`] knows all of Unicode's rules. They are equal where they overlap.

mod ascii;
mod canonical;
mod classes;
mod scan;

pub(crate) use canonical::{is_unspaced, nfkc};
pub(crate) use classes::{is_ignorable, is_mark};

use std::ops::Range;

/// The longest text that is tokenized; what is beyond is left out (places are 32 bits wide).
pub const MAX_TEXT: usize = 1 << 28;

/// Zeros before the first canonical form, so that sixteen bytes can be loaded that end with any token.
pub(crate) const PADDING: usize = 16;

/// The tokens of a text in their order.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// [`PADDING`], then the canonical forms one after the other.
    canonical: Vec<u8>,
    places: Places,
}

/// Where each token stands, and where its canonical form ends (it starts where the one before ends). Three lists of
/// equal length and not one of triples, so that many tokens can be appended by one vector each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Places {
    starts: Vec<u32>,
    ends: Vec<u32>,
    canonical_ends: Vec<u32>,
}

impl Places {
    fn clear(&mut self) {
        self.lists().into_iter().for_each(Vec::clear);
    }

    fn reserve(&mut self, tokens: usize) {
        self.lists().into_iter().for_each(|list| list.reserve(tokens));
    }

    #[inline(always)]
    fn push(&mut self, start: usize, end: usize, canonical_end: usize) {
        self.starts.push(start as u32);
        self.ends.push(end as u32);
        self.canonical_ends.push(canonical_end as u32);
    }

    /// Takes back the last token if it ends at `end`; returns where it started.
    fn pop_at(&mut self, end: usize) -> Option<usize> {
        self.ends.pop_if(|last| *last as usize == end)?;
        self.canonical_ends.pop();
        self.starts.pop().map(|start| start as usize)
    }

    fn lists(&mut self) -> [&mut Vec<u32>; 3] {
        [&mut self.starts, &mut self.ends, &mut self.canonical_ends]
    }
}

impl Tokens {
    /// Finds the tokens of `text`.
    pub fn of(text: &str) -> Self {
        let mut tokens = Tokens::default();
        tokens.read(text);
        tokens
    }

    /// Finds the tokens of `text` in place of those of another, keeping the memory they had.
    pub fn read(&mut self, text: &str) {
        self.places.clear();
        scan::scan(&text[..text.floor_char_boundary(MAX_TEXT)], self);
    }

    /// Takes ready words as they are: split at white space, and nothing else done to them.
    pub fn of_words(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        let mut tokens = Tokens { canonical: vec![0; PADDING], places: Places::default() };
        for word in text.split_whitespace() {
            tokens.canonical.extend_from_slice(word.as_bytes());
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            tokens.places.push(start, start + word.len(), tokens.canonical.len());
        }
        tokens
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.places.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.ends.is_empty()
    }

    /// The canonical form of the token at `index`.
    pub fn word(&self, index: usize) -> &str {
        std::str::from_utf8(self.canonical(index..index + 1)).unwrap_or_default()
    }

    /// The canonical forms in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.word(index))
    }

    /// Where the token at `index` stands in the text, in bytes.
    pub fn place(&self, index: usize) -> Range<usize> {
        self.places.starts[index] as usize..self.places.ends[index] as usize
    }

    /// The canonical forms of a run of tokens in one piece.
    pub fn canonical(&self, run: Range<usize>) -> &[u8] {
        let end_of = |count: usize| {
            count.checked_sub(1).map_or(PADDING, |last| self.places.canonical_ends[last] as usize)
        };
        self.canonical.get(end_of(run.start)..end_of(run.end)).unwrap_or_default()
    }

    /// Which token the byte at `offset` of all canonical forms is of.
    pub fn at_canonical(&self, offset: usize) -> usize {
        self.canonical_ends().partition_point(|&end| end as usize <= PADDING + offset)
    }

    /// All canonical forms with the zeros before them.
    pub(crate) fn padded_canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// Where each canonical form ends in [`Self::padded_canonical`]; the first starts at [`PADDING`].
    pub(crate) fn canonical_ends(&self) -> &[u32] {
        &self.places.canonical_ends
    }

    /// How long each canonical form is.
    pub(crate) fn canonical_lengths(&self) -> impl Iterator<Item = usize> {
        let mut start = PADDING as u32;
        self.canonical_ends().iter().map(move |&end| (end - std::mem::replace(&mut start, end)) as usize)
    }

    /// The first token at or after `from` that starts at or after the byte at `offset`.
    pub(crate) fn first_at(&self, from: usize, offset: usize) -> usize {
        from + self.places.starts[from..].iter().take_while(|&&start| (start as usize) < offset).count()
    }
}

#[cfg(test)]
mod tests;
