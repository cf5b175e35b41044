//! Appeals: an editor declares a document to be an original, whatever it matches, and may take that back. What was declared
//! counts from then on for every verdict, in the same transaction for those whom it concerns.
//!
//! Two things can be meant. *First*: it was there before the others, so it comes first in the order, and what matches it is
//! its copy. *Independent*: it is nobody's copy, and all others are judged as before, except that who has its very words is
//! its copy. Another text under the same id was not meant: with it a declaration lapses.

use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::ingest::Registrar;
use crate::judge::{Cause, Queue, state};
use crate::reader::Reader;
use crate::verdict::{Verdict, rfc3339};
use crate::writer::Task;
use firstcopy_store::{AppealEntry, Document, Standing, State, Store};
use firstcopy_text::Page;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most characters of a reason or a name.
const LONGEST: usize = 2000;
/// The field of an exported record.
const FIELD: &str = "appeal";

/// What an editor decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What the document is declared to be; none takes back what was declared.
    pub standing: Option<Standing>,
    /// Who decides.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// A decision as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Appeal {
    /// "first" or "independent": what the document was declared to be; "withdrawn" or "lapsed": it is not any more.
    pub decision: String,
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When, in RFC 3339.
    pub at: String,
}

impl Engine {
    /// Declares a document to be an original, or takes that back. Returns its verdict now, with those of others that
    /// changed; none if there is no such document.
    pub fn decide(&self, id_or_url: &str, decision: Decision) -> Result<Option<Verdict>> {
        for (field, text) in [("reason", &decision.reason), ("by", &decision.by)] {
            if text.trim().is_empty() || text.chars().count() > LONGEST {
                let problem = format!("an appeal needs 1 to {LONGEST} characters here");
                return Err(EngineError::Appeal { field, problem });
            }
        }
        self.writer.perform(Task::Decide(id_or_url.to_owned(), Box::new(decision)))
    }
}

impl Reader {
    /// All that was ever decided about an id, oldest first.
    pub(crate) fn appeals(&self, id: &str) -> Result<Vec<Appeal>> {
        Ok(self.store.appeals(id)?.into_iter().map(told).collect())
    }
}

impl Registrar {
    /// Judges a document anew as it is declared to be, and all whom that concerns.
    pub(crate) fn decide(&mut self, stored: &Document, decision: &Decision, now: i64) -> Result<Verdict> {
        if stored.standing == decision.standing {
            return Ok(Verdict { unchanged: true, ..self.verdict(stored)? });
        }
        let at = now.max(self.counters.last_received);
        let mut document = stored.clone();
        document.declare(decision.standing);
        self.store.put_appeal(&stored.id, &entry(decision, at))?;
        self.store.replace(&document)?;
        let mut queue = Queue::default();
        queue.push(&document);
        if state(stored) == State::Original {
            // It keeps its state perhaps, but not its place: who was its copy may not be one there, and others may.
            self.push_copies(stored.number, &mut queue)?;
            self.push_later(&document, &mut queue)?;
        }
        self.counters.last_judged = self.counters.last_judged.max(document.place.judged_at);
        let what = if decision.standing.is_some() { "declared" } else { "withdrawn" };
        let mut changed = self.settle(queue, &Cause { what, id: stored.id.clone(), at })?;
        changed.retain(|other| other.id != stored.id);
        let judged = self.store.by_number(stored.number)?.unwrap_or(document);
        Ok(Verdict { changed, ..self.verdict(&judged)? })
    }

    /// The same for a document that was exported: `verdict` is what was said of it a moment ago.
    pub(crate) fn decide_again(
        &mut self,
        number: u32,
        decision: &Decision,
        verdict: Verdict,
    ) -> Result<Verdict> {
        let Some(stored) = self.store.by_number(number)? else { return Ok(verdict) };
        let decided = self.decide(&stored, decision, stored.received_at)?;
        let changed = verdict.changed.into_iter().chain(decided.changed).collect();
        Ok(Verdict { unchanged: verdict.unchanged, changed, ..decided })
    }

    /// What was declared of a document is not true of the text that takes its place.
    pub(crate) fn lapse(&mut self, stored: &Document, at: i64) -> Result<()> {
        if stored.standing.is_none() {
            return Ok(());
        }
        let lapsed = AppealEntry {
            decision: "lapsed".to_owned(),
            by: "firstcopy".to_owned(),
            reason: "another text took the place of the one that was meant".to_owned(),
            at,
        };
        Ok(self.store.put_appeal(&stored.id, &lapsed)?)
    }
}

/// The decision by which a document is an original now, if there is one.
pub(crate) fn standing_appeal(store: &Store, document: &Document) -> Result<Option<Appeal>> {
    match document.standing {
        Some(_) => Ok(store.last_appeal(&document.id)?.map(told)),
        None => Ok(None),
    }
}

/// The field by which an exported record carries what was declared.
pub(crate) fn exported_appeal(store: &Store, document: &Document) -> Result<Option<(String, Value)>> {
    let appeal = standing_appeal(store, document)?;
    Ok(appeal.map(|appeal| (FIELD.to_owned(), serde_json::to_value(appeal).unwrap_or_default())))
}

/// Takes what was declared out of what an exported record says besides; none if it says nothing of the kind.
pub(crate) fn take_appeal(page: &mut Page) -> Option<Decision> {
    let appeal: Appeal = serde_json::from_value(page.metadata.get(FIELD)?.clone()).ok()?;
    let standing = Standing::from_name(&appeal.decision)?;
    page.metadata.shift_remove(FIELD);
    Some(Decision { standing: Some(standing), by: appeal.by, reason: appeal.reason })
}

fn entry(decision: &Decision, at: i64) -> AppealEntry {
    AppealEntry {
        decision: decision.standing.map_or("withdrawn", Standing::name).to_owned(),
        by: decision.by.clone(),
        reason: decision.reason.clone(),
        at,
    }
}

fn told(entry: AppealEntry) -> Appeal {
    let AppealEntry { decision, by, reason, at } = entry;
    Appeal { decision, by, reason, at: rfc3339(at) }
}
