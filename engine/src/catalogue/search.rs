//! Which originals speak of these words? Copies stay folded under them, and are looked through only when all is asked.

use super::Catalogue;
use crate::content::core_of;
use crate::error::{EngineError, Result};
use crate::following::site;
use crate::verdict::rfc3339;
use firstcopy_search::{Ask, Cursor, Query, Searcher, Snippet, Sort, snippet};
use firstcopy_store::Document;
use serde::Serialize;
use std::collections::VecDeque;

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuestion {
    /// Words, phrases, filters.
    pub query: String,
    /// Whether copies are looked through too.
    pub all: bool,
    /// The order of the hits.
    pub sort: Sort,
    /// Hits of a page.
    pub limit: usize,
    /// Where the page starts: what the page before said.
    pub cursor: Option<String>,
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SearchAnswer {
    /// In order.
    pub hits: Vec<Hit>,
    /// Documents that match, on all pages.
    pub total: u64,
    /// What the next page starts with, if there is one.
    pub next: Option<String>,
}

/// An original, with its copies folded under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hit {
    /// The document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// The host of its url.
    pub site: Option<String>,
    /// The language that it declares.
    pub language: Option<String>,
    /// When it was created, as far as that is believed, else when it was received.
    pub date: String,
    /// Since when sweeps miss it; none if they do not.
    pub gone_at: Option<String>,
    /// How well it fits; 0 when the hits are sorted by date.
    pub score: f32,
    /// The place in its text that fits best.
    pub snippet: String,
    /// What matched there: bytes of the snippet, from and to.
    pub highlights: Vec<(usize, usize)>,
    /// How many copies it has.
    pub copies: usize,
    /// The first few of them.
    pub first_copies: Vec<CopyName>,
    /// Copies that match themselves, the best first. If the original does not match, the snippet is of the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matching_copies: Vec<CopyName>,
}

/// Who has a copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CopyName {
    /// The copy.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// By whom.
    pub author: Option<String>,
}

/// Copies that are named with a hit.
const NAMED_COPIES: usize = 3;
/// Characters of a snippet.
const SNIPPET_CHARS: usize = 160;
/// Between the two halves of a cursor through originals and copies.
const BETWEEN: char = '.';

impl Catalogue {
    /// Searches.
    pub fn search(&self, question: &SearchQuestion) -> Result<SearchAnswer> {
        let query = Query::parse(&question.query).map_err(EngineError::Query)?;
        if question.all { self.search_all(&query, question) } else { self.search_originals(&query, question) }
    }

    fn search_originals(&self, query: &Query, question: &SearchQuestion) -> Result<SearchAnswer> {
        let after = question.cursor.as_deref().map(str::parse).transpose().map_err(EngineError::Query)?;
        let ask = Ask { limit: question.limit, sort: question.sort, after };
        let found = self.originals.search(query, &ask)?;
        let mut hits = Vec::new();
        for hit in &found.hits {
            // Gone since the search index got here.
            let Some(document) = self.store().by_number(hit.number)? else { continue };
            hits.push(self.hit(query, &document, &document, hit.score, Vec::new())?);
        }
        Ok(SearchAnswer { hits, total: found.total, next: found.next.map(|cursor| cursor.to_string()) })
    }

    /// Originals and copies in one order, copies folded under their originals: at the original's own place if it
    /// matches itself, else at the place of the best copy.
    fn search_all(&self, query: &Query, question: &SearchQuestion) -> Result<SearchAnswer> {
        let (first, second) = cursors(question.cursor.as_deref())?;
        let mut originals = Stream::new(&self.originals, query, question, first);
        let mut copies = Stream::new(&self.copies, query, question, second);
        let mut hits = Vec::new();
        while hits.len() < question.limit {
            let from_originals = match (originals.peek()?, copies.peek()?) {
                (None, None) => break,
                (Some(original), Some(copy)) => original.precedes(&copy, question.sort),
                (original, _) => original.is_some(),
            };
            let stream = if from_originals { &mut originals } else { &mut copies };
            let Some(hit) = stream.take() else { break };
            hits.extend(if from_originals {
                self.folded(query, hit)?
            } else {
                self.led_by_copy(query, hit)?
            });
        }
        let is_more = originals.peek()?.is_some() || copies.peek()?.is_some();
        let next = is_more.then(|| format!("{}{BETWEEN}{}", originals.place(), copies.place()));
        Ok(SearchAnswer { hits, total: originals.total + copies.total, next })
    }

    /// An original that matches, with the copies that do.
    fn folded(&self, query: &Query, hit: firstcopy_search::Hit) -> Result<Option<Hit>> {
        let Some(document) = self.store().by_number(hit.number)? else { return Ok(None) };
        let matching = self.copies.among(query, &self.store().copies(hit.number)?)?;
        self.hit(query, &document, &document, hit.score, matching).map(Some)
    }

