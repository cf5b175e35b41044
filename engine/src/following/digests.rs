//! The digests as a follower: the segments of every content, the present and earlier ones, by which copied passages are
//! found. A content that is forgotten stays among them until the indexes are rebuilt: whoever finds one asks the store.

use crate::error::Result;
use crate::following::UNWRITTEN_CHANGES;
use crate::following::follower::Follower;
use crate::following::gists::{Gists, View};
use crate::indexes::{folder_of_generation, remove_folder};
use firstcopy_passages::DigestIndex;
use firstcopy_store::{Change, State};
use std::path::{Path, PathBuf};

/// The folder of the digests of one generation of features.
pub(crate) fn digests_folder(indexes: &Path, generation: u32) -> PathBuf {
    folder_of_generation(indexes, generation).join("digests")
}

/// Keeps the digests up to the store.
#[derive(Debug)]
pub(crate) struct DigestFollower {
    view: View,
    folder: PathBuf,
    /// None after a restart failed.
    digests: Option<DigestIndex>,
}

impl DigestFollower {
    /// Opens the digests. What cannot be read is begun anew: the store is the truth.
    pub(crate) fn open(folder: PathBuf, view: View) -> Result<Self> {
        let digests = match DigestIndex::open(&folder) {
            Ok(digests) => digests,
            Err(_) => {
                remove_folder(&folder)?;
                DigestIndex::open(&folder)?
            }
        };
        Ok(DigestFollower { view, folder, digests: Some(digests) })
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        Ok(self.digests.as_mut().map_or(Ok(()), DigestIndex::flush)?)
    }
}

/// Applies changes: a content that came is digested.
pub(crate) fn apply_to_digests(
    digests: &mut DigestIndex,
    gists: Gists<'_>,
    changes: &[Change],
) -> Result<()> {
    let came = changes.iter().filter(|change| change.forgotten.is_none() && change.was == State::Absent);
    for change in came {
        let digest = gists.digest(change.content)?;
        if !digest.fingerprints.is_empty() {
            digests.insert(u64::from(change.content), &digest);
        }
    }
    Ok(())
}

impl Follower for DigestFollower {
    fn name(&self) -> &str {
        "digests"
    }

    fn position(&self) -> u64 {
        self.digests.as_ref().map_or(0, DigestIndex::position)
    }

    fn durable_position(&self) -> u64 {
        self.digests.as_ref().map_or(0, DigestIndex::durable_position)
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> std::result::Result<(), String> {
        let digests = self.digests.as_mut().ok_or("the digests could not be begun anew")?;
        apply_to_digests(digests, self.view.gists(), changes).map_err(|error| error.to_string())?;
        digests.commit(position).map_err(|error| error.to_string())?;
        if position.saturating_sub(digests.durable_position()) >= UNWRITTEN_CHANGES {
            digests.flush().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn restart(&mut self) -> std::result::Result<(), String> {
        self.digests = None;
        remove_folder(&self.folder).map_err(|error| error.to_string())?;
        self.digests = Some(DigestIndex::open(&self.folder).map_err(|error| error.to_string())?);
        Ok(())
    }
}
