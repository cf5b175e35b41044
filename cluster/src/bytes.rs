//! Numbers and strings as bytes: fixed widths little-endian, and seven bits a byte where most are small.

use std::io::{self, Read};

/// Appends a number, seven bits a byte, low ones first; all but the last byte have their highest bit set.
pub(crate) fn put_varint(to: &mut Vec<u8>, number: u64) {
    match number < 1 << 56 {
        // All eight bytes at once: how many of them count is anybody's guess, and a branch on it would be mispredicted.
        true => {
            let length = 1 + (63 - (number | 1).leading_zeros() as usize) / 7;
            let go_on = HIGHEST & ((1 << (8 * (length - 1))) - 1);
            let end = to.len() + length;
            to.extend_from_slice(&(spread(number) | go_on).to_le_bytes());
            to.truncate(end);
        }
        false => put_varint_by_byte(to, number),
    }
}

fn put_varint_by_byte(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// The highest bit of every byte.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// Spreads 56 bits over eight bytes, seven each.
fn spread(number: u64) -> u64 {
    let halves = number & 0x0000_0000_0fff_ffff | (number & 0x00ff_ffff_f000_0000) << 4;
    let quarters = halves & 0x0000_3fff_0000_3fff | (halves & 0x0fff_c000_0fff_c000) << 2;
    quarters & 0x007f_007f_007f_007f | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

/// Undoes [`spread`].
fn gather(spread: u64) -> u64 {
    let quarters = spread & 0x007f_007f_007f_007f | (spread & 0x7f00_7f00_7f00_7f00) >> 1;
    let halves = quarters & 0x0000_3fff_0000_3fff | (quarters & 0x3fff_0000_3fff_0000) >> 2;
    halves & 0x0000_0000_0fff_ffff | (halves & 0x0fff_ffff_0000_0000) >> 4
}

/// The longest number, in bytes.
const LONGEST: usize = 10;

/// Reads numbers one after the other, a block at a time.
#[derive(Debug)]
pub(crate) struct VarintReader<R> {
    from: R,
    block: Vec<u8>,
    at: usize,
}

/// Bytes of a block; less than a number's at its end are moved to the next.
const BLOCK: usize = 1 << 16;

impl<R: Read> VarintReader<R> {
    pub fn new(from: R) -> Self {
        VarintReader { from, block: Vec::new(), at: 0 }
    }

    /// The next number; none at the end of the file.
    pub fn next(&mut self) -> io::Result<Option<u64>> {
        if self.block.len() - self.at < LONGEST {
            self.fill()?;
        }
        if let Some(&word) = self.block[self.at..].first_chunk() {
            let word = u64::from_le_bytes(word);
            let lasts = !word & HIGHEST;
            if lasts != 0 {
                self.at += lasts.trailing_zeros() as usize / 8 + 1;
                // All bits up to the first last byte's highest.
                return Ok(Some(gather(word & (lasts ^ (lasts - 1)))));
            }
        }
        self.next_by_byte()
    }

    fn next_by_byte(&mut self) -> io::Result<Option<u64>> {
        let (mut number, mut shift) = (0u64, 0);
        for (place, &byte) in self.block[self.at..].iter().enumerate() {
            if shift > 63 {
                return Err(io::ErrorKind::InvalidData.into());
            }
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                self.at += place + 1;
                return Ok(Some(number));
            }
        }
        if shift == 0 { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.block.drain(..self.at);
        self.at = 0;
        self.from.by_ref().take(BLOCK as u64).read_to_end(&mut self.block).map(drop)
    }
}

pub(crate) fn as_bytes_u32(values: impl ExactSizeIterator<Item = u32>) -> Vec<u8> {
    let mut bytes = vec![0; 4 * values.len()];
    bytes.as_chunks_mut().0.iter_mut().zip(values).for_each(|(place, value)| *place = value.to_le_bytes());
    bytes
}

pub(crate) fn as_bytes_u64(values: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; 8 * values.len()];
    bytes.as_chunks_mut().0.iter_mut().zip(values).for_each(|(place, value)| *place = value.to_le_bytes());
    bytes
}

pub(crate) fn to_u32s(bytes: &[u8], into: &mut Vec<u32>) {
    into.clear();
    into.extend(bytes.as_chunks::<4>().0.iter().map(|chunk| u32::from_le_bytes(*chunk)));
}

pub(crate) fn extend_u64s(bytes: &[u8], into: &mut Vec<u64>) {
    into.extend(bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec((any::<u64>(), 0u32..64).prop_map(|(number, shift)| number >> shift), 0..50)) {
            let mut bytes = Vec::new();
            let mut by_byte = Vec::new();
            for &number in &numbers {
                put_varint(&mut bytes, number);
                put_varint_by_byte(&mut by_byte, number);
            }
            prop_assert_eq!(&bytes, &by_byte);
            let mut reader = VarintReader::new(bytes.as_slice());
            let back: Vec<u64> = std::iter::from_fn(|| reader.next().unwrap()).collect();
            prop_assert_eq!(&back, &numbers);
            let mut reader = VarintReader::new(by_byte.as_slice());
            reader.fill().unwrap();
            let back: Vec<u64> = std::iter::from_fn(|| reader.next_by_byte().unwrap()).collect();
            prop_assert_eq!(back, numbers);
        }
    }

    #[test]
    fn a_number_that_is_cut_off_is_an_error() {
        assert!(VarintReader::new([0x80].as_slice()).next().is_err());
        assert!(VarintReader::new([0xff; 11].as_slice()).next().is_err());
    }

    #[test]
    fn numbers_cross_blocks() {
        let mut bytes = Vec::new();
        (0..60_000u64).for_each(|number| put_varint(&mut bytes, number << 20));
        let mut reader = VarintReader::new(bytes.as_slice());
        assert!((0..60_000u64).all(|number| reader.next().unwrap() == Some(number << 20)));
        assert_eq!(reader.next().unwrap(), None);
    }
}
