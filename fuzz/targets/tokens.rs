//! Any text as tokens: the same on a reused buffer, in order, on character boundaries, and canonical for good.

#![no_main]

use firstcopy_text::Tokens;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// Holds the tokens of the input before: what they leave behind must not show.
    static REUSED: RefCell<Tokens> = RefCell::default();
}

fuzz_target!(|text: &str| {
    let tokens = Tokens::of(text);
    REUSED.with_borrow_mut(|reused| {
        reused.read(text);
        assert_eq!(listed(&tokens), listed(reused), "a reused buffer");
    });
    check_places(&tokens, text);
    check_canonical(&tokens);
});

fn listed(tokens: &Tokens) -> Vec<(std::ops::Range<usize>, &str)> {
    (0..tokens.len()).map(|index| (tokens.place(index), tokens.word(index))).collect()
}

/// Places never go back; what one character stands for may be several tokens (㌀, a Khmer syllable), all of one place.
fn check_places(tokens: &Tokens, text: &str) {
    let mut before = 0..0;
    for (place, word) in listed(tokens) {
        assert!(!word.is_empty(), "an empty word at {place:?}");
        assert!(place.start >= before.start && place.end >= before.end, "{place:?} after {before:?}");
        assert!(place.start < place.end, "{place:?} is empty");
        assert!(text.get(place.clone()).is_some(), "{place:?} cuts a character");
        before = place;
    }
}

/// Words that are canonical stay as they are.
fn check_canonical(tokens: &Tokens) {
    let words: Vec<&str> = tokens.words().collect();
    let again = Tokens::of(&words.join(" "));
    assert_eq!(words, again.words().collect::<Vec<_>>(), "canonical words change");
}
