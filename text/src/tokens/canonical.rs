//! The whole of Unicode's rules for one run of text: normalise, find words, fold, and remember where each came from.

use super::classes::{is_ignorable, is_mark, is_word_like};
use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Compatibility normalisation with composition: width, ligatures and presentation forms fall away.
pub(crate) fn nfkc(text: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfkc().normalize(text)
}

/// A character of a script that is written without spaces, so that each is a token of its own.
pub(crate) fn is_unspaced(character: char) -> bool {
    // Shared by both kana, so that their script is "common": the prolonged sound mark and the repeat marks.
    let shared_kana = matches!(character, '\u{30fc}' | '\u{3031}'..='\u{3035}');
    shared_kana
        || matches!(
            CodePointMapData::<Script>::new().get(character),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        )
}

/// A syllable of Hangul as it stands after normalisation.
pub(super) fn is_hangul(character: char) -> bool {
    matches!(character, '가'..='힣')
}

/// Hands every token of `run` to `sink`, in order, with its canonical form and its place in `run`.
pub(super) fn canonical_tokens(run: &str, mut sink: impl FnMut(&str, Range<usize>)) {
    let normal = Normalised::of(run);
    for (start, word) in normal.text.split_word_bound_indices() {
        for token in cut_word(word) {
            let place = normal.source(start + token.start..start + token.end);
            sink(&fold(&word[token]), place);
        }
    }
}

/// The canonical form of one token: letters, digits and the marks on them only, case folded, normalised.
pub(super) fn fold(token: &str) -> String {
    let mut on_letter = false;
    let mut letters = String::with_capacity(token.len());
    for character in token.chars().filter(|&character| !is_ignorable(character)) {
        // A mark on punctuation goes the way of the punctuation; one of an unspaced script is a token of its own.
        let stands_alone = !is_mark(character) || is_unspaced(character);
        on_letter = is_word_like(character) && (on_letter || stands_alone);
        if on_letter {
            letters.push(character);
        }
    }
    let folded = CaseMapper::new().fold_string(&letters).into_owned();
    // Folding can take a text out of its normal form (a Greek iota below a capital, say).
    nfkc(&folded).into_owned()
}

/// Cuts a word as Unicode finds it where ours end: around each character of an unspaced script,
/// and at punctuation between two Hangul syllables ("했다.그러나" is two words whose writer forgot a space).
pub(super) fn cut_word(word: &str) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut open: Option<usize> = None;
    let mut before = None;
    for (at, character) in word.char_indices() {
        let end = at + character.len_utf8();
        if is_word_like(character) && is_unspaced(character) {
            tokens.extend(open.take().map(|start| start..at));
            tokens.push(at..end);
        } else if is_word_like(character) && !is_mark(character) {
            // A mark cannot open a token: it would be one only where a unit was cut off before it.
            open.get_or_insert(at);
        } else if character != '_' && before.is_some_and(is_hangul) {
            let after = word[end..].chars().next();
            if !is_word_like(character) && after.is_some_and(is_hangul) {
                tokens.extend(open.take().map(|start| start..at));
            }
        }
        before = Some(character);
    }
    tokens.extend(open.map(|start| start..word.len()));
    tokens
}

/// A run in its normal form, with the way back.
struct Normalised {
    text: String,
    /// For each piece that was normalised on its own: its end here and its end in the source.
    pieces: Vec<(usize, usize)>,
}

impl Normalised {
    fn of(run: &str) -> Self {
        let (mut text, mut pieces) = (String::with_capacity(run.len()), Vec::new());
        for piece in independent_pieces(run) {
            text.push_str(&nfkc(&run[piece.clone()]));
            pieces.push((text.len(), piece.end));
        }
        Normalised { text, pieces }
    }

    /// Where the text at `range` came from: whole pieces.
    fn source(&self, range: Range<usize>) -> Range<usize> {
        let first = self.pieces.partition_point(|&(end, _)| end <= range.start);
        let last = self.pieces.partition_point(|&(end, _)| end < range.end);
        let start = first.checked_sub(1).map_or(0, |before| self.pieces[before].1);
        start..self.pieces[last].1
    }
}

/// Cuts a run into pieces whose normal forms can be put side by side: graphemes, except that the letters of Hangul
/// (compatibility and half-width ones become conjoining ones) stay with what stands before them.
fn independent_pieces(run: &str) -> impl Iterator<Item = Range<usize>> {
    let mut starts = run
        .grapheme_indices(true)
        .filter(|&(at, grapheme)| at == 0 || !grapheme.starts_with(is_hangul_letter))
        .map(|(at, _)| at)
        .collect::<Vec<_>>();
    starts.push(run.len());
    (1..starts.len()).map(move |next| starts[next - 1]..starts[next])
}

fn is_hangul_letter(character: char) -> bool {
    matches!(
        character,
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ffa0}'..='\u{ffdc}'
            | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}'
    )
}
