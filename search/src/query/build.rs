//! Which terms does tantivy look up for a query, and what are they worth?

use super::cores::{Core, cores};
use super::phrase::{Phrase, Slot, starting_with};
use super::{Clause, Query};
use crate::schema::Fields;
use crate::terms::{Unit, term_of};
use std::collections::BTreeSet;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, InvertedIndexRangeQuery, Occur,
    Query as Tree, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

/// A word in the title is worth so many in the text.
const TITLE: f32 = 2.0;
/// The words in a row are worth so much more for each of them: about what a term of middling rarity is worth by itself.
const PHRASE: f32 = 4.0;
/// Two characters with a space between them, where they were looked for without one.
const SPACED: f32 = 0.5;
/// Of more cores than this not all are wanted, but [`MOST`].
const FEW_CORES: usize = 8;
const MOST: f32 = 0.75;
/// Links of a run of which not all are wanted (학교급식 finds 학교의 급식), but [`ENOUGH`].
const FEW_LINKS: usize = 2;
const ENOUGH: f32 = 0.6;
/// Units of a phrase that is only worth more, not wanted.
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
                    marks.terms.extend(either(&x.form, &y.form));
                }
            }
        }
        marks
    }

    /// The words that are looked for anywhere: their cores are wanted, all else makes a hit better.
    fn words_wanted(&self, fields: &Fields) -> Vec<Part> {
        let words: Vec<&Clause> = self.clauses.iter().filter(|clause| clause.is_plain_word()).collect();
        let cores: BTreeSet<Core> = words.iter().flat_map(|word| cores(&word.units)).collect();
        let mut parts = wanted(cores.iter().map(|core| core.build(fields.text)).collect());
        let units: Vec<Unit> = words.iter().flat_map(|word| as_typed(&word.units)).collect();
        parts.extend(different_terms(&units).iter().map(|term| in_title(fields, term)));
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
fn beyond(cores: &BTreeSet<Core>, units: &[Unit]) -> impl Iterator<Item = String> {
    let known: BTreeSet<String> = cores.iter().flat_map(Core::terms).collect();
    different_terms(units).into_iter().filter(move |term| !known.contains(term))
}

fn different_terms(units: &[Unit]) -> BTreeSet<String> {
    terms(units).into_iter().map(|(_, term)| term).collect()
}

fn in_title(fields: &Fields, term: &str) -> Part {
    (Occur::Should, Box::new(BoostQuery::new(exactly(fields.title, term), TITLE)))
}

/// What was typed in a row, wherever spaces are, if that is more than one term.
fn in_a_row(field: Field, units: &[Unit]) -> Option<Part> {
    let slots = slots(&units[..units.len().min(LONGEST_PHRASE)]);
    let worth = PHRASE * slots.len() as f32;
    let query = (slots.len() > 1).then(|| Phrase::new(field, slots))?;
    Some((Occur::Should, Box::new(BoostQuery::new(Box::new(query), worth))))
}

impl Core {
    fn build(&self, field: Field) -> Box<dyn Tree> {
        match self {
            Core::Word(word) => exactly(field, word),
            Core::Character(character) => of_character(field, character),
            Core::Run(characters) => {
                let different: BTreeSet<_> = links(characters).collect();
                let links: Vec<_> = different.into_iter().map(|(x, y)| link(field, x, y)).collect();
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
fn of_character(field: Field, character: &str) -> Box<dyn Tree> {
    let (low, high) = starting_with(character);
    let bound = |bound: Bound<String>| bound.map(|text| Term::from_field_text(field, &text));
    Box::new(InvertedIndexRangeQuery::new(bound(low), bound(high)))
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
        let terms = different_terms(&self.units);
        parts.extend(terms.iter().map(|term| (Occur::Should, exactly(field, term))));
        parts.extend(terms.iter().map(|term| in_title(fields, term)));
        parts
    }
}

/// Exactly these units one after the other; only space and punctuation between them may differ.
fn in_this_order(field: Field, units: &[Unit]) -> Box<dyn Tree> {
    match units {
        [only] if only.is_character => of_character(field, &only.form),
        [only] => exactly(field, &only.form),
        units => Box::new(Phrase::new(field, slots(units))),
    }
}

/// What may stand at the place of each unit. A last character is part of the term before it, if that is one of characters.
fn slots(units: &[Unit]) -> Vec<(u32, Slot)> {
    let slot = |at: usize| {
        let (unit, next) = (&units[at], units.get(at + 1));
        let is_covered = at > 0 && units[at - 1].is_character;
        let form = || unit.form.clone();
        match next {
            Some(next) if unit.is_character && next.is_character => {
                Some(Slot::Terms(either(&unit.form, &next.form)))
            }
            None if unit.is_character && is_covered => None,
            None if unit.is_character => Some(Slot::StartingWith(form())),
            _ => Some(Slot::Terms(vec![form()])),
        }
    };
    (0..units.len()).filter_map(|at| Some((at as u32, slot(at)?))).collect()
}

/// Two characters that touch, or do not.
fn either(x: &str, y: &str) -> Vec<String> {
    vec![format!("{x}{y}"), format!("{x} {y}")]
}
