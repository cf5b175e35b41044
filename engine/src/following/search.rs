//! The search index as a follower: originals in one, which is what is searched; copies in another, for whoever asks for
//! all.

use crate::error::Result;
use crate::following::follower::Follower;
use crate::following::gists::View;
use crate::indexes::remove_folder;
use crate::judge::state;
use firstcopy_search::{Entry, SearchError, SearchIndex};
use firstcopy_store::{Change, Document, State};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders of the two: originals and copies.
pub(crate) fn search_folders(indexes: &Path) -> [PathBuf; 2] {
    ["originals", "copies"].map(|name| indexes.join("search").join(name))
}

/// Keeps both up to the store.
#[derive(Debug)]
pub(crate) struct SearchFollower {
    view: View,
    originals: SearchIndex,
    copies: SearchIndex,
}

impl SearchFollower {
    /// Opens both. What cannot be read is begun anew: the store is the truth.
    pub(crate) fn open(folders: [PathBuf; 2], view: View) -> Result<Self> {
        let [originals, copies] = folders.map(|folder| open(&folder));
        Ok(SearchFollower { view, originals: originals?, copies: copies? })
    }

    fn put(&mut self, document: &Document) -> std::result::Result<(), String> {
        let text = self.view.gists().text(document.content).map_err(|error| error.to_string())?;
        let index = match state(document) {
            State::Original => &mut self.originals,
            _ => &mut self.copies,
        };
        index.put(&entry(document, &text)).map_err(|error| error.to_string())
    }

    fn remove(&mut self, number: u32, from: State) -> std::result::Result<(), SearchError> {
        match from {
            State::Original => self.originals.remove(number),
            State::Duplicate => self.copies.remove(number),
            State::Absent => Ok(()),
        }
    }
}

fn open(folder: &Path) -> Result<SearchIndex> {
    match SearchIndex::open(folder) {
        Ok(index) => Ok(index),
        Err(_) => {
            remove_folder(folder)?;
            Ok(SearchIndex::open(folder)?)
        }
    }
}

fn entry<'a>(document: &'a Document, text: &'a str) -> Entry<'a> {
    Entry {
        number: document.number,
        title: document.title.as_deref().unwrap_or_default(),
        text,
        author: document.author.as_deref().unwrap_or_default(),
        site: document.url.as_deref().map(site).unwrap_or_default(),
        language: document.language.as_deref().unwrap_or_default(),
        date: document.place.judged_at,
    }
}

/// The host of a url, without the port.
pub(crate) fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    host.rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(host, |(host, _)| host)
}

impl Follower for SearchFollower {
    fn name(&self) -> &str {
        "search"
    }

    fn position(&self) -> u64 {
        self.originals.position().min(self.copies.position())
    }

    /// Brings every document that changed to where it belongs now, which may be further than the changes tell: those
    /// that do will come, and change nothing.
    fn apply(&mut self, changes: &[Change], position: u64) -> std::result::Result<(), String> {
        let wrong = |error: SearchError| error.to_string();
        let mut were: BTreeMap<u32, Vec<State>> = BTreeMap::new();
        changes.iter().for_each(|change| were.entry(change.number).or_default().push(change.was));
        for (number, were) in were {
            let document = self.view.store.by_number(number).map_err(|error| error.to_string())?;
            let now = document.as_ref().map_or(State::Absent, state);
            for was in [State::Original, State::Duplicate] {
                if were.contains(&was) && was != now {
                    self.remove(number, was).map_err(wrong)?;
                }
            }
            if let Some(document) = document {
                self.put(&document)?;
            }
        }
        self.originals.commit(position).map_err(wrong)?;
        self.copies.commit(position).map_err(wrong)
    }

    fn restart(&mut self) -> std::result::Result<(), String> {
        let wrong = |error: SearchError| error.to_string();
        self.originals.clear().map_err(wrong)?;
        self.copies.clear().map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn sites_of_urls() {
        for (url, expected) in [
            ("https://blog.example/a/b?c#d", "blog.example"),
            ("http://user:secret@blog.example:8080/a", "blog.example"),
            ("blog.example/a", "blog.example"),
            ("https://blog.example?x", "blog.example"),
            ("http://[2001:db8::1]:80/a", "[2001:db8::1]"),
            ("", ""),
        ] {
            assert_eq!(site(url), expected, "{url}");
        }
    }
}
