//! What a segment counts for: much if it is long and rare among the sources, little if it is a stock phrase.

/// The bytes of a normalised segment that counts as one: a short sentence. Bytes and not characters, because a syllable or
/// an ideograph of three bytes says about as much as three letters (docs/passages.md: measured).
const ORDINARY_BYTES: f64 = 40.0;
/// What one segment counts for at most: one sentence alone is never three.
const HEAVIEST: f64 = 2.25;
/// What is lost by a segment that stands in every source.
const COMMON: f64 = 0.5;

/// What segments count for in a collection of so many sources.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weights {
    documents: f64,
}

impl Weights {
    pub fn new(documents: u64) -> Self {
        Weights { documents: documents.max(2) as f64 }
    }

    /// Of a segment of so many normalised bytes that stands in the sources so often.
    pub fn of(&self, bytes: usize, occurrences: usize) -> f64 {
        let share = (occurrences.max(1) as f64).ln() / self.documents.ln();
        (1.0 - COMMON * share.min(1.0)) * (bytes as f64 / ORDINARY_BYTES).min(HEAVIEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_rare_counts_more() {
        let weights = Weights::new(1000);
        assert_eq!(weights.of(40, 1), 1.0);
        assert_eq!(weights.of(4000, 1), HEAVIEST);
        assert_eq!(weights.of(40, 1000), 0.5);
        assert_eq!(weights.of(40, 1_000_000), 0.5);
        assert!(weights.of(40, 10) > weights.of(40, 100));
        assert_eq!(Weights::new(0).of(20, 0), 0.5);
    }
}
