//! What editors decided about documents: who, what, why and when. A log: nothing in it is changed.

use crate::error::StoreError;
use crate::store::Store;
use rusqlite::Row;

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealEntry {
    /// A standing's word, "withdrawn", or "lapsed" when another text took the place of the one that was meant.
    pub decision: String,
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When, in Unix seconds.
    pub at: i64,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<AppealEntry> {
    Ok(AppealEntry { decision: row.get(0)?, by: row.get(1)?, reason: row.get(2)?, at: row.get(3)? })
}

impl Store {
    /// Writes down what was decided about an id.
    pub fn put_appeal(&mut self, id: &str, entry: &AppealEntry) -> Result<(), StoreError> {
        let AppealEntry { decision, by, reason, at } = entry;
        self.change(
            "INSERT INTO appeals (id, decision, by, reason, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            &[&id, decision, by, reason, at],
        )
    }

    /// What was decided about an id, oldest first.
    pub fn appeals(&self, id: &str) -> Result<Vec<AppealEntry>, StoreError> {
        self.all(
            "SELECT decision, by, reason, at FROM appeals WHERE id = ?1 ORDER BY appeal",
            &[&id],
            from_row,
        )
    }

    /// What was decided about an id last.
    pub fn last_appeal(&self, id: &str) -> Result<Option<AppealEntry>, StoreError> {
        let query = "SELECT decision, by, reason, at FROM appeals WHERE id = ?1 ORDER BY appeal DESC LIMIT 1";
        self.one(query, &[&id], from_row)
    }
}
