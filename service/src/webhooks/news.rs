//! Which events do the changes of the store make? Follows the outbox: events and the position they were made from are written
//! down together.

use super::error::WebhookError;
use super::event::{Event, Kind};
use super::register::{Register, Subscriber};
use firstcopy_engine::{Catalogue, Change, EngineError, Follower, Held, PastVerdict, Reader, State, Verdict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Its name among the followers of the store.
pub const FOLLOWER: &str = "webhooks";
/// Originals that one document is said to hold at most.
const MOST_HELD: usize = 20;
/// Events that are written down together, and how long they may wait for each other: whoever is far behind, looking for
/// holders, tells what it has found so far.
const TOGETHER: usize = 256;
const LONGEST_WAIT: Duration = Duration::from_millis(500);
/// Changes after which the outbox is told that it can let go of them.
const KEPT_CHANGES: u64 = 4096;

/// Turns changes into events.
#[derive(Debug)]
pub(super) struct News {
    data: PathBuf,
    pub(super) register: Register,
    reader: Reader,
    /// Who finds holders; opened when somebody wants to be told of them.
    catalogue: Option<Catalogue>,
    /// Whether the catalogue knows the changes at hand.
    is_fresh: bool,
    /// Whether holders are looked for: not in changes that could not be gone through with that.
    pub(super) with_holders: bool,
    /// Whether it is looking for holders: if it ends so, that is what failed.
    pub(super) is_looking: bool,
    /// None before it has followed.
    position: Option<u64>,
    /// From where on the outbox is kept.
    kept_from: u64,
    /// Deliveries that are kept for a webhook.
    kept: u64,
    is_ending: Arc<AtomicBool>,
}

impl News {
    pub(super) fn open(
        data: &Path,
        register: Register,
        kept: u64,
        is_ending: Arc<AtomicBool>,
    ) -> Result<Self, WebhookError> {
        let position = register.position()?;
        Ok(News {
            data: data.to_owned(),
            register,
            reader: Reader::open(data)?,
            catalogue: None,
            is_fresh: false,
            with_holders: true,
            is_looking: false,
            position,
            kept_from: position.unwrap_or(u64::MAX),
            kept,
            is_ending,
        })
    }

    /// Where it is; another process may have said where to begin. None if it has to begin.
    pub(super) fn look(&mut self) -> Result<Option<u64>, WebhookError> {
        let position = self.register.position()?;
        if position != self.position {
            (self.position, self.kept_from) = (position, position.unwrap_or(u64::MAX));
        }
        Ok(position)
    }

    fn tell_all(&mut self, changes: &[Change], position: u64) -> Result<(), WebhookError> {
        let (subscribers, origin) = (self.register.subscribers()?, self.register.origin()?);
        (self.is_fresh, self.catalogue) =
            (false, self.catalogue.take().filter(|_| wants_holders(&subscribers)));
        let (mut events, mut last) = (Vec::new(), Instant::now());
        for change in changes {
            if self.is_ending.load(Relaxed) {
                return Ok(());
            }
            self.tell(change, &subscribers, &origin, &mut events)?;
            if events.len() >= TOGETHER || last.elapsed() > LONGEST_WAIT {
                self.write_down(&mut events, change.position)?;
                last = Instant::now();
            }
        }
        self.write_down(&mut events, position)
    }

    fn write_down(&mut self, events: &mut Vec<Event>, position: u64) -> Result<(), WebhookError> {
        self.register.record(events, position, self.kept)?;
        events.clear();
        self.position = Some(position);
        if position < self.kept_from || position - self.kept_from >= KEPT_CHANGES {
            self.kept_from = position;
        }
        Ok(())
    }

    /// The events of one change that somebody wants to be told of.
    fn tell(
        &mut self,
        change: &Change,
        subscribers: &[Subscriber],
        origin: &[u8],
        events: &mut Vec<Event>,
    ) -> Result<(), WebhookError> {
        let wanted = |kind: Kind| {
            let wants = |one: &Subscriber| one.since < change.position && one.events.contains(&kind);
            subscribers.iter().any(wants)
        };
        let mut put = |kind: Kind, about: &str, data: &Value| {
            events.push(Event::new(origin, change.position, kind, about, data));
        };
        match (change.was, change.now) {
            (State::Absent | State::Original, State::Duplicate) if wanted(Kind::DuplicateNew) => {
                put(Kind::DuplicateNew, &change.id, &self.duplicate(&change.id)?);
            }
            (State::Duplicate, State::Original) if wanted(Kind::OriginalPromoted) => {
                put(Kind::OriginalPromoted, &change.id, &self.promoted(&change.id)?);
            }
            _ => {}
        }
        if change.was == State::Absent && change.now != State::Absent && wanted(Kind::HolderNew) {
            for (held, data) in self.holder(change)? {
                put(Kind::HolderNew, &held, &data);
            }
        }
        Ok(())
    }

    /// A document became a duplicate: its verdict, or the one it had if it is another by now.
    fn duplicate(&self, id: &str) -> Result<Value, EngineError> {
        match self.reader.verdict_of(id)? {
            Some(verdict) if !verdict.is_original() => Ok(told(&verdict)),
            _ => Ok(superseded(id, "duplicate", self.duplicate_before(id)?)),
        }
    }

    /// A duplicate became an original: its verdict, and the one it had before.
    fn promoted(&self, id: &str) -> Result<Value, EngineError> {
        let before = self.duplicate_before(id)?;
        let mut data = match self.reader.verdict_of(id)? {
            Some(verdict) if verdict.is_original() => told(&verdict),
            _ => superseded(id, "original", None),
        };
        if let (Some(data), Some(before)) = (data.as_object_mut(), before) {
            data.insert("cause".to_owned(), before.cause.into());
            data.insert("cause_id".to_owned(), before.cause_id.into());
            let was = json!({"original": before.original, "reason": before.reason, "resemblance": before.resemblance});
            data.insert("was".to_owned(), was);
        }
        Ok(data)
    }

    /// The last time that an id was a duplicate before now.
    fn duplicate_before(&self, id: &str) -> Result<Option<PastVerdict>, EngineError> {
        let past = self.reader.past_verdicts(id)?;
        Ok(past.into_iter().rev().find(|past| past.verdict.as_deref() == Some("duplicate")))
    }

    /// The originals that a document holds which was just stored: their ids, and what is told.
    fn holder(&mut self, change: &Change) -> Result<Vec<(String, Value)>, WebhookError> {
        if !self.with_holders {
            return Ok(Vec::new());
        }
        let Some(holder) = self.reader.verdict_of(&change.id)? else { return Ok(Vec::new()) };
        self.is_looking = true;
        let held = match self.catalogue()?.newly_held(&change.id, change.content, MOST_HELD) {
            // Nothing can be said of a text that cannot be read, now or later.
            Err(EngineError::Content { .. }) => Vec::new(),
            held => held?,
        };
        self.is_looking = false;
        Ok(held.into_iter().map(|held| (held.id.clone(), held_by(&holder, &held))).collect())
    }

    /// A catalogue that knows the changes at hand.
    fn catalogue(&mut self) -> Result<&Catalogue, WebhookError> {
        let mut known = self.catalogue.take();
        if let Some(catalogue) = &mut known
            && !self.is_fresh
            && !catalogue.bring_up()?
        {
            known = None;
        }
        let known = match known {
            Some(catalogue) => catalogue,
            None => Catalogue::beside(&self.data).or_else(|_| Catalogue::open(&self.data))?,
        };
        self.is_fresh = true;
        Ok(self.catalogue.insert(known))
    }
}

impl Follower for News {
    fn name(&self) -> &str {
        FOLLOWER
    }

    /// Before it has begun it is nowhere: beyond everything, so that it is begun anew.
    fn position(&self) -> u64 {
        self.position.unwrap_or(u64::MAX)
    }

    /// A little behind, because telling the outbox costs a commit: what comes again is only skipped.
    fn durable_position(&self) -> u64 {
        self.kept_from
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        self.tell_all(changes, position).map_err(|error| error.to_string())?;
        match self.is_ending.load(Relaxed) && self.position != Some(position) {
            true => Err("the service ends".to_owned()),
            false => Ok(()),
        }
    }

    fn restart(&mut self) -> Result<(), String> {
        self.catalogue = None;
        self.register.begin_anew().map_err(|error| error.to_string())
    }

    /// Nobody wants to be told of everything that ever happened.
    fn wants_the_past(&self) -> bool {
        false
    }
}

fn wants_holders(subscribers: &[Subscriber]) -> bool {
    subscribers.iter().any(|subscriber| subscriber.events.contains(&Kind::HolderNew))
}

/// A verdict as it is told: what only the answer to a request says is left out.
fn told(verdict: &Verdict) -> Value {
    let mut data = serde_json::to_value(verdict).unwrap_or_default();
    if let Some(data) = data.as_object_mut() {
        data.shift_remove("unchanged");
    }
    data
}

/// What is still known of a verdict that is no longer.
fn superseded(id: &str, verdict: &str, past: Option<PastVerdict>) -> Value {
    let (original, reason, resemblance) =
        past.map_or((None, None, None), |past| (past.original, past.reason, past.resemblance));
    json!({
        "id": id, "verdict": verdict, "original": original, "reason": reason, "resemblance": resemblance,
        "superseded": true,
    })
}

fn held_by(holder: &Verdict, held: &Held) -> Value {
    json!({
        "document": held.id,
        "document_url": held.url,
        "document_author": held.author,
        "holder": holder.id,
        "holder_url": holder.url,
        "holder_verdict": holder.verdict,
        "holds": held.holds,
        "containment": held.containment,
        "resemblance": held.resemblance,
        "passages": held.passages,
    })
}
