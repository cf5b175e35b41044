//! Which terms does tantivy look up for a query, and what are they worth?

use super::cores::{Core, cores};
use super::{Clause, Query};
use crate::schema::Fields;
use crate::terms::{Unit, term_of};
use std::collections::BTreeSet;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, InvertedIndexRangeQuery, Occur,
    PhraseQuery, Query as Tree, RegexPhraseQuery, TermQuery, wildcard_query_to_regex_str,
};
use tantivy::schema::{Field, IndexRecordOption};

/// A word in the title is worth so many in the text.
const TITLE: f32 = 2.0;
/// The words in a row are worth so much more.
const PHRASE: f32 = 1.0;
/// Two characters with a space between them, where they were looked for without one.
const SPACED: f32 = 0.5;
/// Of more cores than this not all are wanted, but [`MOST`].
const FEW_CORES: usize = 8;
const MOST: f32 = 0.75;
/// Links of a run of which not all are wanted (학교급식 finds 학교의 급식), but [`ENOUGH`].
const FEW_LINKS: usize = 2;
const ENOUGH: f32 = 0.6;
/// Terms of a phrase that is only worth more, not wanted.
const LONGEST_PHRASE: usize = 64;

type Part = (Occur, Box<dyn Tree>);

/// The terms that are shown as matches.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    terms: BTreeSet<String>,
    characters: BTreeSet<String>,
}

impl Marks {
    /// Whether a term of a text is one of them.
    pub fn contain(&self, term: &str) -> bool {
        let first = term.chars().next().map_or(0, char::len_utf8);
        self.terms.contains(term) || self.characters.contains(&term[..first])
    }
}

impl Query {
    /// As a query of tantivy.
    pub(crate) fn build(&self, fields: &Fields) -> Box<dyn Tree> {
        if self.is_hopeless {
            return Box::new(EmptyQuery);
        }
        let mut parts = self.words_wanted(fields);
        parts.extend(
            self.clauses
                .iter()
                .filter(|clause| !clause.is_plain_word())
                .flat_map(|clause| clause.build(fields)),
        );
        parts.extend(self.filters.iter().map(|(is_unwanted, filter)| {
            let occur = if *is_unwanted { Occur::MustNot } else { Occur::Must };
            (occur, worth_nothing(filter.build(fields)))
        }));
        if !parts.iter().any(|(occur, _)| *occur == Occur::Must) {
            parts.push((Occur::Must, worth_nothing(Box::new(AllQuery))));
        }
        Box::new(BooleanQuery::with_minimum_required_clauses(parts, 0))
    }

    /// All terms of wanted words.
    pub(crate) fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        for clause in self.wanted() {
            for core in cores(&clause.units) {
                match core {
                    Core::Word(word) => drop(marks.terms.insert(word)),
                    Core::Character(character) => drop(marks.characters.insert(character)),
                    Core::Run(_) => {}
                }
            }
            for (x, y) in clause.units.iter().zip(clause.units.iter().skip(1)) {
                if x.is_character && y.is_character {
                    marks.terms.extend([format!("{}{}", x.form, y.form), format!("{} {}", x.form, y.form)]);
                }
            }
        }
        marks
    }

    /// The words that are looked for anywhere: their cores are wanted, all else makes a hit better.
    fn words_wanted(&self, fields: &Fields) -> Vec<Part> {
        let words: Vec<&Clause> = self.clauses.iter().filter(|clause| clause.is_plain_word()).collect();
        let cores: Vec<Core> = words.iter().flat_map(|word| cores(&word.units)).collect();
        let mut parts = wanted(cores.iter().map(|core| core.build(fields.text)).collect());
        let units: Vec<Unit> = words.iter().flat_map(|word| as_typed(&word.units)).collect();
        parts.extend(terms(&units).into_iter().map(|(_, term)| in_title(fields, &term)));
        parts.extend(beyond(&cores, &units).map(|term| (Occur::Should, exactly(fields.text, &term))));
        parts.extend([fields.text, fields.title].into_iter().filter_map(|field| in_a_row(field, &units)));
        parts
    }
}

/// All of these, or most of many.
fn wanted(queries: Vec<Box<dyn Tree>>) -> Vec<Part> {
    let count = queries.len();
    if count <= FEW_CORES {
        return queries.into_iter().map(|query| (Occur::Must, query)).collect();
    }
    vec![(Occur::Must, at_least(queries, share(count, MOST)))]
}

fn share(count: usize, share: f32) -> usize {
    (count as f32 * share).ceil() as usize
}

/// A typed word stands alone: it does not touch the one before.
fn as_typed(units: &[Unit]) -> impl Iterator<Item = Unit> {
    units.iter().enumerate().map(|(at, unit)| Unit { is_joined: unit.is_joined && at > 0, ..unit.clone() })
}

/// The terms of units and their positions; the last character, whose term depends on what follows, has none.
fn terms(units: &[Unit]) -> Vec<(usize, String)> {
    let mut terms = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let next = units.get(at + 1);
        if !unit.is_character || next.is_some() {
            let mut term = String::new();
            term_of(unit, next, &mut term);
            terms.push((at, term));
        }
    }
    terms
}

/// The terms of what was typed that are in no core: particles, endings, spaces.
fn beyond(cores: &[Core], units: &[Unit]) -> impl Iterator<Item = String> {
    let mut known: BTreeSet<String> = cores.iter().flat_map(Core::terms).collect();
    terms(units).into_iter().map(|(_, term)| term).filter(move |term| known.insert(term.clone()))
}

