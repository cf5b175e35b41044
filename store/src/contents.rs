//! Contents: what a version said, packed by whoever stored it.

use crate::error::StoreError;
use crate::store::Store;

/// The content of one version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredContent {
    /// What is judged.
    pub core: Vec<u8>,
    /// The page as it was received, where the core does not tell it.
    pub page: Option<Vec<u8>>,
}

impl Store {
    /// Adds a content under a new number.
    pub fn put_content(&mut self, number: u32, content: &StoredContent) -> Result<(), StoreError> {
        let StoredContent { core, page } = content;
        self.change("INSERT INTO contents VALUES (?1, ?2, ?3)", &[&number, core, page])
    }

    /// What is judged of a content.
    pub fn core(&self, number: u32) -> Result<Option<Vec<u8>>, StoreError> {
        self.one("SELECT core FROM contents WHERE content = ?1", &[&number], |row| row.get(0))
    }

    /// A whole content.
    pub fn content(&self, number: u32) -> Result<Option<StoredContent>, StoreError> {
        let query = "SELECT core, page FROM contents WHERE content = ?1";
        self.one(query, &[&number], |row| Ok(StoredContent { core: row.get(0)?, page: row.get(1)? }))
    }

    /// All contents in the order of arrival, each with the number of its document.
    pub fn contents_in_order(&self) -> Result<Vec<(u32, u32)>, StoreError> {
        let query =
            "SELECT content, number FROM documents UNION ALL SELECT content, number FROM versions ORDER BY 1";
        self.all(query, &[], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The numbers of all contents that no document and no version names.
    pub fn orphaned_contents(&self) -> Result<Vec<u32>, StoreError> {
        let query = "SELECT content FROM contents EXCEPT SELECT content FROM documents EXCEPT SELECT content FROM versions";
        self.all(query, &[], |row| row.get(0))
    }
}