    /// A copy that matches while its original does not; none if another copy that fits better stands for it.
    fn led_by_copy(&self, query: &Query, hit: firstcopy_search::Hit) -> Result<Option<Hit>> {
        let Some(copy) = self.store().by_number(hit.number)? else { return Ok(None) };
        let Some(original) = copy.judgement.original else { return Ok(None) };
        if !self.originals.among(query, &[original])?.is_empty() {
            return Ok(None);
        }
        let matching = self.copies.among(query, &self.store().copies(original)?)?;
        if matching.first().is_some_and(|best| best.number != hit.number) {
            return Ok(None);
        }
        let Some(original) = self.store().by_number(original)? else { return Ok(None) };
        self.hit(query, &original, &copy, hit.score, matching).map(Some)
    }

    fn hit(
        &self,
        query: &Query,
        document: &Document,
        shown: &Document,
        score: f32,
        matching: Vec<firstcopy_search::Hit>,
    ) -> Result<Hit> {
        let copies = self.store().copies(document.number)?;
        let text = core_of(self.store(), shown.content, &shown.id)?.into_text().unwrap_or_default();
        let Snippet { text, highlights, .. } = snippet(&text, query, SNIPPET_CHARS);
        let gone = self.store().sighting(document.number)?.and_then(|sighting| sighting.gone);
        Ok(Hit {
            id: document.id.clone(),
            url: document.url.clone(),
            title: document.title.clone(),
            author: document.author.clone(),
            site: document.url.as_deref().map(|url| site(url).to_owned()),
            language: document.language.clone(),
            date: rfc3339(document.place.judged_at),
            gone_at: gone.map(rfc3339),
            score,
            snippet: text,
            highlights: highlights.into_iter().map(|range| (range.start, range.end)).collect(),
            copies: copies.len(),
            first_copies: self.names(copies.iter().copied())?,
            matching_copies: self.names(matching.iter().map(|hit| hit.number))?,
        })
    }

    fn names(&self, numbers: impl Iterator<Item = u32>) -> Result<Vec<CopyName>> {
        let mut names = Vec::new();
        for number in numbers.take(NAMED_COPIES) {
            let name = |copy: Document| CopyName { id: copy.id, url: copy.url, author: copy.author };
            names.extend(self.store().by_number(number)?.map(name));
        }
        Ok(names)
    }
}

/// The two halves of a cursor; an empty half starts at the beginning.
fn cursors(text: Option<&str>) -> Result<(Option<Cursor>, Option<Cursor>)> {
    let Some(text) = text else { return Ok((None, None)) };
    let half = |text: &str| -> Result<Option<Cursor>> {
        let cursor = Some(text).filter(|text| !text.is_empty()).map(str::parse).transpose();
        cursor.map_err(EngineError::Query)
    };
    let (first, second) = text.split_once(BETWEEN).unwrap_or((text, ""));
    Ok((half(first)?, half(second)?))
}

/// All hits of one index, page by page as they are needed.
struct Stream<'a> {
    searcher: &'a Searcher,
    query: &'a Query,
    question: &'a SearchQuestion,
    waiting: VecDeque<firstcopy_search::Hit>,
    /// Where the page after those waiting starts; none at the end.
    next: Option<Cursor>,
    is_begun: bool,
    /// Behind the last one taken.
    taken: Option<Cursor>,
    total: u64,
}

impl<'a> Stream<'a> {
    fn new(
        searcher: &'a Searcher,
        query: &'a Query,
        question: &'a SearchQuestion,
        taken: Option<Cursor>,
    ) -> Self {
        Stream {
            searcher,
            query,
            question,
            waiting: VecDeque::new(),
            next: taken,
            is_begun: false,
            taken,
            total: 0,
        }
    }

    fn peek(&mut self) -> Result<Option<firstcopy_search::Hit>> {
        if self.waiting.is_empty() && (!self.is_begun || self.next.is_some()) {
            let ask = Ask { limit: self.question.limit.max(1), sort: self.question.sort, after: self.next };
            let found = self.searcher.search(self.query, &ask)?;
            (self.is_begun, self.next, self.total) = (true, found.next, found.total);
            self.waiting.extend(found.hits);
        }
        Ok(self.waiting.front().copied())
    }

    fn take(&mut self) -> Option<firstcopy_search::Hit> {
        let hit = self.waiting.pop_front()?;
        self.taken = Some(Cursor::behind(self.query, self.question.sort, &hit));
        Some(hit)
    }

    fn place(&self) -> String {
        self.taken.map(|cursor| cursor.to_string()).unwrap_or_default()
    }
}
