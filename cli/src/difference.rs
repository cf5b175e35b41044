//! Two texts on a terminal: the second one, with what is gone where it was, what became of every word in colour, and what
//! stayed shortened.

use crate::output::{Output, grouped_digits, printable};
use anyhow::Result;
use firstcopy_change::{Comparison, Kind, Piece, Run, Side, pieces};
use std::ops::Range;

/// Words that are shown around a change.
const CONTEXT: usize = 12;
const RESET: &str = "\x1b[0m";

/// How a kind is shown: colours that eyes which do not tell red from green tell apart, and lines for those that see none.
fn style(kind: Kind) -> &'static str {
    match kind {
        Kind::Kept => "",
        Kind::Add => "\x1b[1;4;34m",
        Kind::Copy => "\x1b[4;36m",
        Kind::Drop => "\x1b[1;9;33m",
        Kind::Shrink => "\x1b[9;33m",
        Kind::Replace => "\x1b[7m",
        Kind::Move => "\x1b[3;35m",
    }
}

/// Prints what the colours mean, and the texts.
pub fn print(comparison: &Comparison, output: &mut Output) -> Result<()> {
    let kinds = comparison.operations().kinds();
    let legend: Vec<String> =
        kinds.iter().map(|(kind, words)| format!("{}{}{RESET} {words}", style(*kind), kind.name())).collect();
    output.styled(&format!("\n{}\n", legend.join("  ")))?;
    let mut view = View { comparison, text: String::new(), end: 0 };
    let (gone, there) = (pieces(comparison, Side::A), pieces(comparison, Side::B));
    let end = Run { a: comparison.words_a(), b: comparison.words_b(), length: 0 };
    let (mut a, mut b) = (0, 0);
    for run in comparison.common().iter().chain([&end]) {
        view.gap_before(b);
        view.gone(&gone, a..run.a);
        view.there(&there, b..run.b);
        (a, b) = (run.a + run.length, run.b + run.length);
        view.kept(run.b..b);
    }
    output.styled(&format!("{}\n", view.text.trim()))
}

/// The second text, as far as it was shown.
struct View<'a> {
    comparison: &'a Comparison<'a>,
    text: String,
    /// The byte of the second text that comes next.
    end: usize,
}

impl View<'_> {
    /// What stands between words before a word of the second text.
    fn gap_before(&mut self, word: usize) {
        if word < self.comparison.words_b() {
            let start = self.comparison.b.place(word..word + 1).start;
            self.text += &printable(&self.comparison.b.text[self.end..start]);
            self.end = start;
        }
    }

    /// Words of the first text that are no more. Those that moved are shown where they are now.
    fn gone(&mut self, pieces: &[Piece], words: Range<usize>) {
        let text = self.comparison.a;
        for piece in within(pieces, &words).filter(|piece| piece.kind != Kind::Move) {
            let shown = printable(&text.text[text.place(piece.words.clone())]);
            self.text += &format!("{}{shown}{RESET} ", style(piece.kind));
        }
    }

    /// Words of the second text that changed.
    fn there(&mut self, pieces: &[Piece], words: Range<usize>) {
        for piece in within(pieces, &words) {
            self.words(piece.words.clone(), style(piece.kind));
        }
    }

    /// Words that stayed, with their middle left out.
    fn kept(&mut self, words: Range<usize>) {
        let before = if words.start == 0 { 0 } else { CONTEXT };
        let behind = if words.end == self.comparison.words_b() { 0 } else { CONTEXT };
        if words.len() <= before + behind + 1 {
            return self.words(words, "");
        }
        self.words(words.start..words.start + before, "");
        let skipped = grouped_digits(words.len() - before - behind);
        self.text += &format!(" \x1b[2m… {skipped} words …{RESET} ");
        self.end = self.comparison.b.place(words.start..words.end - behind).end;
        self.words(words.end - behind..words.end, "");
    }

    fn words(&mut self, words: Range<usize>, style: &str) {
        if words.is_empty() {
            return;
        }
        self.gap_before(words.start);
        let text = self.comparison.b;
        let place = text.place(words);
        let shown = printable(&text.text[place.clone()]);
        self.text += &if style.is_empty() { shown } else { format!("{style}{shown}{RESET}") };
        self.end = place.end;
    }
}

/// The pieces of a range of words between two that stayed; none reaches beyond it.
fn within<'a>(pieces: &'a [Piece], words: &Range<usize>) -> impl Iterator<Item = &'a Piece> {
    let (first, end) = (pieces.partition_point(|piece| piece.words.start < words.start), words.end);
    pieces[first..].iter().take_while(move |piece| piece.words.start < end)
}
