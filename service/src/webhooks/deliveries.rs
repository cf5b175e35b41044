//! What has still to be delivered, to whom, and when? Events are written down together with the position they were made from;
//! what became of a delivery is written down before the next is looked for. So a crash repeats a delivery, and never loses one.

use super::error::WebhookError;
use super::event::{Event, time};
use super::pace::Pace;
use super::register::{Register, Subscriber, now};
use rusqlite::{Row, ToSql, Transaction};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// A delivery as it is told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Delivery {
    /// The id of the event.
    pub event: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: String,
    /// "pending" or "failed".
    pub state: &'static str,
    /// How often it was tried.
    pub tries: u32,
    /// When the event was made, in RFC 3339.
    pub at: String,
    /// When it is tried next, in RFC 3339; none if as soon as possible, or never.
    pub next_at: Option<String>,
    /// What was wrong the last time.
    pub last_error: Option<String>,
}

/// A page of deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Deliveries {
    /// In the order of their events.
    pub deliveries: Vec<Delivery>,
    /// How many there are on all pages.
    pub total: u64,
    /// What the next page starts with, if there is one.
    pub next: Option<String>,
}

/// What became of all deliveries since the database was made, and how many wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Delivered.
    pub delivered: u64,
    /// Tries that failed and were to be repeated.
    pub retried: u64,
    /// Given up.
    pub failed: u64,
    /// Thrown away because too many were kept.
    pub dropped: u64,
    /// Waiting.
    pub pending: u64,
}

/// A delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) number: i64,
    pub(super) event: String,
    pub(super) body: String,
    tries: u32,
    made_at: i64,
}

/// What an endpoint made of a delivery that it did not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It may take it later; not before some time, if it said so.
    Later(String, Option<Duration>),
    /// It never wants to hear anything again.
    Gone(String),
}

impl Refusal {
    /// What was said.
    pub(super) fn into_reason(self) -> String {
        match self {
            Refusal::Later(reason, _) | Refusal::Gone(reason) => reason,
        }
    }
}

impl Register {
    /// Writes down the events of changes up to a position, for everybody who wants to be told of them.
    pub(super) fn record(&mut self, events: &[Event], position: u64, kept: u64) -> Result<(), WebhookError> {
        let subscribers = self.subscribers()?;
        self.change(|transaction| {
            for event in events {
                for subscriber in subscribers.iter().filter(|subscriber| subscriber.wants(event)) {
                    put(transaction, subscriber, event)?;
                }
            }
            if !events.is_empty() {
                subscribers
                    .iter()
                    .try_for_each(|subscriber| drop_oldest(transaction, subscriber.number, kept))?;
            }
            transaction.execute("INSERT OR REPLACE INTO meta VALUES ('position', ?1)", [position]).map(drop)
        })
    }

