//! `firstcopy reindex`: everything that can be computed, computed again.

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments};
use crate::outcome::Outcome;
use crate::output::{Output, counted};
use crate::reading::counting_bar;
use anyhow::Result;
use clap::Args;
use firstcopy_engine::{Engine, OpenOptions};

/// Rebuilds the indexes; with other parameters, features and verdicts are computed anew first.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy reindex
  firstcopy reindex --min-likeness 0.7
  firstcopy reindex --duplicates identical,same_words,edited,excerpt,extended
  firstcopy reindex --learn-weights
  firstcopy reindex --policy resemblance --min-resemblance 0.7
  firstcopy reindex --policy paper --shingle-words 8

Cut off, nothing has changed: run it again. Parameters may also be written into firstcopy.toml first.")]
pub struct Arguments {
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    /// Learns from the collection how common words are, and judges all documents anew: words that most documents have
    /// (a site's template) then count little. Later documents are judged with the same weights, until they are learnt again.
    #[arg(long)]
    learn_weights: bool,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let bar = counting_bar(global.quiet);
    let progress = |documents| bar.set_position(documents);
    let options = OpenOptions { learn_weights: arguments.learn_weights, ..arguments.judge.options() };
    let done = Engine::reindex(&arguments.data.data, &options, progress)?;
    bar.finish_and_clear();
    let mut output = Output::new();
    if global.json {
        output.json(&done)?;
    } else {
        let documents = counted(done.documents as usize, "document");
        output.line(&match done.recomputed {
            true => format!(
                "{documents} judged anew, {} changed",
                counted(done.changed_verdicts as usize, "verdict")
            ),
            false => format!("the index of {documents} was rebuilt"),
        })?;
    }
    output.flush()?;
    Ok(Outcome::Done)
}
