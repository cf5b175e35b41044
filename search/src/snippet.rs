//! Which part of a text shows best that a query matches?

use crate::query::{Marks, Query};
use crate::terms::Terms;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of a text that are looked at.
const MAX_TEXT: usize = 1 << 20;
/// This part of the room that is left comes before the first match.
const LEAD: usize = 4;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The part, on one line.
    pub text: String,
    /// The matches in it, in bytes of `text`, ascending and apart from each other.
    pub highlights: Vec<Range<usize>>,
    /// Where it stands in the whole text, in bytes.
    pub place: Range<usize>,
}

/// A match in the text.
struct Mark {
    /// Which of the terms found so far it is.
    term: usize,
    place: Range<usize>,
    /// How many characters come before it, and before its end.
    start: usize,
    end: usize,
}

/// The part of a text of at most `chars` characters that holds the most different words of a query, or the beginning of the
/// text if it holds none.
pub fn snippet(text: &str, query: &Query, chars: usize) -> Snippet {
    let seen = &text[..text.floor_char_boundary(MAX_TEXT)];
    let marks = marks(seen, &query.marks());
    let best = best_window(&marks, chars);
    let place = best.first().map_or(0..after(text, 0, chars), |first| {
        let room = chars.saturating_sub(best.last().map_or(0, |last| last.end - first.start));
        let start = start_before(text, first.place.start, room / LEAD);
        start..after(text, start, chars)
    });
    let highlights = joined(marks.iter().map(|mark| &mark.place), &place);
    let text = text[place.clone()].replace(['\n', '\r', '\t'], " ");
    Snippet { text, highlights, place }
}

/// Every match in a text, in order.
fn marks(text: &str, wanted: &Marks) -> Vec<Mark> {
    let (mut terms, mut term, mut known) = (Terms::of(text), String::new(), HashMap::new());
    let (mut marks, mut counted, mut characters) = (Vec::new(), 0, 0);
    while let Some(place) = terms.read(&mut term) {
        if !wanted.contain(&term) {
            continue;
        }
        // Places overlap by a character, but never start before the one before them.
        characters += text[counted..place.start].chars().count();
        counted = place.start;
        let end = characters + text[place.clone()].chars().count();
        let next = known.len();
        let term = *known.entry(term.clone()).or_insert(next);
        marks.push(Mark { term, place, start: characters, end });
    }
    marks
}

/// The marks that fit into a window and show the most different terms: the first such window.
fn best_window(marks: &[Mark], chars: usize) -> &[Mark] {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let (mut first, mut best, mut best_count) = (0, 0..0, 0);
    for (last, mark) in marks.iter().enumerate() {
        *counts.entry(mark.term).or_default() += 1;
        while first <= last && mark.end - marks[first].start > chars {
            forget(&mut counts, marks[first].term);
            first += 1;
        }
        if counts.len() > best_count {
            (best, best_count) = (first..last + 1, counts.len());
        }
    }
    &marks[best]
}

fn forget(counts: &mut HashMap<usize, usize>, term: usize) {
    if let Some(count) = counts.get_mut(&term) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&term);
        }
    }
}

/// Up to `chars` characters before a place, from where a word starts if one does.
fn start_before(text: &str, place: usize, chars: usize) -> usize {
    let earliest = text[..place].char_indices().rev().take(chars).last().map_or(place, |(at, _)| at);
    if earliest == 0 {
        return 0;
    }
    let lead = &text[earliest..place];
    lead.find(char::is_whitespace).map_or(earliest, |space| {
        earliest
            + lead[space..]
                .find(|character: char| !character.is_whitespace())
                .map_or(lead.len(), |at| space + at)
    })
}

/// The place `chars` characters after a place.
fn after(text: &str, place: usize, chars: usize) -> usize {
    text[place..].char_indices().nth(chars).map_or(text.len(), |(at, _)| place + at)
}

/// Ranges within a window and relative to it; those that touch are one.
fn joined<'a>(ranges: impl Iterator<Item = &'a Range<usize>>, window: &Range<usize>) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for range in ranges.filter(|range| window.start <= range.start && range.end <= window.end) {
        let (start, end) = (range.start - window.start, range.end - window.start);
        match all.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => all.push(start..end),
        }
    }
    all
}
