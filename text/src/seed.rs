//! Where every random choice comes from: one secret of 32 bytes, stretched into as many numbers as are asked for.
//! No clock and no system randomness: whoever makes a seed brings it.

/// The secret from which the polynomials and permutations are drawn.
///
/// A data directory draws its own, so that nobody can craft a text that collides in it;
/// batch commands use [`Seed::PUBLIC`], so that everybody gets the same result.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The fixed seed of the batch commands. It promises reproducible results, not secrecy.
    pub const PUBLIC: Seed = Seed(*b"firstcopy: the public batch seed");

    /// Takes 32 bytes that the caller drew at random.
    pub fn new(secret: [u8; 32]) -> Self {
        Seed(secret)
    }

    /// What tells two seeds apart without telling either.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.stream("fingerprint of the seed").next_u64())
    }

    /// The endless stream of numbers for one purpose; two purposes never share a stream.
    pub(crate) fn stream(&self, purpose: &str) -> SeedStream {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(purpose.as_bytes());
        SeedStream(hasher.finalize_xof())
    }
}

impl std::fmt::Debug for Seed {
    /// A secret does not belong in a log.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if *self == Seed::PUBLIC { "Seed(public)" } else { "Seed(secret)" })
    }
}

/// Numbers drawn from a seed for one purpose.
pub(crate) struct SeedStream(blake3::OutputReader);

impl SeedStream {
    pub(crate) fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_and_purpose_only() {
        let first = |seed: &Seed, purpose| seed.stream(purpose).next_u64();
        let other = Seed::new([7; 32]);
        assert_eq!(first(&Seed::PUBLIC, "a"), first(&Seed::PUBLIC, "a"));
        assert_ne!(first(&Seed::PUBLIC, "a"), first(&Seed::PUBLIC, "b"));
        assert_ne!(first(&Seed::PUBLIC, "a"), first(&other, "a"));
        assert_eq!(format!("{other:?}"), "Seed(secret)");
    }
}
