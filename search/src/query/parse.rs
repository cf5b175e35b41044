//! Which words, phrases and filters did somebody type?

use super::filter::{Filter, wrong};
use super::{Clause, Query};
use crate::error::QueryError;
use crate::terms::Units;

/// Bytes of a query that count: about a page.
const MAX_QUERY: usize = 4096;
/// What may stand before a colon.
const NAMES: [&str; 6] = ["site", "author", "before", "after", "title", "lang"];

/// One thing typed between white space.
#[derive(Debug, PartialEq)]
struct Item<'a> {
    is_unwanted: bool,
    name: Option<&'static str>,
    is_quoted: bool,
    value: &'a str,
}

pub(super) fn parse(text: &str) -> Result<Query, QueryError> {
    let mut query = Query { clauses: Vec::new(), filters: Vec::new(), is_hopeless: false };
    let mut rest = text[..text.floor_char_boundary(MAX_QUERY)].trim_start();
    let is_blank = rest.is_empty();
    while let Some((item, after)) = next_item(rest) {
        rest = after;
        take(&mut query, &item)?;
    }
    query.is_hopeless = !is_blank && query.clauses.is_empty() && query.filters.is_empty();
    Ok(query)
}

fn take(query: &mut Query, item: &Item) -> Result<(), QueryError> {
    let in_title = item.name == Some("title");
    if let Some(name) = item.name.filter(|_| !in_title) {
        query.filters.push((item.is_unwanted, Filter::parse(name, item.value)?));
        return Ok(());
    }
    let units: Vec<_> = Units::of(item.value).collect();
    if units.is_empty() && in_title {
        return Err(wrong("title", item.value, "give a word, as in title:word or title:\"two words\""));
    }
    if !units.is_empty() {
        query.clauses.push(Clause {
            units,
            is_phrase: item.is_quoted,
            is_unwanted: item.is_unwanted,
            in_title,
        });
    }
    Ok(())
}

/// The first item, and what comes after it.
fn next_item(text: &str) -> Option<(Item<'_>, &str)> {
    let text = text.trim_start();
    let after_minus = text.strip_prefix('-');
    let rest = after_minus.unwrap_or(text);
    let name = NAMES.into_iter().find(|name| is_named(rest, name));
    let rest = name.map_or(rest, |name| &rest[name.len() + 1..]);
    let opened = rest.strip_prefix(is_quote);
    let (value, after) = match opened {
        Some(quoted) => quoted.split_once(is_quote).unwrap_or((quoted, "")),
        None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
    };
    let item = Item { is_unwanted: after_minus.is_some(), name, is_quoted: opened.is_some(), value };
    (!text.is_empty()).then_some((item, after))
}

fn is_named(text: &str, name: &str) -> bool {
    let start = text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    start && text[name.len()..].starts_with(':')
}

fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What was understood, in a line.
    fn told(text: &str) -> String {
        let query = match Query::parse(text) {
            Ok(query) => query,
            Err(error) => return error.to_string(),
        };
        let clause = |clause: &Clause| {
            let minus = if clause.is_unwanted { "-" } else { "" };
            let title = if clause.in_title { "title:" } else { "" };
            let quote = if clause.is_phrase { "\"" } else { "" };
            format!("{minus}{title}{quote}{}{quote}", super::super::spelled(&clause.units))
        };
        let filter = |(is_unwanted, filter): &(bool, Filter)| {
            format!("{}{filter:?}", if *is_unwanted { "-" } else { "" })
        };
        let parts = query.clauses.iter().map(clause).chain(query.filters.iter().map(filter));
        let hopeless = query.is_hopeless.then(|| "(hopeless)".to_owned());
        parts.chain(hopeless).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_understood() {
        let cases = [
            ("", ""),
            ("  \u{3000}", ""),
            ("학교 급식", "학교 급식"),
            ("\"학교 급식\" -비용 -\"교육 청\"", "\"학교 급식\" -비용 -\"교육 청\""),
            ("“two words” \"open", "\"two words\" \"open\""),
            ("- -- a", "a"),
            ("!!! \0", "(hopeless)"),
            ("site:", "site: is no valid filter: give a host, as in site:example.com"),
            ("SITE:Example.COM a", "a Site(\"example.com\")"),
            ("site:a/b", "site:a/b is no valid filter: give a host, as in site:example.com"),
            ("author:\"Kim Min-su\"", "Author([\"kim\", \"min\", \"su\"])"),
            ("-author:kim", "-Author([\"kim\"])"),
            ("before:2026-05-01", "Before(1777593600)"),
            ("after:2026-05-01T09:00:00+09:00", "After(1777593600)"),
            (
                "after:yesterday",
                &format!(
                    "after:yesterday is no valid filter: {}",
                    "give a date like 2026-05-01 or a time like 2026-05-01T09:30:00Z"
                ),
            ),
            ("lang:ko-KR", "Language(\"ko-kr\")"),
            ("lang:x", "lang:x is no valid filter: give a language tag, as in lang:ko"),
            ("title:word title:\"a b\"", "title:word title:\"a b\""),
            ("title:?", "title:? is no valid filter: give a word, as in title:word or title:\"two words\""),
            ("https://example.com/a", "https examplecom a"),
            ("a\"b c", "a b c"),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        let query = Query::parse(&"낱말 ".repeat(200_000)).unwrap();
        assert!(query.clauses.len() <= MAX_QUERY / 7 + 1);
    }

    proptest! {
        #[test]
        fn any_text_without_colon_is_a_query(text in "[^:]{0,200}") {
            prop_assert!(Query::parse(&text).is_ok());
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Query::parse(&text);
        }
    }
}
