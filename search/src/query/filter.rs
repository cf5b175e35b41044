//! Which documents pass a filter, and what is a filter that makes no sense?

use super::phrase::Phrase;
use crate::error::QueryError;
use crate::schema::{Fields, canonical_host};
use crate::tokenizer::name_words;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{Query, RangeQuery, TermQuery};
use tantivy::schema::IndexRecordOption;

/// What a document must be, whatever it says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Filter {
    /// On this host or one below it.
    Site(String),
    /// By somebody whose name has these words in a row.
    Author(Vec<String>),
    /// In this language.
    Language(String),
    /// Dated before this second.
    Before(i64),
    /// Dated in this second or after it.
    After(i64),
}

const DATE_REMEDY: &str = "give a date like 2026-05-01 or a time like 2026-05-01T09:30:00Z";

impl Filter {
    /// The filters by their names; `title` is none, because it ranks.
    pub fn parse(name: &'static str, value: &str) -> Result<Self, QueryError> {
        let (filter, remedy) = match name {
            "site" => (site(value), "give a host, as in site:example.com"),
            "author" => (author(value), "give a name, as in author:kim or author:\"kim min-su\""),
            "lang" => (language(value), "give a language tag, as in lang:ko"),
            "before" => (time(value).map(Filter::Before), DATE_REMEDY),
            _ => (time(value).map(Filter::After), DATE_REMEDY),
        };
        filter.ok_or_else(|| wrong(name, value, remedy))
    }

    /// As a query of tantivy.
    pub fn build(&self, fields: &Fields) -> Box<dyn Query> {
        let exactly = |field, text: &str| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
        };
        let date = |seconds: i64| Term::from_field_i64(fields.date, seconds);
        match self {
            Filter::Site(host) => exactly(fields.site, host),
            Filter::Language(tag) => exactly(fields.language, tag),
            Filter::Author(words) => match words.as_slice() {
                [word] => exactly(fields.author, word),
                words => Box::new(Phrase::of_words(fields.author, words)),
            },
            Filter::Before(time) => Box::new(RangeQuery::new(Bound::Unbounded, Bound::Excluded(date(*time)))),
            Filter::After(time) => Box::new(RangeQuery::new(Bound::Included(date(*time)), Bound::Unbounded)),
        }
    }
}

/// A filter that makes no sense.
pub(super) fn wrong(filter: &'static str, value: &str, remedy: &'static str) -> QueryError {
    QueryError::Filter { filter, value: value.chars().take(60).collect(), remedy }
}

fn site(value: &str) -> Option<Filter> {
    let host = canonical_host(value);
    let is_wrong = |character: char| character.is_whitespace() || "/:?#@\"".contains(character);
    (!host.is_empty() && !host.contains(is_wrong)).then_some(Filter::Site(host))
}

fn author(value: &str) -> Option<Filter> {
    let words = name_words(value);
    (!words.is_empty()).then_some(Filter::Author(words))
}

fn language(value: &str) -> Option<Filter> {
    let tag = value.to_lowercase().replace('_', "-");
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_tag = tag.len() <= 35 && tag.split('-').next().is_some_and(|first| first.len() >= 2);
    (is_tag && tag.split('-').all(is_part)).then_some(Filter::Language(tag))
}

/// The second of a date (where it begins, in UTC) or a time.
fn time(value: &str) -> Option<i64> {
    if value.len() > "2026-05-01".len() {
        return value.parse::<Timestamp>().ok().map(|time| time.as_second());
    }
    let start = value.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(start.timestamp().as_second())
}
