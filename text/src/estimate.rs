//! A share estimated from a sample, with the interval that holds the truth as surely as was asked for.

/// An estimate of a share (a resemblance or a containment).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate itself: the share in the sample.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// How surely an interval holds the truth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Confidence {
    /// In 95 of 100 cases: what is shown.
    #[default]
    Usual,
    /// In 999 of 1,000 cases: what decides who need not be looked at more closely.
    Cautious,
}

impl Confidence {
    /// What each side of an interval may miss.
    fn tail(self) -> f64 {
        match self {
            Confidence::Usual => 0.025,
            Confidence::Cautious => 0.0005,
        }
    }
}

impl Estimate {
    /// `part` of `whole` sampled shingles, with the usual confidence; `complete` if the sample is everything there is.
    pub(crate) fn of_share(part: usize, whole: usize, complete: bool) -> Self {
        Self::with_confidence(Confidence::Usual, part, whole, complete)
    }

    /// The same with another confidence.
    ///
    /// The interval is Clopper and Pearson's: exact for the binomial, so never too narrow,
    /// and a sample without replacement only makes it wider than needed. An empty sample knows nothing: 0 to 1.
    pub(crate) fn with_confidence(confidence: Confidence, part: usize, whole: usize, complete: bool) -> Self {
        let value = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        if complete {
            return Estimate { value, low: value, high: value };
        }
        let (k, n, tail) = (part as f64, whole as f64, confidence.tail());
        let low = if part == 0 { 0.0 } else { beta_quantile(tail, k, n - k + 1.0) };
        let high = if part == whole { 1.0 } else { beta_quantile(1.0 - tail, k + 1.0, n - k) };
        Estimate { value, low, high }
    }

    /// Whether the sample was everything there is.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// The `x` at which the regularised incomplete beta function reaches `p`, by bisection: it is monotonous.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // 40 halvings leave an error below 10^-12.
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if incomplete_beta(middle, a, b) < p { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularised incomplete beta function, by its continued fraction where that converges fast.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    front.exp() / (a * continued_fraction(x, a, b))
}

/// Lentz's method on the continued fraction 1 + d1/(1 + d2/(1 + …)) of the incomplete beta function.
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut fraction, mut c, mut d) = (1.0, 1.0, 0.0);
    for step in 1..10_000 {
        let m = f64::from(step / 2);
        let numerator = if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / nonzero(1.0 + numerator * d);
        c = nonzero(1.0 + numerator / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function for positive arguments, by Stirling's series after shifting it to 10 or more.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let inverse_square = 1.0 / (x * x);
    let series = (1.0 / 12.0
        - inverse_square * (1.0 / 360.0 - inverse_square * (1.0 / 1260.0 - inverse_square / 1680.0)))
        / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of at most `k` of `n`, term by term.
    fn binomial_cdf(k: usize, n: usize, p: f64) -> f64 {
        let ways = |i: usize| (0..i).map(|j| ((n - j) as f64 / (j + 1) as f64).ln()).sum::<f64>();
        (0..=k).map(|i| (ways(i) + i as f64 * p.ln() + (n - i) as f64 * (1.0 - p).ln()).exp()).sum()
    }

    /// At the low end `k` or more has just the probability of a tail, at the high end `k` or fewer has.
    fn check_ends(confidence: Confidence, k: usize, n: usize) {
        let estimate = Estimate::with_confidence(confidence, k, n, false);
        let expect_tail =
            |tail: f64| assert!((tail - confidence.tail()).abs() < 1e-6, "{confidence:?} {k} of {n}: {tail}");
        if k > 0 {
            expect_tail(1.0 - binomial_cdf(k - 1, n, estimate.low));
        }
        if k < n {
            expect_tail(binomial_cdf(k, n, estimate.high));
        }
        assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
    }

    #[test]
    fn the_ends_leave_just_the_tails() {
        for n in [1, 2, 7, 50, 400, 3000] {
            for k in [0, 1, n / 3, n / 2, n - 1, n] {
                check_ends(Confidence::Usual, k, n);
                check_ends(Confidence::Cautious, k, n);
            }
        }
    }

    #[test]
    fn complete_and_empty_samples() {
        let exact = Estimate::of_share(3, 4, true);
        assert!(exact.is_exact());
        assert_eq!(exact.value, 0.75);
        assert_eq!(Estimate::of_share(0, 0, false), Estimate { value: 0.0, low: 0.0, high: 1.0 });
    }
}
