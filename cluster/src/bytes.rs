//! Numbers and strings as bytes: fixed widths little-endian, and seven bits a byte where most are small.

use std::io::{self, Read};

pub(crate) fn put_varint(to: &mut Vec<u8>, mut number: u64) {
    let mut bytes = [0; LONGEST];
    let mut length = 0;
    while number >= 0x80 {
        bytes[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number as u8;
    // All of them at once: a copy of known length is a matter of two instructions.
    let start = to.len();
    to.extend_from_slice(&bytes);
    to.truncate(start + length + 1);
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
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..50)) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put_varint(&mut bytes, number));
            let mut reader = VarintReader::new(bytes.as_slice());
            let back: Vec<u64> = std::iter::from_fn(|| reader.next().unwrap()).collect();
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
