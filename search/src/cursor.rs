//! Where does the next page start? After the last hit of this one, by what the hits are sorted by and by number.

use crate::error::QueryError;
use crate::searcher::Sort;
use std::fmt;
use std::str::FromStr;

/// The place after a hit, in the order of one query. Opaque: print it, read it back, hand it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Of the query and the order.
    pub(crate) question: u64,
    pub(crate) rank: Rank,
}

/// What hits are sorted by: a smaller rank comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub key: u64,
    pub number: u32,
}

/// Steps of a score that are told apart: what is between them is rounding, which depends on how segments were merged.
const STEPS: f64 = 1024.0;

impl Rank {
    pub fn of(sort: Sort, score: f32, date: i64, number: u32) -> Self {
        let key = match sort {
            Sort::Relevance => u64::MAX - (f64::from(score.max(0.0)) * STEPS).round() as u64,
            Sort::Oldest => ascending(date),
            Sort::Newest => u64::MAX - ascending(date),
        };
        Rank { key, number }
    }
}

/// A number whose order is that of a date.
fn ascending(date: i64) -> u64 {
    date.cast_unsigned() ^ (1 << 63)
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{:016x}{:016x}{:08x}", self.question, self.rank.key, self.rank.number)
    }
}

impl FromStr for Cursor {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let read = || -> Option<Cursor> {
            let is_cursor = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            let number = |from: usize, to: usize| u64::from_str_radix(text.get(from..to)?, 16).ok();
            let rank = Rank { key: number(16, 32)?, number: u32::try_from(number(32, 40)?).ok()? };
            is_cursor.then_some(Cursor { question: number(0, 16)?, rank })
        };
        read().ok_or_else(|| QueryError::Cursor(text.chars().take(60).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn other_texts_are_no_cursors() {
        for text in ["", "abc", &"0".repeat(41), &"g".repeat(40), &"+".repeat(40), &"é".repeat(20)] {
            assert!(text.parse::<Cursor>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_back(question: u64, key: u64, number: u32) {
            let cursor = Cursor { question, rank: Rank { key, number } };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn ranks_follow_dates(a: i64, b: i64) {
            let key = |sort, date| Rank::of(sort, 0.0, date, 0).key;
            prop_assert_eq!(key(Sort::Oldest, a).cmp(&key(Sort::Oldest, b)), a.cmp(&b));
            prop_assert_eq!(key(Sort::Newest, a).cmp(&key(Sort::Newest, b)), b.cmp(&a));
        }
    }
}
