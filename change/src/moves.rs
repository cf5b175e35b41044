//! Words that two sequences share out of order: which moved together? Long runs find each other first.

use crate::common::Run;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Runs of at least so many words look for each other, then shorter ones.
const LENGTHS: [usize; 6] = [32, 16, 8, 4, 2, 1];
/// Of the polynomial that tells runs apart before they are compared: odd, and without a pattern.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Pairs up the free words of both until one side has none left, and returns the runs in which they moved, in the order of
/// `a`. What is paired is free no longer.
pub(crate) fn paired(a: &[u32], b: &[u32], free_a: &mut [bool], free_b: &mut [bool]) -> Vec<Run> {
    let mut runs = Vec::new();
    for length in LENGTHS {
        let mut waiting = Waiting::of(b, free_b, length);
        let hashes = Hashes::of(a, length);
        let mut at = 0;
        while at + length <= a.len() {
            let is_free = free_a[at..at + length].iter().all(|free| *free);
            let found =
                if is_free { waiting.find(&a[at..at + length], hashes.at(at), b, free_b) } else { None };
            let Some(place) = found else {
                at += 1;
                continue;
            };
            let run = stretched(a, b, free_a, free_b, Run { a: at, b: place, length });
            free_a[run.a..run.a + run.length].fill(false);
            free_b[run.b..run.b + run.length].fill(false);
            at = run.a + run.length;
            runs.push(run);
        }
    }
    runs.sort_unstable_by_key(|run| run.a);
    runs
}

/// A run as far as both sides agree and are free.
fn stretched(a: &[u32], b: &[u32], free_a: &[bool], free_b: &[bool], run: Run) -> Run {
    let agrees = |at: usize, place: usize| free_a[at] && free_b[place] && a[at] == b[place];
    let behind = (run.a + run.length..a.len()).zip(run.b + run.length..b.len());
    let more = behind.take_while(|(at, place)| agrees(*at, *place)).count();
    let before = (0..run.a).rev().zip((0..run.b).rev());
    let back = before.take_while(|(at, place)| agrees(*at, *place)).count();
    Run { a: run.a - back, b: run.b - back, length: run.length + more + back }
}

/// The hash of every run of one length.
struct Hashes {
    beginnings: Vec<u64>,
    length: usize,
    power: u64,
}

impl Hashes {
    fn of(words: &[u32], length: usize) -> Self {
        let mut beginnings = Vec::with_capacity(words.len() + 1);
        let mut hash = 0u64;
        beginnings.push(hash);
        for &word in words {
            hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(u64::from(word) + 1);
            beginnings.push(hash);
        }
        Hashes { beginnings, length, power: MULTIPLIER.wrapping_pow(length as u32) }
    }

    fn at(&self, place: usize) -> u64 {
        let before = self.beginnings[place].wrapping_mul(self.power);
        self.beginnings[place + self.length].wrapping_sub(before)
    }
}

/// The free runs of one length, each waiting for its like.
struct Waiting {
    /// By hash: the first place, and from every place the next one of the same hash.
    first: HashMap<u64, u32, FixedState>,
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Waiting {
    fn of(words: &[u32], free: &[bool], length: usize) -> Self {
        let hashes = Hashes::of(words, length);
        let mut waiting =
            Waiting { first: HashMap::with_hasher(FixedState::default()), next: vec![NONE; words.len()] };
        // How many words from a place on are free.
        let mut run = 0;
        for place in (0..words.len()).rev() {
            run = if free[place] { run + 1 } else { 0 };
            if run >= length {
                let before = waiting.first.insert(hashes.at(place), place as u32);
                waiting.next[place] = before.unwrap_or(NONE);
            }
        }
        waiting
    }

    /// The first free run that is the same; those that are free no longer wait no longer.
    fn find(&mut self, sought: &[u32], hash: u64, words: &[u32], free: &[bool]) -> Option<usize> {
        let first = self.first.get_mut(&hash)?;
        while *first != NONE {
            let place = *first as usize;
            let run = place..place + sought.len();
            if free[run.clone()].iter().all(|free| *free) {
                return (words[run] == *sought).then_some(place);
            }
            *first = self.next[place];
        }
        None
    }
}
