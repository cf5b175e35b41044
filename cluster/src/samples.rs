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
    /// The one that stays, and its values.
    fixed: Option<u32>,
    values: Vec<u32>,
    /// Of every place that values are sent to, the last one that came there: its index and 1.
    last: Vec<u32>,
    /// Of every value, the one that came to the same place before it: its index and 1.
    before: Vec<u32>,
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
            last: Vec::new(),
            before: Vec::new(),
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
        // Shortened values may coincide, once in very long; no share is above 1.
        Ok(Shared { a: of_a, b: of_b, common: self.count_common(level).min(of_a).min(of_b) })
    }

    fn level(&self, number: u32) -> u32 {
        u32::from(self.table.levels[number as usize])
    }

    fn fix(&mut self, number: u32) -> Result<()> {
        self.archive.sample(self.table, number, &mut self.bytes)?;
        to_u32s(&self.bytes, &mut self.values);
        self.last.clear();
        self.last.resize((2 * self.values.len()).next_power_of_two(), 0);
        self.before.clear();
        for (index, &value) in (0..).zip(&self.values) {
            let place = place(value, self.last.len());
            self.before.push(std::mem::replace(&mut self.last[place], index + 1));
        }
        self.fixed = Some(number);
        Ok(())
    }

    /// How many values of the other document the fixed one has. Copies have them in the same order, if nobody sorted
    /// them: so each is looked for after the one before it first.
    fn count_common(&self, level: u32) -> u32 {
        let (mut common, mut expected) = (0, 0);
        for &value in self.other.iter().filter(|&&value| is_at(value, level)) {
            if self.values.get(expected) != Some(&value) {
                match self.find(value) {
                    Some(index) => expected = index,
                    None => {
                        expected += 1;
                        continue;
                    }
                }
            }
            common += 1;
            expected += 1;
        }
        common
    }

    fn find(&self, value: u32) -> Option<usize> {
        let mut number = self.last[place(value, self.last.len())];
        while let Some(index) = number.checked_sub(1) {
            if self.values[index as usize] == value {
                return Some(index as usize);
            }
            number = self.before[index as usize];
        }
        None
    }
}

/// The low bits of sampled values are zeros; the upper ones are as good as random.
fn place(value: u32, places: usize) -> usize {
    (value >> 3) as usize & (places - 1)
}

fn is_at(value: u32, level: u32) -> bool {
    value.trailing_zeros() >= level
}
