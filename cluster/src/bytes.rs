//! Numbers and strings as bytes: fixed widths little-endian, and seven bits a byte where most are small.

use std::io::{self, Read, Write};

pub(crate) fn put_varint(to: &mut impl Write, mut number: u64) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut length = 0;
    loop {
        bytes[length] = number as u8 & 0x7f;
        number >>= 7;
        if number == 0 {
            break;
        }
        bytes[length] |= 0x80;
        length += 1;
    }
    to.write_all(&bytes[..=length])
}

/// The next number; none at the end of the file.
pub(crate) fn take_varint(from: &mut impl Read) -> io::Result<Option<u64>> {
    let (mut number, mut shift, mut byte) = (0u64, 0, [0]);
    loop {
        match from.read(&mut byte)? {
            0 if shift == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ => number |= u64::from(byte[0] & 0x7f) << shift,
        }
        if byte[0] < 0x80 {
            return Ok(Some(number));
        }
        shift += 7;
        if shift > 63 {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

pub(crate) fn as_bytes_u32(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(crate) fn as_bytes_u64(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
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
            numbers.iter().for_each(|&number| put_varint(&mut bytes, number).unwrap());
            let mut rest = bytes.as_slice();
            let back: Vec<u64> = std::iter::from_fn(|| take_varint(&mut rest).unwrap()).collect();
            prop_assert_eq!(back, numbers);
        }
    }

    #[test]
    fn a_number_that_is_cut_off_is_an_error() {
        assert!(take_varint(&mut [0x80].as_slice()).is_err());
        assert!(take_varint(&mut [0xff; 11].as_slice()).is_err());
    }
}
