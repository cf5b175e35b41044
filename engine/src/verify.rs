//! Do store and indexes agree, and is every verdict what judging all documents in order would say?
//!
//! A verdict depends only on the originals before a document's place. So if every single verdict is what judging that
//! document now would say, all of them are what judging all documents afresh, in order, would say.

use crate::catalogue::Catalogue;
use crate::content::{Core, unpack_core};
use crate::engine::Engine;
use crate::error::Result;
use crate::ingest::Registrar;
use crate::judge::state;
use firstcopy_index::IndexStatistics;
use firstcopy_store::{Document, State};
use serde::Serialize;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Verification {
    /// Documents that were looked at.
    pub documents: u64,
    /// What is wrong, and what to do: nothing if all is well. At most the first hundred.
    pub problems: Vec<String>,
    /// How many there are.
    pub problem_count: u64,
}

/// Problems that are named.
const NAMED: usize = 100;
/// Documents read at a time.
const PIECE: u32 = 1000;

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problem_count == 0
    }

    pub(crate) fn add(&mut self, problem: String) {
        self.problem_count += 1;
        if self.problems.len() < NAMED {
            self.problems.push(problem);
        }
    }
}

impl Engine {
    /// Looks at everything: the file, every content, feature, verdict and index entry. `progress` is told how many
    /// documents were looked at.
    pub fn verify(&self, progress: impl FnMut(u64) + Send + 'static) -> Result<Verification> {
        let mut found = self.writer.alone(move |registrar| registrar.verify(progress))?;
        if let Err(problem) = self.catch_up() {
            found.add(problem.to_string());
        } else if self.following.is_some() {
            Catalogue::beside(self.path())?.verify(&mut found)?;
        }
        Ok(found)
    }
}

impl Registrar {
    fn verify(&mut self, mut progress: impl FnMut(u64)) -> Result<Verification> {
        let mut found = Verification::default();
        for damage in self.store.damage()? {
            found.add(format!("the database is damaged: {damage}: bring it back from a backup"));
        }
        let (mut last, mut originals, mut copies) = (0, 0, 0);
        loop {
            let documents = self.store.documents_after(last, PIECE)?;
            let Some(end) = documents.last() else { break };
            last = end.number;
            for document in &documents {
                self.verify_document(document, &mut found)?;
                let with_keys = u64::from(!document.keys.is_empty());
                match state(document) {
                    State::Original => originals += with_keys,
                    _ => copies += with_keys,
                }
                found.documents += 1;
            }
            progress(found.documents);
        }
        let (of_originals, of_copies) = self.indexes.statistics()?;
        verify_entries("originals", of_originals, originals, &mut found);
        verify_entries("copies", of_copies, copies, &mut found);
        for original in self.store.miscounted_groups()? {
            let id =
                self.store.listed(original)?.map_or_else(|| format!("number {original}"), |listed| listed.id);
            found.add(format!("document {id}: its copies are miscounted: run `firstcopy reindex`"));
        }
        self.verify_outbox(&mut found)?;
        Ok(found)
    }

    fn verify_document(&mut self, document: &Document, found: &mut Verification) -> Result<()> {
        let id = &document.id;
        if let Some(problem) = self.content_problem(document)? {
            found.add(format!("document {id}: {problem}"));
            return Ok(());
        }
        let index = match state(document) {
            State::Original => &mut self.indexes.originals,
            _ => &mut self.indexes.copies,
        };
        if !document.keys.is_empty() && !index.candidates(&document.keys)?.contains(&document.number) {
            found.add(format!("document {id}: is not in the duplicate index: run `firstcopy reindex`"));
        }
        let judgement = self.judge(document)?;
        if judgement != document.judgement {
            found.add(format!(
                "document {id}: its verdict is {:?}, judging it now says {judgement:?}",
                document.judgement
            ));
        }
        Ok(())
    }

    /// Whether the content of a document can be read and gives the features that are stored with it.
    fn content_problem(&self, document: &Document) -> Result<Option<String>> {
        let Some(packed) = self.store.core(document.content)? else {
            return Ok(Some("its content is missing: bring it back from a backup".to_owned()));
        };
        let computed = match unpack_core(&packed) {
            Err(reason) => {
                return Ok(Some(format!(
                    "its content cannot be read ({reason}): bring it back from a backup"
                )));
            }
            Ok(Core::Features(_)) => return Ok(None),
            Ok(Core::Text(core)) => {
                self.analyzer.measured(firstcopy_text::Document { core, ..Default::default() })
            }
        };
        let same = computed.features.0 == document.features
            && computed.candidate_keys.0 == document.keys
            && computed.whole.lexical == document.lexical;
        Ok((!same).then(|| "its features are not those of its content: run `firstcopy reindex`".to_owned()))
    }

    fn verify_outbox(&mut self, found: &mut Verification) -> Result<()> {
        let end = self.store.position()?;
        for (name, position) in self.store.followers()? {
            if position > end {
                found.add(format!("follower {name} is at {position}, past the end of the outbox at {end}"));
            }
        }
        for content in self.store.orphaned_contents()? {
            found.add(format!("content {content} belongs to no document"));
        }
        Ok(())
    }
}

fn verify_entries(name: &str, index: IndexStatistics, documents: u64, found: &mut Verification) {
    let expected = documents * index.entries_a_document;
    if index.entries != expected {
        let entries = index.entries;
        found.add(format!(
            "the duplicate index of the {name} has {entries} entries instead of {expected}: run `firstcopy reindex`"
        ));
    }
}
