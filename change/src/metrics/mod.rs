//! How much is that? One file a metric, one line each in [`METRICS`].

mod bw;
mod cos;
mod ed;
mod ied;
mod shingle;
mod wd;

use crate::comparison::Comparison;
use serde::Serialize;

/// A way to measure change: 0 for equal texts, at most 1, the same in both directions.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name in JSON and tables.
    pub name: &'static str,
    /// What it is called in kwon-2007.
    pub title: &'static str,
    /// What it counts.
    pub counts: &'static str,
    /// What it is good for, and what not (kwon-2007 table 1, as `firstcopy-bench metrics` finds it again).
    pub good_for: &'static str,
    pub(crate) measure: fn(&Comparison) -> f64,
}

/// All of them, in the order of kwon-2007.
pub const METRICS: [Metric; 6] =
    [bw::METRIC, cos::METRIC, wd::METRIC, ed::METRIC, shingle::METRIC, ied::METRIC];

/// What the metrics say of one change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Measures {
    /// Any byte differs.
    pub bw: f64,
    /// Cosine distance.
    pub cos: f64,
    /// Word distance.
    pub wd: f64,
    /// Edit distance.
    pub ed: f64,
    /// Shingling.
    pub shingle: f64,
    /// Improved edit distance.
    pub ied: f64,
}

impl Measures {
    pub(crate) fn of(comparison: &Comparison) -> Self {
        let [bw, cos, wd, ed, shingle, ied] = METRICS.map(|metric| comparison.measure(&metric));
        Measures { bw, cos, wd, ed, shingle, ied }
    }

    /// In the order of [`METRICS`].
    pub fn values(&self) -> [f64; 6] {
        [self.bw, self.cos, self.wd, self.ed, self.shingle, self.ied]
    }
}

/// A share, or none of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
