//! What is each metric good for? A verdict for every kind of change, computed from the curves, beside the one that kwon-2007
//! published in its table 1.

use super::curves::{Curve, Figure, Point};
use super::pages::Change;
use crate::CommonArguments;
use crate::report::Report;
use anyhow::Result;
use firstcopy_change::METRICS;
use serde_json::json;
use std::fmt;

/// A mean difference from the yardstick up to which a metric follows it: what IED must keep to.
const EFFECTIVE: f64 = 0.02;
/// Two fitted weights are the same: kwon-2007 names 0, 0.01, 0.5 and 1, whatever is nearest.
const SAME_WEIGHT: f64 = 0.15;
/// Powers of two up to which a page of figure 8 is short, and from which it is long.
const SHORT: f64 = 5.0;
const LONG: f64 = 10.0;
/// By how much a metric must say more of short pages than of long ones to be called very sensitive to them.
const VERY: f64 = 0.25;

/// How well a metric follows the yardstick.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Effective,
    /// With another weight of the kind it would be.
    EffectiveIf(f64),
    Unseen,
    TooSensitive,
    TooInsensitive,
    Irregular,
}

use Verdict::{Effective, EffectiveIf, Irregular, TooInsensitive, TooSensitive, Unseen};

/// Table 1 as published, in the order of [`METRICS`]; it has no column for BW. Used for nothing but to be compared with. Its
/// cells for the kinds of move say nothing of runs and single words; the text says that ED takes moves for replacements and
/// that 10SH says more than that, which is true of single words.
const PUBLISHED: [(Change, [Option<Verdict>; METRICS.len()]); 7] = [
    (Change::Add, published(TooInsensitive, TooInsensitive, TooInsensitive, Effective)),
    (Change::Copy, published(EffectiveIf(0.01), EffectiveIf(0.5), EffectiveIf(0.5), EffectiveIf(1.0))),
    (Change::Drop, published(TooInsensitive, TooInsensitive, TooInsensitive, Effective)),
    (Change::Shrink, published(EffectiveIf(0.01), Irregular, Irregular, EffectiveIf(1.0))),
    (Change::Replace, published(TooInsensitive, Effective, Effective, TooSensitive)),
    (Change::Move, published(Unseen, Unseen, EffectiveIf(1.0), TooSensitive)),
    (Change::MoveApart, published(Unseen, Unseen, EffectiveIf(1.0), TooSensitive)),
];

const fn published(
    cos: Verdict,
    wd: Verdict,
    ed: Verdict,
    shingle: Verdict,
) -> [Option<Verdict>; METRICS.len()] {
    [None, Some(cos), Some(wd), Some(ed), Some(shingle), Some(Effective)]
}

impl Verdict {
    fn of(change: Change, figure: &Deviations) -> Self {
        if figure.values.iter().all(|value| *value == 0.0) {
            return Unseen;
        }
        if figure.mean_difference(1.0) <= EFFECTIVE {
            return Effective;
        }
        let times = figure.fitted_times();
        let fits = figure.mean_difference(times) <= EFFECTIVE && figure.follows(times);
        if change.weight_name().is_some() && fits {
            return EffectiveIf(times * change.weight());
        }
        figure.side()
    }

    fn agrees(self, published: Self) -> bool {
        match (self, published) {
            (EffectiveIf(weight), EffectiveIf(other)) => (weight - other).abs() <= SAME_WEIGHT,
            _ => self == published,
        }
    }

    fn text(self, change: Change) -> String {
        match self {
            EffectiveIf(weight) => {
                format!("effective if {} ≈ {weight:.2}", change.weight_name().unwrap_or(""))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Effective => "effective",
            EffectiveIf(_) => "effective with another weight",
            Unseen => "not seen at all",
            TooSensitive => "too sensitive",
            TooInsensitive => "too insensitive",
            Irregular => "irregular",
        })
    }
}

/// What one metric said beside the yardstick.
struct Deviations {
    values: Vec<f64>,
    yardstick: Vec<f64>,
}

impl Deviations {
    fn of(curve: &Curve, metric: usize) -> Self {
        let values = curve.points.iter().map(|point| point.measures.values()[metric]).collect();
        Deviations { values, yardstick: curve.points.iter().map(|point| point.yardstick).collect() }
    }

    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> {
        self.values.iter().copied().zip(self.yardstick.iter().copied())
    }