fn in_title(fields: &Fields, term: &str) -> Part {
    (Occur::Should, Box::new(BoostQuery::new(exactly(fields.title, term), TITLE)))
}

/// What was typed in a row, if that is more than one term.
fn in_a_row(field: Field, units: &[Unit]) -> Option<Part> {
    let mut terms = terms(units);
    terms.truncate(LONGEST_PHRASE);
    let terms: Vec<_> =
        terms.into_iter().map(|(at, term)| (at, Term::from_field_text(field, &term))).collect();
    let query = (terms.len() > 1).then(|| PhraseQuery::new_with_offset(terms))?;
    Some((Occur::Should, Box::new(BoostQuery::new(Box::new(query), PHRASE))))
}

impl Core {
    fn build(&self, field: Field) -> Box<dyn Tree> {
        match self {
            Core::Word(word) => exactly(field, word),
            Core::Character(character) => starting_with(field, character),
            Core::Run(characters) => {
                let links: Vec<_> = links(characters).map(|(x, y)| link(field, x, y)).collect();
                let enough = if links.len() <= FEW_LINKS { links.len() } else { share(links.len(), ENOUGH) };
                at_least(links, enough)
            }
        }
    }

    fn terms(&self) -> Vec<String> {
        match self {
            Core::Word(word) => vec![word.clone()],
            Core::Character(_) => Vec::new(),
            Core::Run(characters) => links(characters).map(|(x, y)| format!("{x}{y}")).collect(),
        }
    }
}

fn links(characters: &[String]) -> impl Iterator<Item = (&str, &str)> {
    characters.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str()))
}

/// Two characters one after the other, better without a space.
fn link(field: Field, x: &str, y: &str) -> Box<dyn Tree> {
    let spaced = BoostQuery::new(exactly(field, &format!("{x} {y}")), SPACED);
    Box::new(BooleanQuery::union(vec![exactly(field, &format!("{x}{y}")), Box::new(spaced)]))
}

fn at_least(queries: Vec<Box<dyn Tree>>, count: usize) -> Box<dyn Tree> {
    Box::new(BooleanQuery::union_with_minimum_required_clauses(queries, count))
}

fn exactly(field: Field, term: &str) -> Box<dyn Tree> {
    Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::WithFreqs))
}

/// Every term that starts with a character: every text that holds it.
fn starting_with(field: Field, character: &str) -> Box<dyn Tree> {
    let bound = |text: &str| Term::from_field_text(field, text);
    let above = format!("{character}{}", char::MAX);
    let range =
        InvertedIndexRangeQuery::new(Bound::Included(bound(character)), Bound::Included(bound(&above)));
    Box::new(range)
}

fn worth_nothing(query: Box<dyn Tree>) -> Box<dyn Tree> {
    Box::new(ConstScoreQuery::new(query, 0.0))
}

impl Clause {
    /// A phrase, an unwanted word or phrase, or something in the title.
    fn build(&self, fields: &Fields) -> Vec<Part> {
        let field = if self.in_title { fields.title } else { fields.text };
        if self.is_unwanted {
            return vec![(Occur::MustNot, in_this_order(field, &self.units))];
        }
        let mut parts = match self.is_phrase {
            true => vec![(Occur::Must, worth_nothing(in_this_order(field, &self.units)))],
            false => wanted(cores(&self.units).iter().map(|core| core.build(field)).collect()),
        };
        let terms = terms(&self.units);
        parts.extend(terms.iter().map(|(_, term)| (Occur::Should, exactly(field, term))));
        parts.extend(terms.iter().map(|(_, term)| in_title(fields, term)));
        parts
    }
}

/// Exactly these units one after the other; only space and punctuation between them may differ.
fn in_this_order(field: Field, units: &[Unit]) -> Box<dyn Tree> {
    let patterns = patterns(units);
    match (patterns.as_slice(), units) {
        ([_], [only]) if only.is_character => starting_with(field, &only.form),
        ([_], [only]) => exactly(field, &only.form),
        ([_], [x, y]) => link(field, &x.form, &y.form),
        _ if units.iter().all(|unit| !unit.is_character) => Box::new(PhraseQuery::new(
            units.iter().map(|unit| Term::from_field_text(field, &unit.form)).collect(),
        )),
        _ => Box::new(RegexPhraseQuery::new_with_offset(field, patterns)),
    }
}

/// What the terms of units look like, at their positions. A last character is part of the term before it, if that is one of
/// characters.
fn patterns(units: &[Unit]) -> Vec<(usize, String)> {
    let escaped = |unit: &Unit| wildcard_query_to_regex_str(&unit.form);
    let pattern = |at: usize| {
        let (unit, next) = (&units[at], units.get(at + 1));
        let is_covered = at > 0 && units[at - 1].is_character;
        match next {
            _ if !unit.is_character => Some(escaped(unit)),
            Some(next) if next.is_character => Some(format!("{} ?{}", escaped(unit), escaped(next))),
            Some(_) => Some(escaped(unit)),
            None if is_covered => None,
            None => Some(format!("{}.*", escaped(unit))),
        }
    };
    (0..units.len()).filter_map(|at| Some((at, pattern(at)?))).collect()
}
