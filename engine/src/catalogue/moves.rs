//! Which pages moved? Asked piece by piece: every page that sweeps miss is looked for, and there may be very many.

use super::Catalogue;
use super::trace::Moved;
use crate::error::Result;

/// Some of the pages that moved.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedPages {
    /// In the order of arrival.
    pub moved: Vec<Moved>,
    /// How many pages that are gone were looked for.
    pub looked_for: usize,
    /// What the next piece starts after, if there is one.
    pub next: Option<u32>,
}

impl Catalogue {
    /// The next pages that are gone after a number, at most so many: those that moved and live somewhere now.
    pub fn moved_after(&self, after: u32, limit: u32) -> Result<MovedPages> {
        let numbers = self.store().gone_after(after, limit)?;
        let mut moved = Vec::new();
        for &number in &numbers {
            let (document, seen) = (self.store().by_number(number)?, self.store().sighting(number)?);
            if let (Some(document), Some(seen)) = (document, seen) {
                moved.extend(self.moved(&document, seen)?);
            }
        }
        let is_full = numbers.len() == limit as usize;
        Ok(MovedPages { moved, looked_for: numbers.len(), next: numbers.last().copied().filter(|_| is_full) })
    }
}