    /// From the yardstick, or from so many times the yardstick.
    fn mean_difference(&self, times: f64) -> f64 {
        let sum: f64 = self.pairs().map(|(value, yardstick)| (value - times * yardstick).abs()).sum();
        sum / self.values.len() as f64
    }

    /// So many times the yardstick would be nearest, by least squares.
    fn fitted_times(&self) -> f64 {
        let product: f64 = self.pairs().map(|(value, yardstick)| value * yardstick).sum();
        let square: f64 = self.yardstick.iter().map(|yardstick| yardstick * yardstick).sum();
        product / square
    }

    /// Whether so many times the yardstick is nearer than any constant is: small values that never change follow nothing.
    fn follows(&self, times: f64) -> bool {
        let mean = self.values.iter().sum::<f64>() / self.values.len() as f64;
        let from_mean: f64 = self.values.iter().map(|value| (value - mean).powi(2)).sum();
        let from_yardstick: f64 =
            self.pairs().map(|(value, yardstick)| (value - times * yardstick).powi(2)).sum();
        from_yardstick < from_mean
    }

    /// On which side of the yardstick.
    fn side(&self) -> Verdict {
        if self.pairs().all(|(value, yardstick)| value > yardstick) {
            TooSensitive
        } else if self.pairs().all(|(value, yardstick)| value < yardstick) {
            TooInsensitive
        } else {
            Irregular
        }
    }
}

/// Whether a metric says much more of short pages than of long ones.
fn is_very_sensitive_on_short_pages(figure: &Curve, metric: usize) -> bool {
    let mean = |is_meant: &dyn Fn(&Point) -> bool| {
        let values: Vec<f64> = figure
            .points
            .iter()
            .filter(|point| is_meant(point))
            .map(|point| point.measures.values()[metric])
            .collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    mean(&|point| point.across <= SHORT) - mean(&|point| point.across >= LONG) > VERY
}

pub fn report(curves: &[Curve], common: &CommonArguments) -> Result<()> {
    let columns =
        ["metric", "kind", "mean difference", "verdict", "on short pages", "as published", "agrees"];
    let mut report = Report::new("metrics-verdicts", &columns);
    for (number, metric) in METRICS.iter().enumerate() {
        for (change, published) in PUBLISHED {
            let find = |figure| curves.iter().find(|curve| curve.change == change && curve.figure == figure);
            let (Some(share), Some(size)) = (find(Figure::Share), find(Figure::Size)) else { continue };
            let deviations = Deviations::of(share, number);
            let verdict = Verdict::of(change, &deviations);
            let short = is_very_sensitive_on_short_pages(size, number);
            let agrees = published[number].map(|other| if verdict.agrees(other) { "yes" } else { "NO" });
            report.row(vec![
                json!(metric.title),
                json!(change.name()),
                json!(deviations.mean_difference(1.0)),
                json!(verdict.text(change)),
                json!(if short { "very sensitive" } else { "" }),
                json!(published[number].map(|other| other.text(change))),
                json!(agrees),
            ]);
        }
    }
    if !common.json {
        println!("\nWhat each metric is good for, and what kwon-2007 published in its table 1:\n");
    }
    report.finish(common, "mean difference")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(change: Change, value: impl Fn(f64) -> f64, expected: Verdict) {
        let shares: Vec<f64> = (1..20).map(|step| f64::from(step) * 0.05).collect();
        let deviations = Deviations {
            values: shares.iter().map(|share| value(*share)).collect(),
            yardstick: shares.iter().map(|share| change.weight() * share).collect(),
        };
        let found = Verdict::of(change, &deviations);
        assert!(found.agrees(expected), "{found:?}");
    }

    #[test]
    fn verdicts() {
        check(Change::Drop, |share| share + 0.01, Effective);
        check(Change::Drop, |share| share / 2.0, TooInsensitive);
        check(Change::Drop, |_| 1.0, TooSensitive);
        check(Change::Drop, |_| 0.5, Irregular);
        check(Change::Shrink, |share| share / 2.0, EffectiveIf(0.5));
        check(Change::Shrink, |share| share / (2.0 - share), Irregular);
        check(Change::Move, |_| 0.0, Unseen);
        check(Change::Move, |_| 0.05, Irregular);
    }
}
