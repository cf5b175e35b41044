//! The clusters beside those of a comparison of all pairs, shingle by shingle: the naive twin.

use super::collections::{self, Collection};
use crate::temporary;
use anyhow::Result;
use firstcopy_cluster::{Collection as Clustering, Resources, Settings, Sketcher, Unwatched};
use firstcopy_text::{Analyzer, Parameters, Seed};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// Pairs of documents in one cluster: truly, as found, and both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clustered {
    /// By the comparison of all pairs.
    pub truly: u64,
    /// As found.
    pub found: u64,
    /// Both.
    pub both: u64,
}

impl Clustered {
    /// The share of what was found that is true.
    pub fn precision(&self) -> f64 {
        self.both as f64 / self.found.max(1) as f64
    }

    /// The share of what is true that was found.
    pub fn recall(&self) -> f64 {
        self.both as f64 / self.truly.max(1) as f64
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> f64 {
        2.0 * self.both as f64 / (self.truly + self.found).max(1) as f64
    }
}

/// The clusters of one language beside the naive ones; none without the data.
pub fn sampled_clusters(data: &Path, language: &str) -> Option<Result<Clustered>> {
    let collection = data.is_dir().then(|| collections::of_language(data, language))?;
    Some(collection.and_then(|collection| compare(&collection, 2)))
}

pub fn compare(collection: &Collection, threads: usize) -> Result<Clustered> {
    let settings = Settings::default();
    let truly = naive(collection, &settings);
    let found = found(collection, &settings, threads)?;
    let both: Vec<(usize, usize)> = truly.iter().copied().zip(found.iter().copied()).collect();
    Ok(Clustered { truly: pairs(&truly), found: pairs(&found), both: pairs(&both) })
}

/// Pairs with the same label.
fn pairs<T: std::hash::Hash + Eq>(labels: &[T]) -> u64 {
    let mut sizes: HashMap<&T, u64> = HashMap::new();
    labels.iter().for_each(|label| *sizes.entry(label).or_default() += 1);
    sizes.values().map(|size| size * (size - 1) / 2).sum()
}

fn found(collection: &Collection, settings: &Settings, threads: usize) -> Result<Vec<usize>> {
    #[derive(Deserialize)]
    struct Member {
        cluster: usize,
    }
    let folder = temporary::in_memory()?;
    let sketcher = Sketcher::new(settings);
    let mut clustering = Clustering::begin(folder.path(), settings, Vec::new())?;
    for page in &collection.pages {
        clustering.push(sketcher.sketch(page.clone()))?;
    }
    clustering.cluster(&Resources { threads, ..Resources::default() }, &Unwatched)?;
    let members = std::fs::read_to_string(folder.path().join("members.jsonl"))?;
    let cluster = |line: &str| Ok(serde_json::from_str::<Member>(line)?.cluster);
    members.lines().map(cluster).collect()
}

/// Compares all pairs that have a shingle in common, and joins those at the threshold.
fn naive(collection: &Collection, settings: &Settings) -> Vec<usize> {
    let parameters = Parameters { shingle_words: settings.shingle_words, ..Parameters::default() };
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let mut label: Vec<usize> = (0..collection.pages.len()).collect();
    let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
    let mut sizes = Vec::new();
    for (number, page) in collection.pages.iter().enumerate() {
        let document = analyzer.read(page.clone());
        let shingles = analyzer.shingles(&document.core);
        let mut common: HashMap<u32, usize> = HashMap::new();
        for &shingle in shingles.as_slice() {
            let holders = holders.entry(shingle).or_default();
            holders.iter().for_each(|&holder| *common.entry(holder).or_default() += 1);
            holders.push(number as u32);
        }
        sizes.push(shingles.len());
        for (other, common) in common {
            let union = sizes[other as usize] + shingles.len() - common;
            if common as f64 >= settings.joining.threshold * union as f64 {
                let (a, b) = (top(&label, other as usize), top(&label, number));
                label[a.max(b)] = a.min(b);
            }
        }
    }
    (0..label.len()).map(|number| top(&label, number)).collect()
}

fn top(label: &[usize], mut number: usize) -> usize {
    while label[number] != number {
        number = label[number];
    }
    number
}
