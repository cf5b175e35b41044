//! What a data directory's features and verdicts depend on, as `firstcopy.toml` holds it.

use crate::error::EngineError;
use firstcopy_index::Rule;
use firstcopy_text::likeness::{CopyRelation, KEYS, MIN_LIKENESS};
use firstcopy_text::{FeatureRule, Parameters};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What makes a document a duplicate of its candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Policy {
    /// The words that are the same: a likeness of at least `min_likeness`, or an excerpt.
    #[default]
    Likeness,
    /// True resemblance of at least `min_resemblance`.
    Resemblance,
    /// Two of six features agree (lee-2008).
    Paper,
}

impl Policy {
    /// Its name on the command line and in the settings file.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Likeness => "likeness",
            Policy::Resemblance => "resemblance",
            Policy::Paper => "paper",
        }
    }
}

/// The settings of a data directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Settings {
    /// Words of a shingle (broder-1997: 10).
    pub shingle_words: usize,
    /// What makes a duplicate.
    pub policy: Policy,
    /// The resemblance from which on two documents are copies, with the policy `resemblance`.
    pub min_resemblance: f64,
    /// The likeness from which on two documents are copies, with the policy `likeness`.
    pub min_likeness: f64,
    /// The relations to an earlier document that make a duplicate, with the policy `likeness`.
    pub duplicates: Vec<CopyRelation>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            shingle_words: 10,
            policy: Policy::default(),
            min_resemblance: 0.8,
            min_likeness: MIN_LIKENESS,
            duplicates: default_duplicates(),
        }
    }
}

/// The relations that make a duplicate unless others are asked for. An extended text stays an original: it has text of its own.
fn default_duplicates() -> Vec<CopyRelation> {
    CopyRelation::ALL.into_iter().filter(|relation| relation.is_copy()).collect()
}

fn default_min_likeness() -> f64 {
    MIN_LIKENESS
}

/// The settings a user asks for; what is left open is taken from the data directory, or is the default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// Words of a shingle.
    pub shingle_words: Option<usize>,
    /// What makes a duplicate.
    pub policy: Option<Policy>,
    /// The resemblance from which on two documents are copies. Asks for the policy `resemblance` if none is asked for.
    pub min_resemblance: Option<f64>,
    /// The likeness from which on two documents are copies.
    pub min_likeness: Option<f64>,
    /// The relations that make a duplicate.
    pub duplicates: Option<Vec<CopyRelation>>,
}

const HEAD: &str = "\
# What the stored features and verdicts of this data directory depend on.
# Change a value only together with `firstcopy reindex`, which recomputes all of them.
# What `firstcopy serve` is told goes into a table [serve] at the end; nothing depends on that.
";

/// The table of the settings file that the service reads; no verdict depends on it.
const OTHERS_TABLE: &str = "[serve]";

/// The settings file, with what others keep in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    shingle_words: usize,
    policy: Policy,
    min_resemblance: f64,
    // Files written before the policy `likeness` was there do not have these.
    #[serde(default = "default_min_likeness")]
    min_likeness: f64,
    #[serde(default = "default_duplicates")]
    duplicates: Vec<CopyRelation>,
    #[serde(default, rename = "serve")]
    _serve: Option<serde::de::IgnoredAny>,
}

impl Settings {
    /// As the settings file says it.
    pub fn to_toml(&self) -> String {
        // Plain values always can be written.
        HEAD.to_owned() + &toml::to_string(self).unwrap_or_default()
    }

