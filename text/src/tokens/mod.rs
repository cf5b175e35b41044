//! From core text to tokens: canonical words, each with its place in the text.
//!
//! A token is a word by Unicode's word boundaries; in scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese)
//! one character. Tokens are NFKC, fully case folded, free of punctuation, symbols and invisible characters.
//! Hangul is spaced: an eojeol is a token (and punctuation between two syllables always ends one).
//!
//! Nearly all text is settled by a table of character classes; the runs that are not go through [`canonical`].

mod canonical;
mod classes;

use classes::Class;
use std::ops::Range;

/// The longest text that is tokenized; what is beyond is left out (places are 32 bits wide).
pub const MAX_TEXT: usize = 1 << 28;

/// The tokens of a text in their order.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// The text in lower case, followed by the canonical forms that are not slices of it.
    canonical: String,
    list: Vec<Token>,
}

/// One token: where it stands, and where its canonical form stands.
#[derive(Debug, Clone, Copy)]
struct Token {
    start: u32,
    end: u32,
    canonical_start: u32,
    canonical_end: u32,
}

impl Tokens {
    /// Finds the tokens of `text`.
    pub fn of(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            classes: classes::table(),
            tokens: Tokens { canonical: text.to_ascii_lowercase(), list: Vec::with_capacity(text.len() / 5) },
        };
        scanner.scan();
        scanner.tokens
    }

    /// Takes ready words as they are: split at white space, and nothing else done to them.
    pub fn of_words(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        let list = text
            .split_whitespace()
            .map(|word| {
                let start = (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
                let end = start + word.len() as u32;
                Token { start, end, canonical_start: start, canonical_end: end }
            })
            .collect();
        Tokens { canonical: text.to_owned(), list }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The canonical form of the token at `index`.
    pub fn word(&self, index: usize) -> &str {
        let token = self.list[index];
        &self.canonical[token.canonical_start as usize..token.canonical_end as usize]
    }

    /// The canonical forms in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.list.len()).map(|index| self.word(index))
    }

    /// Where the token at `index` stands in the text, in bytes.
    pub fn place(&self, index: usize) -> Range<usize> {
        self.list[index].start as usize..self.list[index].end as usize
    }

    /// How many tokens start before the byte at `offset`.
    pub(crate) fn count_before(&self, offset: usize) -> usize {
        self.list.partition_point(|token| (token.start as usize) < offset)
    }

    /// The canonical forms in order, as bytes and without the checks of [`str`] slicing.
    pub(crate) fn canonical_bytes(&self) -> impl Iterator<Item = &[u8]> {
        let canonical = self.canonical.as_bytes();
        self.list.iter().map(|token| &canonical[token.canonical_start as usize..token.canonical_end as usize])
    }
}

