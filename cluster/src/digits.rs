//! Sorting many numbers digit by digit: what pairing does most, quicker than comparing them.

/// Bits that are sorted by at a time: tables of this size stay in the first-level cache.
const DIGIT: u32 = 11;
const DIGITS: usize = 1 << DIGIT;
/// Fewer numbers than this are sorted by comparing them: the tables would cost more.
const FEW: usize = DIGITS;
/// Where the digits of the lower and of the upper half begin.
const SHIFTS: [u32; 6] = [0, DIGIT, 2 * DIGIT, 32, 32 + DIGIT, 32 + 2 * DIGIT];

/// Sorts numbers; `room` is to work in.
pub(crate) fn sort(numbers: &mut Vec<u64>, room: &mut Vec<u64>) {
    if numbers.len() < FEW {
        return numbers.sort_unstable();
    }
    let used = numbers.iter().fold(0, |used, number| used | number);
    room.resize(numbers.len(), 0);
    for shift in SHIFTS {
        // Documents are seldom so many that their numbers have all digits.
        if digit(used, shift) != 0 {
            sort_by_digit(shift, numbers, room);
            std::mem::swap(numbers, room);
        }
    }
}

/// The digit that begins at a bit, within its half.
fn digit(number: u64, shift: u32) -> usize {
    let half = (number >> (shift & 32)) as u32;
    (half >> (shift & 31)) as usize % DIGITS
}

fn sort_by_digit(shift: u32, numbers: &[u64], sorted: &mut [u64]) {
    let mut starts = [0u32; DIGITS];
    numbers.iter().for_each(|&number| starts[digit(number, shift)] += 1);
    let mut start = 0;
    for place in &mut starts {
        (*place, start) = (start, start + *place);
    }
    for &number in numbers {
        let place = &mut starts[digit(number, shift)];
        sorted[*place as usize] = number;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_sort_as_comparing_does(
            numbers in prop::collection::vec(any::<u64>(), 0..3 * FEW),
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
