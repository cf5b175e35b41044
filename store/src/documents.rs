//! Documents: written once, judged and judged anew, replaced, removed; found by number, id or url.

use crate::columns::{of_lines, of_numbers, to_fingerprint, to_lines, to_numbers};
use crate::error::StoreError;
use crate::record::{Document, Judgement, Place, Standing, Version};
use crate::store::Store;
use rusqlite::{Row, ToSql};

/// All columns, in the order in which [`from_row`] and [`Store::write`] take them.
const COLUMNS: &str = "number, id, url, title, author, language, source_url, metadata, created_at, received_at, \
    judged_at, arrival, backdated, version, content, tokens, shingles, identical, lexical, features, keys, warnings, \
    original, shared_features, resemblance, containment, reason, relation, standing, natural_judged_at, \
    weight, kept_share, copy_relation, likeness, covered, original_covered";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        number: row.get(0)?,
        id: row.get(1)?,
        url: row.get(2)?,
        title: row.get(3)?,
        author: row.get(4)?,
        language: row.get(5)?,
        source_url: row.get(6)?,
        metadata: row.get(7)?,
        created_at: row.get(8)?,
        received_at: row.get(9)?,
        place: Place { judged_at: row.get(10)?, arrival: row.get(11)? },
        backdated: row.get(12)?,
        version: row.get(13)?,
        content: row.get(14)?,
        tokens: row.get(15)?,
        shingles: row.get(16)?,
        identical: to_fingerprint(row.get_ref(17)?.as_blob()?),
        lexical: to_fingerprint(row.get_ref(18)?.as_blob()?),
        features: to_numbers(row.get_ref(19)?.as_blob()?),
        keys: to_numbers(row.get_ref(20)?.as_blob()?),
        warnings: to_lines(row.get(21)?),
        judgement: Judgement {
            original: row.get(22)?,
            shared_features: row.get(23)?,
            resemblance: row.get(24)?,
            containment: row.get(25)?,
            reason: row.get(26)?,
            attribution: row.get(27)?,
            relation: row.get(32)?,
            likeness: row.get(33)?,
            covered: row.get(34)?,
            original_covered: row.get(35)?,
        },
        standing: row.get_ref(28)?.as_str_or_null()?.and_then(Standing::from_name),
        natural_judged_at: row.get(29)?,
        weight: row.get(30)?,
        kept_share: row.get(31)?,
    })
}

impl Store {
    /// Adds a document under a new number.
    pub fn insert(&mut self, document: &Document) -> Result<(), StoreError> {
        self.write("INSERT", document)
    }

    /// Writes a document in the place of the one with the same number.
    pub fn replace(&mut self, document: &Document) -> Result<(), StoreError> {
        self.write("REPLACE", document)
    }

    fn write(&mut self, verb: &str, document: &Document) -> Result<(), StoreError> {
        let judgement = &document.judgement;
        let statement = format!(
            "{verb} INTO documents ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, \
             ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, \
             ?35, ?36)"
        );
        let values: [&dyn ToSql; 36] = [
            &document.number,
            &document.id,
            &document.url,
            &document.title,
            &document.author,
            &document.language,
            &document.source_url,
            &document.metadata,
            &document.created_at,
            &document.received_at,
            &document.place.judged_at,
            &document.place.arrival,
            &document.backdated,
            &document.version,
            &document.content,
            &document.tokens,
            &document.shingles,
            &document.identical.to_le_bytes(),
            &document.lexical.to_le_bytes(),
            &of_numbers(&document.features),
            &of_numbers(&document.keys),
            &of_lines(&document.warnings),
            &judgement.original,
            &judgement.shared_features,
            &judgement.resemblance,
            &judgement.containment,
            &judgement.reason,
            &judgement.attribution,
            &document.standing.map(Standing::name),
            &document.natural_judged_at,
            &document.weight,
            &document.kept_share,
            &judgement.relation,
            &judgement.likeness,
            &judgement.covered,
            &judgement.original_covered,
        ];
        self.change(&statement, &values)
    }

