//! Polynomials over GF(2) and the proof that a drawn one is irreducible. Slow and plain: it runs once a seed.

use crate::seed::SeedStream;

/// An irreducible polynomial of degree 8 to 64: `x^degree` plus the terms in `low`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Polynomial {
    degree: u32,
    low: u64,
}

impl Polynomial {
    /// Draws candidates until one is irreducible: about one in `degree / 2` odd ones is.
    pub(crate) fn draw(degree: u32, stream: &mut SeedStream) -> Self {
        assert!((8..=64).contains(&degree), "degrees from 8 to 64 are supported, not {degree}");
        loop {
            let low = stream.next_u64() & mask(degree) | 1;
            if is_irreducible(degree, low) {
                return Polynomial { degree, low };
            }
        }
    }

    /// The degree: the width of the fingerprints in bits.
    pub fn degree(self) -> u32 {
        self.degree
    }

    /// The terms below the leading one.
    pub fn low(self) -> u64 {
        self.low
    }

    /// All terms.
    fn full(self) -> u128 {
        1 << self.degree | u128::from(self.low)
    }

    /// `value` modulo this polynomial.
    pub(crate) fn reduce(self, value: u128) -> u64 {
        remainder(value, self.full()) as u64
    }

    /// `x^exponent` modulo this polynomial.
    pub(crate) fn power_of_x(self, exponent: u64) -> u64 {
        let mut result = 1;
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.multiply(result, result);
            if exponent >> bit & 1 == 1 {
                result = self.multiply(result, 2);
            }
        }
        result
    }

    /// `a * b` modulo this polynomial.
    pub(crate) fn multiply(self, a: u64, b: u64) -> u64 {
        self.reduce(carry_less(a, b))
    }

    /// The quotient of `x^(2 * degree)` by this polynomial without its leading term: Barrett's constant.
    pub(crate) fn barrett(self) -> u64 {
        let (mut dividend, mut quotient) = (u128::from(self.low) << self.degree, 0u64);
        // The first step of the division (x^(2d) by x^d) is done in the line above: it needs a bit 2d of its own.
        while dividend >> self.degree != 0 {
            let shift = 127 - dividend.leading_zeros() - self.degree;
            quotient |= 1 << shift;
            dividend ^= self.full() << shift;
        }
        quotient
    }
}

fn mask(degree: u32) -> u64 {
    u64::MAX >> (64 - degree)
}

/// The product of two polynomials, without reduction.
pub(crate) fn carry_less(a: u64, b: u64) -> u128 {
    let mut product = 0;
    for bit in 0..64 {
        product ^= (u128::from(a) << bit) & (0u128.wrapping_sub(u128::from(b >> bit & 1)));
    }
    product
}

fn remainder(mut value: u128, divisor: u128) -> u128 {
    let top = 127 - divisor.leading_zeros();
    while value != 0 && 127 - value.leading_zeros() >= top {
        value ^= divisor << (127 - value.leading_zeros() - top);
    }
    value
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, remainder(a, b));
    }
    a
}

/// Rabin's test: `P` of degree `d` is irreducible if `x^(2^d) = x` modulo `P`,
/// and `x^(2^(d/q)) - x` has no factor in common with `P` for every prime `q` that divides `d`.
fn is_irreducible(degree: u32, low: u64) -> bool {
    let polynomial = Polynomial { degree, low };
    let frobenius = |times: u32| (0..times).fold(2u64, |power, _| polynomial.multiply(power, power));
    frobenius(degree) == 2
        && prime_divisors(degree).all(|q| gcd(polynomial.full(), u128::from(frobenius(degree / q) ^ 2)) == 1)
}

fn prime_divisors(number: u32) -> impl Iterator<Item = u32> {
    (2..=number).filter(move |&q| number.is_multiple_of(q) && (2..q).all(|p| !q.is_multiple_of(p)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    /// The definition itself: nothing of lower degree divides it.
    fn has_no_divisor(degree: u32, low: u64) -> bool {
        let full = 1u128 << degree | u128::from(low);
        (2u128..1 << (degree / 2 + 1)).all(|divisor| remainder(full, divisor) != 0)
    }

    #[test]
    fn the_test_agrees_with_trial_division_for_all_of_degree_8_to_12() {
        for degree in 8..=12 {
            for low in 0..1 << degree {
                assert_eq!(is_irreducible(degree, low), has_no_divisor(degree, low), "x^{degree} + {low:#b}");
            }
        }
    }

    #[test]
    fn well_known_polynomials_are_told_apart() {
        // AES (x^8+x^4+x^3+x+1) is irreducible; CRC-64/ECMA and the all-zero tail are not.
        assert!(is_irreducible(8, 0x1b));
        assert!(is_irreducible(64, 0x1b));
        assert!(!is_irreducible(64, 0x42F0_E1EB_A9EA_3693));
        assert!(!is_irreducible(64, 0));
    }

    #[test]
    fn drawn_polynomials_differ_by_seed_and_degree() {
        for degree in [32, 40, 64] {
            let draw = |seed: &Seed| Polynomial::draw(degree, &mut seed.stream("test"));
            assert_eq!(draw(&Seed::PUBLIC).degree(), degree);
            assert_eq!(draw(&Seed::PUBLIC), draw(&Seed::PUBLIC));
            assert_ne!(draw(&Seed::PUBLIC), draw(&Seed::new([1; 32])));
        }
    }

    #[test]
    fn barrett_and_powers_satisfy_their_equations() {
        for degree in [8, 32, 40, 63, 64] {
            let polynomial = Polynomial::draw(degree, &mut Seed::PUBLIC.stream("test"));
            // quotient * P and x^(2d) differ by less than P.
            let quotient = 1u128 << degree | u128::from(polynomial.barrett());
            if degree < 64 {
                let product = (0..=degree).fold(0u128, |sum, bit| {
                    if quotient >> bit & 1 == 1 { sum ^ polynomial.full() << bit } else { sum }
                });
                assert!((product ^ 1 << (2 * degree)) < 1 << degree);
            }
            assert_eq!(polynomial.power_of_x(0), 1);
            let by_steps = (0..200).fold(1, |power, _| polynomial.multiply(power, 2));
            assert_eq!(polynomial.power_of_x(200), by_steps);
        }
    }
}
