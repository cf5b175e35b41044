//! Phase 4, first half: what two documents really have in common, counted from their samples: all shingles, or the
//! sampled ones at the larger level of the two.

use crate::bytes::to_u32s;
use crate::error::Result;
use crate::settings::Shared;
use crate::table::{Archive, Table};

/// Compares documents with one that stays the same for a while. One of them for every thread.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    table: &'a Table,
    archive: &'a Archive,
    /// The one that stays, and its values in a table of twice their number, addressed by themselves.
    fixed: Option<u32>,
    values: Vec<u32>,
    slots: Vec<u32>,
    has_zero: bool,
    other: Vec<u32>,
    bytes: Vec<u8>,
}

impl<'a> Comparer<'a> {
    pub fn new(table: &'a Table, archive: &'a Archive) -> Self {
        Comparer {
            table,
            archive,
            fixed: None,
            values: Vec::new(),
            slots: Vec::new(),
            has_zero: false,
            other: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// What two documents have in common. Quick as long as the first stays the same.
    pub fn compare(&mut self, a: u32, b: u32) -> Result<Shared> {
        if self.fixed != Some(a) {
            self.fix(a)?;
        }
        self.archive.sample(self.table, b, &mut self.bytes)?;
        to_u32s(&self.bytes, &mut self.other);
        let level = self.level(a).max(self.level(b));
        let at_level = |values: &[u32], own: u32| match own == level {
            true => values.len() as u32,
            false => values.iter().filter(|&&value| is_at(value, level)).count() as u32,
        };
        let (of_a, of_b) = (at_level(&self.values, self.level(a)), at_level(&self.other, self.level(b)));
        let common =
            self.other.iter().filter(|&&value| is_at(value, level) && self.has(value)).count() as u32;
        // Shortened values may coincide, once in very long; no share is above 1.
        Ok(Shared { a: of_a, b: of_b, common: common.min(of_a).min(of_b) })
    }

    fn level(&self, number: u32) -> u32 {
        u32::from(self.table.levels[number as usize])
    }

    fn fix(&mut self, number: u32) -> Result<()> {
        self.archive.sample(self.table, number, &mut self.bytes)?;
        to_u32s(&self.bytes, &mut self.values);
        self.slots.clear();
        self.slots.resize((2 * self.values.len()).next_power_of_two(), 0);
        self.has_zero = false;
        for &value in &self.values {
            // Zero marks a free slot.
            if value == 0 {
                self.has_zero = true;
                continue;
            }
            let mut slot = place(value, self.slots.len());
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = value;
        }
        self.fixed = Some(number);
        Ok(())
    }

    fn has(&self, value: u32) -> bool {
        if value == 0 {
            return self.has_zero;
        }
        let mut slot = place(value, self.slots.len());
        while self.slots[slot] != 0 {
            if self.slots[slot] == value {
                return true;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        false
    }
}

/// The low bits of sampled values are zeros; the upper ones are as good as random.
fn place(value: u32, slots: usize) -> usize {
    (value >> 3) as usize & (slots - 1)
}

fn is_at(value: u32, level: u32) -> bool {
    value.trailing_zeros() >= level
}
