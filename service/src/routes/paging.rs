//! Lists page by page: how much of it, and from where on?

use crate::problem::Problem;
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use serde::Deserialize;
use utoipa::IntoParams;

/// The most of a list on one page.
const MOST: usize = 1000;

/// Which part of a list is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// The most on a page, at most 1,000; 100 if it is not said.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// What the page before said was next.
    cursor: Option<String>,
}

/// A page of a list: so many from a place on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub limit: usize,
    /// Nothing for the first page; else what the page before ended with.
    pub after: Option<u32>,
}

impl Paging {
    /// The part that is asked for, or what is wrong with the question.
    pub fn part(asked: Result<Query<Self>, QueryRejection>) -> Result<Part, Problem> {
        let Query(Paging { limit, cursor }) =
            asked.map_err(|rejection| Problem::bad(rejection.body_text()))?;
        let limit = limit.unwrap_or(100);
        if !(1..=MOST).contains(&limit) {
            return Err(Problem::bad(format!("must be from 1 to {MOST}")).of_field("limit"));
        }
        let after = cursor.as_deref().map(str::parse::<u32>).transpose();
        let after =
            after.map_err(|_| Problem::bad("no page ended so: begin without a cursor").of_field("cursor"))?;
        Ok(Part { limit, after })
    }
}

impl Part {
    /// This part of a list that is there as a whole, and what the next one starts after.
    pub fn of<T>(self, all: Vec<T>) -> (Vec<T>, Option<String>) {
        let start = self.after.unwrap_or(0) as usize;
        let next =
            start.checked_add(self.limit).filter(|next| *next < all.len()).map(|next| next.to_string());
        (all.into_iter().skip(start).take(self.limit).collect(), next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_are_the_whole_list() {
        let (all, mut seen): (Vec<u32>, Vec<u32>) = ((0..25).collect(), Vec::new());
        let mut after = None;
        loop {
            let (page, next) = Part { limit: 10, after }.of(all.clone());
            assert!(page.len() <= 10);
            seen.extend(page);
            let Some(next) = next else { break };
            after = Some(next.parse().unwrap());
        }
        assert_eq!(seen, all);
        assert!(Part { limit: 10, after: Some(u32::MAX) }.of(all).0.is_empty());
    }
}
