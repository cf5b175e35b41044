//! `/v1/documents/{id}/holders`: who holds copies of this, whole, contained or in part?
//!
//! A document that few copied is looked for everywhere. Of one that very many copied only its own group is looked at, page by
//! page: walking all of it would take minutes.

use super::paging::{Paging, Part};
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use firstcopy_engine::{Holder, HoldersQuestion};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Copies of a group up to which holders are looked for everywhere.
pub(crate) const LOOKED_EVERYWHERE: u64 = 64;

/// A page of those who hold copies.
#[derive(Debug, Serialize, ToSchema)]
pub struct Holders {
    /// In the order of their dates; of a document that very many copied, in the order of arrival.
    holders: Vec<Holder>,
    /// What the next page starts with, if there is one.
    next: Option<String>,
    /// Sampled shingles of the document that were not looked up, because very many documents have them: more may hold it.
    ignored_shingles: usize,
}

/// Lists who holds copies of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/holders", tag = "documents",
    params(("id" = String, Path, description = "Id or url"), Paging),
    responses(
        (status = 200, description = "A page of them", body = Holders),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn holders(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    paging: Result<Query<Paging>, QueryRejection>,
) -> Result<Json<Holders>, Problem> {
    let part = Paging::part(paging)?;
    let name = id.clone();
    let group = app.read(move |reader| reader.group_page(&name, 0, 1)).await?;
    let group = group.ok_or_else(|| super::documents::unknown(&id))?;
    let found = match group.copies <= LOOKED_EVERYWHERE {
        true => everywhere(&app, id.clone(), part).await?,
        false => in_its_group(&app, id.clone(), part).await?,
    };
    found.map(Json).ok_or_else(|| super::documents::unknown(&id))
}

async fn everywhere(app: &App, id: String, part: Part) -> Result<Option<Holders>, Problem> {
    let question = HoldersQuestion::default();
    let answer = app.askers.ask(move |catalogue| catalogue.holders(&id, &question)).await?;
    Ok(answer.map(|answer| {
        let (holders, next) = part.of(answer.holders);
        Holders { holders, next, ignored_shingles: answer.ignored_shingles }
    }))
}

async fn in_its_group(app: &App, id: String, part: Part) -> Result<Option<Holders>, Problem> {
    let question = HoldersQuestion::default();
    let (after, limit) = (part.after.unwrap_or(0), part.limit as u32);
    let page = app.askers.ask(move |catalogue| catalogue.group_holders(&id, &question, after, limit)).await?;
    Ok(page.map(|page| Holders {
        holders: page.holders,
        next: page.next.map(|next| next.to_string()),
        ignored_shingles: 0,
    }))
}
