//! What does a query ask for?

mod build;
mod cores;
mod filter;
mod parse;
mod phrase;

use crate::error::QueryError;
use crate::terms::Unit;
use filter::Filter;

pub(crate) use build::Marks;

/// What somebody typed, understood.
///
/// Words are all wanted (of a long text most of them), in title or text; `"a phrase"` in this order; `-word` and
/// `-"phrase"` are not wanted. Filters: `site:example.com` (and hosts below it), `author:name`, `before:2026-05-01`,
/// `after:2026-05-01`, `title:word`, `lang:ko`; a minus before one turns it round. Where only filters and unwanted words
/// are given, and where nothing is typed, every document that passes is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    clauses: Vec<Clause>,
    filters: Vec<(bool, Filter)>,
    /// Text was typed, but no word that any document could hold.
    is_hopeless: bool,
}

/// A word or a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Clause {
    units: Vec<Unit>,
    is_phrase: bool,
    is_unwanted: bool,
    in_title: bool,
}

impl Clause {
    /// Whether it is one of the words that are looked for anywhere.
    fn is_plain_word(&self) -> bool {
        !(self.is_phrase || self.is_unwanted || self.in_title)
    }
}

impl Query {
    /// Understands what somebody typed. Only a filter can be wrong; any other text is words. Of a very long text the
    /// beginning counts.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::parse(text)
    }

    /// The wanted words and phrases in the order they were typed, in canonical form.
    pub fn words(&self) -> Vec<String> {
        self.wanted().map(|clause| spelled(&clause.units)).collect()
    }

    fn wanted(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|clause| !clause.is_unwanted)
    }
}

/// Units written one after the other, as joined as they were.
fn spelled(units: &[Unit]) -> String {
    let mut text = String::new();
    for unit in units {
        if !text.is_empty() && !unit.is_joined {
            text.push(' ');
        }
        text.push_str(&unit.form);
    }
    text
}