    /// The deliveries of a webhook that are due, in the order of their events; none if all of it is paused.
    pub(super) fn due(&self, webhook: i64, limit: u32) -> Result<Vec<Due>, WebhookError> {
        let query = "SELECT number, event, body, tries, made_at FROM deliveries \
                     WHERE webhook = ?1 AND given_up = 0 AND next_at <= ?2 AND EXISTS \
                     (SELECT 1 FROM webhooks WHERE number = ?1 AND disabled IS NULL AND resume_at <= ?2) \
                     ORDER BY number LIMIT ?3";
        self.rows(query, &[&webhook, &now(), &limit], |row| {
            let (number, event, body) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Due { number, event, body, tries: row.get(3)?, made_at: row.get(4)? })
        })
    }

    /// How long it is until something of a webhook is due; none if nothing waits.
    pub(super) fn until_due(&self, webhook: i64) -> Result<Option<Duration>, WebhookError> {
        let after = |at: i64| Duration::from_millis(u64::try_from(at - now()).unwrap_or(0));
        let resume = "SELECT resume_at FROM webhooks WHERE number = ?1 AND disabled IS NULL";
        let Some(resume) = self.rows(resume, &[&webhook], |row| row.get(0))?.pop() else { return Ok(None) };
        if resume > now() {
            return Ok(Some(after(resume)));
        }
        let next = "SELECT min(next_at) FROM deliveries WHERE webhook = ?1 AND given_up = 0";
        let next: Option<i64> = self.rows(next, &[&webhook], |row| row.get(0))?.pop().flatten();
        Ok(next.map(after))
    }

    /// Writes down what became of deliveries: those that were taken, and the one that was not, after them.
    pub(super) fn settle(
        &mut self,
        webhook: i64,
        taken: &[Due],
        refused: Option<(&Due, Refusal)>,
        pace: &Pace,
    ) -> Result<(), WebhookError> {
        self.change(|transaction| {
            if !taken.is_empty() {
                took(transaction, webhook, taken)?;
            }
            match refused {
                None => Ok(()),
                Some((_, Refusal::Gone(reason))) => gone(transaction, webhook, &reason),
                Some((due, Refusal::Later(error, least))) => {
                    later(transaction, webhook, due, &error, least, pace)
                }
            }
        })
    }

    /// A page of what waits and what was given up; of one webhook, or of all.
    pub fn deliveries(
        &self,
        name: Option<&str>,
        limit: u32,
        after: Option<i64>,
    ) -> Result<Deliveries, WebhookError> {
        let webhook = name.map(|name| self.subscriber(name)).transpose()?.map(|webhook| webhook.number);
        let total = "SELECT count(*) FROM deliveries WHERE ?1 IS NULL OR webhook = ?1";
        let total = self.rows(total, &[&webhook], |row| row.get(0))?.pop().unwrap_or(0);
        let query = "SELECT number, event, type, given_up, tries, made_at, next_at, error FROM deliveries \
                     WHERE (?1 IS NULL OR webhook = ?1) AND number > ?2 ORDER BY number LIMIT ?3";
        // One more than a page has, to know whether there is another.
        let mut found =
            self.rows(query, &[&webhook, &after.unwrap_or(0), &(u64::from(limit) + 1)], delivery)?;
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| has_more).map(|(number, _)| number.to_string());
        Ok(Deliveries { deliveries: found.into_iter().map(|(_, delivery)| delivery).collect(), total, next })
    }

    /// What became of all deliveries.
    pub fn totals(&self) -> Result<Totals, WebhookError> {
        let counts: Vec<(String, u64)> =
            self.rows("SELECT outcome, count FROM totals", &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let count =
            |name: &str| counts.iter().find(|(outcome, _)| outcome == name).map_or(0, |(_, count)| *count);
        let pending = "SELECT count(*) FROM deliveries WHERE given_up = 0";
        Ok(Totals {
            delivered: count("delivered"),
            retried: count("retried"),
            failed: count("failed"),
            dropped: count("dropped"),
            pending: self.rows(pending, &[], |row| row.get(0))?.pop().unwrap_or(0),
        })
    }
}

impl Subscriber {
    fn wants(&self, event: &Event) -> bool {
        self.since < event.position && self.events.contains(&event.kind)
    }
}

/// Only to a webhook that is still there.
fn put(transaction: &Transaction<'_>, subscriber: &Subscriber, event: &Event) -> rusqlite::Result<()> {
    let statement = "INSERT INTO deliveries (webhook, event, type, body, made_at) \
                     SELECT number, ?2, ?3, ?4, ?5 FROM webhooks WHERE number = ?1 AND disabled IS NULL";
    let values: [&dyn ToSql; 5] = [&subscriber.number, &event.id, &event.kind.name(), &event.body, &now()];
    transaction.prepare_cached(statement)?.execute(values).map(drop)
}

/// Keeps so many: what was given up goes first, then the oldest of what waits.
fn drop_oldest(transaction: &Transaction<'_>, webhook: i64, kept: u64) -> rusqlite::Result<()> {
    let count = "SELECT count(*) FROM deliveries WHERE webhook = ?1";
    let count: u64 = transaction.prepare_cached(count)?.query_row([webhook], |row| row.get(0))?;
    if count <= kept {
        return Ok(());
    }
    let statement = "DELETE FROM deliveries WHERE number IN \
                     (SELECT number FROM deliveries WHERE webhook = ?1 ORDER BY given_up DESC, number LIMIT ?2)";
    let dropped = transaction.execute(statement, (webhook, count - kept))?;
    add_to(transaction, "dropped", dropped)
}

fn took(transaction: &Transaction<'_>, webhook: i64, taken: &[Due]) -> rusqlite::Result<()> {
    for due in taken {
        transaction.prepare_cached("DELETE FROM deliveries WHERE number = ?1")?.execute([due.number])?;
    }
    let statement = "UPDATE webhooks SET failures = 0, resume_at = 0, error = NULL WHERE number = ?1";
    transaction.execute(statement, [webhook])?;
    add_to(transaction, "delivered", taken.len())
}