    /// Writes down what was decided about a document.
    pub fn judge(&mut self, number: u32, judgement: &Judgement) -> Result<(), StoreError> {
        self.change(
            "UPDATE documents SET original = ?2, shared_features = ?3, resemblance = ?4, containment = ?5, \
             reason = ?6, relation = ?7, copy_relation = ?8, likeness = ?9, covered = ?10, original_covered = ?11 \
             WHERE number = ?1",
            &[
                &number,
                &judgement.original,
                &judgement.shared_features,
                &judgement.resemblance,
                &judgement.containment,
                &judgement.reason,
                &judgement.attribution,
                &judgement.relation,
                &judgement.likeness,
                &judgement.covered,
                &judgement.original_covered,
            ],
        )
    }

    /// Removes a document with all its versions and contents.
    pub fn remove(&mut self, document: &Document) -> Result<(), StoreError> {
        let number = &document.number;
        self.change(
            "DELETE FROM contents WHERE content IN (SELECT content FROM versions WHERE number = ?1)",
            &[number],
        )?;
        self.change("DELETE FROM contents WHERE content = ?1", &[&document.content])?;
        for table in ["versions", "sightings", "absences", "documents"] {
            self.change(&format!("DELETE FROM {table} WHERE number = ?1"), &[number])?;
        }
        Ok(())
    }

    /// Keeps what an edit is about to replace.
    pub fn keep_version(&mut self, document: &Document) -> Result<(), StoreError> {
        self.change(
            "INSERT INTO versions VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            &[
                &document.number,
                &document.version,
                &document.content,
                &document.received_at,
                &document.created_at,
                &document.title,
            ],
        )
    }

    /// The earlier versions of a document, in order.
    pub fn versions(&self, number: u32) -> Result<Vec<Version>, StoreError> {
        let query = "SELECT version, content, received_at, created_at, title FROM versions WHERE number = ?1 \
                     ORDER BY version";
        self.all(query, &[&number], |row| {
            Ok(Version {
                version: row.get(0)?,
                content: row.get(1)?,
                received_at: row.get(2)?,
                created_at: row.get(3)?,
                title: row.get(4)?,
            })
        })
    }

    /// The document with this number.
    pub fn by_number(&self, number: u32) -> Result<Option<Document>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM documents WHERE number = ?1"), &[&number], from_row)
    }

    /// Whether no other document is stored beside the one with this number.
    pub fn is_only_document(&self, number: u32) -> Result<bool, StoreError> {
        let other = self.one("SELECT 1 FROM documents WHERE number <> ?1 LIMIT 1", &[&number], |row| {
            row.get::<_, u32>(0)
        })?;
        Ok(other.is_none())
    }

    /// The document with this id.
    pub fn by_id(&self, id: &str) -> Result<Option<Document>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM documents WHERE id = ?1"), &[&id], from_row)
    }

    /// Whether this id has this content already: the fingerprint of its bytes.
    pub fn identical(&self, id: &str) -> Result<Option<u128>, StoreError> {
        self.one("SELECT identical FROM documents WHERE id = ?1", &[&id], |row| {
            Ok(to_fingerprint(row.get_ref(0)?.as_blob()?))
        })
    }

    /// The documents published at this url, in the order of arrival.
    pub fn by_url(&self, url: &str) -> Result<Vec<Document>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS} FROM documents WHERE url = ?1 AND url IS NOT NULL AND url <> id ORDER BY number"
        );
        let mut documents = self.all(&query, &[&url], from_row)?;
        // One whose id is its url is found by its id and stands in no url index.
        documents.extend(self.by_id(url)?.filter(|document| document.url.as_deref() == Some(url)));
        documents.sort_by_key(|document| document.number);
        Ok(documents)
    }

    /// The numbers of a document's copies, in the order of arrival.
    pub fn copies(&self, original: u32) -> Result<Vec<u32>, StoreError> {
        let query =
            "SELECT number FROM documents WHERE original = ?1 AND original IS NOT NULL ORDER BY number";
        self.all(query, &[&original], |row| row.get(0))
    }

    /// The numbers of all documents in the order that decides who was first.
    pub fn numbers_in_order(&self) -> Result<Vec<u32>, StoreError> {
        self.all("SELECT number FROM documents ORDER BY judged_at, arrival", &[], |row| row.get(0))
    }

    /// The next documents after a number, at most so many: to walk through all of them in pieces.
    pub fn documents_after(&self, number: u32, limit: u32) -> Result<Vec<Document>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM documents WHERE number > ?1 ORDER BY number LIMIT ?2");
        self.all(&query, &[&number, &limit], from_row)
    }
}
