//! Copies at the line of likeness: how often do their keys fail to nominate them?
//!
//! A text is edited word by word, everywhere, until one edit more would make it no copy. That is the hardest copy for keys.

use crate::CommonArguments;
use crate::data::{LANGUAGES, texts};
use crate::random::Random;
use crate::report::Report;
use anyhow::Result;
use firstcopy_text::Seed;
use firstcopy_text::likeness::{
    KeyMaker, MIN_LIKENESS, PairSketch, Weights, Words, compare, may_be_copies, shared_keys,
};
use serde_json::json;

/// Words of the texts that are copied; characters in Japanese.
const LENGTHS: [usize; 5] = [20, 50, 100, 300, 1000];
/// Bytes of text of each language.
const TEXT_BYTES: usize = 64 << 20;
/// Rounds of edits at the most. A round is a fortieth of the words.
const MOST_ROUNDS: usize = 80;

#[derive(Debug, Clone, Copy)]
enum Edit {
    Replace,
    Insert,
    Delete,
}

const EDITS: [(Edit, &str); 3] =
    [(Edit::Replace, "replaced"), (Edit::Insert, "inserted"), (Edit::Delete, "deleted")];

pub fn run(arguments: &CommonArguments) -> Result<()> {
    let tries = if arguments.quick { 100 } else { 1500 };
    let columns = ["language", "words", "edit", "copies", "mean keys shared", "missed"];
    let mut report = Report::new("accuracy-candidates", &columns);
    for language in LANGUAGES {
        let (texts, _) = texts(&arguments.data, language, TEXT_BYTES);
        let mut trial = Trial::new(language, &texts);
        for length in LENGTHS {
            for (edit, name) in EDITS {
                let shared: Vec<(usize, bool)> =
                    (0..tries).filter_map(|_| trial.copy(length, edit)).collect();
                let count = shared.len().max(1) as f64;
                let mean = shared.iter().map(|(shared, _)| *shared as f64).sum::<f64>() / count;
                let missed = shared.iter().filter(|(_, is_candidate)| !is_candidate).count() as f64 / count;
                report.row(vec![
                    json!(language),
                    json!(length),
                    json!(name),
                    json!(shared.len()),
                    json!(mean),
                    json!(missed),
                ]);
            }
        }
    }
    report.finish(arguments, "missed")
}

struct Trial {
    /// Texts as words; as characters where words are not separated.
    texts: Vec<Vec<String>>,
    separator: &'static str,
    weights: Weights,
    key_maker: KeyMaker,
    random: Random,
}

impl Trial {
    fn new(language: &str, texts: &[String]) -> Self {
        let is_unspaced = language == "ja";
        let split = |text: &String| -> Vec<String> {
            match is_unspaced {
                true => text.chars().filter(|each| !each.is_whitespace()).map(String::from).collect(),
                false => text.split_whitespace().map(str::to_owned).collect(),
            }
        };
        Trial {
            texts: texts.iter().map(split).filter(|words| !words.is_empty()).collect(),
            separator: if is_unspaced { "" } else { " " },
            weights: Weights::default(),
            key_maker: KeyMaker::new(&Seed::PUBLIC),
            random: Random::new(7),
        }
    }

    /// Edits a part of a random text down to the line. Returns the keys that the two share and whether these nominate the
    /// copy and its pairs of words do not rule it out; nothing if the text is too short, or a single round of edits makes it no copy.
    fn copy(&mut self, length: usize, edit: Edit) -> Option<(usize, bool)> {
        let text = self.random.below(self.texts.len());
        let start = self.random.below(self.texts[text].len().checked_sub(length)? + 1);
        let mut copy = self.texts[text][start..start + length].to_vec();
        let original = self.words(&copy);
        let mut last = None;
        for _ in 0..MOST_ROUNDS {
            (0..(length / 40).max(1)).for_each(|_| self.edit(&mut copy, edit));
            let words = self.words(&copy);
            if compare(&original, &words).likeness < MIN_LIKENESS {
                break;
            }
            last = Some(words);
        }
        let last = last?;
        let shared = shared_keys(&self.key_maker.keys(&original), &self.key_maker.keys(&last));
        let is_nominated = may_be_copies(original.total_weight(), last.total_weight(), shared, MIN_LIKENESS);
        let keeps_pairs = PairSketch::of(&original).may_be_copies(&PairSketch::of(&last), MIN_LIKENESS);
        Some((shared, is_nominated && keeps_pairs))
    }

    fn edit(&mut self, copy: &mut Vec<String>, edit: Edit) {
        let place = self.random.below(copy.len());
        match edit {
            Edit::Replace => copy[place] = self.any_word(),
            Edit::Insert => copy.insert(place, self.any_word()),
            Edit::Delete if copy.len() > 1 => drop(copy.remove(place)),
            Edit::Delete => {}
        }
    }

    fn any_word(&mut self) -> String {
        let text = self.random.below(self.texts.len());
        let place = self.random.below(self.texts[text].len());
        self.texts[text][place].clone()
    }

    fn words(&self, words: &[String]) -> Words {
        Words::of(&words.join(self.separator), &self.weights)
    }
}