/// Walks over the text once.
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    classes: &'static [Class],
    tokens: Tokens,
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let mut at = 0;
        while let Some((class, width)) = self.class_at(at) {
            at = match class {
                Class::Letter | Class::Capital | Class::Digit | Class::Joiner => self.word(at),
                Class::Unit => self.push_slice(at, at + width),
                Class::Slow => {
                    let start = self.start_of_slow_run(at);
                    self.run(start)
                }
                _ => at + width,
            };
        }
    }

    /// The class and width of the character at a boundary; nothing at the end of the text.
    #[inline(always)]
    fn class_at(&self, at: usize) -> Option<(Class, usize)> {
        let first = *self.bytes.get(at)?;
        if first < 0x80 {
            return Some((self.classes[usize::from(first)], 1));
        }
        let continuation = |offset: usize| u32::from(self.bytes[at + offset] & 0x3f);
        Some(match first {
            0..=0xdf => (self.classes[(u32::from(first & 0x1f) << 6 | continuation(1)) as usize], 2),
            0xe0..=0xef => {
                let code_point = u32::from(first & 0x0f) << 12 | continuation(1) << 6 | continuation(2);
                (self.classes[code_point as usize], 3)
            }
            // Beyond the basic plane: rare enough to go through the rules.
            _ => (Class::Slow, 4),
        })
    }

    /// Takes the word that starts at `start`; returns where to go on.
    fn word(&mut self, start: usize) -> usize {
        let (mut at, mut before, mut is_slice) = (start, Class::Separator, true);
        while let Some((class, width)) = self.class_at(at) {
            match class {
                Class::Letter | Class::Digit => {}
                Class::Capital => is_slice &= width == 1,
                Class::Joiner => is_slice = false,
                Class::MidLetter | Class::MidNumber | Class::MidBoth => {
                    match self.joins(before, class, at, at + width) {
                        Some(true) => is_slice = false,
                        Some(false) => break,
                        None => return self.run(start),
                    }
                }
                Class::Slow => return self.run(start),
                Class::Separator | Class::Unit | Class::Quote => break,
            }
            before = class;
            at += width;
        }
        if is_slice {
            return self.push_slice(start, at);
        }
        self.push_folded(start, at)
    }

    /// Whether the punctuation between two characters joins them into one word; unknown if the next one is slow.
    fn joins(&self, before: Class, middle: Class, at: usize, next: usize) -> Option<bool> {
        let letter = |class| matches!(class, Class::Letter | Class::Capital);
        let Some((after, _)) = self.class_at(next) else { return Some(false) };
        if after == Class::Slow {
            return None;
        }
        let letters = letter(before) && letter(after) && middle != Class::MidNumber;
        let digits = before == Class::Digit && after == Class::Digit && middle != Class::MidLetter;
        Some(digits || letters && !(self.ends_with_hangul(at) && self.starts_with_hangul(next)))
    }

    fn starts_with_hangul(&self, at: usize) -> bool {
        self.text[at..].starts_with(canonical::is_hangul)
    }

    fn ends_with_hangul(&self, at: usize) -> bool {
        self.text[..at].ends_with(canonical::is_hangul)
    }

    /// A token whose canonical form is its own lower case.
    #[inline(always)]
    fn push_slice(&mut self, start: usize, end: usize) -> usize {
        let (from, to) = (start as u32, end as u32);
        self.tokens.list.push(Token { start: from, end: to, canonical_start: from, canonical_end: to });
        end
    }

    /// A token with capitals beyond ASCII or with punctuation inside.
    fn push_folded(&mut self, start: usize, end: usize) -> usize {
        let canonical_start = self.tokens.canonical.len() as u32;
        for character in self.text[start..end].chars() {
            match self.classes[character as usize] {
                Class::Letter | Class::Digit => self.tokens.canonical.push(character),
                Class::Capital => self.tokens.canonical.push(classes::folded(character).unwrap_or(character)),
                _ => {}
            }
        }
        let canonical_end = self.tokens.canonical.len() as u32;
        // A word of joiners alone is none.
        if canonical_end > canonical_start {
            let (start, end) = (start as u32, end as u32);
            self.tokens.list.push(Token { start, end, canonical_start, canonical_end });
        }
        end
    }

    /// A slow character may combine with the unit right before it, which then belongs to its run.
    fn start_of_slow_run(&mut self, at: usize) -> usize {
        match self.tokens.list.last() {
            Some(token) if token.end as usize == at => {
                let start = token.start as usize;
                self.tokens.list.pop();
                start
            }
            _ => at,
        }
    }

    /// Takes all tokens from `start` to the next character that no rule joins to what stands before it.
    fn run(&mut self, start: usize) -> usize {
        let end = self.end_of_run(start);
        let Tokens { canonical, list } = &mut self.tokens;
        canonical::canonical_tokens(&self.text[start..end], |word, place| {
            let canonical_start = canonical.len() as u32;
            canonical.push_str(word);
            list.push(Token {
                start: (start + place.start) as u32,
                end: (start + place.end) as u32,
                canonical_start,
                canonical_end: canonical.len() as u32,
            });
        });
        end
    }

    fn end_of_run(&self, start: usize) -> usize {
        // The first character is part of the run whatever it is: a unit was taken back for it.
        let mut at = start + self.class_at(start).map_or(0, |(_, width)| width);
        while let Some((class, width)) = self.class_at(at) {
            let ends = match class {
                Class::Separator | Class::Unit => true,
                Class::Quote => !matches!(self.class_at(at + width), Some((Class::Slow, _))),
                _ => false,
            };
            if ends {
                break;
            }
            at += width;
        }
        at
    }
}

#[cfg(test)]
mod tests;
