//! JSON Lines to tokens, shingles and minima, end to end on one core: the row of the peer benchmark.

use anyhow::{Result, bail};
use clap::Args;
use cpu_time::ProcessTime;
use firstcopy_input::{ReadOptions, open};
use firstcopy_text::{Analyzer, Content, Page, Parameters, Permutations, Rabin, Seed, Shingler, Tokens};
use serde_json::json;

#[derive(Args)]
#[command(name = "minima")]
pub struct Arguments {
    /// Documents as JSON Lines with a `text` each.
    corpus: String,
    /// Words of a shingle.
    #[arg(long, default_value_t = 5)]
    shingle_words: usize,
    /// How many minima.
    #[arg(long, default_value_t = 128)]
    permutations: usize,
    /// Does all that firstcopy computes of a text instead: 10-word shingles, 84 permutations, sketch and digest.
    #[arg(long)]
    ours: bool,
}

/// What came out: the same for the same corpus on every machine.
#[derive(Default)]
struct Totals {
    documents: usize,
    bytes: usize,
    shingles: usize,
    /// So that nothing can be optimised away, and two runs can be compared.
    checksum: u64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let start = ProcessTime::now();
    let totals = if arguments.ours { everything(arguments)? } else { minima_only(arguments)? };
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}",
        json!({
            "documents": totals.documents,
            "bytes": totals.bytes,
            "shingles": totals.shingles,
            "cpu_seconds": seconds,
            "mb_per_second": totals.bytes as f64 / seconds / 1e6,
            "checksum": totals.checksum,
        })
    );
    Ok(())
}

fn minima_only(arguments: &Arguments) -> Result<Totals> {
    let shingler = Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), arguments.shingle_words);
    let permutations = Permutations::new(arguments.permutations, &Seed::PUBLIC);
    let (mut tokens, mut fingerprints, mut shingles) = (Tokens::default(), Vec::new(), Vec::new());
    fold(arguments, |totals, page| {
        let Content::Unicode { text, .. } = &page.content else { bail!("{}: no text", page.id) };
        tokens.read(text);
        shingler.fill_tokens(&tokens, &mut fingerprints);
        shingler.fill_shingles(&fingerprints, &mut shingles);
        let minima = permutations.minima(&shingles);
        totals.bytes += text.len();
        totals.shingles += shingles.len();
        totals.checksum =
            minima.iter().fold(totals.checksum, |sum, &minimum| sum.rotate_left(1) ^ u64::from(minimum));
        Ok(())
    })
}

fn everything(arguments: &Arguments) -> Result<Totals> {
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
    fold(arguments, |totals, page| {
        let document = analyzer.document(page);
        totals.bytes += document.core.text.len();
        totals.shingles += document.shingles.len();
        totals.checksum =
            document.features.0.iter().fold(totals.checksum, |sum, feature| sum.rotate_left(1) ^ feature);
        Ok(())
    })
}

fn fold(arguments: &Arguments, mut take: impl FnMut(&mut Totals, Page) -> Result<()>) -> Result<Totals> {
    let mut totals = Totals::default();
    for page in open(std::slice::from_ref(&arguments.corpus), ReadOptions::default())?.pages() {
        totals.documents += 1;
        take(&mut totals, page?)?;
    }
    Ok(totals)
}
