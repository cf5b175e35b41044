//! What clusters depend on: what the sketches are made with, and how documents are joined.

use firstcopy_text::likeness::MIN_LIKENESS;
use serde::{Deserialize, Serialize};

/// Everything that clusters depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Words of a shingle (broder-1997: 10).
    pub shingle_words: usize,
    /// What nominates pairs.
    pub method: Method,
    /// What a pair's resemblance is counted from.
    pub verify: Verify,
    /// A shingle in more documents than this is common (broder-1997: 1,000).
    pub common: u32,
    /// How documents are joined.
    pub joining: Joining,
    /// Whether the weights of words are learnt from the first inputs. Only with [`Policy::Likeness`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub learn_weights: bool,
}

/// How documents are joined, once pairs are known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Joining {
    /// From which likeness (0.8), resemblance or containment (broder-1997: 0.5) on two documents are joined.
    pub threshold: f64,
    /// What the threshold is of.
    pub policy: Policy,
    /// How a cluster hangs together.
    pub linkage: Linkage,
}

/// What nominates pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Shingles in common of the sampled ones (broder-1997).
    Sketch,
    /// One super-shingle in common (broder-1997).
    SuperShingle,
    /// Two of six features in common (lee-2008).
    Features,
}

/// What a pair's resemblance is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verify {
    /// All shingles of both texts.
    Exact,
    /// Their sketches.
    Sketch,
}

/// What the threshold is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Likeness of the words, in order; excerpts of an earlier document are joined to it, too.
    Likeness,
    /// Resemblance.
    Resemblance,
    /// Containment of either document in the other.
    Containment,
}

/// How a cluster hangs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linkage {
    /// Every member is joined to some other (broder-1997).
    Connected,
    /// Every member is joined to the original.
    Original,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            shingle_words: 10,
            method: Method::Sketch,
            verify: Verify::Exact,
            common: 1000,
            joining: Joining::default(),
            learn_weights: false,
        }
    }
}

impl Default for Joining {
    fn default() -> Self {
        Joining { threshold: 0.5, policy: Policy::Resemblance, linkage: Linkage::Connected }
    }
}

/// The form of the list of members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// JSON Lines.
    #[default]
    Jsonl,
    /// Parquet.
    Parquet,
}

impl OutputFormat {
    pub(crate) fn members(self) -> &'static str {
        match self {
            OutputFormat::Jsonl => "members.jsonl",
            OutputFormat::Parquet => "members.parquet",
        }
    }

    pub(crate) fn other(self) -> Self {
        match self {
            OutputFormat::Jsonl => OutputFormat::Parquet,
            OutputFormat::Parquet => OutputFormat::Jsonl,
        }
    }
}

/// What two documents have in common, of all shingles or of the sampled ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shared {
    pub a: u32,
    pub b: u32,
    pub common: u32,
}

impl Shared {
    pub fn resemblance(self) -> f64 {
        share(self.common, self.a + self.b - self.common)
    }

    /// Of the one that is contained more.
    pub fn containment(self) -> f64 {
        share(self.common, self.a.min(self.b))
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) }
}

impl Policy {
    /// Whether documents are compared by their words instead of their shingles. Decides what is kept of them.
    pub fn compares_words(self) -> bool {
        self == Policy::Likeness
    }
}

impl Joining {
    /// Likeness from [`MIN_LIKENESS`] on.
    pub fn by_likeness(linkage: Linkage) -> Self {
        Joining { threshold: MIN_LIKENESS, policy: Policy::Likeness, linkage }
    }

    pub(crate) fn joins(&self, shared: Shared) -> bool {
        match self.policy {
            Policy::Resemblance | Policy::Likeness => shared.resemblance() >= self.threshold,
            Policy::Containment => shared.containment() >= self.threshold,
        }
    }

    /// How many of so many shingles two documents must have in common to be joined.
    pub(crate) fn needed(&self, a: f64, b: f64) -> f64 {
        match self.policy {
            Policy::Resemblance | Policy::Likeness => self.threshold / (1.0 + self.threshold) * (a + b),
            Policy::Containment => self.threshold * a.min(b),
        }
    }
}
