//! The texts that are measured: real ones when they are there, else made ones that say so.

use crate::random::Random;
use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The languages that the labelled data has.
pub const LANGUAGES: [&str; 3] = ["en", "ja", "ko"];

/// Reads gzipped JSON Lines.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let name = || format!("cannot read {} (name the folder with --data)", path.display());
    let file = File::open(path).with_context(name)?;
    BufReader::new(MultiGzDecoder::new(file))
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<Result<_>>()
        .with_context(name)
}

/// Plain texts of one language, up to `bytes` of them: real ones, or a stand-in.
pub fn texts(data: &Path, language: &str, bytes: usize) -> (Vec<String>, &'static str) {
    #[derive(serde::Deserialize)]
    struct Sample {
        text: String,
    }
    let mut total = 0;
    match read_lines::<Sample>(&data.join(format!("5_scale_sample/{language}.jsonl.gz"))) {
        Ok(samples) => {
            let texts = samples.into_iter().map(|sample| sample.text);
            let enough = |text: &String| {
                total += text.len();
                total <= bytes
            };
            (texts.take_while(enough).collect(), "real")
        }
        Err(_) => ((0..bytes / 4000).map(|number| made_text(language, number)).collect(), "made"),
    }
}

/// Some 4,000 bytes of words of realistic lengths, different for every number.
pub fn made_text(language: &str, number: usize) -> String {
    let letters: Vec<char> = match language {
        "ja" => ('あ'..='ん').chain('一'..='龥').collect(),
        "ko" => ('가'..='힣').step_by(7).collect(),
        _ => ('a'..='z').collect(),
    };
    let mut random = Random::new(number as u64);
    let mut text = String::new();
    while text.len() < 4000 {
        (0..1 + random.below(8)).for_each(|_| text.push(letters[random.below(letters.len())]));
        text.push_str(if random.below(12) == 0 { ". " } else { " " });
    }
    text
}
