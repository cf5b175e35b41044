//! Sweeps and sightings: when was a page seen by a dated crawl, and since when is it gone?

use crate::error::StoreError;
use crate::store::Store;
use rusqlite::Row;

/// When sweeps saw a document. All times are the dates of sweeps, in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// The document.
    pub number: u32,
    /// The first sweep that saw it.
    pub first: i64,
    /// The last sweep that saw it.
    pub last: i64,
    /// The sweep that missed it; none if the latest one saw it.
    pub gone: Option<i64>,
}

/// A time between two sightings in which sweeps missed a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// The first sweep that missed it.
    pub gone: i64,
    /// The sweep that saw it again.
    pub back: i64,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Sighting> {
    Ok(Sighting { number: row.get(0)?, first: row.get(1)?, last: row.get(2)?, gone: row.get(3)? })
}

impl Store {
    /// The latest sweep that was begun.
    pub fn latest_sweep(&self) -> Result<Option<i64>, StoreError> {
        Ok(self.one("SELECT max(sweep) FROM sweeps", &[], |row| row.get(0))?.flatten())
    }

    /// All sweeps that were finished, ascending.
    pub fn finished_sweeps(&self) -> Result<Vec<i64>, StoreError> {
        self.all("SELECT sweep FROM sweeps WHERE finished = 1 ORDER BY sweep", &[], |row| row.get(0))
    }

    /// Writes down that a sweep has begun.
    pub fn begin_sweep(&mut self, sweep: i64) -> Result<(), StoreError> {
        self.change("INSERT INTO sweeps VALUES (?1, 0) ON CONFLICT DO NOTHING", &[&sweep])
    }

    /// Writes down that a sweep saw a document. Returns whether it had been gone.
    pub fn sight(&mut self, number: u32, sweep: i64) -> Result<bool, StoreError> {
        let before = self.sighting(number)?;
        // Missed only by an earlier part of the same sweep, it was never away.
        let gone = before.and_then(|before| before.gone).filter(|&gone| gone < sweep);
        if let Some(gone) = gone {
            self.change("INSERT INTO absences VALUES (?1, ?2, ?3)", &[&number, &gone, &sweep])?;
        }
        if before.is_none_or(|before| before.last < sweep) {
            self.change(
                "INSERT INTO sightings VALUES (?1, ?2, ?2, NULL) \
                 ON CONFLICT DO UPDATE SET last = ?2, gone = NULL",
                &[&number, &sweep],
            )?;
        }
        Ok(gone.is_some())
    }

    /// Marks what a sweep did not see as gone. Returns how many documents that were.
    pub fn finish_sweep(&mut self, sweep: i64) -> Result<u64, StoreError> {
        self.change("UPDATE sightings SET gone = ?1 WHERE last < ?1 AND gone IS NULL", &[&sweep])?;
        let gone = self.connection.changes();
        self.change("UPDATE sweeps SET finished = 1 WHERE sweep = ?1", &[&sweep])?;
        Ok(gone)
    }

    /// Writes down what another store knew of a document: when sweeps saw it, and when they missed it.
    pub fn put_sighting(&mut self, sighting: &Sighting, absences: &[Absence]) -> Result<(), StoreError> {
        let Sighting { number, first, last, gone } = sighting;
        self.change("INSERT INTO sightings VALUES (?1, ?2, ?3, ?4)", &[number, first, last, gone])?;
        let sweeps = [Some(*first), Some(*last), *gone].into_iter().flatten();
        let sweeps = sweeps.chain(absences.iter().flat_map(|absence| [absence.gone, absence.back]));
        for sweep in sweeps {
            self.change("INSERT INTO sweeps VALUES (?1, 1) ON CONFLICT DO NOTHING", &[&sweep])?;
        }
        for Absence { gone, back } in absences {
            self.change(
                "INSERT INTO absences VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                &[number, gone, back],
            )?;
        }
        Ok(())
    }

    /// When sweeps saw a document; none if none ever did.
    pub fn sighting(&self, number: u32) -> Result<Option<Sighting>, StoreError> {
        self.one("SELECT number, first, last, gone FROM sightings WHERE number = ?1", &[&number], from_row)
    }

    /// When sweeps missed a document that came back.
    pub fn absences(&self, number: u32) -> Result<Vec<Absence>, StoreError> {
        let query = "SELECT gone, back FROM absences WHERE number = ?1 ORDER BY gone";
        self.all(query, &[&number], |row| Ok(Absence { gone: row.get(0)?, back: row.get(1)? }))
    }

    /// All documents that the latest sweep missed, in the order of arrival.
    pub fn gone(&self) -> Result<Vec<Sighting>, StoreError> {
        let query = "SELECT number, first, last, gone FROM sightings WHERE gone IS NOT NULL ORDER BY number";
        self.all(query, &[], from_row)
    }
}
