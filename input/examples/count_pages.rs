//! What do these inputs hold? `cargo run -p firstcopy-input --example count_pages -- PATH…` counts pages, names rejects.

use std::collections::BTreeMap;

use firstcopy_input::{ReadOptions, open};
use firstcopy_text::Content;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let inputs = open(&paths, ReadOptions::default())?;
    let progress = inputs.progress();
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut warnings: BTreeMap<String, u64> = BTreeMap::new();
    for item in inputs.pages() {
        match item {
            Ok(page) => {
                let (kind, bytes) = match page.content {
                    Content::Html { bytes, .. } => ("html", bytes.len()),
                    Content::Text { bytes, .. } => ("text", bytes.len()),
                    Content::Unicode { text, is_html } => (if is_html { "html" } else { "text" }, text.len()),
                    Content::Features(features) => ("features", features.len()),
                };
                let (count, total) = kinds.entry(kind).or_default();
                (*count, *total) = (*count + 1, *total + bytes as u64);
                page.warnings.into_iter().for_each(|warning| *warnings.entry(warning).or_default() += 1);
            }
            Err(reject) => eprintln!("{reject}"),
        }
    }
    println!(
        "{kinds:?} (pages, bytes), {} rejects, skipped {:?}",
        progress.rejects(),
        progress.skipped_by_reason()
    );
    println!("read {} of {:?} bytes, warnings {warnings:?}", progress.bytes_read(), progress.total_bytes());
    Ok(())
}
