//! Which two pages are compared when time counts? Real texts with known edits, the same for everyone who is measured.

use crate::data::{LANGUAGES, texts};
use crate::random::Random;
use anyhow::{Context, Result};
use firstcopy_change::Text;
use firstcopy_text::Tokens;
use std::fs;
use std::path::Path;

/// Words of a page; the largest must take less than 10 s and 500 MB.
const SIZES: [usize; 4] = [1_000, 8_192, 30_000, 100_000];
const QUICK_SIZES: [usize; 2] = [1_000, 8_192];
/// Bytes of real text in every language: twice the words of the largest page.
const BYTES_A_LANGUAGE: usize = 6_000_000;
/// Words of a sentence, about.
const SENTENCE: usize = 20;
/// One sentence in so many is edited.
const EVERY_SENTENCE: usize = 20;
/// Of an edited sentence one word in so many changes; of a rewritten page, too.
const EVERY_WORD: usize = 4;

/// How the second page differs from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// One sentence in twenty is edited.
    Sentences,
    /// A quarter of the words changed in scattered places.
    Scattered,
    /// It is another page.
    Unrelated,
}

impl Edit {
    pub const ALL: [Edit; 3] = [Edit::Sentences, Edit::Scattered, Edit::Unrelated];

    pub fn name(self) -> &'static str {
        match self {
            Edit::Sentences => "sentences",
            Edit::Scattered => "scattered",
            Edit::Unrelated => "unrelated",
        }
    }
}

/// A page: its words, with one space between them.
pub struct Page {
    pub text: String,
    pub tokens: Tokens,
}

impl Page {
    fn of(words: &[&str]) -> Self {
        let text = words.join(" ");
        Page { tokens: Tokens::of_words(&text), text }
    }

    pub fn as_text(&self) -> Text<'_> {
        Text { text: &self.text, tokens: &self.tokens }
    }

    pub fn words(&self) -> Vec<&str> {
        self.tokens.words().collect()
    }
}

/// Two pages.
pub struct PagePair {
    pub language: &'static str,
    /// Whether the words are real.
    pub origin: &'static str,
    pub edit: Edit,
    /// Words of the first page.
    pub words: usize,
    pub before: Page,
    pub after: Page,
}

impl PagePair {
    fn write(&self, folder: &Path) -> Result<()> {
        let name = format!("{}-{}-{}", self.language, self.edit.name(), self.words);
        fs::write(folder.join(format!("{name}.before.txt")), &self.before.text)?;
        fs::write(folder.join(format!("{name}.after.txt")), &self.after.text)?;
        Ok(())
    }
}

/// All pairs, those of a language and an edit from the smallest to the largest.
pub fn pairs(data: &Path, is_quick: bool) -> Vec<PagePair> {
    let languages = if is_quick { &LANGUAGES[..1] } else { &LANGUAGES };
    let sizes = if is_quick { &QUICK_SIZES[..] } else { &SIZES };
    languages.iter().flat_map(|language| pairs_of(data, language, sizes)).collect()
}

fn pairs_of(data: &Path, language: &'static str, sizes: &[usize]) -> Vec<PagePair> {
    let (texts, origin) = texts(data, language, BYTES_A_LANGUAGE);
    let tokens: Vec<Tokens> = texts.iter().map(|text| Tokens::of(text)).collect();
    let words: Vec<&str> = tokens.iter().flat_map(|tokens| tokens.words()).collect();
    let (first, second) = words.split_at(words.len() / 2);
    let pair = |edit: Edit, size: usize| {
        let (one, other) = (&first[..size.min(first.len())], &second[..size.min(second.len())]);
        let after = match edit {
            Edit::Sentences => Page::of(&edited(one, other, EVERY_SENTENCE)),
            Edit::Scattered => Page::of(&edited(one, other, 1)),
            Edit::Unrelated => Page::of(other),
        };
        PagePair { language, origin, edit, words: one.len(), before: Page::of(one), after }
    };
    Edit::ALL
        .into_iter()
        .flat_map(|edit| sizes.iter().map(move |&size| (edit, size)))
        .map(|(edit, size)| pair(edit, size))
        .collect()
}

/// The words with one sentence in so many edited: words replaced by others, dropped, and added, a third each.
fn edited<'t>(words: &[&'t str], others: &[&'t str], every_sentence: usize) -> Vec<&'t str> {
    let mut random = Random::new(words.len() as u64);
    let mut edited = Vec::with_capacity(words.len());
    for sentence in words.chunks(SENTENCE) {
        let is_edited = random.below(every_sentence) == 0;
        for word in sentence {
            if !is_edited || random.below(EVERY_WORD) > 0 {
                edited.push(*word);
                continue;
            }
            let other = others[random.below(others.len())];
            match random.below(3) {
                0 => edited.push(other),
                1 => {}
                _ => edited.extend([*word, other]),
            }
        }
    }
    edited
}

/// Writes all pairs as files, words between spaces.
pub fn write(pairs: &[PagePair], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .map_err(Into::into)
        .and_then(|()| pairs.iter().try_for_each(|pair| pair.write(folder)))
        .with_context(|| format!("cannot write the pages to {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_differ_by_as_much_as_is_said() {
        for pair in pairs(Path::new("no such folder"), true) {
            let sides = firstcopy_change::Pair::of(&pair.before.words(), &pair.after.words());
            let common: usize = sides.common().iter().map(|run| run.length).sum();
            let kept = common as f64 / pair.words as f64;
            let expected = match pair.edit {
                Edit::Sentences => 0.97..1.0,
                Edit::Scattered => 0.8..0.87,
                Edit::Unrelated => 0.0..0.5,
            };
            assert!(expected.contains(&kept), "{} {}: {kept}", pair.edit.name(), pair.words);
        }
    }
}