    /// Reads the settings file.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, EngineError> {
        let wrong = |reason: String| EngineError::Settings { path: path.to_owned(), reason };
        let File { shingle_words, policy, min_resemblance, min_likeness, duplicates, .. } =
            toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let settings = Settings { shingle_words, policy, min_resemblance, min_likeness, duplicates };
        settings.check().map_err(wrong)?;
        Ok(settings)
    }

    /// The same settings file with these values: what others keep in it stays as it is.
    pub(crate) fn to_toml_beside(&self, file: &str) -> String {
        let mut lines = file.split_inclusive('\n').skip_while(|line| line.trim() != OTHERS_TABLE).peekable();
        let gap = if lines.peek().is_some() { "\n" } else { "" };
        self.to_toml() + gap + &lines.collect::<String>()
    }

    /// What is wrong with the values, if anything.
    fn check(&self) -> Result<(), String> {
        if !(1..=1000).contains(&self.shingle_words) {
            return Err(format!("shingle_words is {}, must be 1 to 1000", self.shingle_words));
        }
        for (name, value) in [("min_resemblance", self.min_resemblance), ("min_likeness", self.min_likeness)]
        {
            if !(value > 0.0 && value <= 1.0) {
                return Err(format!("{name} is {value}, must be above 0 and at most 1"));
            }
        }
        if self.duplicates.contains(&CopyRelation::None) {
            return Err("duplicates has none: a document without a copy is no duplicate".to_owned());
        }
        Ok(())
    }

    /// These settings with what a user asks for.
    pub fn with(&self, wanted: &Wanted) -> Settings {
        Settings {
            shingle_words: wanted.shingle_words.unwrap_or(self.shingle_words),
            policy: wanted.policy.unwrap_or(self.policy),
            min_resemblance: wanted.min_resemblance.unwrap_or(self.min_resemblance),
            min_likeness: wanted.min_likeness.unwrap_or(self.min_likeness),
            duplicates: wanted.duplicates.clone().unwrap_or_else(|| self.duplicates.clone()),
        }
    }

    /// The values in one line each: to compare and to show.
    fn values(&self) -> [(&'static str, String); 5] {
        let duplicates: Vec<&str> = self.duplicates.iter().map(|relation| relation.name()).collect();
        [
            ("shingle-words", self.shingle_words.to_string()),
            ("policy", self.policy.name().to_owned()),
            ("min-resemblance", self.min_resemblance.to_string()),
            ("min-likeness", self.min_likeness.to_string()),
            ("duplicates", duplicates.join(",")),
        ]
    }

    /// The first value in which others differ: its name, ours, theirs.
    pub(crate) fn difference(&self, other: &Settings) -> Option<(&'static str, String, String)> {
        let pairs = self.values().into_iter().zip(other.values());
        pairs.filter(|(a, b)| a != b).map(|((name, a), (_, b))| (name, a, b)).next()
    }

    /// What the text crate computes features with.
    pub fn parameters(&self) -> Parameters {
        let features = FeatureRule::default();
        let candidates = match self.policy {
            Policy::Likeness | Policy::Paper => features,
            Policy::Resemblance => FeatureRule::nominating(self.min_resemblance, features.minima()),
        };
        let by_likeness = self.policy == Policy::Likeness;
        Parameters {
            shingle_words: self.shingle_words,
            features,
            candidates,
            by_likeness,
            ..Parameters::default()
        }
    }

    /// How the duplicate index takes the keys.
    pub(crate) fn rule(&self) -> Rule {
        match self.policy {
            // One is enough to name the closest document; copies share more, which is looked at afterwards.
            Policy::Likeness => Rule { keys: KEYS, needed: 1 },
            Policy::Resemblance | Policy::Paper => {
                let candidates = self.parameters().candidates;
                Rule { keys: candidates.groups, needed: candidates.needed }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_it_was_made_from() {
        for settings in [
            Settings::default(),
            Settings {
                shingle_words: 4,
                policy: Policy::Paper,
                min_resemblance: 0.55,
                ..Settings::default()
            },
        ] {
            let again = Settings::from_toml(&settings.to_toml(), Path::new("firstcopy.toml"));
            assert_eq!(again.unwrap(), settings);
        }
    }

    #[test]
    fn what_others_keep_in_the_file_is_theirs() {
        let file = Settings::default().to_toml() + "\n[serve]\n# mine\npatience = 5\nwhatever = [1, 2]\n";
        assert_eq!(Settings::from_toml(&file, Path::new("firstcopy.toml")).unwrap(), Settings::default());
        let other = Settings { shingle_words: 4, ..Settings::default() };
        let changed = other.to_toml_beside(&file);
        assert_eq!(Settings::from_toml(&changed, Path::new("firstcopy.toml")).unwrap(), other);
        assert!(changed.ends_with("\n[serve]\n# mine\npatience = 5\nwhatever = [1, 2]\n"), "{changed}");
        assert_eq!(other.to_toml_beside(&Settings::default().to_toml()), other.to_toml());
    }

    #[test]
    fn wrong_values_are_named() {
        for (text, expected) in [
            ("shingle_words = 0\npolicy = \"paper\"\nmin_resemblance = 0.8", "shingle_words is 0"),
            ("shingle_words = 9\npolicy = \"paper\"\nmin_resemblance = 1.8", "min_resemblance is 1.8"),
            ("shingle_words = 9\npolicy = \"papre\"\nmin_resemblance = 0.8", "papre"),
            ("shingle_wrods = 9", "shingle_wrods"),
        ] {
            let error = Settings::from_toml(text, Path::new("x/firstcopy.toml")).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("firstcopy.toml"), "{error}");
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let other = Settings { min_resemblance: 0.7, ..Settings::default() };
        let expected = Some(("min-resemblance", "0.8".to_owned(), "0.7".to_owned()));
        assert_eq!(Settings::default().difference(&other), expected);
        assert_eq!(other.difference(&other), None);
    }
}
