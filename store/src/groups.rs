//! Groups: an original and its copies. However many there are, what is asked of one here reads a bounded number of rows: how
//! many they are is kept, and one in 8, 64, … of them has an index of its own, from which a sample is taken.

use crate::error::StoreError;
use crate::history::HistoryEntry;
use crate::record::Version;
use crate::schema::COUNT_GROUPS;
use crate::store::Store;
use rusqlite::Row;

/// What is listed of a document: no content, no features.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// The store's own number for it.
    pub number: u32,
    /// The name its sender gave it.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its language, as declared.
    pub language: Option<String>,
    /// The time it is judged by, in Unix seconds, or would be if no editor had declared anything.
    pub at: i64,
    /// Its resemblance with the original.
    pub resemblance: f64,
    /// Its containment in the original.
    pub containment: f64,
    /// Why it is what it is: a word of the interface.
    pub reason: String,
}

const COLUMNS: &str = "number, id, url, title, author, language, coalesce(natural_judged_at, judged_at), resemblance, \
    containment, reason";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Listed> {
    Ok(Listed {
        number: row.get(0)?,
        id: row.get(1)?,
        url: row.get(2)?,
        title: row.get(3)?,
        author: row.get(4)?,
        language: row.get(5)?,
        at: row.get(6)?,
        resemblance: row.get(7)?,
        containment: row.get(8)?,
        reason: row.get(9)?,
    })
}

impl Store {
    /// A document as it is listed.
    pub fn listed(&self, number: u32) -> Result<Option<Listed>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM documents WHERE number = ?1"), &[&number], from_row)
    }

    /// The next copies of a document after a number, at most so many, in the order of arrival.
    pub fn copies_after(&self, original: u32, after: u32, limit: u32) -> Result<Vec<Listed>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS} FROM documents WHERE original = ?1 AND original IS NOT NULL AND number > ?2 \
             ORDER BY number LIMIT ?3"
        );
        self.all(&query, &[&original, &after, &limit], from_row)
    }

    /// How many copies a document has.
    pub fn count_copies(&self, original: u32) -> Result<u64, StoreError> {
        let query = "SELECT copies FROM groups WHERE original = ?1";
        Ok(self.one(query, &[&original], |row| row.get(0))?.unwrap_or(0))
    }

    /// The numbers of copies of a document in the order of arrival: all, if there are not more than so many; else a sample that
    /// favours none, of about half of that or more.
    pub fn sample_copies(&self, original: u32, most: usize) -> Result<Vec<u32>, StoreError> {
        let draws = draws(self.count_copies(original)?, most);
        let mut sample = Sample::of(most);
        self.each(&drawn_copies(draws), &[&original], |row| {
            sample.take(row.get(0)?);
            Ok(())
        })?;
        Ok(sample.kept)
    }

    /// Hands every group to `sink`: the number of its original, and how many copies it has.
    pub fn groups(&self, mut sink: impl FnMut(u32, u64)) -> Result<(), StoreError> {
        self.each("SELECT original, copies FROM groups", &[], |row| {
            sink(row.get(0)?, row.get(1)?);
            Ok(())
        })
    }

    /// The originals whose copies are not as many as is kept.
    pub fn miscounted_groups(&self) -> Result<Vec<u32>, StoreError> {
        let query = "SELECT original FROM groups FULL JOIN (SELECT original, count(*) AS counted FROM documents \
                     WHERE original IS NOT NULL GROUP BY original) USING (original) WHERE copies IS NOT counted";
        self.all(query, &[], |row| row.get(0))
    }

    /// Counts the copies of all groups anew.
    pub fn count_groups(&mut self) -> Result<(), StoreError> {
        self.begin()?;
        self.batch(COUNT_GROUPS)?;
        self.commit()
    }

    /// The latest of the earlier versions of a document, in order, and how many there are.
    pub fn latest_versions(&self, number: u32, limit: u32) -> Result<(Vec<Version>, u64), StoreError> {
        let query = "SELECT version, content, received_at, created_at, title FROM versions WHERE number = ?1 \
                     ORDER BY version DESC LIMIT ?2";
        let mut versions = self.all(query, &[&number, &limit], |row| {
            Ok(Version {
                version: row.get(0)?,
                content: row.get(1)?,
                received_at: row.get(2)?,
                created_at: row.get(3)?,
                title: row.get(4)?,
            })
        })?;
        versions.reverse();
        let count = "SELECT count(*) FROM versions WHERE number = ?1";
        Ok((versions, self.one(count, &[&number], |row| row.get(0))?.unwrap_or(0)))
    }

    /// The latest of what changed for an id, oldest first.
    pub fn latest_history(&self, id: &str, limit: u32) -> Result<Vec<HistoryEntry>, StoreError> {
        let query = "SELECT at, cause, cause_id, version, verdict, original, reason, resemblance FROM history \
                     WHERE id = ?1 ORDER BY entry DESC LIMIT ?2";
        let mut entries = self.all(query, &[&id, &limit], |row| {
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
        })?;
        entries.reverse();
        Ok(entries)
    }

    /// The content of an earlier version; none if there is no such version.
    pub fn content_of_version(&self, number: u32, version: u32) -> Result<Option<u32>, StoreError> {
        let query = "SELECT content FROM versions WHERE number = ?1 AND version = ?2";
        self.one(query, &[&number, &version], |row| row.get(0))
    }

    /// The next documents that the latest sweep missed after a number, at most so many, in the order of arrival.
    pub fn gone_after(&self, after: u32, limit: u32) -> Result<Vec<u32>, StoreError> {
        // Those that are gone are few among those that were seen: their index is walked, not the table.
        let query = "SELECT number FROM sightings INDEXED BY sightings_gone WHERE number > ?1 AND gone IS NOT NULL \
                     ORDER BY number LIMIT ?2";
        self.all(query, &[&after, &limit], |row| row.get(0))
    }

    fn each(
        &self,
        query: &str,
        values: &[&dyn rusqlite::ToSql],
        mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(query).map_err(|error| self.wrong(error))?;
        let mut rows = statement.query(values).map_err(|error| self.wrong(error))?;
        while let Some(row) = rows.next().map_err(|error| self.wrong(error))? {
            take(row).map_err(|error| self.wrong(error))?;
        }
        Ok(())
    }
}

