//! Loops compiled twice: for any processor, and for those with the vector and bit instructions of 2013 (AVX2, BMI, POPCNT).

/// Calls a function marked `#[inline(always)]` with these arguments, compiled with these instructions if this processor has
/// them. The result is the same. A macro, because a closure that large would not be inlined, and so not be compiled anew.
macro_rules! with_vectors {
    ($function:path, ($($argument:ident: $type:ty),*) -> $output:ty) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn call($($argument: $type),*) -> $output {
            $function($($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        let output = match $crate::vector::has_vectors() {
            // SAFETY: all these features were just detected.
            true => unsafe { call($($argument),*) },
            false => $function($($argument),*),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let output = $function($($argument),*);
        output
    }};
}
pub(crate) use with_vectors;

#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_vectors() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}
