//! How a data directory is opened to be asked: as far as its followers got, after letting them catch up if nobody else
//! does.

use super::Catalogue;
use crate::error::Result;
use crate::following::{Gists, Team, apply_to_postings, next_changes, postings_folder, search_folders};
use crate::passages::OwnDigests;
use crate::reader::Reader;
use firstcopy_index::Postings;
use firstcopy_search::Searcher;
use firstcopy_store::{Directory, StoreError};
use firstcopy_text::{Analyzer, Seed};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Changes that are caught up with in memory, beside the process that writes them down.
const MOST_CHANGES: usize = 65_536;
/// How long another process may take to make indexes that are not there yet.
const PATIENCE: Duration = Duration::from_secs(2);

impl Catalogue {
    /// Opens a data directory. If its followers are behind and no other process has it open, they catch up first.
    pub fn open(path: &Path) -> Result<Self> {
        match Self::beside(path) {
            Ok(catalogue) if catalogue.is_in_step()? => Ok(catalogue),
            _ if catch_up(path)? => Self::beside(path),
            _ => Self::beside_a_beginner(path),
        }
    }

    /// Opens a data directory that another process has just opened, too: it may still be making its indexes.
    fn beside_a_beginner(path: &Path) -> Result<Self> {
        let until = Instant::now() + PATIENCE;
        loop {
            match Self::beside(path) {
                Err(_) if Instant::now() < until => std::thread::sleep(PATIENCE / 100),
                opened => return opened,
            }
        }
    }

    /// Opens a data directory as far as its followers got.
    pub fn beside(path: &Path) -> Result<Self> {
        let mut catalogue = Self::as_written(path)?;
        bring_postings_up(&mut catalogue.postings, &catalogue.reader, &catalogue.analyzer)?;
        catalogue.digests.bring_up(&catalogue.reader.store, &catalogue.analyzer)?;
        Ok(catalogue)
    }

    /// The same as far as its followers have written: similarity and passages lack what these have in memory only, until they
    /// are renewed.
    pub fn as_written(path: &Path) -> Result<Self> {
        let reader = Reader::open(path)?;
        let analyzer = analyzer_of(&reader)?;
        let [originals, copies] =
            search_folders(&reader.directory.indexes()).map(|folder| Searcher::open(&folder));
        let postings = written_postings(&reader)?;
        let digests = OwnDigests::as_written(&reader)?;
        Ok(Catalogue { originals: originals?, copies: copies?, postings, digests, analyzer, reader })
    }

    /// Lets search know what its follower has taken since it was opened: a look at its files, whatever was stored.
    pub fn renew_search(&mut self) -> Result<()> {
        let position = self.store().position()?;
        if self.originals.position().min(self.copies.position()) < position {
            let [originals, copies] =
                search_folders(&self.reader.directory.indexes()).map(|folder| Searcher::open(&folder));
            (self.originals, self.copies) = (originals?, copies?);
        }
        Ok(())
    }

    /// Lets similarity and passages know all that is stored.
    pub fn renew_similarity(&mut self) -> Result<()> {
        if !self.bring_up()? {
            self.postings = open_postings(&self.reader, &self.analyzer)?;
            self.digests = OwnDigests::open(&self.reader, &self.analyzer)?;
        }
        Ok(())
    }

    /// Takes what was stored since it was opened, in memory; search stays where it is. False if that is more than there is
    /// room for, or no longer told: then a new one has to be opened.
    pub fn bring_up(&mut self) -> Result<bool> {
        let position = self.store().position()?;
        bring_postings_up(&mut self.postings, &self.reader, &self.analyzer)?;
        self.digests.bring_up(&self.reader.store, &self.analyzer)?;
        let reached = [self.postings.position(), self.digests.position()];
        Ok(self.digests.has_room() && reached.into_iter().all(|reached| reached >= position))
    }

    /// Whether search and postings know just what is stored.
    pub fn is_in_step(&self) -> Result<bool> {
        let position = self.store().position()?;
        let followers = [self.originals.position(), self.copies.position()];
        let reached = followers.into_iter().chain([self.postings.position(), self.digests.position()]);
        // One that is ahead knows another store: somebody brought an older one back.
        Ok(reached.into_iter().all(|reached| reached == position))
    }
}

/// Opens the postings, and applies in memory what they lack. What is no longer in the outbox is on the disk by now.
fn open_postings(reader: &Reader, analyzer: &Analyzer) -> Result<Postings> {
    let mut postings = written_postings(reader)?;
    bring_postings_up(&mut postings, reader, analyzer)?;
    Ok(postings)
}

fn written_postings(reader: &Reader) -> Result<Postings> {
    Ok(Postings::open_to_read(&postings_folder(&reader.directory.indexes(), reader.generation()?))?)
}

fn bring_postings_up(postings: &mut Postings, reader: &Reader, analyzer: &Analyzer) -> Result<()> {
    let mut taken = 0;
    while taken < MOST_CHANGES
        && let Some(changes) = next_changes(&reader.store, postings.position())?
        && let Some(last) = changes.last()
    {
        apply_to_postings(postings, Gists::stored(&reader.store, analyzer), &changes)?;
        postings.commit(last.position)?;
        taken += changes.len();
    }
    Ok(())
}

fn analyzer_of(reader: &Reader) -> Result<Analyzer> {
    let seed = Seed::new(reader.directory.seeds()?);
    crate::open::analyzer_of(&reader.settings()?, &seed, &reader.store)
}

/// Lets the followers catch up, unless another process has the data directory open: then that one does, and the answer
/// is false.
fn catch_up(path: &Path) -> Result<bool> {
    let _lock = match Directory::open(path) {
        Err(StoreError::InUse { .. }) => return Ok(false),
        directory => directory?,
    };
    let reader = Reader::open(path)?;
    let mut team =
        Team::open(path, reader.generation()?, Arc::new(analyzer_of(&reader)?), Arc::default(), None)?;
    team.bring_up()?;
    team.close()?;
    Ok(true)
}
