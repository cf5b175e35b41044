//! What do several sorted sources say together? The newest word on every document at every place.

use super::entry::Entry;
use std::iter::Peekable;

/// A sorted source of entries.
pub(super) type Source<'a> = Box<dyn Iterator<Item = Entry> + 'a>;

/// Merges sources, given from the newest to the oldest. Holds one entry of each.
pub(super) struct Merge<'a> {
    sources: Vec<Peekable<Source<'a>>>,
}

impl<'a> Merge<'a> {
    pub fn new(sources: Vec<Source<'a>>) -> Self {
        Merge { sources: sources.into_iter().map(Iterator::peekable).collect() }
    }

    /// Only what is really there: for the oldest run, under which nothing is left to be removed.
    pub fn living(self) -> impl Iterator<Item = Entry> + use<'a> {
        self.filter(|entry| !entry.removed)
    }
}

impl Iterator for Merge<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let mut newest: Option<Entry> = None;
        for source in &mut self.sources {
            let Some(&entry) = source.peek() else { continue };
            // Of equals the first, which is the newest, stays.
            if newest.is_none_or(|least| (entry.place, entry.number) < (least.place, least.number)) {
                newest = Some(entry);
            }
        }
        let newest = newest?;
        for source in &mut self.sources {
            source.next_if(|entry| entry.same(&newest));
        }
        Some(newest)
    }
}
