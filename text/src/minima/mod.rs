//! The minimum of each of many linear permutations over a set of fingerprints (min-hash).
//!
//! The permutations are `a * x + b` modulo 2^32 with odd `a`, over the upper half of the mixed 64-bit fingerprint. Each
//! has an `a` of its own; `b` is `a * c` for one `c`, so that `a * (x + c)` needs one addition for all of them.
//! Why not modulo a 61-bit prime, as papers do: the fingerprints are mixed already, so the permutation only has to
//! reorder them, and 32-bit lanes are twice as many a vector with half the work each (`firstcopy-bench kernels`).
//! Two shingles coincide with probability 2^-32, which moves no estimate by more than its last printed digit.

mod kernels;

use crate::seed::Seed;
pub use kernels::Simd;

/// The most lanes any kernel works on at once; tables are padded to a multiple of it.
const LANES: usize = 16;

/// A fixed sequence of linear permutations.
#[derive(Debug, Clone)]
pub struct Permutations {
    count: usize,
    /// The odd factors, padded to whole vectors.
    factors: Vec<u32>,
    /// What is added to every point first.
    shift: u32,
    simd: Simd,
}

impl Permutations {
    /// Draws `count` permutations from the seed.
    pub fn new(count: usize, seed: &Seed) -> Self {
        let mut stream = seed.stream("permutations");
        Permutations {
            count,
            shift: stream.next_u64() as u32,
            factors: (0..count.next_multiple_of(LANES)).map(|_| stream.next_u64() as u32 | 1).collect(),
            simd: Simd::detect(),
        }
    }

    /// The same permutations computed by another kernel: what another CPU computes.
    /// A kernel that this CPU does not have gives way to the best one it has.
    pub fn with_simd(mut self, simd: Simd) -> Self {
        self.simd = simd.min(Simd::detect());
        self
    }

    /// How many permutations there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The kernel in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The minimum of every permutation over the mixed fingerprints; all `u32::MAX` for an empty set.
    pub fn minima(&self, fingerprints: &[u64]) -> Vec<u32> {
        let mut minima = vec![u32::MAX; self.factors.len()];
        // Blocks that stay in the first-level cache while every vector of permutations passes over them.
        let mut points = [0u32; 1024];
        for block in fingerprints.chunks(points.len()) {
            let points = &mut points[..block.len()];
            for (point, &fingerprint) in points.iter_mut().zip(block) {
                *point = ((fingerprint >> 32) as u32).wrapping_add(self.shift);
            }
            kernels::lower(self.simd, points, &self.factors, &mut minima);
        }
        minima.truncate(self.count);
        minima
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition.
    fn naive(permutations: &Permutations, fingerprints: &[u64]) -> Vec<u32> {
        let permute = |j: usize, x: u64| {
            let (factor, shift) = (u128::from(permutations.factors[j]), u128::from(permutations.shift));
            ((factor * u128::from(x >> 32) + factor * shift) % (1 << 32)) as u32
        };
        (0..permutations.count)
            .map(|j| fingerprints.iter().map(|&x| permute(j, x)).min().unwrap_or(u32::MAX))
            .collect()
    }

    proptest! {
        #[test]
        fn every_kernel_equals_the_definition(
            fingerprints in prop::collection::vec(any::<u64>(), 0..1500),
            count in 1usize..200,
            secret in any::<[u8; 32]>(),
        ) {
            let permutations = Permutations::new(count, &Seed::new(secret));
            let expected = naive(&permutations, &fingerprints);
            for simd in [Simd::Scalar, Simd::Avx2, Simd::Avx512] {
                let permutations = permutations.clone().with_simd(simd);
                prop_assert_eq!(permutations.minima(&fingerprints), expected.clone(), "{:?}", permutations.simd());
            }
        }
    }

    #[test]
    fn a_permutation_loses_no_point() {
        // Odd factors are units modulo 2^32, so 2^16 different points stay different.
        let permutations = Permutations::new(1, &Seed::PUBLIC);
        let images: std::collections::HashSet<u32> =
            (0..1u64 << 16).map(|x| permutations.minima(&[x << 47 | x << 32])[0]).collect();
        assert_eq!(images.len(), 1 << 16);
    }
}
