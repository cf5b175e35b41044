//! Requests that were carried out under a key of the client's: the same one again must not be carried out again.

use crate::error::StoreError;
use crate::store::Store;

/// A request that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestEntry {
    /// What was asked, as a fingerprint: another request under the same key is a mistake of the client.
    pub fingerprint: Vec<u8>,
    /// The id of the document that it stored.
    pub id: String,
}

impl Store {
    /// The request that was carried out under a key.
    pub fn request(&self, key: &[u8]) -> Result<Option<RequestEntry>, StoreError> {
        self.one("SELECT fingerprint, id FROM requests WHERE key = ?1", &[&key], |row| {
            Ok(RequestEntry { fingerprint: row.get(0)?, id: row.get(1)? })
        })
    }

    /// Writes down that a request was carried out now, and forgets those that were before `forgotten`.
    pub fn put_request(
        &mut self,
        key: &[u8],
        request: &RequestEntry,
        now: i64,
        forgotten: i64,
    ) -> Result<(), StoreError> {
        self.change("DELETE FROM requests WHERE at < ?1", &[&forgotten])?;
        let RequestEntry { fingerprint, id } = request;
        self.change("REPLACE INTO requests VALUES (?1, ?2, ?3, ?4)", &[&key, fingerprint, id, &now])
    }
}
