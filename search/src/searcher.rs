//! Which documents answer a query, in which order? Sees one commit, beside whoever writes.

use crate::collector::FirstHits;
use crate::cursor::{Cursor, Rank};
use crate::directory::{DurableDirectory, META};
use crate::error::{SearchError, guarded};
use crate::index::position_of;
use crate::query::Query;
use crate::schema::{Fields, NUMBER, schema};
use crate::tokenizer::tokenizers;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, TermSetQuery};
use tantivy::{Index, IndexReader, ReloadPolicy};

/// The order of hits. Where it leaves two equal, the smaller number comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The best first.
    #[default]
    Relevance,
    /// The latest date first.
    Newest,
    /// The earliest date first.
    Oldest,
}

/// How many hits are wanted, in which order, from where on.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    /// At most so many.
    pub limit: usize,
    /// In this order.
    pub sort: Sort,
    /// After the page that this came with.
    pub after: Option<Cursor>,
}

impl Default for Ask {
    fn default() -> Self {
        Ask { limit: 10, sort: Sort::default(), after: None }
    }
}

/// A document that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Its number.
    pub number: u32,
    /// How well it fits; 0 when the hits are sorted by date.
    pub score: f32,
    /// Its date.
    pub date: i64,
}

impl Hit {
    /// Whether it comes before a hit of another index.
    pub fn precedes(&self, other: &Hit, sort: Sort) -> bool {
        self.rank(sort) < other.rank(sort)
    }

    fn rank(&self, sort: Sort) -> Rank {
        Rank::of(sort, self.score, self.date, self.number)
    }
}

impl Cursor {
    /// The place right after a hit of a query.
    pub fn behind(query: &Query, sort: Sort, hit: &Hit) -> Self {
        Cursor { question: question(query, sort), rank: hit.rank(sort) }
    }
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// In order.
    pub hits: Vec<Hit>,
    /// How many there are on all pages.
    pub total: u64,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// Sees the index as it was at one commit. Cheap to clone.
#[derive(Clone)]
pub struct Searcher {
    folder: PathBuf,
    fields: Fields,
    snapshot: tantivy::Searcher,
    position: u64,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_struct("Searcher").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Searcher {
    /// Opens the last commit of an index beside whoever writes to it.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        let (index, fields) = open_index(folder)?;
        // The position first: what is seen may be a later commit, never an earlier one.
        let position = position_of(&index, folder)?;
        Ok(Searcher::new(folder, fields, reader_of(&index, folder)?.searcher(), position))
    }

    pub(crate) fn new(folder: &Path, fields: Fields, snapshot: tantivy::Searcher, position: u64) -> Self {
        Searcher { folder: folder.to_owned(), fields, snapshot, position }
    }

    /// The position in the store's outbox up to which it knows everything.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The documents that answer a query.
    pub fn search(&self, query: &Query, ask: &Ask) -> Result<Found, SearchError> {
        let question = question(query, ask.sort);
        if ask.after.is_some_and(|after| after.question != question) {
            return Err(SearchError::ForeignCursor);
        }
        let hits = FirstHits { sort: ask.sort, limit: ask.limit, after: ask.after.map(|after| after.rank) };
        let query = query.build(&self.fields);
        let page = guarded(&self.folder, || self.snapshot.search(&*query, &hits))?;
        let (total, hits, last) = page.finish();
        Ok(Found { hits, total, next: last.map(|rank| Cursor { question, rank }) })
    }

    /// Those of some documents that answer a query, the best first.
    pub fn among(&self, query: &Query, numbers: &[u32]) -> Result<Vec<Hit>, SearchError> {
        let terms = numbers.iter().map(|&number| self.fields.number_term(number));
        let some = ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 0.0);
        let parts: Vec<(Occur, Box<dyn tantivy::query::Query>)> =
            vec![(Occur::Must, query.build(&self.fields)), (Occur::Must, Box::new(some))];
        let hits = FirstHits { sort: Sort::Relevance, limit: numbers.len(), after: None };
        let page = guarded(&self.folder, || self.snapshot.search(&BooleanQuery::new(parts), &hits))?;
        Ok(page.finish().1)
    }

    /// How many documents there are.
    pub fn documents(&self) -> u64 {
        self.snapshot.num_docs()
    }

    /// The numbers of all documents, ascending.
    pub fn numbers(&self) -> Result<Vec<u32>, SearchError> {
        let mut numbers = Vec::new();
        guarded(&self.folder, || {
            for segment in self.snapshot.segment_readers() {
                let column = segment.fast_fields().u64(NUMBER)?;
                let number = |document| column.first(document).map(|number| number as u32);
                numbers.extend(segment.doc_ids_alive().filter_map(number));
            }
            Ok(())
        })?;
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Stands for a query and an order in a cursor.
fn question(query: &Query, sort: Sort) -> u64 {
    let mut hasher = DefaultHasher::new();
    (query, sort).hash(&mut hasher);
    hasher.finish()
}

/// Opens an index that is there, whoever writes to it.
pub(crate) fn open_index(folder: &Path) -> Result<(Index, Fields), SearchError> {
    if !folder.join(META).exists() {
        return Err(SearchError::Missing(folder.to_owned()));
    }
    let directory = DurableDirectory::open(folder).map_err(SearchError::of(folder))?;
    let mut index = Index::open(directory).map_err(SearchError::of(folder))?;
    let (schema, fields) = schema();
    if index.schema() != schema {
        return Err(SearchError::OtherVersion(folder.to_owned()));
    }
    index.set_tokenizers(tokenizers());
    Ok((index, fields))
}

/// A reader that sees the last commit, and later ones when it is told to.
pub(crate) fn reader_of(index: &Index, folder: &Path) -> Result<IndexReader, SearchError> {
    guarded(folder, || index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into())
}
