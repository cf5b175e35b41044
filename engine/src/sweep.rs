//! A dated crawl, merged: unchanged pages are recognised, changed ones become versions, missing ones are marked gone.

use crate::draft::Draft;
use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::ingest::Registrar;
use crate::open::now;
use crate::verdict::rfc3339;
use firstcopy_text::Page;

impl Engine {
    /// Begins a sweep, or goes on with one that was begun. Sweeps are merged in the order of their dates.
    pub fn begin_sweep(&self, sweep: i64) -> Result<()> {
        if sweep > now() {
            return Err(EngineError::Sweep {
                sweep: rfc3339(sweep),
                reason: "lies in the future".to_owned(),
            });
        }
        self.writer.alone(move |registrar| registrar.begin_sweep(sweep))
    }

    /// What a page alone tells, seen by a sweep: it counts as received then.
    pub fn analyze_swept(&self, page: Page, sweep: i64) -> Draft {
        Draft { received_at: Some(sweep), sweep: Some(sweep), ..self.analyze(page) }
    }

    /// Marks what the sweep did not see as gone, once all of it was stored. Returns how many documents that were.
    pub fn finish_sweep(&self, sweep: i64) -> Result<u64> {
        self.writer.alone(move |registrar| {
            registrar.in_transaction(|registrar| Ok(registrar.store.finish_sweep(sweep)?))
        })
    }
}

impl Registrar {
    fn begin_sweep(&mut self, sweep: i64) -> Result<()> {
        if let Some(latest) = self.store.latest_sweep()?.filter(|&latest| latest > sweep) {
            let reason = format!(
                "is older than the sweep of {}, which was merged already: merge sweeps in the order of their dates",
                rfc3339(latest)
            );
            return Err(EngineError::Sweep { sweep: rfc3339(sweep), reason });
        }
        self.in_transaction(|registrar| Ok(registrar.store.begin_sweep(sweep)?))
    }

    fn in_transaction<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.begin()?;
        let done = work(self).and_then(|done| self.commit().map(|()| done));
        if done.is_err() {
            self.rollback()?;
        }
        done
    }
}
