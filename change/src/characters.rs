//! Which character of a text does a byte belong to? Answers to users count in characters.

use std::ops::Range;

/// Bytes between two places whose character is remembered.
const STRIDE: usize = 256;

/// The characters of a text.
#[derive(Debug)]
pub(crate) struct Characters<'a> {
    text: &'a str,
    /// How many characters begin before every [`STRIDE`]th byte.
    before: Vec<usize>,
}

impl<'a> Characters<'a> {
    pub fn of(text: &'a str) -> Self {
        let mut before = vec![0];
        for chunk in text.as_bytes().chunks(STRIDE) {
            before.push(before[before.len() - 1] + beginnings(chunk));
        }
        Characters { text, before }
    }

    /// A range of bytes as a range of characters.
    pub fn range(&self, bytes: Range<usize>) -> Range<usize> {
        self.at(bytes.start)..self.at(bytes.end)
    }

    fn at(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let from = byte / STRIDE;
        self.before[from] + beginnings(&self.text.as_bytes()[from * STRIDE..byte])
    }
}

/// How many characters begin in bytes of UTF-8.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_counting_one_by_one() {
        for text in ["", "가나다라", &"누가 먼저 wrote it 썼나? ".repeat(40), &"x".repeat(2 * STRIDE)]
        {
            let characters = Characters::of(text);
            for (count, (byte, _)) in text.char_indices().enumerate() {
                assert_eq!(characters.at(byte), count);
            }
            assert_eq!(characters.range(0..text.len()), 0..text.chars().count());
        }
    }
}
