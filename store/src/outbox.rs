//! The outbox: every change that followers (duplicate index, search index) must learn, in order, each with all it takes
//! to apply it. A follower keeps its position with its data; the store keeps what any of them may still ask for.

use crate::columns::{of_numbers, to_numbers};
use crate::error::StoreError;
use crate::store::Store;
use rusqlite::Row;

/// What a document is to the followers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not there.
    Absent,
    /// An original: searched for.
    Original,
    /// A duplicate: kept, not searched for.
    Duplicate,
}

/// One change, complete in itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its place in the outbox.
    pub position: u64,
    /// The document's number.
    pub number: u32,
    /// The document's id.
    pub id: String,
    /// The content that it is about.
    pub content: u32,
    /// What it was.
    pub was: State,
    /// What it is.
    pub now: State,
    /// Its keys before and after: another content makes two changes.
    pub keys: Vec<u64>,
    /// The sample of a content that is forgotten with this change: it cannot be computed afterwards.
    pub forgotten: Option<Vec<u64>>,
}

impl State {
    fn code(self) -> u8 {
        match self {
            State::Absent => 0,
            State::Original => 1,
            State::Duplicate => 2,
        }
    }

    fn from_code(code: u8) -> Self {
        match code {
            1 => State::Original,
            2 => State::Duplicate,
            _ => State::Absent,
        }
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Change> {
    Ok(Change {
        position: row.get(0)?,
        number: row.get(1)?,
        id: row.get(2)?,
        content: row.get(3)?,
        was: State::from_code(row.get(4)?),
        now: State::from_code(row.get(5)?),
        keys: to_numbers(row.get_ref(6)?.as_blob()?),
        forgotten: row.get_ref(7)?.as_blob_or_null()?.map(to_numbers),
    })
}

impl Store {
    /// Appends changes, whose positions follow the last one announced.
    pub fn announce(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        for Change { position, number, id, content, was, now, keys, forgotten } in changes {
            let (keys, forgotten) = (of_numbers(keys), forgotten.as_deref().map(of_numbers));
            self.change(
                "INSERT INTO outbox VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                &[position, number, id, content, &was.code(), &now.code(), &keys, &forgotten],
            )?;
        }
        Ok(())
    }

    /// The position of the last change that was ever announced.
    pub fn position(&self) -> Result<u64, StoreError> {
        Ok(self.counters()?.position)
    }

    /// The changes after a position, at most so many; none if some of them are no longer kept, because then the
    /// follower must be built anew from the documents.
    pub fn changes_after(&self, position: u64, limit: u32) -> Result<Option<Vec<Change>>, StoreError> {
        if position < self.trimmed()? {
            return Ok(None);
        }
        let query = "SELECT position, number, id, content, was, now, keys, sketch FROM outbox \
                     WHERE position > ?1 ORDER BY position LIMIT ?2";
        self.all(query, &[&position, &limit], from_row).map(Some)
    }

    /// The position up to which changes were thrown away.
    fn trimmed(&self) -> Result<u64, StoreError> {
        let first: Option<u64> =
            self.one("SELECT min(position) FROM outbox", &[], |row| row.get(0))?.flatten();
        Ok(first.map_or(self.position()?, |first| first - 1))
    }

    /// Writes down how far a follower certainly got, and throws away what all of them have.
    pub fn follower_reached(&mut self, name: &str, position: u64) -> Result<(), StoreError> {
        self.change(
            "INSERT INTO followers VALUES (?1, ?2) ON CONFLICT DO UPDATE SET position = ?2",
            &[&name, &position],
        )?;
        self.change("DELETE FROM outbox WHERE position <= (SELECT min(position) FROM followers)", &[])
    }

    /// Forgets a follower that will not ask again.
    pub fn forget_follower(&mut self, name: &str) -> Result<(), StoreError> {
        self.change("DELETE FROM followers WHERE name = ?1", &[&name])
    }

    /// The followers and how far they certainly got.
    pub fn followers(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.all("SELECT name, position FROM followers ORDER BY name", &[], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }
}
