//! Writes a part of the tree as core text: blocks in reading order, white space as a browser shows it.

use super::CoreText;
use super::tag::Tag;
use super::tree::{Kind, Tree};

/// Writes what stands inside `roots`, without the nodes marked in `dropped`.
pub(super) fn write(tree: &Tree, roots: &[usize], dropped: &[bool]) -> CoreText {
    let mut writer = Writer::default();
    for &root in roots {
        writer.subtree(tree, root, dropped);
        writer.end_block();
    }
    writer.core
}

#[derive(Default)]
struct Writer {
    core: CoreText,
    block: String,
    /// White space seen since the last character; becomes one space if another follows.
    gap: bool,
    breaks: usize,
    pre: usize,
    path: Vec<(usize, Tag)>,
}

impl Writer {
    fn subtree(&mut self, tree: &Tree, root: usize, dropped: &[bool]) {
        let end = tree.nodes[root].end;
        let mut at = root;
        while at < end {
            self.leave(at);
            if dropped[at] {
                if tree.element(at).is_some_and(|(tag, _)| tag.is_block()) {
                    self.end_block();
                }
                at = tree.nodes[at].end;
                continue;
            }
            match &tree.nodes[at].kind {
                Kind::Text(text) => self.text(text),
                Kind::Element(tag, _) => self.enter(*tag, tree.nodes[at].end),
            }
            at += 1;
        }
        self.leave(end);
    }

    fn enter(&mut self, tag: Tag, end: usize) {
        match tag {
            Tag::Br => return self.line_break(),
            Tag::Td | Tag::Th if !self.block.is_empty() => self.cell(),
            Tag::Td | Tag::Th => {}
            _ if tag.is_block() => self.end_block(),
            _ => {}
        }
        self.pre += usize::from(tag == Tag::Pre);
        self.path.push((end, tag));
    }

    /// Leaves the elements that end at or before `at`.
    fn leave(&mut self, at: usize) {
        while let Some((_, tag)) = self.path.pop_if(|(end, _)| *end <= at) {
            if tag.is_block() && !matches!(tag, Tag::Td | Tag::Th) {
                self.end_block();
            }
            self.pre -= usize::from(tag == Tag::Pre);
        }
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 {
            self.flush_breaks();
            self.block.extend(text.chars().filter(|c| *c != '\r' && !is_invisible(*c)));
            return;
        }
        for piece in text.split_inclusive(is_space) {
            let word = piece.trim_end_matches(is_space);
            if !word.chars().all(is_invisible) {
                self.word(word);
            }
            self.gap |= word.len() < piece.len();
        }
    }

    fn word(&mut self, word: &str) {
        self.flush_breaks();
        if self.gap && !self.block.is_empty() && !self.block.ends_with(['\n', '\t']) {
            self.block.push(' ');
        }
        self.gap = false;
        if word.is_ascii() {
            self.block.push_str(word);
        } else {
            self.block.extend(word.chars().filter(|c| !is_invisible(*c)));
        }
    }

    fn line_break(&mut self) {
        if self.pre > 0 {
            self.block.push('\n');
        } else if !self.block.is_empty() {
            self.breaks += 1;
            self.gap = false;
        }
    }

    /// One line break stays inside the block; two or more are how many editors write a new paragraph.
    fn flush_breaks(&mut self) {
        match std::mem::take(&mut self.breaks) {
            0 => {}
            1 => self.block.push('\n'),
            _ => self.end_block(),
        }
    }

    fn cell(&mut self) {
        self.breaks = 0;
        self.gap = false;
        if !self.block.ends_with('\t') {
            self.block.push('\t');
        }
    }

    fn end_block(&mut self) {
        self.breaks = 0;
        self.gap = false;
        let block = trim_block(&self.block);
        if !block.is_empty() {
            if !self.core.text.is_empty() {
                self.core.text.push('\n');
            }
            self.core.block_starts.push(self.core.text.len());
            self.core.text.push_str(block);
        }
        self.block.clear();
    }
}

/// White space; a no-break space is one between words like any other.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}')
}

/// Characters a browser shows as nothing: copies come with and without them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\0' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Takes white space off the end and empty lines off the start; code keeps its first indent.
fn trim_block(block: &str) -> &str {
    let block = block.trim_end();
    let first = block.len() - block.trim_start().len();
    let line = block[..first].rfind('\n').map_or(0, |i| i + 1);
    if block[first..].contains('\n') { &block[line..] } else { &block[first..] }
}
