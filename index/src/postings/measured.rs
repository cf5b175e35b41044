//! How long do a million documents of 80 values take, and what does it cost to ask?
//!
//! `cargo test --release -p firstcopy-index -- --ignored --nocapture postings_measured`

use super::*;
use cpu_time::ProcessTime;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const VALUES: u64 = 80;
const ASKED_VALUES: u64 = 100;
const QUERIES: u64 = 2000;
/// One value in so many is drawn from a few that many documents hold, as those of a frame are that was not removed.
const FRAME_PART: u64 = 20;
const FRAME_VALUES: u64 = 10_000;
const COMMON: usize = 1000;

/// The values of a made document: multiples of 8, as the sampled shingles of long texts are.
fn made(number: u64, values: u64) -> Vec<u64> {
    let value = |i: u64| {
        let random = spread(number << 20 | i);
        if i.is_multiple_of(FRAME_PART) {
            (i * FRAME_VALUES + random % FRAME_VALUES) << 3
        } else {
            random << 3
        }
    };
    (0..values).map(value).collect()
}

/// Asks for documents that are stored, for such that share half with one, and for such that share nothing.
fn lookups(postings: &Postings, documents: u64) -> Vec<Duration> {
    let ask = |query: u64| {
        let mut values = made(spread(query) % (2 * documents), ASKED_VALUES);
        values.truncate((ASKED_VALUES - query % 3 * 20) as usize);
        values.extend(made(u64::from(u32::MAX) + query, query % 3 * 20));
        let start = Instant::now();
        std::hint::black_box(postings.counts(&values, COMMON));
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..QUERIES).map(ask).collect();
    times.sort_unstable();
    times
}

#[test]
#[ignore = "takes minutes"]
fn postings_measured() {
    let folder = TempDir::new().unwrap();
    let mut postings = Postings::open(folder.path()).unwrap();
    let mut building = Duration::ZERO;
    let mut number = 0;
    for documents in [10_000u64, 100_000, 1_000_000] {
        let start = ProcessTime::now();
        while number < documents {
            postings.insert(number as u32, &made(number, VALUES));
            number += 1;
            if number.is_multiple_of(500) {
                postings.commit(number).unwrap();
            }
        }
        postings.flush().unwrap();
        building += start.elapsed();
        let times = lookups(&postings, documents);
        let percentile = |percent: usize| times[times.len() * percent / 100];
        println!(
            "{documents} documents: built in {building:?} of CPU time, {} MB, counts p50 {:?} p99 {:?}",
            postings.runs.bytes().unwrap() / 1_000_000,
            percentile(50),
            percentile(99),
        );
    }
    assert_eq!(postings.statistics().unwrap().entries, 1_000_000 * VALUES);
}
