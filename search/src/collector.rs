//! Which hits come first after a place, and how many are there in all?

use crate::cursor::Rank;
use crate::schema::{DATE, NUMBER};
use crate::searcher::{Hit, Sort};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

/// Keeps the first `limit` hits after a rank.
pub(crate) struct FirstHits {
    pub sort: Sort,
    pub limit: usize,
    pub after: Option<Rank>,
}

/// The first hits so far, and how many were seen.
pub(crate) struct Page {
    sort: Sort,
    limit: usize,
    after: Option<Rank>,
    total: u64,
    /// How many came after the place, kept or not.
    following: u64,
    /// The last of them on top.
    hits: BinaryHeap<Ranked>,
}

/// A hit with its rank, ordered by it.
struct Ranked(Rank, Hit);

impl Page {
    fn see(&mut self, rank: Rank, hit: Hit) {
        self.total += 1;
        if self.after.is_none_or(|after| rank > after) {
            self.following += 1;
            self.keep(Ranked(rank, hit));
        }
    }

    fn keep(&mut self, ranked: Ranked) {
        if self.hits.len() < self.limit {
            self.hits.push(ranked);
        } else if let Some(mut last) = self.hits.peek_mut()
            && ranked < *last
        {
            *last = ranked;
        }
    }

    fn join(mut self, other: Page) -> Page {
        self.total += other.total;
        self.following += other.following;
        other.hits.into_iter().for_each(|ranked| self.keep(ranked));
        self
    }

    /// How many hits there are in all, the first after the place, and the rank of the last of these if more follow.
    pub fn finish(self) -> (u64, Vec<Hit>, Option<Rank>) {
        let more = self.following > self.hits.len() as u64;
        let sorted = self.hits.into_sorted_vec();
        let last = sorted.last().map(|ranked| ranked.0).filter(|_| more);
        (self.total, sorted.into_iter().map(|ranked| ranked.1).collect(), last)
    }
}

impl FirstHits {
    fn page(&self) -> Page {
        let (sort, limit, after) = (self.sort, self.limit, self.after);
        Page { sort, limit, after, total: 0, following: 0, hits: BinaryHeap::new() }
    }
}

impl Collector for FirstHits {
    type Fruit = Page;
    type Child = InSegment;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<InSegment> {
        let columns = segment.fast_fields();
        Ok(InSegment { numbers: columns.u64(NUMBER)?, dates: columns.i64(DATE)?, page: self.page() })
    }

    fn requires_scoring(&self) -> bool {
        self.sort == Sort::Relevance
    }

    fn merge_fruits(&self, pages: Vec<Page>) -> tantivy::Result<Page> {
        Ok(pages.into_iter().reduce(Page::join).unwrap_or_else(|| self.page()))
    }
}

/// The hits of one segment.
pub(crate) struct InSegment {
    numbers: Column<u64>,
    dates: Column<i64>,
    page: Page,
}

impl SegmentCollector for InSegment {
    type Fruit = Page;

    fn collect(&mut self, document: DocId, score: Score) {
        let number = self.numbers.first(document).unwrap_or_default() as u32;
        let date = self.dates.first(document).unwrap_or_default();
        let rank = Rank::of(self.page.sort, score, date, number);
        self.page.see(rank, Hit { number, score, date });
    }

    fn harvest(self) -> Page {
        self.page
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