/// A delivery is put off, and all others of its webhook for a while; or it is given up.
fn later(
    transaction: &Transaction<'_>,
    webhook: i64,
    due: &Due,
    error: &str,
    least: Option<Duration>,
    pace: &Pace,
) -> rusqlite::Result<()> {
    let (now, tries) = (now(), due.tries + 1);
    let age = Duration::from_millis(u64::try_from(now - due.made_at).unwrap_or(0));
    let is_given_up = pace.is_given_up(tries, age);
    let failures = "SELECT failures + 1 FROM webhooks WHERE number = ?1";
    let failures: u32 = transaction.query_row(failures, [webhook], |row| row.get(0)).unwrap_or(1);
    let (chance, least) = (chance(), least.unwrap_or_default().min(pace.longest_wait));
    let after =
        |wait: Duration| now.saturating_add(i64::try_from(wait.max(least).as_millis()).unwrap_or(i64::MAX));
    transaction.execute(
        "UPDATE deliveries SET tries = ?2, given_up = ?3, next_at = ?4, error = ?5 WHERE number = ?1",
        (due.number, tries, is_given_up, after(pace.wait(tries, chance)), error),
    )?;
    transaction.execute(
        "UPDATE webhooks SET failures = ?2, resume_at = ?3, error = ?4 WHERE number = ?1",
        (webhook, failures, after(pace.pause(failures, chance)), error),
    )?;
    add_to(transaction, if is_given_up { "failed" } else { "retried" }, 1)
}

/// The endpoint wants to hear nothing any more: whatever waited is given up.
fn gone(transaction: &Transaction<'_>, webhook: i64, reason: &str) -> rusqlite::Result<()> {
    transaction.execute("UPDATE webhooks SET disabled = ?2 WHERE number = ?1", (webhook, reason))?;
    let statement = "UPDATE deliveries SET given_up = 1, error = ?2 WHERE webhook = ?1 AND given_up = 0";
    let given_up = transaction.execute(statement, (webhook, reason))?;
    add_to(transaction, "failed", given_up)
}

