//! The naive twin of the engine: it keeps a list, and after every change judges all of it afresh, in order.

use firstcopy_engine::{Changed, Policy, Settings, Standing, Verdict};
use firstcopy_text::likeness::{self, CopyRelation};
use firstcopy_text::{Analyzer, Content, Document, Page, Seed};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A post of the pool, as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    pub id: String,
    pub content: usize,
    pub created_at: Option<i64>,
    pub author: Option<&'static str>,
    pub source: Option<String>,
}

impl Post {
    pub fn page(&self, pool: &[Content]) -> Page {
        let source = self.source.iter().map(|source| ("source_url".to_owned(), source.clone().into()));
        Page {
            id: self.id.clone(),
            content: pool[self.content].clone(),
            created_at: self.created_at,
            author: self.author.map(str::to_owned),
            metadata: source.collect(),
            ..Page::default()
        }
    }
}

/// The seconds of a time in a verdict.
pub fn seconds(time: &str) -> i64 {
    time.parse::<jiff::Timestamp>().unwrap().as_second()
}

/// How two contents match.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    reason: &'static str,
    shared_features: u32,
    resemblance: f64,
    containment: f64,
    relation: Option<CopyRelation>,
    likeness: f64,
}

/// The rule on pairs of contents, computed once for all pairs of a pool.
#[derive(Debug)]
pub struct Judge {
    /// `pairs[a][b]`: whether and how a copies b.
    pairs: Vec<Vec<Option<Pair>>>,
    /// Whether an edit from one to the other leaves it the same text, nominated or not.
    same_text: Vec<Vec<bool>>,
    /// Whether two contents say the same byte for byte and word for word.
    equal: Vec<Vec<bool>>,
}

impl Judge {
    pub fn new(pool: &[Content], settings: &Settings, seeds: [u8; 32]) -> Self {
        let analyzer = Analyzer::new(settings.parameters(), &Seed::new(seeds));
        let facts: Vec<Document> = pool
            .iter()
            .map(|content| analyzer.document(Page { content: content.clone(), ..Page::default() }))
            .collect();
        let rule = Rule { settings };
        fn table<T>(facts: &[Document], of: impl Fn(&Document, &Document) -> T) -> Vec<Vec<T>> {
            facts.iter().map(|a| facts.iter().map(|b| of(a, b)).collect()).collect()
        }
        Judge {
            pairs: table(&facts, |a, b| rule.pair(a, b).filter(|_| rule.nominates(a, b))),
            same_text: table(&facts, |a, b| rule.pair(a, b).is_some()),
            equal: table(&facts, |a, b| {
                a.whole.identical == b.whole.identical && a.whole.lexical == b.whole.lexical
            }),
        }
    }

    /// Judges all documents afresh, in the order of their places.
    pub fn judge<'a>(&self, live: impl IntoIterator<Item = &'a Live>) -> BTreeMap<String, Expected> {
        let mut documents: Vec<&Live> = live.into_iter().collect();
        documents.sort_by_key(|document| document.order());
        let mut originals: Vec<&Live> = Vec::new();
        let mut expected = BTreeMap::new();
        for document in documents {
            let original = self.original(document, &originals);
            if original.is_none() {
                originals.push(document);
            }
            expected.insert(document.id.clone(), Expected::of(document, original));
        }
        expected
    }

    /// The earliest with the same words, else the earliest that matches; nobody's copy if that was declared.
    fn original<'a>(&self, document: &Live, originals: &[&'a Live]) -> Option<(&'a Live, Pair)> {
        if document.standing.is_some() {
            return None;
        }
        let matching = |other: &&'a Live| Some((*other, self.pairs[document.content][other.content]?));
        let matches: Vec<(&Live, Pair)> = originals.iter().filter_map(matching).collect();
        let is_exact = |(_, pair): &&(&Live, Pair)| matches!(pair.reason, "identical" | "lexical");
        matches.iter().find(is_exact).or(matches.first()).copied()
    }

    /// How many pairs of different contents match, and how many times two matches do not make a third.
    pub fn matches_and_open_chains(&self) -> (usize, usize) {
        let matches = |a: usize, b: usize| a != b && self.pairs[a][b].is_some();
        let all = 0..self.pairs.len();
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        let matching: Vec<(usize, usize)> = pairs.filter(|&(a, b)| matches(a, b)).collect();
        let open = |&(a, b): &(usize, usize)| {
            all.clone().filter(|&c| c != a && matches(b, c) && !matches(a, c)).count()
        };
        (matching.len(), matching.iter().map(open).sum())
    }
}

