//! How do texts and names become terms of tantivy?

use crate::terms::{Terms, Units, VERSION};
use std::ops::Range;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// The name of the tokenizer of titles and texts.
pub(crate) fn text_tokenizer() -> String {
    format!("firstcopy-text-{VERSION}")
}

/// The name of the tokenizer of authors.
pub(crate) fn name_tokenizer() -> String {
    format!("firstcopy-name-{VERSION}")
}

/// Both by their names, beside tantivy's own, which other fields ask for.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(&text_tokenizer(), TextTokenizer);
    manager.register(&name_tokenizer(), NameTokenizer);
    manager
}

#[derive(Debug, Clone)]
struct TextTokenizer;

impl Tokenizer for TextTokenizer {
    type TokenStream<'a> = TextStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TextStream<'a> {
        TextStream { terms: Terms::of(text), token: Token::default() }
    }
}

/// The terms of a text, at the positions of its units.
struct TextStream<'a> {
    terms: Terms<'a>,
    token: Token,
}

impl TokenStream for TextStream<'_> {
    fn advance(&mut self) -> bool {
        match self.terms.read(&mut self.token.text) {
            Some(place) => {
                advance_to(&mut self.token, place);
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

fn advance_to(token: &mut Token, place: Range<usize>) {
    // A token starts out at the position before the first one.
    token.position = token.position.wrapping_add(1);
    (token.offset_from, token.offset_to) = (place.start, place.end);
}

#[derive(Debug, Clone)]
struct NameTokenizer;

impl Tokenizer for NameTokenizer {
    type TokenStream<'a> = NameStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> NameStream {
        NameStream { words: name_words(text).into_iter(), token: Token::default() }
    }
}

/// The words of a name, whatever their script: characters that touch are one word.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for unit in Units::of(name) {
        match words.last_mut() {
            Some(word) if unit.is_joined => word.push_str(&unit.form),
            _ => words.push(unit.form),
        }
    }
    words
}

struct NameStream {
    words: std::vec::IntoIter<String>,
    token: Token,
}

impl TokenStream for NameStream {
    fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        self.token.text = word;
        advance_to(&mut self.token, 0..0);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        let cases: [(&str, &[&str]); 4] = [
            ("Kim Min-su", &["kim", "min", "su"]),
            ("김민수 기자", &["김민수", "기자"]),
            ("田中 太郎", &["田中", "太郎"]),
            ("K팝stan", &["k팝stan"]),
        ];
        for (name, expected) in cases {
            assert_eq!(name_words(name), expected, "{name}");
        }
    }
}
