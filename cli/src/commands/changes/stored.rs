//! The versions of a data directory, and what its sweeps saw and missed.

use super::Arguments;
use crate::arguments::GlobalArguments;
use crate::outcome::Outcome;
use crate::reading::{counting_bar, is_stopped};
use anyhow::Result;
use firstcopy_change::{Histories, State, Sweeps, Version};
use firstcopy_engine::{Reader, StoredVersions};
use std::path::Path;

pub fn read(data: &Path, arguments: &Arguments, global: &GlobalArguments) -> Result<(Histories, Outcome)> {
    let mut reader = Reader::open(data)?;
    let sweeps = match &arguments.sweeps {
        Sweeps::Found => sweeps(&reader)?,
        told => told.clone(),
    };
    let mut histories = arguments.histories(sweeps)?;
    let bar = counting_bar(global.quiet);
    let read = reader.versions(|document| {
        bar.inc(1);
        if is_stopped() {
            return Err(Stopped.into());
        }
        push(document, &mut histories)
    });
    bar.finish_and_clear();
    match read {
        Err(error) if error.is::<Stopped>() => Ok((histories, Outcome::Interrupted)),
        read => read.map(|()| (histories, Outcome::Done)),
    }
}

/// The user has had enough.
#[derive(Debug)]
struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// Those that were merged; without any, whatever days look like some.
fn sweeps(reader: &Reader) -> Result<Sweeps> {
    let merged = reader.sweeps()?;
    Ok(if merged.is_empty() { Sweeps::Found } else { Sweeps::At(merged) })
}

fn push(document: StoredVersions, histories: &mut Histories) -> Result<()> {
    let page = document.url.unwrap_or(document.id);
    let mut push = |at, state| histories.push(Version { page: page.clone(), at, state });
    for version in document.texts {
        // Ready-made features have no words to compare.
        push(version.at, State::of_text(version.text.as_deref().unwrap_or_default())?)?;
    }
    for at in document.missed {
        push(at, State::Gone)?;
    }
    for at in document.seen {
        push(at, State::Same)?;
    }
    Ok(())
}
