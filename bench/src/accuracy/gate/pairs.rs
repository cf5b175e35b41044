//! The pairs that were judged, written for others to judge: `bench/peers/run-accuracy` asks the peers about them.

use anyhow::{Context, Result};
use firstcopy_engine::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Two texts, whether people call the second a copy of the first, and whether firstcopy does.
#[derive(Debug, Serialize)]
pub struct Pair {
    #[serde(skip)]
    set: String,
    id: String,
    a: String,
    b: String,
    is_copy: bool,
    firstcopy: bool,
}

impl Pair {
    /// A pair of a set; the language is added to the name of the set if it has one.
    pub fn new(
        set: &str,
        language: &str,
        id: &str,
        a: &str,
        b: &str,
        is_copy: bool,
        verdict: &Verdict,
    ) -> Self {
        let set = if language.is_empty() { set.to_owned() } else { format!("{set}_{language}") };
        let firstcopy = !verdict.is_original();
        Pair { set, id: id.to_owned(), a: a.to_owned(), b: b.to_owned(), is_copy, firstcopy }
    }
}

/// Writes one file of JSON Lines a set.
pub fn write(folder: &Path, pairs: &[Pair]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut sets: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    pairs.iter().for_each(|pair| sets.entry(&pair.set).or_default().push(pair));
    for (set, pairs) in sets {
        let path = folder.join(format!("{set}.jsonl"));
        let file =
            std::fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut file = BufWriter::new(file);
        for pair in pairs {
            serde_json::to_writer(&mut file, pair)?;
            file.write_all(b"\n")?;
        }
        file.flush()?;
    }
    Ok(())
}
