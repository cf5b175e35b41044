//! How fast each step from bytes to features is, alone and all together, on one thread.

use crate::CommonArguments;
use crate::data::{LANGUAGES, read_lines, texts};
use crate::measure::{best_round, millions_a_second};
use crate::report::Report;
use anyhow::Result;
use firstcopy_text::{
    Analyzer, Content, CoreText, Digest, FeatureMaker, FeatureRule, LevelSketch, MODULUS, ModSketch, Page,
    Parameters, Permutations, Rabin, RollingRabin, Seed, SegmentRules, ShingleSet, Shingler, Simd, Tokens,
    decode_html, decode_text, extract,
};
use serde_json::json;
use std::hint::black_box;
use std::time::Duration;

/// One language's texts with everything computed once, so that each step can be measured alone.
struct Prepared {
    language: &'static str,
    texts: Vec<String>,
    tokens: Vec<Tokens>,
    token_fingerprints: Vec<Vec<u64>>,
    shingles: Vec<ShingleSet>,
}

struct Bench {
    report: Report,
    budget: Duration,
}

impl Bench {
    /// Measures one step over `bytes` of text in `tokens` tokens.
    fn step(&mut self, step: &str, language: &str, (bytes, tokens): (usize, usize), work: impl FnMut()) {
        let time = best_round(self.budget, work);
        let tokens_a_second = (tokens > 0).then(|| millions_a_second(tokens, time));
        self.report.row(vec![
            json!(step),
            json!(language),
            json!(millions_a_second(bytes, time)),
            json!(tokens_a_second),
        ]);
    }
}

pub fn run(arguments: &CommonArguments) -> Result<()> {
    let budget = Duration::from_millis(if arguments.quick { 20 } else { 600 });
    let bytes = if arguments.quick { 400_000 } else { 4_000_000 };
    let mut bench =
        Bench { report: Report::new("kernels", &["step", "language", "MB/s", "M tokens/s"]), budget };
    for language in LANGUAGES {
        let prepared = prepare(arguments, language, bytes);
        measure_text(&mut bench, &prepared);
        measure_simd(&mut bench, &prepared);
    }
    for language in LANGUAGES {
        measure_html(&mut bench, arguments, language);
    }
    bench.report.finish(arguments, "MB/s")
}

fn prepare(arguments: &CommonArguments, language: &'static str, bytes: usize) -> Prepared {
    let (texts, origin) = texts(&arguments.data, language, bytes);
    eprintln!("{language}: {} {origin} texts", texts.len());
    let shingler = Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), 10);
    let tokens: Vec<Tokens> = texts.iter().map(|text| Tokens::of(text)).collect();
    Prepared {
        language,
        token_fingerprints: tokens.iter().map(|tokens| token_fingerprints(&shingler, tokens)).collect(),
        shingles: tokens.iter().map(|tokens| shingler.set(tokens)).collect(),
        texts,
        tokens,
    }
}

fn token_fingerprints(shingler: &Shingler, tokens: &Tokens) -> Vec<u64> {
    let mut fingerprints = Vec::new();
    shingler.fill_tokens(tokens, &mut fingerprints);
    fingerprints
}

impl Prepared {
    /// Bytes and tokens of all texts.
    fn size(&self) -> (usize, usize) {
        (self.texts.iter().map(String::len).sum(), self.tokens.iter().map(Tokens::len).sum())
    }
}

