//! `/v1/documents/_bulk`: many documents, one a line, one status a line back, in order. As many are worked on at once as
//! there are places for, and no more are read before some of them are answered: memory stays the same for any length. Long
//! lines wait for room among all bodies.

use super::documents::Terms;
use crate::app::App;
use crate::body::{Pieces, UNIT};
use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use firstcopy_engine::Verdict;
use futures_util::StreamExt;
use futures_util::stream::{self, Stream};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::ToSchema;

/// Lines that are worked on at once.
const AT_ONCE: usize = 64;

/// What became of a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Line {
    /// Which line, counted from 1.
    line: u64,
    /// 201 stored, 200 nothing changed, 422 no text, else why not.
    status: u16,
    /// The verdict on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    /// What was wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

/// Stores many documents. One bad line stops nothing.
#[utoipa::path(
    post, path = "/v1/documents/_bulk", tag = "documents",
    request_body(content = String, content_type = "application/x-ndjson", description = "A document a line"),
    responses(
        (status = 200, description = "A status a line, in order", body = Line, content_type = "application/x-ndjson"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn add_all(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let pieces = Pieces::new(body, &headers, app.limits.body, app.limits.patience)?;
    let lines = Lines {
        pieces,
        rest: Vec::new(),
        line: 0,
        most: app.limits.body,
        patience: app.limits.patience,
        room: Arc::clone(&app.bodies),
        held: None,
    };
    let answers = stream(lines)
        .map(move |(line, json)| {
            let app = Arc::clone(&app);
            async move { answer(&app, line, json).await }
        })
        .buffered(AT_ONCE)
        .map(|answer| Ok::<_, std::convert::Infallible>(written(&answer)));
    let media = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((media, Body::from_stream(answers)).into_response())
}

/// The lines of a body that are not blank, numbered; what ends it early is the last of them.
fn stream(lines: Lines) -> impl Stream<Item = (u64, Result<Held, Problem>)> {
    stream::unfold(Some(lines), |lines| async move {
        let mut lines = lines?;
        match lines.next().await {
            Ok(Some(json)) => {
                let line = lines.line;
                Some(((line, Ok(json)), Some(lines)))
            }
            Ok(None) => None,
            Err(problem) => Some(((lines.line + 1, Err(problem)), None)),
        }
    })
}

struct Lines {
    pieces: Pieces,
    rest: Vec<u8>,
    line: u64,
    most: usize,
    patience: Duration,
    /// The room that all bodies share, and what is held of it for what was read and not handed on.
    room: Arc<Semaphore>,
    held: Option<OwnedSemaphorePermit>,
}

/// A line, and the room that it takes until it is answered.
struct Held {
    json: Vec<u8>,
    _room: Option<OwnedSemaphorePermit>,
}

impl Lines {
    /// Waits for as much room as what was read takes.
    async fn hold(&mut self) -> Result<(), Problem> {
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let wanted = self.rest.len().div_ceil(UNIT).saturating_sub(held) as u32;
        if wanted == 0 {
            return Ok(());
        }
        let more = tokio::time::timeout(self.patience, Arc::clone(&self.room).acquire_many_owned(wanted));
        let Ok(Ok(more)) = more.await else { return Err(Problem::overloaded()) };
        match &mut self.held {
            Some(held) => held.merge(more),
            held => *held = Some(more),
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<Held>, Problem> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.rest[searched..].iter().position(|byte| *byte == b'\n') {
                let behind = self.rest.split_off(searched + end + 1);
                let mut line = std::mem::replace(&mut self.rest, behind);
                line.pop();
                searched = 0;
                self.line += 1;
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(Held { json: line, _room: self.held.take() }));
                }
                continue;
            }
            searched = self.rest.len();
            if searched > self.most {
                let detail =
                    format!("a line of more than {} bytes: what is behind it was not read", self.most);
                return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
            }
            match self.pieces.next().await? {
                Some(piece) => {
                    self.rest.extend_from_slice(&piece);
                    self.hold().await?;
                }
                None if self.rest.trim_ascii().is_empty() => return Ok(None),
                None => {
                    self.line += 1;
                    return Ok(Some(Held { json: std::mem::take(&mut self.rest), _room: self.held.take() }));
                }
            }
        }
    }
}

async fn answer(app: &Arc<App>, line: u64, held: Result<Held, Problem>) -> Line {
    let stored = async {
        let held = held?;
        let page = super::documents::named(app.page(&held.json)?, &HeaderMap::new())?;
        let place = app.place_in_turn().await?;
        super::documents::stored(app, place, page, Terms::default()).await
    };
    match stored.await {
        Ok(verdict) => {
            let status = if verdict.unchanged { StatusCode::OK } else { StatusCode::CREATED };
            Line { line, status: status.as_u16(), verdict: Some(verdict), problem: None }
        }
        Err(problem) => {
            Line { line, status: problem.status().as_u16(), verdict: None, problem: Some(problem) }
        }
    }
}

fn written(answer: &Line) -> Bytes {
    let mut line = serde_json::to_vec(answer).unwrap_or_default();
    line.push(b'\n');
    line.into()
}
