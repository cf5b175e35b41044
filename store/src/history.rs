//! What was once said of an id and is not any more: former verdicts, and ids that were deleted.

use crate::error::StoreError;
use crate::store::Store;
use rusqlite::Row;

/// A verdict that was replaced, or the end of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryEntry {
    /// When it happened, in Unix seconds.
    pub at: i64,
    /// What happened.
    pub cause: String,
    /// The id of the document that it happened to first.
    pub cause_id: Option<String>,
    /// The version that it happened to.
    pub version: u32,
    /// The verdict until then.
    pub verdict: Option<String>,
    /// The id of the original until then.
    pub original: Option<String>,
    /// The reason until then.
    pub reason: Option<String>,
    /// The resemblance until then.
    pub resemblance: Option<f64>,
}

/// An id whose document was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// The id.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// When it was deleted, in Unix seconds.
    pub deleted_at: i64,
    /// Its last version: another document under this id goes on counting.
    pub version: u32,
}

fn tombstone(row: &Row<'_>) -> rusqlite::Result<Tombstone> {
    Ok(Tombstone { id: row.get(0)?, url: row.get(1)?, deleted_at: row.get(2)?, version: row.get(3)? })
}

impl Store {
    /// Writes down what changed for an id.
    pub fn remember(&mut self, id: &str, entry: &HistoryEntry) -> Result<(), StoreError> {
        let HistoryEntry { at, cause, cause_id, version, verdict, original, reason, resemblance } = entry;
        self.change(
            "INSERT INTO history (id, at, cause, cause_id, version, verdict, original, reason, resemblance) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            &[&id, at, cause, cause_id, version, verdict, original, reason, resemblance],
        )
    }

    /// What changed for an id, oldest first.
    pub fn history(&self, id: &str) -> Result<Vec<HistoryEntry>, StoreError> {
        let query = "SELECT at, cause, cause_id, version, verdict, original, reason, resemblance FROM history \
                     WHERE id = ?1 ORDER BY entry";
        self.all(query, &[&id], |row| {
            Ok(HistoryEntry {
                at: row.get(0)?,
                cause: row.get(1)?,
                cause_id: row.get(2)?,
                version: row.get(3)?,
                verdict: row.get(4)?,
                original: row.get(5)?,
                reason: row.get(6)?,
                resemblance: row.get(7)?,
            })
        })
    }

    /// Marks an id as deleted.
    pub fn bury(&mut self, tombstone: &Tombstone) -> Result<(), StoreError> {
        let Tombstone { id, url, deleted_at, version } = tombstone;
        self.change("REPLACE INTO tombstones VALUES (?1, ?2, ?3, ?4)", &[id, url, deleted_at, version])
    }

    /// Takes the mark away, if there is one, and returns it.
    pub fn unbury(&mut self, id: &str) -> Result<Option<Tombstone>, StoreError> {
        let found = self.tombstone(id)?;
        if found.is_some() {
            self.change("DELETE FROM tombstones WHERE id = ?1", &[&id])?;
        }
        Ok(found)
    }

    /// The mark of a deleted id.
    pub fn tombstone(&self, id: &str) -> Result<Option<Tombstone>, StoreError> {
        self.one("SELECT id, url, deleted_at, version FROM tombstones WHERE id = ?1", &[&id], tombstone)
    }
}
