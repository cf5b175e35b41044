//! Which bytes did this record have? Those that were consumed, kept to be copied: in memory up to a limit, beyond it
//! in a temporary file. A tape that was never begun keeps nothing.

use std::io::{self, Read, Seek, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

/// The bytes of one record.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    spool: Option<SpooledTempFile>,
    /// What went wrong when they were kept: it matters only to whoever wants them.
    error: Option<io::Error>,
}

impl Tape {
    /// An empty tape that holds `limit` bytes in memory.
    pub(crate) fn begin(limit: u64, temp_dir: Option<&Path>) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let spool = match temp_dir {
            Some(folder) => tempfile::spooled_tempfile_in(limit, folder),
            None => tempfile::spooled_tempfile(limit),
        };
        Tape { spool: Some(spool), error: None }
    }

    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        let Some(spool) = &mut self.spool else { return };
        if let Err(error) = spool.write_all(bytes) {
            *self = Tape { spool: None, error: Some(error) };
        }
    }

    /// The bytes from the first one on.
    pub(crate) fn play(self) -> io::Result<impl Read> {
        let mut spool = match (self.spool, self.error) {
            (Some(spool), _) => spool,
            (None, error) => return Err(error.unwrap_or_else(|| io::Error::other("no bytes were kept"))),
        };
        spool.rewind()?;
        Ok(spool)
    }
}
