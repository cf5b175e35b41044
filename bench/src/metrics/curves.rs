//! What do the metrics say while more of a page changes (kwon-2007 figure 7), and while the page grows (figure 8)?

use super::pages::{Change, Changed, Part, Wording};
use crate::CommonArguments;
use crate::report::{Lines, Report};
use anyhow::Result;
use firstcopy_change::{METRICS, Measures};
use serde_json::json;
use std::path::Path;

/// How far IED may be from the yardstick.
const TOLERANCE: f64 = 0.02;
/// Words of the pages of figure 7.
const WORDS: usize = 1000;
/// Of the words of a page of figure 8, one in so many changes.
const EVERY: usize = 4;

/// Which of both figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// More and more of a page changes.
    Share,
    /// A quarter of a larger and larger page changes.
    Size,
}

impl Figure {
    /// Its number in kwon-2007.
    pub fn number(self) -> u8 {
        match self {
            Figure::Share => 7,
            Figure::Size => 8,
        }
    }

    fn across(self) -> &'static str {
        match self {
            Figure::Share => "words of 1,000 that changed",
            Figure::Size => "words of the page, as a power of two",
        }
    }

    /// The pages of every point: where it stands across, words, and how many of them change.
    fn pages(self, is_quick: bool) -> Vec<(f64, usize, usize)> {
        let percent = if is_quick { vec![5, 25, 50, 75, 95] } else { (5..=95).step_by(5).collect() };
        let powers = if is_quick { vec![2, 3, 5, 8, 10] } else { (2..=13).collect() };
        let of_share = |percent: usize| (percent as f64 * 10.0, WORDS, WORDS * percent / 100);
        let of_size = |power: u32| (f64::from(power), 1 << power, (1 << power) / EVERY);
        match self {
            Figure::Share => percent.into_iter().map(of_share).collect(),
            Figure::Size => powers.into_iter().map(of_size).collect(),
        }
    }
}

/// One pair of pages.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Where it stands on the axis across.
    pub across: f64,
    /// What a perfect metric would say.
    pub yardstick: f64,
    /// What the metrics say.
    pub measures: Measures,
}

/// All pairs of pages of one figure that changed in one way.
#[derive(Debug)]
pub struct Curve {
    /// In which way.
    pub change: Change,
    /// In which figure.
    pub figure: Figure,
    /// The pairs.
    pub points: Vec<Point>,
}

impl Curve {
    fn new(change: Change, figure: Figure, is_quick: bool) -> Self {
        let point = |(across, page, words): (f64, usize, usize)| {
            let changed = Changed::new(page, &[Part { change, words }], Wording::Fair, words as u64);
            Point { across, yardstick: changed.yardstick, measures: changed.measures() }
        };
        Curve { change, figure, points: figure.pages(is_quick).into_iter().map(point).collect() }
    }

    /// How far each metric is from the yardstick where it is furthest.
    pub fn largest_differences(&self) -> [f64; METRICS.len()] {
        std::array::from_fn(|metric| {
            let difference = |point: &Point| (point.measures.values()[metric] - point.yardstick).abs();
            self.points.iter().map(difference).fold(0.0, f64::max)
        })
    }

    fn draw(&self, folder: &Path) -> Result<()> {
        let line = |of: &dyn Fn(&Point) -> f64| {
            self.points.iter().map(|point| (point.across, of(point))).collect::<Vec<_>>()
        };
        let yardstick = ("yardstick".to_owned(), line(&|point| point.yardstick));
        let metrics = METRICS.iter().enumerate().map(|(number, metric)| {
            (metric.title.to_owned(), line(&|point| point.measures.values()[number]))
        });
        let (number, name) = (self.figure.number(), self.change.name());
        Lines {
            name: &format!("metrics-{number}-{}", name.replace(' ', "-")),
            title: &format!("{name}: what the metrics say (kwon-2007 figure {number})"),
            across: self.figure.across(),
            unit: "change",
            is_logarithmic: false,
            series: [yardstick].into_iter().chain(metrics).collect(),
        }
        .draw(folder)
    }
}

/// Both figures, all kinds.
pub fn curves(is_quick: bool) -> Vec<Curve> {
    let both = [Figure::Share, Figure::Size].into_iter();
    both.flat_map(|figure| Change::ALL.map(|change| Curve::new(change, figure, is_quick))).collect()
}

/// How far the metrics are from the yardstick, and all that they said.
pub fn report(curves: &[Curve], common: &CommonArguments) -> Result<()> {
    let titles = METRICS.map(|metric| metric.title);
    let columns = [&["figure", "kind", "points"][..], &titles, &["IED within 0.02"]].concat();
    let mut differences = Report::new("metrics-differences", &columns);
    for curve in curves {
        let largest = curve.largest_differences();
        let [.., ied] = largest;
        let head = [json!(curve.figure.number()), json!(curve.change.name()), json!(curve.points.len())];
        let is_within = json!(if ied <= TOLERANCE { "yes" } else { "NO" });
        differences
            .row(head.into_iter().chain(largest.map(|value| json!(value))).chain([is_within]).collect());
    }
    if !common.json {
        println!("The largest difference from the yardstick:\n");
    }
    differences.finish(common, "IED")?;
    all_points(curves).keep(common)?;
    common.output.as_deref().map_or(Ok(()), |folder| curves.iter().try_for_each(|curve| curve.draw(folder)))
}

fn all_points(curves: &[Curve]) -> Report {
    let titles = METRICS.map(|metric| metric.title);
    let columns = [&["figure", "kind", "across", "yardstick"][..], &titles].concat();
    let mut report = Report::new("metrics-points", &columns);
    for curve in curves {
        for point in &curve.points {
            let head = [json!(curve.figure.number()), json!(curve.change.name())];
            let values = point.measures.values().map(|value| json!(value));
            let own = [json!(point.across), json!(point.yardstick)];
            report.row(head.into_iter().chain(own).chain(values).collect());
        }
    }
    report
}