/// The predicate of the design, from the definitions.
struct Rule<'a> {
    settings: &'a Settings,
}

impl Rule<'_> {
    fn is_paper(&self) -> bool {
        self.settings.policy == Policy::Paper
    }

    /// Two of six features in the papers' rule, one candidate key for resemblance, two or three for likeness.
    fn nominates(&self, a: &Document, b: &Document) -> bool {
        let keys = shared(&a.candidate_keys.0, &b.candidate_keys.0);
        match self.settings.policy {
            Policy::Paper => shared(&a.features.0, &b.features.0) >= 2,
            Policy::Resemblance => keys >= 1,
            Policy::Likeness => {
                let (of_a, of_b) = (a.words.total_weight(), b.words.total_weight());
                likeness::may_be_copies(of_a, of_b, keys, self.settings.min_likeness)
            }
        }
    }

    /// The relation of a later document to an earlier one, and their likeness, if words decide.
    fn relation(&self, later: &Document, earlier: &Document) -> Option<(CopyRelation, f64)> {
        let is_same = later.whole.lexical == earlier.whole.lexical;
        if self.settings.policy != Policy::Likeness {
            return None;
        }
        if is_same {
            let is_identical = later.whole.identical == earlier.whole.identical;
            let relation = if is_identical { CopyRelation::Identical } else { CopyRelation::SameWords };
            return Some((relation, 1.0));
        }
        let has_words = !later.words.is_empty() && !earlier.words.is_empty();
        let compared = has_words.then(|| likeness::compare(&earlier.words, &later.words))?;
        Some((compared.relation(self.settings.min_likeness), compared.likeness))
    }

    fn pair(&self, a: &Document, b: &Document) -> Option<Pair> {
        if a.shingles.is_empty() || b.shingles.is_empty() {
            return None;
        }
        let set_of = |document: &Document| document.shingles.as_slice().iter().copied().collect();
        let (of_a, of_b): (HashSet<u64>, HashSet<u64>) = (set_of(a), set_of(b));
        let (common, all) = (of_a.intersection(&of_b).count(), of_a.union(&of_b).count());
        let shared_features = shared(&a.features.0, &b.features.0);
        let resemblance = common as f64 / all as f64;
        let is_long = |document: &Document| {
            let tokens = document.tokens.len();
            (tokens == 0 || tokens >= 30) && document.shingles.len() >= 20
        };
        let relation = self.relation(a, b);
        let reason = match () {
            () if a.whole.lexical == b.whole.lexical && a.whole.identical == b.whole.identical => "identical",
            () if a.whole.lexical == b.whole.lexical => "lexical",
            () if self.is_paper() && is_long(a) && is_long(b) => {
                (shared_features >= 2 && common > 0).then_some("features")?
            }
            () if relation.is_some() => relation
                .filter(|(relation, _)| self.settings.duplicates.contains(relation))
                .map(|_| "likeness")?,
            () => (resemblance >= self.settings.min_resemblance).then_some("resemblance")?,
        };
        let containment = common as f64 / of_a.len() as f64;
        Some(Pair {
            reason,
            shared_features: shared_features as u32,
            resemblance,
            containment,
            relation: relation.map(|(relation, _)| relation),
            likeness: relation.map_or(0.0, |(_, likeness)| likeness),
        })
    }
}

fn shared(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

/// A document that is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    pub id: String,
    pub content: usize,
    /// The time it is judged by, and how many contents came before it.
    pub place: (i64, u64),
    pub author: Option<&'static str>,
    pub source: Option<String>,
    pub version: u32,
    pub standing: Option<Standing>,
}

impl Live {
    /// What was declared to be first comes before all that was not, in the order of arrival.
    fn order(&self) -> (bool, i64, u64) {
        let is_first = self.standing == Some(Standing::First);
        (!is_first, if is_first { 0 } else { self.place.0 }, self.place.1)
    }
}

/// What is to be said of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    pub original: Option<String>,
    pub reason: String,
    pub shared_features: u32,
    pub resemblance: f64,
    pub containment: f64,
    pub attribution: Option<String>,
    pub relation: Option<CopyRelation>,
    pub likeness: f64,
    pub version: u32,
}

