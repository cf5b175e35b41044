//! Sorting many numbers, most of them different: by their upper bits first, so that what is compared is few and near.

/// Upper bits that are sorted by: the table for them stays in the first-level cache.
const BITS: u32 = 11;
const PARTS: usize = 1 << BITS;
/// Fewer numbers than this are sorted by comparing them: the table would cost more.
const FEW: usize = PARTS;

/// Sorts numbers; `room` is to work in.
pub(crate) fn sort(numbers: &mut Vec<u64>, room: &mut Vec<u64>) {
    if numbers.len() < FEW {
        return numbers.sort_unstable();
    }
    room.resize(numbers.len(), 0);
    let ends = sort_by_upper_bits(numbers, room);
    std::mem::swap(numbers, room);
    let mut start = 0;
    for end in ends {
        numbers[start..end as usize].sort_unstable();
        start = end as usize;
    }
}

/// Moves numbers to their parts; returns where each part ends.
fn sort_by_upper_bits(numbers: &[u64], sorted: &mut [u64]) -> [u32; PARTS] {
    let used = numbers.iter().fold(0, |used, number| used | number);
    let shift = (u64::BITS - used.leading_zeros()).saturating_sub(BITS);
    let part = |number: u64| (number >> shift) as usize % PARTS;
    let mut places = [0u32; PARTS];
    numbers.iter().for_each(|&number| places[part(number)] += 1);
    let mut start = 0;
    for place in &mut places {
        (*place, start) = (start, start + *place);
    }
    for &number in numbers {
        let place = &mut places[part(number)];
        sorted[*place as usize] = number;
        *place += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_comparing_does(
            numbers in prop::collection::vec(any::<u64>(), 0..2 * FEW),
            bits in 1u32..=64,
            repeats in 1usize..4,
        ) {
            let mut numbers: Vec<u64> = numbers.iter().map(|number| number >> (64 - bits)).collect();
            numbers = numbers.repeat(repeats);
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            sort(&mut numbers, &mut Vec::new());
            prop_assert_eq!(numbers, sorted);
        }
    }
}
