//! Every stored document as its versions tell: when it had which text, when sweeps saw it and when they missed it.

use crate::content::core_of;
use crate::error::{EngineError, Result};
use crate::reader::Reader;
use firstcopy_store::{Absence, Document, Sighting, Version};

/// So many documents are fetched at a time.
const AT_A_TIME: u32 = 1000;

/// A document with all its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVersions {
    /// Its id.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its texts, the present one last.
    pub texts: Vec<DatedText>,
    /// The sweeps that saw it, in Unix seconds.
    pub seen: Vec<i64>,
    /// The sweeps that were the first to miss it.
    pub missed: Vec<i64>,
}

/// A text and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedText {
    /// In Unix seconds: when it was received, which for sweeps is their date. Versions that no sweep brought and whose
    /// claimed dates follow each other are dated by those.
    pub at: i64,
    /// The core text; none of ready-made features.
    pub text: Option<String>,
}

impl Reader {
    /// The dates of all sweeps that were finished, in Unix seconds.
    pub fn sweeps(&self) -> Result<Vec<i64>> {
        Ok(self.store.finished_sweeps()?)
    }

    /// Hands every document with its versions to `sink`, in the order of arrival, all of one state of the store. Stops when
    /// the sink says so.
    pub fn versions<E: From<EngineError>>(
        &mut self,
        mut sink: impl FnMut(StoredVersions) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.store.begin_reading().map_err(EngineError::from)?;
        let done = self.all_versions(&mut sink);
        self.store.rollback().map_err(EngineError::from)?;
        done
    }

    fn all_versions<E: From<EngineError>>(
        &self,
        sink: &mut impl FnMut(StoredVersions) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sweeps = self.sweeps()?;
        let mut last = 0;
        loop {
            let documents = self.store.documents_after(last, AT_A_TIME).map_err(EngineError::from)?;
            let Some(next) = documents.last().map(|document| document.number) else { return Ok(()) };
            last = next;
            for document in &documents {
                sink(self.versions_of(document, &sweeps)?)?;
            }
        }
    }

    fn versions_of(&self, document: &Document, sweeps: &[i64]) -> Result<StoredVersions> {
        let mut versions = self.store.versions(document.number)?;
        versions.push(Version {
            version: document.version,
            content: document.content,
            received_at: document.received_at,
            created_at: document.created_at,
            title: None,
        });
        let sighting = self.store.sighting(document.number)?;
        let absences = self.store.absences(document.number)?;
        let dates = dates(&versions, sighting.is_some());
        let mut texts = Vec::with_capacity(versions.len());
        for (version, at) in versions.iter().zip(dates) {
            let text = core_of(&self.store, version.content, &document.id)?.into_text();
            texts.push(DatedText { at, text });
        }
        Ok(StoredVersions {
            id: document.id.clone(),
            url: document.url.clone(),
            texts,
            seen: sighting.map(|sighting| seen(&sighting, &absences, sweeps)).unwrap_or_default(),
            missed: missed(sighting.as_ref(), &absences),
        })
    }
}

/// When the versions were there.
fn dates(versions: &[Version], is_swept: bool) -> Vec<i64> {
    let claimed: Option<Vec<i64>> = versions.iter().map(|version| version.created_at).collect();
    let follow_each_other = |dates: &Vec<i64>| dates.is_sorted_by(|a, b| a < b);
    let received = || versions.iter().map(|version| version.received_at).collect();
    claimed.filter(|dates| !is_swept && follow_each_other(dates)).unwrap_or_else(received)
}

/// A sweep between the first and the last that saw it saw it too, unless it was away.
fn seen(sighting: &Sighting, absences: &[Absence], sweeps: &[i64]) -> Vec<i64> {
    let was_away = |sweep: i64| absences.iter().any(|away| (away.gone..away.back).contains(&sweep));
    let between = sweeps.iter().copied().filter(|&sweep| sighting.first < sweep && sweep < sighting.last);
    let mut seen: Vec<i64> = between.filter(|&sweep| !was_away(sweep)).collect();
    seen.extend([sighting.first, sighting.last]);
    seen.sort_unstable();
    seen.dedup();
    seen
}

fn missed(sighting: Option<&Sighting>, absences: &[Absence]) -> Vec<i64> {
    absences.iter().map(|away| away.gone).chain(sighting.and_then(|sighting| sighting.gone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_in_between_saw_it_unless_it_was_away() {
        let sighting = Sighting { number: 1, first: 10, last: 60, gone: Some(70) };
        let absences = [Absence { gone: 30, back: 50 }];
        assert_eq!(seen(&sighting, &absences, &[5, 10, 20, 30, 40, 50, 60, 70]), [10, 20, 50, 60]);
        assert_eq!(missed(Some(&sighting), &absences), [30, 70]);
    }

    #[test]
    fn claimed_dates_count_where_they_follow_each_other() {
        let version = |received_at, created_at| Version {
            version: 1,
            content: 1,
            received_at,
            created_at,
            title: None,
        };
        let check = |versions: &[Version], is_swept, expected: [i64; 2]| {
            assert_eq!(dates(versions, is_swept), expected);
        };
        check(&[version(100, Some(1)), version(101, Some(7))], false, [1, 7]);
        check(&[version(100, Some(1)), version(101, Some(7))], true, [100, 101]);
        check(&[version(100, Some(7)), version(101, Some(7))], false, [100, 101]);
        check(&[version(100, None), version(101, Some(7))], false, [100, 101]);
    }
}
