//! How much good text, link text and noise each element holds: one walk over the tree in document
//! order, one back over it to add up.

use super::tag::Tag;
use super::tree::{Kind, Tree};
use super::weight::weight;

/// Lighter runs of text are labels more often than sentences; from 35 to 70 `firstcopy-bench accuracy --what extract` moves by .0005.
const SENTENCE: u32 = 50;

/// What a line that is a link speaks against its surroundings, beside its own weight: about as much
/// as the teaser below it speaks for them; from 40 to 140 `firstcopy-bench accuracy --what extract` moves by .0006.
const LINK_RUN: i32 = 80;
/// Longer links say no more against their surroundings.
const LONG_LINK: u32 = 100;

/// What stands inside an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stat {
    /// All text.
    pub(super) text: u32,
    /// Text inside links.
    pub(super) link: u32,
    /// Text in sentences and code.
    pub(super) good: u32,
    /// Good text less what speaks against it.
    pub(super) value: i32,
    /// Runs of good text.
    pub(super) paragraphs: u32,
    /// Text in code.
    pub(super) code: u32,
    /// Links.
    pub(super) links: u32,
    /// Lines that are mostly link.
    pub(super) link_runs: u32,
}

impl Stat {
    fn add(&mut self, other: &Stat) {
        self.text += other.text;
        self.link += other.link;
        self.good += other.good;
        self.value += other.value;
        self.paragraphs += other.paragraphs;
        self.code += other.code;
        self.links += other.links;
        self.link_runs += other.link_runs;
    }

    /// What stands inside this element but not inside `part` of it.
    pub(super) fn without(&self, part: &Stat) -> Stat {
        Stat {
            text: self.text - part.text,
            link: self.link - part.link,
            good: self.good - part.good,
            value: self.value - part.value,
            paragraphs: self.paragraphs - part.paragraphs,
            code: self.code - part.code,
            links: self.links - part.links,
            link_runs: self.link_runs - part.link_runs,
        }
    }

    /// Whether this reads like teasers of other posts: every other paragraph has its link.
    pub(super) fn is_teasers(&self) -> bool {
        self.link_runs > 0 && self.link_runs * 2 >= self.paragraphs
    }
}

/// The outline of a page: a `Stat` for every node.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) stats: Vec<Stat>,
}

/// What each text node weighs: counted once, used by every outline of the page.
pub(super) fn weigh(tree: &Tree) -> Vec<u32> {
    tree.nodes
        .iter()
        .map(|n| match &n.kind {
            Kind::Text(text) => weight(text),
            Kind::Element(..) => 0,
        })
        .collect()
}

impl Outline {
    /// Measures the page without the nodes marked in `dropped`.
    pub(super) fn measure(tree: &Tree, weights: &[u32], dropped: &[bool]) -> Outline {
        let mut walk = Walk { stats: vec![Stat::default(); tree.nodes.len()], ..Walk::default() };
        let mut at = 0;
        while at < tree.nodes.len() {
            walk.leave(at);
            if dropped[at] {
                at = tree.nodes[at].end;
                continue;
            }
            match &tree.nodes[at].kind {
                Kind::Text(text) => walk.text(text, weights[at]),
                Kind::Element(tag, _) => walk.enter(at, *tag, tree.nodes[at].end),
            }
            at += 1;
        }
        walk.leave(tree.nodes.len());
        let mut stats = walk.stats;
        for i in (1..stats.len()).rev() {
            let stat = stats[i];
            stats[tree.nodes[i].parent].add(&stat);
        }
        Outline { stats }
    }
}

#[derive(Default)]
struct Walk {
    stats: Vec<Stat>,
    path: Vec<(usize, usize, Tag)>,
    run: Run,
    links: usize,
    pre: usize,
}

/// Text between two block boundaries.
#[derive(Default)]
struct Run {
    text: u32,
    link: u32,
    links: u32,
    ends_sentence: bool,
}

impl Walk {
    fn enter(&mut self, at: usize, tag: Tag, end: usize) {
        if tag.is_block() {
            self.end_run();
        }
        self.run.links += u32::from(tag == Tag::Link);
        self.links += usize::from(tag == Tag::Link);
        self.pre += usize::from(tag == Tag::Pre);
        self.path.push((end, at, tag));
    }

    fn leave(&mut self, at: usize) {
        while let Some(&(end, _, tag)) = self.path.last() {
            if end > at {
                return;
            }
            if tag.is_block() {
                self.end_run();
            }
            self.links -= usize::from(tag == Tag::Link);
            self.pre -= usize::from(tag == Tag::Pre);
            self.path.pop();
        }
    }

    fn text(&mut self, text: &str, weight: u32) {
        if weight == 0 {
            return;
        }
        self.run.text += weight;
        if self.links > 0 {
            self.run.link += weight;
        } else {
            self.run.ends_sentence =
                text.trim_end().ends_with(['.', '!', '?', '。', '！', '？', '…', '”', '」', ':', ';']);
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let Some(&(_, owner, tag)) = self.path.iter().rev().find(|(_, _, tag)| tag.is_block()) else {
            return;
        };
        if run.text > 0 {
            let stat = stat_of(&run, tag, self.pre > 0);
            self.stats[owner].add(&stat);
        }
    }
}

fn stat_of(run: &Run, tag: Tag, in_pre: bool) -> Stat {
    let plain = run.text - run.link;
    let mut stat = Stat { text: run.text, link: run.link, links: run.links, ..Stat::default() };
    if run.link * 2 > run.text {
        stat.value = -(run.link.min(LONG_LINK) as i32) - LINK_RUN;
        stat.link_runs = 1;
    } else if tag.is_heading() {
        stat.value = 0;
    } else if in_pre || plain >= SENTENCE {
        stat.good = plain;
        stat.code = if in_pre { plain } else { 0 };
        stat.value = plain as i32 - run.link as i32;
        stat.paragraphs = 1;
    } else if run.ends_sentence && plain >= SENTENCE / 3 {
        stat.good = plain / 2;
        stat.value = plain as i32 / 2;
    } else if run.link == 0 && matches!(tag, Tag::Td | Tag::Th | Tag::Li | Tag::Dd | Tag::Dt) {
        // Facts in tables and lists are short, and yet what a reader came for.
        stat.value = plain as i32 / 2;
    }
    stat
}