fn measure_text(bench: &mut Bench, prepared: &Prepared) {
    let Prepared { language, texts, tokens, shingles, .. } = prepared;
    let size = prepared.size();
    let shingler = Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), 10);
    let segment_rabin = Rabin::new(32, &Seed::PUBLIC, "segments");
    let cores: Vec<CoreText> = texts.iter().map(|text| CoreText::of_plain_text(text)).collect();
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);

    bench.step("decode UTF-8", language, size, || {
        texts.iter().for_each(|text| drop(black_box(decode_text(text.as_bytes(), None))));
    });
    if let Some((name, encoded)) = legacy(language, texts) {
        let bytes = encoded.iter().map(Vec::len).sum();
        bench.step(&format!("decode {name}, detected"), language, (bytes, size.1), || {
            encoded.iter().for_each(|bytes| drop(black_box(decode_text(bytes, None))));
        });
    }
    let mut reused = Tokens::default();
    bench.step("tokens", language, size, || texts.iter().for_each(|text| reused.read(black_box(text))));
    let (mut fingerprints, mut sequence) = (Vec::new(), Vec::new());
    bench.step("fingerprints (tokens, 10-word shingles)", language, size, || {
        for tokens in tokens {
            shingler.fill_tokens(tokens, &mut fingerprints);
            shingler.fill_shingles(&fingerprints, &mut sequence);
        }
    });
    bench.step("shingle sets", language, size, || {
        tokens.iter().for_each(|tokens| drop(black_box(shingler.set(tokens))));
    });
    bench.step("sketch (MOD_25)", language, size, || {
        shingles.iter().for_each(|set| drop(black_box(ModSketch::new(set, MODULUS))));
    });
    bench.step("sketch (V_i)", language, size, || {
        shingles.iter().for_each(|set| drop(black_box(LevelSketch::new(set))));
    });
    let rules = SegmentRules::default();
    bench.step("segments and digest", language, size, || {
        for (core, tokens) in cores.iter().zip(tokens) {
            let segments = rules.segments(core, tokens);
            black_box(Digest::of(&segments, tokens, 5, &segment_rabin));
        }
    });
    bench.step("all: text to features, sketch and digest", language, size, || {
        for text in texts {
            black_box(analyzer.document(Page { content: Content::text(text.as_str()), ..Page::default() }));
        }
    });
}

/// The texts in the encoding that old pages of the language have.
fn legacy(language: &str, texts: &[String]) -> Option<(&'static str, Vec<Vec<u8>>)> {
    let encoding = match language {
        "ko" => encoding_rs::EUC_KR,
        "ja" => encoding_rs::SHIFT_JIS,
        _ => return None,
    };
    Some((encoding.name(), texts.iter().map(|text| encoding.encode(text).0.into_owned()).collect()))
}

/// The vector kernels against their twins.
fn measure_simd(bench: &mut Bench, prepared: &Prepared) {
    let Prepared { language, token_fingerprints, shingles, .. } = prepared;
    let rabin = Rabin::new(64, &Seed::PUBLIC, "shingles");
    for (name, rabin) in [("CLMUL", rabin.clone()), ("tables", rabin.without_clmul())] {
        let window = RollingRabin::new(rabin, 10);
        let mut windows = Vec::new();
        bench.step(&format!("rolling fingerprints, {name}"), language, prepared.size(), || {
            for fingerprints in token_fingerprints {
                window.fingerprint_windows(fingerprints, &mut windows);
            }
        });
    }
    for simd in [Simd::Scalar, Simd::Avx2, Simd::Avx512].into_iter().filter(|&simd| simd <= Simd::detect()) {
        let maker = FeatureMaker::new(FeatureRule::default(), &Seed::PUBLIC).with_simd(simd);
        bench.step(&format!("features (84 minima), {simd:?}"), language, prepared.size(), || {
            shingles.iter().for_each(|set| drop(black_box(maker.features(set))));
        });
        let permutations = Permutations::new(128, &Seed::PUBLIC).with_simd(simd);
        bench.step(&format!("128 minima, {simd:?}"), language, prepared.size(), || {
            shingles.iter().for_each(|set| drop(black_box(permutations.minima(set.as_slice()))));
        });
    }
}

fn measure_html(bench: &mut Bench, arguments: &CommonArguments, language: &str) {
    #[derive(serde::Deserialize)]
    struct Sample {
        html: String,
    }
    let path = arguments.data.join(format!("1_extract/{language}.jsonl.gz"));
    let mut pages: Vec<String> = match read_lines::<Sample>(&path) {
        Ok(samples) => samples.into_iter().map(|sample| sample.html).collect(),
        Err(error) => return eprintln!("{language}: no pages, so no extraction: {error:#}"),
    };
    if arguments.quick {
        pages.truncate(10);
    }
    let size = (pages.iter().map(String::len).sum(), 0);
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
    bench.step("decode HTML", language, size, || {
        pages.iter().for_each(|page| drop(black_box(decode_html(page.as_bytes(), None))));
    });
    bench.step("extract", language, size, || pages.iter().for_each(|page| drop(black_box(extract(page)))));
    bench.step("all: HTML to features, sketch and digest", language, size, || {
        for page in &pages {
            black_box(analyzer.document(Page { content: Content::html(page.as_str()), ..Page::default() }));
        }
    });
}
