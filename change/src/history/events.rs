//! What happened to one page, in order: when it was seen with which text, when it was gone.

use super::spool::Piece;

/// What is kept in memory of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of the page.
    pub page: u32,
    pub at: i64,
    pub kept: Kept,
}

/// What is kept of its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Text { piece: Piece, fingerprint: u64 },
    Empty,
    Same,
    Gone,
}

/// A time at which a page had a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub at: i64,
    pub piece: Piece,
    /// Of the text without its white space: the same, no change.
    pub fingerprint: u64,
}

/// All that happened to one page, by time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Events {
    pub visits: Vec<Visit>,
    /// How often it was found empty.
    pub empty: usize,
    /// Since when somebody says it is gone.
    pub gone: Option<i64>,
    /// How often it was gone and came back.
    pub returns: usize,
}

impl Events {
    /// From what was kept of one page, by time.
    pub fn of(entries: &[Entry]) -> Self {
        let mut events = Events::default();
        entries.iter().for_each(|entry| events.take(entry));
        events
    }

    fn take(&mut self, entry: &Entry) {
        match entry.kept {
            Kept::Text { piece, fingerprint } => self.see(Visit { at: entry.at, piece, fingerprint }),
            Kept::Same => {
                // Seen twice at one time, it is the sweep that brought the version itself.
                if let Some(last) = self.visits.last().copied().filter(|last| last.at < entry.at) {
                    self.see(Visit { at: entry.at, ..last });
                }
            }
            Kept::Empty => self.empty += 1,
            Kept::Gone => self.gone = self.gone.or(Some(entry.at)),
        }
    }

    fn see(&mut self, visit: Visit) {
        self.returns += usize::from(self.gone.take().is_some() && !self.visits.is_empty());
        self.visits.push(visit);
    }

    pub fn first(&self) -> Option<&Visit> {
        self.visits.first()
    }

    pub fn last(&self) -> Option<&Visit> {
        self.visits.last()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::history::spool::SpoolWriter;

    fn piece() -> Piece {
        SpoolWriter::create(None).unwrap().push(b"", 0).unwrap()
    }

    /// A page that was seen with one text on these days.
    pub fn events(days: &[i64]) -> Events {
        let kept = Kept::Text { piece: piece(), fingerprint: 1 };
        let entries: Vec<Entry> = days.iter().map(|day| Entry { page: 0, at: day * 86_400, kept }).collect();
        Events::of(&entries)
    }

    #[test]
    fn gone_and_back_again() {
        let text = Kept::Text { piece: piece(), fingerprint: 1 };
        let states = [text, Kept::Empty, Kept::Gone, Kept::Gone, Kept::Same, Kept::Same, Kept::Gone];
        let entries: Vec<Entry> = (0..).zip(states).map(|(at, kept)| Entry { page: 0, at, kept }).collect();
        let events = Events::of(&entries);
        assert_eq!(events.visits.iter().map(|visit| visit.at).collect::<Vec<_>>(), [0, 4, 5]);
        assert_eq!((events.empty, events.gone, events.returns), (1, Some(6), 1));
        assert_eq!(Events::of(&entries[..4]).gone, Some(2));
        assert!(Events::of(&entries[1..6]).visits.is_empty(), "the same as nothing is nothing");
    }
}
