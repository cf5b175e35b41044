//! The sketch postings as a follower: a sample of every content, the present and earlier ones, by which `similar` and
//! `trace` find what resembles, contains or is contained. By likeness, also the keys of present contents, by which `similar`
//! finds what has the same words.

use crate::error::Result;
use crate::following::UNWRITTEN_CHANGES;
use crate::following::follower::Follower;
use crate::following::gists::{Gists, View};
use crate::indexes::{folder_of_generation, remove_folder};
use firstcopy_index::{IndexError, Postings};
use firstcopy_store::{Change, State};
use std::path::{Path, PathBuf};

/// The folder of the postings of one generation of features.
pub(crate) fn postings_folder(indexes: &Path, generation: u32) -> PathBuf {
    folder_of_generation(indexes, generation).join("postings")
}

/// Keeps the postings up to the store.
#[derive(Debug)]
pub(crate) struct PostingsFollower {
    view: View,
    folder: PathBuf,
    /// None after a restart failed.
    postings: Option<Postings>,
}

impl PostingsFollower {
    /// Opens the postings. What cannot be read is begun anew: the store is the truth.
    pub(crate) fn open(folder: PathBuf, view: View) -> Result<Self> {
        let postings = match Postings::open(&folder) {
            Ok(postings) => postings,
            Err(_) => {
                remove_folder(&folder)?;
                Postings::open(&folder)?
            }
        };
        Ok(PostingsFollower { view, folder, postings: Some(postings) })
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        Ok(self.postings.as_mut().map_or(Ok(()), Postings::flush)?)
    }
}

/// Applies changes: a content that came is sampled, one that is forgotten is removed. One that has gone since then is
/// forgotten by a later change.
pub(crate) fn apply_to_postings(postings: &mut Postings, gists: Gists<'_>, changes: &[Change]) -> Result<()> {
    for change in changes {
        if let Some(values) = &change.forgotten {
            postings.remove(change.content, values);
        } else if change.was == State::Absent {
            postings.insert(change.content, &gists.sketch(change.content)?);
        }
        match (change.was, change.now) {
            _ if !gists.are_by_likeness() => {}
            (State::Absent, State::Original | State::Duplicate) => {
                postings.insert(change.content, &change.keys);
            }
            (State::Original | State::Duplicate, State::Absent) => {
                postings.remove(change.content, &change.keys);
            }
            _ => {}
        }
    }
    Ok(())
}

impl Follower for PostingsFollower {
    fn name(&self) -> &str {
        "postings"
    }

    fn position(&self) -> u64 {
        self.postings.as_ref().map_or(0, Postings::position)
    }

    fn durable_position(&self) -> u64 {
        self.postings.as_ref().map_or(0, Postings::durable_position)
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> std::result::Result<(), String> {
        let postings = self.postings.as_mut().ok_or("the postings could not be begun anew")?;
        apply_to_postings(postings, self.view.gists(), changes).map_err(|error| error.to_string())?;
        postings.commit(position).map_err(|error| error.to_string())?;
        if position.saturating_sub(postings.durable_position()) >= UNWRITTEN_CHANGES {
            postings.flush().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn restart(&mut self) -> std::result::Result<(), String> {
        self.postings = None;
        remove_folder(&self.folder).map_err(|error| error.to_string())?;
        let opened = Postings::open(&self.folder);
        self.postings = Some(opened.map_err(|error: IndexError| error.to_string())?);
        Ok(())
    }
}
