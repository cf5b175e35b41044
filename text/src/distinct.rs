//! Which values of a sequence came before? Chains by their lower bits: the walk over the values has no branch to
//! mispredict, and then only those are looked at that met another one.

/// Room to work in, for one sequence after the other.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// Of every place that values are sent to, the last one that came there: its index and 1.
    last: Vec<u32>,
    /// Of every value, the one that came to the same place before it: its index and 1.
    before: Vec<u32>,
    /// The indices of values that met another one; the rest is room.
    met: Vec<u32>,
}

/// Places for each value: of 600 different ones some 50 meet another one.
const PLACES_A_VALUE: usize = 4;

impl Repeats {
    /// Removes repeated values; those that stay keep their order. The values are mixed: they are sent by their lower bits.
    pub fn remove(&mut self, values: &mut Vec<u64>) {
        let met = self.chain(values);
        let repeated =
            self.met[..met].iter().copied().filter(|&index| is_in_chain(&self.before, index, values));
        let repeated: Vec<u32> = repeated.collect();
        remove_indices(values, &repeated);
    }

    /// Sends all values to their places; returns how many met another one.
    fn chain(&mut self, values: &[u64]) -> usize {
        let places = (PLACES_A_VALUE * values.len()).next_power_of_two();
        self.last.clear();
        self.last.resize(places, 0);
        self.before.resize(values.len(), 0);
        self.met.resize(values.len() + 1, 0);
        let (last, met) = (self.last.as_mut_slice(), self.met.as_mut_slice());
        let mut count = 0;
        for ((index, &value), before) in (0..).zip(values).zip(&mut self.before) {
            *before = std::mem::replace(&mut last[value as usize & (places - 1)], index + 1);
            met[count] = index;
            count += usize::from(*before != 0);
        }
        count
    }
}

/// Whether a value is among those that came to its place before it.
fn is_in_chain(before: &[u32], index: u32, values: &[u64]) -> bool {
    let mut number = before[index as usize];
    while let Some(other) = number.checked_sub(1) {
        if values[other as usize] == values[index as usize] {
            return true;
        }
        number = before[other as usize];
    }
    false
}

/// Removes what stands at some ascending indices.
fn remove_indices(values: &mut Vec<u64>, indices: &[u32]) {
    let mut kept = indices.first().map_or(values.len(), |&first| first as usize);
    let ends = indices.iter().skip(1).map(|&index| index as usize).chain([values.len()]);
    for (&index, end) in indices.iter().zip(ends) {
        let start = index as usize + 1;
        values.copy_within(start..end, kept);
        kept += end - start;
    }
    values.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn first_occurrences_are_kept(
            sequences in prop::collection::vec(prop::collection::vec(0u64..400, 0..500), 1..4),
            shift in 0u32..50,
        ) {
            let mut repeats = Repeats::default();
            for sequence in sequences {
                // Shifted, so that many or all of them may have the same lower bits.
                let mut values: Vec<u64> = sequence.iter().map(|value| value << shift).collect();
                let mut seen = BTreeSet::new();
                let expected: Vec<u64> = values.iter().copied().filter(|&value| seen.insert(value)).collect();
                repeats.remove(&mut values);
                prop_assert_eq!(values, expected);
            }
        }
    }

    #[test]
    fn a_few_repeats_among_many() {
        let mut values: Vec<u64> =
            (0..600).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let expected = values.clone();
        values.insert(7, values[3]);
        values.insert(300, values[3]);
        values.push(values[599]);
        Repeats::default().remove(&mut values);
        assert_eq!(values, expected);
    }
}
