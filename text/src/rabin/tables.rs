//! Multiplication by a constant, one table look-up a byte: what CPUs without a carry-less multiplier use.

use super::{Arithmetic, Polynomial};

/// The products of one constant with every byte at every place.
#[derive(Debug, Clone)]
pub(super) struct Tables(Box<[[u64; 256]; 8]>);

impl Tables {
    pub(super) fn multiply_by(polynomial: Polynomial, constant: u64) -> Self {
        let mut tables = Box::new([[0; 256]; 8]);
        for (place, table) in tables.iter_mut().enumerate() {
            for (byte, product) in table.iter_mut().enumerate() {
                // Reduced first, because 8 places are more than a short polynomial has.
                let value = polynomial.reduce((byte as u128) << (8 * place));
                *product = polynomial.multiply(value, constant);
            }
        }
        Tables(tables)
    }

    #[inline(always)]
    fn product(&self, value: u64) -> u64 {
        let bytes = value.to_le_bytes();
        (0..8).fold(0, |sum, place| sum ^ self.0[place][usize::from(bytes[place])])
    }
}

impl Arithmetic for &Tables {
    #[inline(always)]
    fn advance(self, value: u64) -> u64 {
        self.product(value)
    }

    #[inline(always)]
    fn roll(self, value: u64, _outgoing: u64) -> u64 {
        self.product(value)
    }
}

/// Two constants: one to advance, one for what leaves the window.
#[derive(Clone, Copy)]
pub(super) struct Rolling<'a> {
    pub(super) advance: &'a Tables,
    pub(super) outgoing: &'a Tables,
}

impl Arithmetic for Rolling<'_> {
    #[inline(always)]
    fn advance(self, value: u64) -> u64 {
        self.advance.product(value)
    }

    #[inline(always)]
    fn roll(self, value: u64, outgoing: u64) -> u64 {
        self.advance.product(value) ^ self.outgoing.product(outgoing)
    }
}
