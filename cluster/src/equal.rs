//! Phase 2: documents that are equal word for word are one, and those of equal shingles are compared with the first of
//! them only. One stands for all in the phases that follow.

use crate::join::earliest_by;
use crate::table::{Table, Wholes};

/// Who stands for whom, and in which order documents are looked at whatever the order of input.
#[derive(Debug)]
pub(crate) struct Equal {
    /// The document that stands for each: itself, or an earlier one with the same words.
    pub representative: Vec<u32>,
    /// Representatives with the same shingles as an earlier one: pairs to verify, first the earlier one.
    pub same_set: Vec<(u32, u32)>,
    /// The documents that nominate pairs, the first of those with the same shingles, in an order that depends on their
    /// shingles alone.
    pub nominating: Vec<u32>,
    /// The earliest and the latest document with the same words as each; empty unless ranked by age.
    earliest: Vec<u32>,
    latest: Vec<u32>,
}

/// Which of two texts may come first: both, if documents of each are earlier than documents of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Orders {
    pub is_first_earlier: bool,
    pub is_second_earlier: bool,
}

impl Orders {
    /// Whether something holds in a possible order; it is given whether the first text is the earlier one.
    pub fn any(self, mut holds: impl FnMut(bool) -> bool) -> bool {
        self.is_first_earlier && holds(true) || self.is_second_earlier && holds(false)
    }
}

/// Whether something holds in a possible order, given whether it holds if the first text is the earlier one, and if the second
/// is. One of the two orders is always possible, so `orders` is called only if they make a difference.
pub(crate) fn any_order(holds: [bool; 2], orders: impl FnOnce() -> Orders) -> bool {
    let [if_first, if_second] = holds;
    if if_first == if_second {
        if_first
    } else {
        orders().any(|is_first| if is_first { if_first } else { if_second })
    }
}

impl Equal {
    pub fn new(table: &Table, wholes: &Wholes) -> Self {
        let count = table.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        // The fingerprints of words are quick ones, so those of the shingles must agree too.
        let whole = |number: u32| {
            let number = number as usize;
            (wholes.lexical[number], wholes.set[number], table.shingles[number])
        };
        order.sort_unstable_by_key(|&number| (whole(number), number));
        let mut representative = vec![0; count];
        let mut last: Option<u32> = None;
        for &number in &order {
            let is_empty = table.shingles[number as usize] == 0;
            let first = last.filter(|&last| !is_empty && whole(last) == whole(number));
            representative[number as usize] = first.unwrap_or(number);
            last = Some(first.unwrap_or(number));
        }
        let stands = |number: &u32| {
            representative[*number as usize] == *number && table.shingles[*number as usize] > 0
        };
        order.retain(stands);
        order.sort_unstable_by_key(|&number| {
            (wholes.set[number as usize], table.shingles[number as usize], number)
        });
        let mut same_set = Vec::new();
        let mut first = None;
        order.retain(|&number| {
            let key = (wholes.set[number as usize], table.shingles[number as usize]);
            let same = first.filter(|&(known, _)| known == key);
            same_set.extend(same.map(|(_, earlier)| (earlier, number)));
            first = same.or(Some((key, number)));
            same.is_none()
        });
        same_set.sort_unstable();
        Equal { representative, same_set, nominating: order, earliest: Vec::new(), latest: Vec::new() }
    }

    /// Puts the documents that nominate pairs in the order of age, a text being as old as the earliest document that has
    /// it. For policies that ask which of two texts is the earlier one.
    pub fn rank_by_age(&mut self, table: &Table) {
        self.earliest = earliest_by(table, |number| self.representative[number as usize]);
        self.latest = self.earliest.clone();
        for number in 0..table.len() as u32 {
            let latest = &mut self.latest[self.representative[number as usize] as usize];
            if table.age(number) > table.age(*latest) {
                *latest = number;
            }
        }
        let earliest = &self.earliest;
        self.nominating.sort_unstable_by_key(|&text| table.age(earliest[text as usize]));
    }

    /// Tells which of two texts may come first: documents of equal words may be of different age. Only after
    /// [`Equal::rank_by_age`].
    pub fn orders(&self, table: &Table, a: u32, b: u32) -> Orders {
        let may_precede =
            |a: u32, b: u32| table.age(self.earliest[a as usize]) < table.age(self.latest[b as usize]);
        Orders { is_first_earlier: may_precede(a, b), is_second_earlier: may_precede(b, a) }
    }

    /// Returns the age of the earliest document with the words of a text. Only after [`Equal::rank_by_age`].
    pub fn age(&self, table: &Table, text: u32) -> (i64, u32) {
        table.age(self.earliest[text as usize])
    }

    /// Whether the first of two texts is the earlier one. Only after [`Equal::rank_by_age`].
    pub fn is_earlier(&self, table: &Table, a: u32, b: u32) -> bool {
        self.age(table, a) < self.age(table, b)
    }
}
