//! What a core text is made of, and how plain text becomes one.

use std::ops::Range;

/// The text of a page without its frame, cut into blocks.
///
/// `text` is the blocks joined by `\n`; a block may hold line breaks of its own (code, verse).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoreText {
    /// All blocks, joined by one line break each.
    pub text: String,
    /// Where each block starts in `text`, in bytes, ascending; a block ends before the line break that precedes the next.
    pub block_starts: Vec<usize>,
}

impl CoreText {
    /// Joins blocks into a core text.
    pub fn from_blocks(blocks: impl IntoIterator<Item = String>) -> Self {
        let mut core = CoreText::default();
        for block in blocks {
            if !core.block_starts.is_empty() {
                core.text.push('\n');
            }
            core.block_starts.push(core.text.len());
            core.text.push_str(&block);
        }
        core
    }

    /// The text as it is; blocks end at line breaks, except at those that only wrap a paragraph.
    pub fn of_plain_text(text: &str) -> Self {
        let mut block_starts = Vec::new();
        let mut wrapped = false;
        for line in lines(text) {
            if text[line.clone()].trim().is_empty() {
                wrapped = false;
                continue;
            }
            if !wrapped {
                block_starts.push(line.start);
            }
            wrapped = goes_on(text, &line) || is_wrapped(text, line);
        }
        CoreText { text: text.to_owned(), block_starts }
    }

    /// Where each block stands in the text.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.block_starts.iter().skip(1).copied().chain([self.text.len()]);
        self.block_starts.iter().copied().zip(ends).map(|(start, end)| {
            let block = self.text[start..end].trim_end();
            start..start + block.len()
        })
    }
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    ends.chain([text.len()]).map(move |end| std::mem::replace(&mut start, end)..end)
}

/// A line with fewer bytes is a list item, a verse or a line of code, however the next one begins.
const LEAST_PROSE: usize = 30;

/// Whether a sentence goes on behind `line`, wherever it was broken: it ends with a word or a comma, and the next line
/// begins with a small letter.
fn goes_on(text: &str, line: &Range<usize>) -> bool {
    let next = text[line.end..].chars().next();
    let this = text[line.clone()].trim_end();
    let last = this.chars().next_back();
    next.is_some_and(char::is_lowercase)
        && this.len() >= LEAST_PROSE
        && last.is_some_and(|last| last.is_alphabetic() || last == ',')
}

/// The columns between which mailers, editors and terminals wrap lines.
const WRAP_COLUMNS: Range<usize> = 50..101;

/// Whether the line break after `line` only wraps: the line is nearly as long as wrapped lines are, ends in the middle
/// of a sentence, and the next word would not have fitted.
fn is_wrapped(text: &str, line: Range<usize>) -> bool {
    let this = text[line.clone()].trim_end();
    // A character has no more columns than bytes, and no more than four bytes a column: most lines are told by their length.
    if this.len() < WRAP_COLUMNS.start || this.len() > 4 * WRAP_COLUMNS.end {
        return false;
    }
    let unfinished = || !this.ends_with(['.', '?', '!', '。', '？', '！', ':', '…', '"', '”', '」']);
    let columns = columns(this);
    if !WRAP_COLUMNS.contains(&columns) || !unfinished() {
        return false;
    }
    let next = text[line.end..].lines().next().unwrap_or_default();
    let next_word = next.split(' ').next().unwrap_or_default();
    !next_word.is_empty() && columns + self::columns(next_word) >= WRAP_COLUMNS.start + 10
}

/// How wide a line is on a screen, counted no further than matters: an endless line is not walked for it.
fn columns(line: &str) -> usize {
    let width = |character| match character {
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff60}' => 2,
        _ => 1,
    };
    line.chars().take(WRAP_COLUMNS.end).map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let core = CoreText::of_plain_text(text);
        assert_eq!(core.text, text);
        assert_eq!(core.blocks().map(|block| &text[block]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_are_blocks_unless_wrapped() {
        check("제목\n첫 문단이다.\n\n둘째 문단\n", &["제목", "첫 문단이다.", "둘째 문단"]);
        let wrapped = "This paragraph was wrapped by a mailer at seventy-two columns, so\nits line breaks mean nothing.";
        check(wrapped, &[wrapped]);
        let broken = "The carrier will also be fitted with a system, DCNS\nand Thales.";
        check(broken, &[broken]);
        check("runs-on: ubuntu\nsteps", &["runs-on: ubuntu", "steps"]);
        check("- milk\n- eggs\r\n- bread", &["- milk", "- eggs", "- bread"]);
        check("", &[]);
        check(" \n\n\t", &[]);
    }

    #[test]
    fn blocks_are_joined_by_line_breaks() {
        let core = CoreText::from_blocks(["a".to_owned(), "b c".to_owned()]);
        assert_eq!(core.text, "a\nb c");
        assert_eq!(core.blocks().collect::<Vec<_>>(), [0..1, 2..5]);
    }
}
