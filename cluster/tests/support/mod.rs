//! Shared by the tests of clustering: a folder to cluster into, and a watch that stops a run.

pub mod families;

use firstcopy_cluster::{Collection, Report, Resources, Settings, Sketcher, Unwatched, Watch};
use firstcopy_text::{Content, Page};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use tempfile::TempDir;

pub fn page(id: &str, text: &str) -> Page {
    Page {
        id: id.to_owned(),
        url: Some(format!("https://x.example/{id}")),
        content: Content::text(text),
        ..Page::default()
    }
}

/// An output folder.
pub struct Run {
    folder: TempDir,
}

impl Default for Run {
    fn default() -> Self {
        Self::new()
    }
}

impl Run {
    pub fn new() -> Self {
        Run { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn file_bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    pub fn cluster(&self, pages: &[Page], settings: &Settings) -> Report {
        self.cluster_with(pages, settings, &Resources::default())
    }

    pub fn cluster_with(&self, pages: &[Page], settings: &Settings, resources: &Resources) -> Report {
        let collection = Collection::begin(self.path(), settings, Vec::new()).unwrap();
        push_all(collection, pages, resources).cluster(resources, &Unwatched).unwrap()
    }

    /// The ids of every cluster of two or more.
    pub fn clusters(&self) -> BTreeSet<BTreeSet<String>> {
        let members = |line: &str| {
            let cluster: serde_json::Value = serde_json::from_str(line).unwrap();
            cluster["members"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
        };
        self.file("clusters.jsonl").lines().map(members).collect()
    }

    pub fn members(&self) -> Vec<serde_json::Value> {
        self.file("members.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn push_all(collection: Collection, pages: &[Page], resources: &Resources) -> Collection {
    let mut collection = collection.within(resources.memory);
    let sketcher = Sketcher::new(collection.settings());
    for page in &pages[collection.read_before() as usize..] {
        collection.push(sketcher.sketch(page.clone())).unwrap();
    }
    collection
}

/// Stops after so many units.
pub struct StopsAfter(pub AtomicI64);

impl Watch for StopsAfter {
    fn done(&self, units: u64) {
        self.0.fetch_sub(units.min(1) as i64, SeqCst);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(SeqCst) <= 0
    }
}
