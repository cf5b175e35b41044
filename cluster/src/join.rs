//! Phase 4, second half: from pairs to clusters. Connected documents are one cluster; or, with the other linkage, every
//! member belongs to the earliest original that it is joined to.

use crate::equal::Equal;
use crate::error::Result;
use crate::frequent::Groups;
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
    Original { neighbours: HashMap<u32, Vec<u32>>, reference: u32, compares_words: bool },
}

impl Joiner {
    /// Documents below `reference` are originals, whatever they are like; only with that linkage. If documents are not compared
    /// by their words, one that is joined to no original is compared with the originals of its neighbours.
    pub fn new(linkage: Linkage, count: usize, reference: u32, compares_words: bool) -> Self {
        match linkage {
            Linkage::Connected => Joiner::Connected(Union::new(count)),
            Linkage::Original => Joiner::Original { neighbours: HashMap::new(), reference, compares_words },
        }
    }

    pub fn join(&mut self, a: u32, b: u32) {
        match self {
            Joiner::Connected(union) => union.join(a, b),
            Joiner::Original { neighbours, .. } => {
                neighbours.entry(a).or_default().push(b);
                neighbours.entry(b).or_default().push(a);
            }
        }
    }

    /// The original of every document: itself if it is one, or alone. `is_like` compares two documents that may not have
    /// been paired.
    pub fn originals(
        self,
        table: &Table,
        equal: &Equal,
        is_like: impl FnMut(u32, u32) -> Result<bool>,
    ) -> Result<Vec<u32>> {
        match self {
            Joiner::Connected(mut union) => {
                Ok(earliest_by(table, |number| union.find(equal.representative[number as usize])))
            }
            Joiner::Original { neighbours, reference, compares_words: false } => {
                around_originals(table, equal, &neighbours, reference, is_like)
            }
            Joiner::Original { neighbours, reference, compares_words: true } => {
                let first = earliest_by(table, |number| equal.representative[number as usize]);
                let original = earliest_originals(table, &first, &neighbours, reference);
                Ok(originals_of_documents(table, equal, &first, &original))
            }
        }
    }

    /// Returns the groups of texts as joined so far.
    pub fn groups(&mut self, table: &Table, equal: &Equal) -> Groups {
        let texts = 0..table.len() as u32;
        match self {
            Joiner::Connected(union) => Groups::Connected(texts.map(|text| union.find(text)).collect()),
            Joiner::Original { neighbours, reference, .. } => {
                let first = earliest_by(table, |number| equal.representative[number as usize]);
                let original = earliest_originals(table, &first, neighbours, *reference);
                let of = |text: u32| original.get(&text).copied().unwrap_or(text);
                let is_reference = first.iter().map(|&first| first < *reference).collect();
                Groups::Original { original: texts.map(of).collect(), is_reference }
            }
        }
    }
}

/// The earliest of every group.
pub(crate) fn earliest_by(table: &Table, mut group: impl FnMut(u32) -> u32) -> Vec<u32> {
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
fn around_originals(
    table: &Table,
    equal: &Equal,
    neighbours: &HashMap<u32, Vec<u32>>,
    reference: u32,
    mut is_like: impl FnMut(u32, u32) -> Result<bool>,
) -> Result<Vec<u32>> {
    let first = earliest_by(table, |number| equal.representative[number as usize]);
    let mut texts: Vec<u32> = neighbours.keys().copied().collect();
    texts.sort_unstable_by_key(|&text| table.age(first[text as usize]));
    // Texts are named by their representative; an original is its own.
    let mut original: HashMap<u32, u32> = HashMap::new();
    for text in texts {
        if first[text as usize] < reference {
            original.insert(text, text);
            continue;
        }
        let age = |other: &u32| table.age(first[*other as usize]);
        let of = neighbours[&text].iter().filter(|&&other| original.get(&other) == Some(&other));
        let mut chosen = of.min_by_key(|&other| age(other)).copied();
        if chosen.is_none() {
            // Of many copies not all were paired with the original, but all with somebody who was.
            let mut of: Vec<u32> =
                neighbours[&text].iter().filter_map(|other| original.get(other)).copied().collect();
            of.sort_unstable_by_key(age);
            of.dedup();
            for other in of {
                if is_like(other, text)? {
                    chosen = Some(other);
                    break;
                }
            }
        }
        original.insert(text, chosen.unwrap_or(text));
    }
    Ok(originals_of_documents(table, equal, &first, &original))
}

/// From the original of every text to that of every document. A text that is in no map is its own.
fn originals_of_documents(
    table: &Table,
    equal: &Equal,
    first: &[u32],
    original: &HashMap<u32, u32>,
) -> Vec<u32> {
    let of = |number: usize| {
        let text = equal.representative[number];
        first[original.get(&text).copied().unwrap_or(text) as usize]
    };
    (0..table.len()).map(of).collect()
}

/// Assigns originals in the order of age: a text is a copy of the earliest original that it is joined to, else an original.
fn earliest_originals(
    table: &Table,
    first: &[u32],
    neighbours: &HashMap<u32, Vec<u32>>,
    reference: u32,
) -> HashMap<u32, u32> {
    let age = |text: u32| table.age(first[text as usize]);
    let mut texts: Vec<u32> = neighbours.keys().copied().collect();
    texts.sort_unstable_by_key(|&text| age(text));
    let mut original: HashMap<u32, u32> = HashMap::new();
    for text in texts {
        let is_original = |other: &u32| original.get(other) == Some(other);
        let near = neighbours[&text].iter().copied().filter(is_original);
        let chosen = near.min_by_key(|&other| age(other)).filter(|_| first[text as usize] >= reference);
        original.insert(text, chosen.unwrap_or(text));
    }
    original
}