impl Expected {
    fn of(document: &Live, original: Option<(&Live, Pair)>) -> Self {
        let pair = original.map(|(_, pair)| pair);
        Expected {
            original: original.map(|(original, _)| original.id.clone()),
            reason: pair.map_or("none", |pair| pair.reason).to_owned(),
            shared_features: pair.map_or(0, |pair| pair.shared_features),
            resemblance: pair.map_or(0.0, |pair| pair.resemblance),
            containment: pair.map_or(0.0, |pair| pair.containment),
            attribution: original.and_then(|(original, _)| attribution(document, original)),
            relation: pair.and_then(|pair| pair.relation),
            likeness: pair.map_or(0.0, |pair| pair.likeness),
            version: document.version,
        }
    }

    /// The same of a verdict that was given.
    pub fn given(verdict: &Verdict) -> Self {
        let Verdict { original, reason, attribution, version, .. } = verdict.clone();
        // Only where words decided there is a likeness; of an original it is that of the closest document.
        let is_by_words = original.is_some() && verdict.likeness > 0.0;
        Expected {
            original,
            reason,
            attribution,
            relation: is_by_words.then_some(verdict.relation),
            likeness: if is_by_words { verdict.likeness } else { 0.0 },
            version,
            shared_features: verdict.shared_features,
            resemblance: verdict.resemblance,
            containment: verdict.containment,
        }
    }
}

fn attribution(document: &Live, original: &Live) -> Option<String> {
    let same_author = match (document.author, original.author) {
        (Some(a), Some(b)) => a.trim().eq_ignore_ascii_case(b.trim()),
        _ => false,
    };
    match document.source.as_ref() == Some(&original.id) {
        true => Some("declared".to_owned()),
        false => same_author.then(|| "same_author".to_owned()),
    }
}

/// What is stored, and what was.
#[derive(Debug, Clone, Default)]
pub struct Model {
    live: BTreeMap<String, Live>,
    last_versions: HashMap<String, u32>,
    arrivals: u64,
}

/// 1990-01-01.
const OLDEST: i64 = 631_152_000;

impl Model {
    /// Stores a post that was received at this time; false if it says nothing new.
    pub fn add(&mut self, judge: &Judge, post: &Post, received_at: i64) -> bool {
        let before = self.live.get(&post.id);
        if before.is_some_and(|before| judge.equal[before.content][post.content]) {
            return false;
        }
        self.arrivals += 1;
        let claimed = post.created_at.filter(|time| (OLDEST..=received_at).contains(time));
        let mut place = (claimed.unwrap_or(received_at), self.arrivals);
        let mut standing = None;
        // An edit keeps its place, and what was declared, as far as it is the same text still.
        if let Some(before) = before.filter(|before| judge.same_text[post.content][before.content]) {
            place.1 = before.place.1;
            standing = before.standing;
            if post.created_at.is_none() {
                place.0 = before.place.0;
            }
        }
        let version = self.last_versions.get(&post.id).map_or(1, |last| last + 1);
        let Post { id, content, author, source, .. } = post.clone();
        self.last_versions.insert(id.clone(), version);
        self.live.insert(id.clone(), Live { id, content, place, author, source, version, standing });
        true
    }

    /// Deletes a post; false if there is none.
    pub fn delete(&mut self, id: &str) -> bool {
        self.live.remove(id).is_some()
    }

    /// Declares a post to be something; false if there is none.
    pub fn decide(&mut self, id: &str, standing: Option<Standing>) -> bool {
        self.live.get_mut(id).map(|live| live.standing = standing).is_some()
    }

    pub fn judge(&self, judge: &Judge) -> BTreeMap<String, Expected> {
        judge.judge(self.live.values())
    }
}

/// Whose verdict differs between two states, apart from the one that was changed itself.
pub fn changed(
    before: &BTreeMap<String, Expected>,
    after: &BTreeMap<String, Expected>,
    but: &str,
) -> Vec<Changed> {
    let differs = |id: &str, now: &Expected| before.get(id).is_some_and(|then| then != now) && id != but;
    let now = after.iter().filter(|(id, now)| differs(id, now));
    now.map(|(id, now)| Changed {
        id: id.clone(),
        verdict: if now.original.is_some() { "duplicate" } else { "original" },
        original: now.original.clone(),
    })
    .collect()
}
