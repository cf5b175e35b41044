//! How far is the reading? Counters that any thread may look at while pages stream by.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts of one run: bytes for a progress bar, and what became of the records.
#[derive(Debug, Default)]
pub struct Progress {
    total_bytes: Option<u64>,
    bytes_read: AtomicU64,
    pages: AtomicU64,
    rejects: AtomicU64,
    skipped: [AtomicU64; Skip::ALL.len()],
}

impl Progress {
    pub(crate) fn new(total_bytes: Option<u64>) -> Self {
        Progress { total_bytes, ..Progress::default() }
    }

    /// The size of all inputs as they lie on disk; unknown when stdin is one of them.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Bytes read so far, before decompression.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Relaxed)
    }

    /// Pages read so far.
    pub fn pages(&self) -> u64 {
        self.pages.load(Relaxed)
    }

    /// Bad records so far.
    pub fn rejects(&self) -> u64 {
        self.rejects.load(Relaxed)
    }

    /// Records and files left out so far because they are no documents: an image, a redirect, a hidden file.
    pub fn skipped(&self) -> u64 {
        self.skipped.iter().map(|count| count.load(Relaxed)).sum()
    }

    /// What was left out and how often, only what occurred.
    pub fn skipped_by_reason(&self) -> Vec<(&'static str, u64)> {
        let counts = Skip::ALL.iter().map(|skip| (skip.reason(), self.skipped[*skip as usize].load(Relaxed)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    pub(crate) fn read(&self, bytes: u64) {
        self.bytes_read.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn page(&self) {
        self.pages.fetch_add(1, Relaxed);
    }

    pub(crate) fn reject(&self) {
        self.rejects.fetch_add(1, Relaxed);
    }

    /// Parts of a page turned out bad only when it was worked on; with all of them, the page is none.
    pub(crate) fn bad_parts(&self, bad: usize, all: usize) {
        if bad > 0 && bad == all {
            self.pages.fetch_sub(1, Relaxed);
        }
        self.rejects.fetch_add(bad as u64, Relaxed);
    }

    pub(crate) fn skip(&self, skip: Skip) {
        self.skipped[skip as usize].fetch_add(1, Relaxed);
    }
}

/// Why something is left out without being an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    Hidden,
    Loop,
    Special,
    NotDocument,
    Empty,
    RecordType,
    Status,
    MediaType,
}

impl Skip {
    const ALL: [Skip; 8] = [
        Skip::Hidden,
        Skip::Loop,
        Skip::Special,
        Skip::NotDocument,
        Skip::Empty,
        Skip::RecordType,
        Skip::Status,
        Skip::MediaType,
    ];

    fn reason(self) -> &'static str {
        match self {
            Skip::Hidden => "hidden files and directories",
            Skip::Loop => "symbolic links back to a parent directory",
            Skip::Special => "pipes, sockets and devices in a directory",
            Skip::NotDocument => "files in a directory that are no documents",
            Skip::Empty => "empty files of no known format",
            Skip::RecordType => "archive records other than responses, resources and conversions",
            Skip::Status => "responses with a status other than 2xx",
            Skip::MediaType => "responses that are neither HTML nor plain text",
        }
    }
}

/// Counts the bytes that pass.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    inner: R,
    progress: Arc<Progress>,
}

impl<R> Counted<R> {
    pub(crate) fn new(inner: R, progress: Arc<Progress>) -> Self {
        Counted { inner, progress }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.progress.read(count as u64);
        Ok(count)
    }
}
