//! Contents: what a version said, packed by whoever stored it.

use crate::columns::{of_numbers, to_numbers};
use crate::error::StoreError;
use crate::store::Store;

/// The content of one version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredContent {
    /// How large the sample of it is that followers keep, at every level.
    pub sketch_sizes: Vec<u64>,
    /// What is judged.
    pub core: Vec<u8>,
    /// The page as it was received, where the core does not tell it.
    pub page: Option<Vec<u8>>,
}

/// Whose content it is, and how large its sample is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentOwner {
    /// The number of the document that it is a version of.
    pub document: u32,
    /// How large the sample of it is that followers keep, at every level.
    pub sketch_sizes: Vec<u64>,
}

impl Store {
    /// Adds a content of a document under a new number.
    pub fn put_content(
        &mut self,
        number: u32,
        document: u32,
        content: &StoredContent,
    ) -> Result<(), StoreError> {
        let StoredContent { sketch_sizes, core, page } = content;
        let values: [&dyn rusqlite::ToSql; 5] = [&number, &document, &of_numbers(sketch_sizes), core, page];
        self.change("INSERT INTO contents VALUES (?1, ?2, ?3, ?4, ?5)", &values)
    }

    /// Writes down how large the sample of a content is now.
    pub fn resize_sketch(&mut self, number: u32, sizes: &[u64]) -> Result<(), StoreError> {
        let statement = "UPDATE contents SET sketch_sizes = ?2 WHERE content = ?1";
        self.change(statement, &[&number, &of_numbers(sizes)])
    }

    /// Whose content this is; none if it was deleted.
    pub fn content_owner(&self, number: u32) -> Result<Option<ContentOwner>, StoreError> {
        let query = "SELECT document, sketch_sizes FROM contents WHERE content = ?1";
        self.one(query, &[&number], |row| {
            Ok(ContentOwner { document: row.get(0)?, sketch_sizes: to_numbers(row.get_ref(1)?.as_blob()?) })
        })
    }

    /// The contents of a document, the present one and those of earlier versions, in the order of arrival.
    pub fn contents_of(&self, document: u32) -> Result<Vec<u32>, StoreError> {
        let query = "SELECT content FROM versions WHERE number = ?1 UNION ALL SELECT content FROM documents \
                     WHERE number = ?1 ORDER BY 1";
        self.all(query, &[&document], |row| row.get(0))
    }

    /// What is judged of a content.
    pub fn core(&self, number: u32) -> Result<Option<Vec<u8>>, StoreError> {
        self.one("SELECT core FROM contents WHERE content = ?1", &[&number], |row| row.get(0))
    }

    /// A whole content.
    pub fn content(&self, number: u32) -> Result<Option<StoredContent>, StoreError> {
        let query = "SELECT sketch_sizes, core, page FROM contents WHERE content = ?1";
        self.one(query, &[&number], |row| {
            let sketch_sizes = to_numbers(row.get_ref(0)?.as_blob()?);
            Ok(StoredContent { sketch_sizes, core: row.get(1)?, page: row.get(2)? })
        })
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
