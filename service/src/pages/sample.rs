//! A few posts to look around in: an original, its copies, and others, in Korean, Japanese and English.

use super::Answer;
use crate::app::App;
use axum::extract::State;
use axum::response::Redirect;
use firstcopy_engine::EngineError;
use firstcopy_input::{ReadOptions, record};
use std::sync::Arc;

/// Written for this project, a post a line.
const POSTS: &str = include_str!("../assets/sample.jsonl");

/// Stores the sample collection, through the same check as everything.
pub async fn load(State(app): State<Arc<App>>) -> Answer<Redirect> {
    let place = app.place()?;
    let stored = app.work(place, |engine| {
        let pages = POSTS.lines().filter_map(|line| record(line.as_bytes(), &ReadOptions::default()).ok());
        let verdicts = pages.map(|page| engine.add(page)).collect::<Result<Vec<_>, EngineError>>()?;
        // Whoever loads it wants to search it.
        engine.catch_up()?;
        Ok(verdicts)
    });
    stored.await?.iter().for_each(|verdict| app.measures.stored(verdict));
    Ok(Redirect::to("/search?q=%EB%82%A8%ED%95%9C%EC%82%B0%EC%84%B1"))
}