/// Indexes of drawn copies: the first has one in 8, each one more an eighth of that.
const DRAWS: u32 = 4;

/// From which of them a sample of so many is taken: from the last that has as many of a group, on average.
fn draws(copies: u64, most: usize) -> u32 {
    (0..=DRAWS).rev().find(|draws| copies >> (3 * draws) >= most as u64).unwrap_or(0)
}

/// Asks for the copies of a document that the index of so many draws has. Without a draw, for all.
fn drawn_copies(draws: u32) -> String {
    let drawn = match draws {
        0 => String::new(),
        draws => format!("AND (number * 2654435769 & 4294967295) < {}", (1_u64 << 32) >> (3 * draws)),
    };
    format!(
        "SELECT number FROM documents WHERE original = ?1 AND original IS NOT NULL {drawn} ORDER BY number"
    )
}

/// Every so many-th of a stream whose length is not known: whenever there are too many, every second one goes.
struct Sample {
    most: usize,
    every: usize,
    seen: usize,
    kept: Vec<u32>,
}

impl Sample {
    fn of(most: usize) -> Self {
        Sample { most: most.max(1), every: 1, seen: 0, kept: Vec::new() }
    }

    fn take(&mut self, number: u32) {
        let is_next = self.seen.is_multiple_of(self.every);
        self.seen += 1;
        if !is_next {
            return;
        }
        if self.kept.len() == self.most {
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
            if !(self.seen - 1).is_multiple_of(self.every) {
                return;
            }
        }
        self.kept.push(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_from_an_index_that_has_enough() {
        let cases = [(0, 200), (199, 200), (1599, 200), (1600, 200), (100_000, 200), (u64::MAX, 200)];
        assert_eq!(cases.map(|(copies, most)| draws(copies, most)), [0, 0, 0, 1, 2, 4]);
    }

    #[test]
    fn each_draw_reads_its_own_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("store.sqlite"), "").unwrap();
        for draws in 0..=DRAWS {
            let plan = format!("EXPLAIN QUERY PLAN {}", drawn_copies(draws));
            let steps: Vec<String> = store.all(&plan, &[&1], |row| row.get("detail")).unwrap();
            let index = match draws {
                0 => "documents_original".to_owned(),
                draws => format!("documents_drawn_{draws}"),
            };
            assert_eq!(steps, [format!("SEARCH documents USING COVERING INDEX {index} (original=?)")]);
        }
    }

    #[test]
    fn samples_are_evenly_spaced_and_bounded() {
        for (count, most) in
            [(0, 10), (1, 10), (10, 10), (11, 10), (1000, 10), (1000, 7), (99, 1), (5000, 1000)]
        {
            let mut sample = Sample::of(most);
            (0..count).for_each(|number| sample.take(number));
            let even: Vec<u32> = (0..count).step_by(sample.every).collect();
            assert_eq!(sample.kept, even, "{count} {most}");
            let least = (count as usize).min(most.div_ceil(2));
            assert!((least..=most).contains(&even.len()), "{count} {most}: {even:?}");
        }
    }
}
