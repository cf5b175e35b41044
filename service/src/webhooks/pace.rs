//! When is a delivery tried again, and when is it given up?

use std::time::Duration;

/// How webhooks are served.
#[derive(Debug, Clone)]
pub struct Pace {
    /// How long a delivery waits after its first failure; twice as long after every other.
    pub first_wait: Duration,
    /// How long it waits at most.
    pub longest_wait: Duration,
    /// How long all deliveries of a webhook wait at most after a failure of one of them: an endpoint that is down is asked
    /// this often, however many wait, and a delivery that alone fails keeps the others waiting no longer than this.
    pub longest_pause: Duration,
    /// After how many tries a delivery is given up.
    pub tries: u32,
    /// After how long a delivery that fails is given up.
    pub age: Duration,
    /// How long an endpoint may take to accept a connection.
    pub connect: Duration,
    /// How long a whole request may take.
    pub request: Duration,
    /// How often is looked for webhooks that were added or removed.
    pub look: Duration,
    /// The most deliveries, pending or given up, that are kept for one webhook.
    pub kept: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(3600),
            longest_pause: Duration::from_secs(60),
            tries: 20,
            age: Duration::from_secs(24 * 3600),
            connect: Duration::from_secs(5),
            request: Duration::from_secs(15),
            look: Duration::from_millis(200),
            kept: 100_000,
        }
    }
}

impl Pace {
    /// How long a delivery waits after so many failures. `chance`, from 0 to 1, moves it by a fifth to either side, so that
    /// those who failed together do not all come again together.
    pub fn wait(&self, failures: u32, chance: f64) -> Duration {
        spread(doubled(self.first_wait, failures, self.longest_wait), chance)
    }

    /// How long a whole webhook waits after so many failures in a row.
    pub fn pause(&self, failures: u32, chance: f64) -> Duration {
        spread(doubled(self.first_wait, failures, self.longest_pause), chance)
    }

    /// Whether a delivery that failed so often, and is so old, is given up.
    pub fn is_given_up(&self, tries: u32, age: Duration) -> bool {
        tries >= self.tries || age >= self.age
    }
}

fn doubled(first: Duration, failures: u32, longest: Duration) -> Duration {
    let factor = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
    first.checked_mul(factor).unwrap_or(longest).min(longest)
}

fn spread(wait: Duration, chance: f64) -> Duration {
    wait.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_long_every_time() {
        let pace = Pace::default();
        let waits: Vec<u64> = (1..=14).map(|failures| pace.wait(failures, 0.5).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
        let pauses: Vec<u64> = (5..=8).map(|failures| pace.pause(failures, 0.5).as_secs()).collect();
        assert_eq!(pauses, [16, 32, 60, 60]);
        assert_eq!(pace.wait(u32::MAX, 0.5), pace.longest_wait);
        assert_eq!([pace.wait(3, 0.0), pace.wait(3, 1.0)].map(|wait| wait.as_millis()), [3200, 4800]);
    }

    #[test]
    fn given_up_after_a_day_or_twenty_tries() {
        let pace = Pace::default();
        assert!(!pace.is_given_up(19, Duration::from_secs(86_399)));
        assert!(pace.is_given_up(20, Duration::ZERO) && pace.is_given_up(1, Duration::from_secs(86_400)));
    }
}
