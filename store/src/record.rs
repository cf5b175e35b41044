//! A document as the store keeps it: what its sender said, what was computed from it, what was judged.

/// Where a document stands in the order that decides who was first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The time it is judged by, in Unix seconds: `created_at` if that can be believed, else `received_at`.
    pub judged_at: i64,
    /// The number it arrived with; later is larger.
    pub arrival: u32,
}

/// What an editor declared a document to be, whatever it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It was there before all others: those that match it are its copies.
    First,
    /// It is nobody's copy; all others are judged as if nothing had been declared.
    Independent,
}

impl Standing {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Standing::First => "first",
            Standing::Independent => "independent",
        }
    }

    /// What a word stands for.
    pub fn from_name(name: &str) -> Option<Self> {
        [Standing::First, Standing::Independent].into_iter().find(|standing| standing.name() == name)
    }
}

/// What was decided about a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judgement {
    /// The number of its original; none if it is one itself.
    pub original: Option<u32>,
    /// Features it shares with its original.
    pub shared_features: u32,
    /// Its resemblance with the original.
    pub resemblance: f64,
    /// Its containment in the original.
    pub containment: f64,
    /// Why: a word of the interface.
    pub reason: String,
    /// "declared" or "same_author", if its sender names the original as source or wrote it.
    pub attribution: Option<String>,
    /// The name of the relation to its original; none if it was judged by another policy.
    pub relation: Option<String>,
    /// Likeness with the original, from 0 to 1.
    pub likeness: f64,
    /// The share of its words that the original has.
    pub covered: f64,
    /// The share of the original's words that it has.
    pub original_covered: f64,
}

/// A document in the store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The store's own number for it, in the order of arrival; never used again.
    pub number: u32,
    /// The name its sender gave it.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Language: told from the text, else as declared.
    pub language: Option<String>,
    /// Where its sender says it was taken from.
    pub source_url: Option<String>,
    /// Whatever else its sender said, as a JSON object.
    pub metadata: Option<String>,
    /// When it was created, as claimed, in Unix seconds.
    pub created_at: Option<i64>,
    /// When this version was received, in Unix seconds.
    pub received_at: i64,
    /// Where it stands in the order.
    pub place: Place,
    /// What an editor declared it to be.
    pub standing: Option<Standing>,
    /// The time it would be judged by if nothing had been declared; none if that is the time of its place.
    pub natural_judged_at: Option<i64>,
    /// Whether its claimed date was too early to be believed.
    pub backdated: bool,
    /// 1, and one more for every other content under the same id.
    pub version: u32,
    /// The content of this version.
    pub content: u32,
    /// Tokens of its core text.
    pub tokens: u32,
    /// Different shingles, or ready-made features.
    pub shingles: u32,
    /// The weight of its words as they are compared; 0 if it was judged by another policy.
    pub weight: u32,
    /// The share of the page's dense text that its core text holds.
    pub kept_share: f64,
    /// The fingerprint of its bytes.
    pub identical: u128,
    /// The fingerprint of its words.
    pub lexical: u128,
    /// The features of the store-time check.
    pub features: Vec<u64>,
    /// The keys that candidates are found by.
    pub keys: Vec<u64>,
    /// What was cut, mended or contradictory.
    pub warnings: Vec<String>,
    /// What was decided about it.
    pub judgement: Judgement,
}

/// The time of what was there before all others.
const BEFORE_ALL: i64 = i64::MIN;

impl Document {
    /// Declares it to be something, or nothing any more; its place moves with that.
    pub fn declare(&mut self, standing: Option<Standing>) {
        let natural = self.natural_judged_at.take().unwrap_or(self.place.judged_at);
        self.standing = standing;
        self.place.judged_at = natural;
        if standing == Some(Standing::First) {
            self.natural_judged_at = Some(natural);
            self.place.judged_at = BEFORE_ALL;
        }
    }
}

/// An earlier version of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// Which one.
    pub version: u32,
    /// Its content.
    pub content: u32,
    /// When it was received.
    pub received_at: i64,
    /// When it was created, as claimed.
    pub created_at: Option<i64>,
    /// Its title.
    pub title: Option<String>,
}