fn add_to(transaction: &Transaction<'_>, outcome: &str, count: usize) -> rusqlite::Result<()> {
    let statement = "INSERT INTO totals VALUES (?1, ?2) ON CONFLICT DO UPDATE SET count = count + ?2";
    transaction.prepare_cached(statement)?.execute((outcome, count)).map(drop)
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<(i64, Delivery)> {
    let (is_given_up, next_at): (bool, i64) = (row.get(3)?, row.get(6)?);
    let delivery = Delivery {
        event: row.get(1)?,
        kind: row.get(2)?,
        state: if is_given_up { "failed" } else { "pending" },
        tries: row.get(4)?,
        at: time(row.get(5)?),
        next_at: (!is_given_up && next_at > 0).then(|| time(next_at)),
        last_error: row.get(7)?,
    };
    Ok((row.get(0)?, delivery))
}

/// A number from 0 to 1; the middle where there are no random ones.
fn chance() -> f64 {
    getrandom::u32().map_or(0.5, |random| f64::from(random) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::event::Kind;
    use super::super::register::NewWebhook;
    use super::*;
    use serde_json::json;

    fn register(folder: &tempfile::TempDir, names: &[&str]) -> Register {
        let mut register = Register::create(folder.path()).unwrap();
        for name in names {
            let new = NewWebhook {
                url: "http://127.0.0.1:1".to_owned(),
                name: (*name).to_owned(),
                events: Kind::ALL.to_vec(),
            };
            register.add(&new, 0).unwrap();
        }
        register
    }

    fn events(positions: std::ops::RangeInclusive<u64>) -> Vec<Event> {
        positions.map(|at| Event::new(b"o", at, Kind::DuplicateNew, "x", &json!({"at": at}))).collect()
    }

    fn quick() -> Pace {
        Pace {
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(2),
            ..Pace::default()
        }
    }

    fn one(register: &Register) -> i64 {
        register.subscribers().unwrap()[0].number
    }

    #[test]
    fn events_and_their_position_come_together() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a", "b"]);
        register.record(&events(1..=3), 3, 100).unwrap();
        assert_eq!((register.position().unwrap(), register.totals().unwrap().pending), (Some(3), 6));
        // What fails leaves neither: a name that no table has stands for any failure.
        let broken = register.change(|transaction| {
            transaction.execute("INSERT OR REPLACE INTO meta VALUES ('position', 9)", [])?;
            transaction.execute("INSERT INTO nowhere VALUES (1)", []).map(drop)
        });
        assert!(broken.is_err());
        assert_eq!((register.position().unwrap(), register.totals().unwrap().pending), (Some(3), 6));
    }

    #[test]
    fn who_comes_later_hears_of_later_things() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a"]);
        let new = NewWebhook {
            url: "http://127.0.0.1:1".to_owned(),
            name: "late".to_owned(),
            events: vec![Kind::DuplicateNew],
        };
        register.add(&new, 2).unwrap();
        register.record(&events(1..=3), 3, 100).unwrap();
        assert_eq!(register.deliveries(Some("a"), 10, None).unwrap().total, 3);
        assert_eq!(register.deliveries(Some("late"), 10, None).unwrap().total, 1);
        let promoted = Event::new(b"o", 4, Kind::OriginalPromoted, "x", &json!({}));
        register.record(&[promoted], 4, 100).unwrap();
        assert_eq!(register.deliveries(Some("late"), 10, None).unwrap().total, 1);
    }

    #[test]
    fn what_is_refused_is_put_off_and_then_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a"]);
        let (webhook, pace) = (one(&register), Pace { tries: 3, ..quick() });
        register.record(&events(1..=2), 2, 100).unwrap();
        for tries in 1..=3 {
            std::thread::sleep(Duration::from_millis(5));
            let due = register.due(webhook, 10).unwrap();
            assert_eq!(due.len(), 2, "the first comes first again");
            let later = Refusal::Later("500".to_owned(), None);
            register.settle(webhook, &[], Some((&due[0], later)), &pace).unwrap();
            assert_eq!(register.all().unwrap()[0].failures, tries);
        }
        std::thread::sleep(Duration::from_millis(5));
        let due = register.due(webhook, 10).unwrap();
        assert_eq!(due.len(), 1, "the first was given up");
        register.settle(webhook, &due, None, &pace).unwrap();
        let totals = register.totals().unwrap();
        assert_eq!((totals.delivered, totals.retried, totals.failed, totals.pending), (1, 2, 1, 0));
        let kept = register.deliveries(None, 10, None).unwrap();
        assert_eq!(
            (kept.deliveries[0].state, kept.deliveries[0].last_error.as_deref()),
            ("failed", Some("500"))
        );
        assert_eq!(register.all().unwrap()[0].state, "active");
    }

    #[test]
    fn who_says_when_is_left_alone_until_then() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a"]);
        let webhook = one(&register);
        register.record(&events(1..=2), 2, 100).unwrap();
        let due = register.due(webhook, 10).unwrap();
        let pace = Pace { longest_wait: Duration::from_secs(3600), ..quick() };
        let later = Refusal::Later("429".to_owned(), Some(Duration::from_secs(90)));
        register.settle(webhook, &[], Some((&due[0], later)), &pace).unwrap();
        assert_eq!(register.due(webhook, 10).unwrap(), []);
        let until = register.until_due(webhook).unwrap().unwrap();
        assert!(until > Duration::from_secs(80) && until <= Duration::from_secs(90), "{until:?}");
    }

    #[test]
    fn who_is_gone_is_disabled() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a", "b"]);
        let webhook = one(&register);
        register.record(&events(1..=3), 3, 100).unwrap();
        let due = register.due(webhook, 10).unwrap();
        register
            .settle(webhook, &due[..1], Some((&due[1], Refusal::Gone("410".to_owned()))), &quick())
            .unwrap();
        let all = register.all().unwrap();
        assert_eq!((all[0].state, all[0].pending, all[0].failed), ("disabled", 0, 2));
        assert_eq!((all[1].state, all[1].pending), ("active", 3));
        register.record(&events(4..=4), 4, 100).unwrap();
        assert_eq!(register.all().unwrap()[0].pending, 0);
    }

    #[test]
    fn too_many_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a"]);
        register.record(&events(1..=10), 10, 4).unwrap();
        assert_eq!((register.totals().unwrap().pending, register.totals().unwrap().dropped), (4, 6));
        let left = register.due(one(&register), 10).unwrap();
        assert_eq!(left[0].event, events(7..=7)[0].id, "the oldest go");
    }

    #[test]
    fn pages_of_deliveries() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = register(&folder, &["a", "b"]);
        register.record(&events(1..=5), 5, 100).unwrap();
        let (mut seen, mut after, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = register.deliveries(Some("b"), 2, after).unwrap();
            assert_eq!(page.total, 5);
            seen.extend(page.deliveries.into_iter().map(|delivery| delivery.event));
            pages += 1;
            match page.next {
                Some(next) => after = Some(next.parse().unwrap()),
                None => break,
            }
        }
        let expected: Vec<String> = events(1..=5).into_iter().map(|event| event.id).collect();
        assert_eq!((seen, pages), (expected, 3));
    }
}
