//! The inner loop of the minima, for every kind of CPU, bit-equal. The vector kernels are the scalar one, written
//! so that a group of vectors stays in registers while a block of points passes.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// The kinds of CPU there is a kernel for, slowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// No vectors.
    Scalar,
    /// 8 permutations at once.
    Avx2,
    /// 16 permutations at once.
    Avx512,
}

impl Simd {
    /// The best kernel for this CPU.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Simd::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Simd::Avx2;
            }
        }
        Simd::Scalar
    }
}

/// Lowers every minimum to the least `factor * point` seen. Both tables have whole vectors.
pub(super) fn lower(simd: Simd, points: &[u32], factors: &[u32], minima: &mut [u32]) {
    assert_eq!(factors.len(), minima.len());
    assert!(minima.len().is_multiple_of(super::LANES));
    match simd {
        // SAFETY: `Permutations::with_simd` and `new` never keep a kernel beyond `Simd::detect`.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { lower_avx512(points, factors, minima) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { lower_avx2(points, factors, minima) },
        _ => lower_scalar(points, factors, minima),
    }
}

fn lower_scalar(points: &[u32], factors: &[u32], minima: &mut [u32]) {
    for (minimum, &factor) in minima.iter_mut().zip(factors) {
        for &point in points {
            *minimum = (*minimum).min(factor.wrapping_mul(point));
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn lower_avx512(points: &[u32], factors: &[u32], minima: &mut [u32]) {
    let vectors = minima.len() / 16;
    let mut vector = 0;
    while vector < vectors {
        let from = 16 * vector;
        let group = match vectors - vector {
            // 8 vectors need 16 of the 32 registers; the smaller groups take what is left over.
            8.. => group_avx512::<8>,
            6.. => group_avx512::<6>,
            4.. => group_avx512::<4>,
            2.. => group_avx512::<2>,
            _ => group_avx512::<1>,
        };
        vector += group(points, &factors[from..], &mut minima[from..]);
    }
}

/// Lowers the first `16 * N` minima; returns `N`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn group_avx512<const N: usize>(points: &[u32], factors: &[u32], minima: &mut [u32]) -> usize {
    assert!(factors.len() >= 16 * N && minima.len() >= 16 * N);
    let load = |table: &[u32], vector: usize| {
        // SAFETY: the assertion above leaves 16 values at `16 * vector` for every `vector < N`.
        unsafe { _mm512_loadu_si512(table.as_ptr().add(16 * vector).cast()) }
    };
    let factors: [__m512i; N] = std::array::from_fn(|vector| load(factors, vector));
    let mut least: [__m512i; N] = std::array::from_fn(|vector| load(minima, vector));
    for &point in points {
        let point = _mm512_set1_epi32(point as i32);
        for vector in 0..N {
            let image = _mm512_mullo_epi32(factors[vector], point);
            least[vector] = _mm512_min_epu32(least[vector], image);
        }
    }
    for (vector, &least) in least.iter().enumerate() {
        // SAFETY: the assertion above leaves room for 16 values at `16 * vector`.
        unsafe { _mm512_storeu_si512(minima.as_mut_ptr().add(16 * vector).cast(), least) };
    }
    N
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lower_avx2(points: &[u32], factors: &[u32], minima: &mut [u32]) {
    for from in (0..minima.len()).step_by(32) {
        let rest = (minima.len() - from) / 8;
        // 4 vectors need 8 of the 16 registers; tables are padded to pairs of vectors.
        let group = if rest >= 4 { group_avx2::<4> } else { group_avx2::<2> };
        group(points, &factors[from..], &mut minima[from..]);
    }
}

/// Lowers the first `8 * N` minima.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn group_avx2<const N: usize>(points: &[u32], factors: &[u32], minima: &mut [u32]) {
    assert!(factors.len() >= 8 * N && minima.len() >= 8 * N);
    let load = |table: &[u32], vector: usize| {
        // SAFETY: the assertion above leaves 8 values at `8 * vector` for every `vector < N`.
        unsafe { _mm256_loadu_si256(table.as_ptr().add(8 * vector).cast()) }
    };
    let factors: [__m256i; N] = std::array::from_fn(|vector| load(factors, vector));
    let mut least: [__m256i; N] = std::array::from_fn(|vector| load(minima, vector));
    for &point in points {
        let point = _mm256_set1_epi32(point as i32);
        for vector in 0..N {
            let image = _mm256_mullo_epi32(factors[vector], point);
            least[vector] = _mm256_min_epu32(least[vector], image);
        }
    }
    for (vector, &least) in least.iter().enumerate() {
        // SAFETY: the assertion above leaves room for 8 values at `8 * vector`.
        unsafe { _mm256_storeu_si256(minima.as_mut_ptr().add(8 * vector).cast(), least) };
    }
}
