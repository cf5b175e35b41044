//! What users write on the command line, as plain values. Nothing is opened or built here.

use crate::commands::{
    add, appeal, backup, changes, check, cluster, clusters, compare, completions, copies, dedup, delete,
    export, holders, import, inspect, keys, man, recluster, reindex, search, serve, show, similar, sources,
    stats, trace, verify, webhooks,
};
use clap::{Args, Parser, Subcommand};
use firstcopy_input::{Format, Keys, ReadOptions};
use firstcopy_text::Parameters;
use std::path::PathBuf;

/// Who wrote this first? Finds copies of published text: whole, near, contained and partial, in any language.
#[derive(Parser)]
#[command(name = "firstcopy", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: GlobalArguments,
}

#[derive(Subcommand)]
pub enum Command {
    Serve(serve::Arguments),
    Keys(keys::Arguments),
    Webhooks(webhooks::Arguments),
    Add(add::Arguments),
    Check(check::Arguments),
    Search(search::Arguments),
    Show(show::Arguments),
    Delete(delete::Arguments),
    Appeal(appeal::Arguments),
    Similar(similar::Arguments),
    Trace(trace::Arguments),
    Holders(holders::Arguments),
    Stats(stats::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Backup(backup::Arguments),
    Verify(verify::Arguments),
    Reindex(reindex::Arguments),
    Cluster(cluster::Arguments),
    Recluster(recluster::Arguments),
    Clusters(clusters::Arguments),
    Dedup(dedup::Arguments),
    Sources(sources::Arguments),
    Copies(copies::Arguments),
    Inspect(inspect::Arguments),
    Compare(compare::Arguments),
    Changes(changes::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// What every command takes.
#[derive(Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArguments {
    /// Prints JSON: one object, or one a line for many results.
    #[arg(long, global = true)]
    pub json: bool,
    /// Works with this many threads; all cores if absent. The output is the same.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Prints no progress, no warnings and no closing summary.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl GlobalArguments {
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// How inputs are read.
#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArguments {
    /// The format of every input, instead of telling it by name and content: html, text, jsonl, parquet or warc
    /// (each also as .gz or .zst).
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Rejects a document that is larger than this (after decompression): 500000, 64KiB, 16MiB, 1GiB.
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = parse_size)]
    max_document_size: u64,
    /// The field of JSON Lines and Parquet records that names a document.
    #[arg(long, value_name = "FIELD", default_value = "id")]
    id_key: String,
    /// The field that holds the url.
    #[arg(long, value_name = "FIELD", default_value = "url")]
    url_key: String,
    /// The field that holds plain text.
    #[arg(long, value_name = "FIELD", default_value = "text")]
    text_key: String,
    /// The field that holds markup.
    #[arg(long, value_name = "FIELD", default_value = "html")]
    html_key: String,
    /// The field that holds the title.
    #[arg(long, value_name = "FIELD", default_value = "title")]
    title_key: String,
    /// The field that holds the author.
    #[arg(long, value_name = "FIELD", default_value = "author")]
    author_key: String,
    /// The field that holds the time of creation (RFC 3339 or Unix seconds).
    #[arg(long, value_name = "FIELD", default_value = "created_at")]
    created_at_key: String,
    /// The field that holds ready-made features instead of text: an array of strings or integers.
    #[arg(long, value_name = "FIELD", default_value = "features")]
    features_key: String,
}

impl ReadArguments {
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            max_document_size: self.max_document_size,
            keys: Keys {
                id: self.id_key.clone(),
                url: self.url_key.clone(),
                text: self.text_key.clone(),
                html: self.html_key.clone(),
                title: self.title_key.clone(),
                author: self.author_key.clone(),
                created_at: self.created_at_key.clone(),
                features: self.features_key.clone(),
            },
            ..ReadOptions::default()
        }
    }
}

/// What becomes of records that cannot be read.
#[derive(Args)]
#[command(next_help_heading = "Bad records")]
pub struct RejectArguments {
    /// Lists every record that could not be read in this file, as JSON Lines.
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
    /// Ends with code 3 if any record could not be read.
    #[arg(long)]
    pub strict: bool,
}

/// What the judgement depends on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArguments {
    /// Words of a shingle (Broder et al. 1997: 10).
    #[arg(long, value_name = "W", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    shingle_words: u16,
    /// Characters that end a sentence, besides block boundaries (Sakurai, Matsuo and Kikui 2009).
    #[arg(long, value_name = "CHARACTERS")]
    separators: Option<String>,
    /// Leaves sentences with fewer normalised characters out of the digest.
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_segment_chars: usize,
}

impl MethodArguments {
    pub fn parameters(&self) -> Parameters {
        let default = Parameters::default();
        Parameters {
            shingle_words: usize::from(self.shingle_words),
            segments: self.separators.as_deref().map_or(default.segments, firstcopy_text::SegmentRules::new),
            min_segment_chars: self.min_segment_chars,
            ..default
        }
    }
}

/// A size in bytes, with or without a unit.
pub fn parse_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 7] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("KB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("B", 1),
    ];
    let (number, factor) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
        .unwrap_or((text, 1));
    let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "a size is a number of bytes, or of KiB, MiB, GiB, KB, MB, GB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_sound() {
        use clap::CommandFactory;
        crate::help::grouped(Arguments::command()).debug_assert();
    }

    #[test]
    fn sizes() {
        for (text, expected) in
            [("500", Some(500)), ("64KiB", Some(65_536)), ("2 MB", Some(2_000_000)), ("7B", Some(7))]
        {
            assert_eq!(parse_size(text).ok(), expected, "{text}");
        }
        for wrong in ["", "0", "-1", "many", "1TB", "99999999999GiB"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
