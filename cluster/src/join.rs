//! Phase 4, second half: from pairs to clusters. Connected documents are one cluster; or, with the other linkage, every
//! member belongs to the earliest original that it is joined to.

use crate::equal::Equal;
use crate::settings::Linkage;
use crate::table::Table;
use std::collections::HashMap;

/// Sets of documents that are joined, by the usual trees.
#[derive(Debug)]
pub(crate) struct Union {
    parent: Vec<u32>,
}

impl Union {
    pub fn new(count: usize) -> Self {
        Union { parent: (0..count as u32).collect() }
    }

    pub fn find(&mut self, number: u32) -> u32 {
        let mut at = number;
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            self.parent[at as usize] = self.parent[above as usize];
            at = above;
        }
        at
    }

    /// The lower number is above the other: no order of joining makes another tree's top.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Takes joined pairs, and tells the original of every document.
#[derive(Debug)]
pub(crate) enum Joiner {
    Connected(Union),
    Original(HashMap<u32, Vec<u32>>),
}

impl Joiner {
    pub fn new(linkage: Linkage, count: usize) -> Self {
        match linkage {
            Linkage::Connected => Joiner::Connected(Union::new(count)),
            Linkage::Original => Joiner::Original(HashMap::new()),
        }
    }

    pub fn join(&mut self, a: u32, b: u32) {
        match self {
            Joiner::Connected(union) => union.join(a, b),
            Joiner::Original(neighbours) => {
                neighbours.entry(a).or_default().push(b);
                neighbours.entry(b).or_default().push(a);
            }
        }
    }

    /// The original of every document: itself if it is one, or alone.
    pub fn originals(self, table: &Table, equal: &Equal) -> Vec<u32> {
        match self {
            Joiner::Connected(mut union) => {
                earliest_by(table, |number| union.find(equal.representative[number as usize]))
            }
            Joiner::Original(neighbours) => around_originals(table, equal, &neighbours),
        }
    }
}

/// The earliest of every group.
fn earliest_by(table: &Table, mut group: impl FnMut(u32) -> u32) -> Vec<u32> {
    let groups: Vec<u32> = (0..table.len() as u32).map(&mut group).collect();
    let mut earliest: Vec<u32> = (0..table.len() as u32).collect();
    for number in 0..table.len() as u32 {
        let slot = &mut earliest[groups[number as usize] as usize];
        if table.age(number) < table.age(*slot) {
            *slot = number;
        }
    }
    groups.into_iter().map(|group| earliest[group as usize]).collect()
}

/// In the order of age: a text is a copy of the earliest original that it is joined to, else an original.
fn around_originals(table: &Table, equal: &Equal, neighbours: &HashMap<u32, Vec<u32>>) -> Vec<u32> {
    let first = earliest_by(table, |number| equal.representative[number as usize]);
    let mut texts: Vec<u32> = neighbours.keys().copied().collect();
    texts.sort_unstable_by_key(|&text| table.age(first[text as usize]));
    // Texts are named by their representative; an original is its own.
    let mut original: HashMap<u32, u32> = HashMap::new();
    for text in texts {
        let of = neighbours[&text].iter().filter(|&&other| original.get(&other) == Some(&other));
        let chosen = of.min_by_key(|&&other| table.age(first[other as usize])).copied();
        original.insert(text, chosen.unwrap_or(text));
    }
    let of = |number: usize| {
        let text = equal.representative[number];
        first[original.get(&text).copied().unwrap_or(text) as usize]
    };
    (0..table.len()).map(of).collect()
}
