//! Clustering a collection: is it right, beside a comparison of all pairs; what do the phases take while the collection
//! grows (the status table of broder-1997); and does a template that all pages share make it slow?

mod all_pairs;
mod collections;
mod scale;

use crate::CommonArguments;
use crate::report::Report;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

pub use all_pairs::{Clustered, sampled_clusters};

#[derive(Args)]
pub struct Arguments {
    /// Sizes of the collections, ascending.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    documents: Option<Vec<usize>>,
    /// Pages that share a template.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    templates: Option<Vec<usize>>,
    /// Megabytes of memory to cluster in.
    #[arg(long, value_name = "MB", default_value_t = 512)]
    memory: u64,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// The folder on whose disk collections and clusters lie.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const QUICK_SIZES: [usize; 2] = [1_000, 5_000];
const TEMPLATES: [usize; 2] = [10_000, 100_000];
const QUICK_TEMPLATES: [usize; 2] = [500, 2_000];

pub fn run(arguments: &Arguments) -> Result<()> {
    let common = &arguments.common;
    right(arguments)?;
    let sizes = |given: &Option<Vec<usize>>, full: &[usize], quick: &[usize]| {
        given.clone().unwrap_or_else(|| if common.quick { quick.to_vec() } else { full.to_vec() })
    };
    let machine = scale::Machine {
        memory: arguments.memory * 1_000_000,
        threads: arguments.threads,
        place: arguments.temp_dir.clone(),
    };
    let recombined = collections::Recombined::new(&common.data);
    println!("collections of {} text, recombined, a fifth of it copies", recombined.origin());
    let sizes_of_collections = sizes(&arguments.documents, &SIZES, &QUICK_SIZES);
    scale::measure("clustering", &sizes_of_collections, &machine, common, |number| recombined.text(number))?;
    println!("pages of which 80 % is a template");
    let sizes_of_templates = sizes(&arguments.templates, &TEMPLATES, &QUICK_TEMPLATES);
    scale::measure("clustering-template", &sizes_of_templates, &machine, common, |number| {
        recombined.on_a_template(number)
    })
}

fn right(arguments: &Arguments) -> Result<()> {
    let columns = ["collection", "documents", "pairs together, truly", "found", "precision", "recall", "F1"];
    let mut report = Report::new("clustering-agreement", &columns);
    for collection in collections::real(&arguments.common.data)? {
        let clustered = all_pairs::compare(&collection, arguments.threads)?;
        report.row(vec![
            json!(collection.name),
            json!(collection.pages.len()),
            json!(clustered.truly),
            json!(clustered.found),
            json!(clustered.precision()),
            json!(clustered.recall()),
            json!(clustered.f1()),
        ]);
    }
    report.finish(&arguments.common, "F1")
}
