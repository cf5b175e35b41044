//! Phase 2: documents that are equal word for word are one, and those of equal shingles are compared with the first of
//! them only. One stands for all in the phases that follow.

use crate::table::{Table, Wholes};

/// Who stands for whom, and in which order documents are looked at whatever the order of input.
#[derive(Debug)]
pub(crate) struct Equal {
    /// The document that stands for each: itself, or an earlier one with the same words.
    pub representative: Vec<u32>,
    /// Whether a document nominates pairs: the first of those with the same shingles does.
    pub nominates: Vec<bool>,
    /// Representatives with the same shingles as an earlier one: pairs to verify, first the earlier one.
    pub same_set: Vec<(u32, u32)>,
    /// The place of a document among those that nominate, in an order that depends on their shingles alone.
    pub rank: Vec<u32>,
}

impl Equal {
    pub fn new(table: &Table, wholes: &Wholes) -> Self {
        let count = table.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by_key(|&number| (wholes.lexical[number as usize], number));
        let mut representative = vec![0; count];
        let mut last: Option<u32> = None;
        for &number in &order {
            let is_empty = table.shingles[number as usize] == 0;
            let first = last.filter(|&last| {
                !is_empty && wholes.lexical[last as usize] == wholes.lexical[number as usize]
            });
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
        let (mut nominates, mut rank) = (vec![false; count], vec![0; count]);
        let mut same_set = Vec::new();
        let mut first = None;
        for (place, &number) in (0..).zip(&order) {
            rank[number as usize] = place;
            let key = (wholes.set[number as usize], table.shingles[number as usize]);
            match first {
                Some((known, earlier)) if known == key => same_set.push((earlier, number)),
                _ => {
                    nominates[number as usize] = true;
                    first = Some((key, number));
                }
            }
        }
        same_set.sort_unstable();
        Equal { representative, nominates, same_set, rank }
    }
}
