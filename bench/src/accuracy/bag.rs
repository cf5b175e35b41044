//! Two texts as bags of words: the usual measure of core-text extraction.

use std::collections::HashMap;

/// How well one bag of words covers another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The harmonic mean of the two below.
    pub f1: f64,
    /// The share of what was found that was wanted.
    pub precision: f64,
    /// The share of what was wanted that was found.
    pub recall: f64,
}

impl Agreement {
    /// Every word counts as often as it stands there.
    pub fn of(found: &str, wanted: &str) -> Self {
        let (found, wanted) = (words(found), words(wanted));
        let count = |bag: &HashMap<String, usize>| bag.values().sum::<usize>();
        let both: usize = found.iter().map(|(word, count)| *count.min(wanted.get(word).unwrap_or(&0))).sum();
        let share = |whole: usize| if whole == 0 { 1.0 } else { both as f64 / whole as f64 };
        let total = count(&found) + count(&wanted);
        let f1 = if total == 0 { 1.0 } else { 2.0 * both as f64 / total as f64 };
        Agreement { f1, precision: share(count(&found)), recall: share(count(&wanted)) }
    }
}

/// Words in lower case; every character of Han, Kana and Hangul is one, so that spacing does not decide.
fn words(text: &str) -> HashMap<String, usize> {
    let alone = |character: char| matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '가'..='힣' | '\u{f900}'..='\u{faff}');
    let mut spaced = String::with_capacity(2 * text.len());
    for character in text.chars() {
        if alone(character) {
            spaced.extend([' ', character, ' ']);
        } else if character.is_alphanumeric() {
            spaced.extend(character.to_lowercase());
        } else {
            spaced.push(' ');
        }
    }
    let mut counts = HashMap::new();
    for word in spaced.split_ascii_whitespace() {
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_as_often_as_they_stand_there() {
        let agreement = Agreement::of("a a b 한글", "A b c 한 글");
        assert_eq!(agreement, Agreement { f1: 0.8, precision: 0.8, recall: 0.8 });
        assert_eq!(Agreement::of("", "").f1, 1.0);
        assert_eq!(Agreement::of("x", "").f1, 0.0);
    }
}
