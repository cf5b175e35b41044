//! Eight threads add the same and different posts at once, 1,000 rounds: nobody is lost, every group has exactly one
//! original, and the verdicts are those of a model that judges in the order of arrival (and of dates, where there are).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Engine, Policy, Settings, Verdict};
use firstcopy_text::{Content, Page};
use std::collections::BTreeMap;
use std::sync::Barrier;
use support::{Expected, Judge, Live, Post, Random, SEEDS, seconds};

const THREADS: usize = 8;
const ROUNDS: usize = 1000;
/// A directory of its own for so many rounds, so that the model stays small.
const ROUNDS_A_DIRECTORY: usize = 50;
/// Contents of a round: two equal word for word, a chain of three near copies, and two others.
const CONTENTS_A_ROUND: usize = 7;

fn contents(round: usize) -> [String; CONTENTS_A_ROUND] {
    let words = support::words(1000 + round as u64, 200);
    let window = |start: usize| words[start..start + 100].join(" ");
    // 91 shingles: 0.86 to the next, 0.73 to the one after it.
    let chain = [window(0), window(7), window(14)];
    let [first, second, third] = chain;
    [first.to_uppercase(), first, second, third, window(100), words[..3].join(" "), words[3..6].join(" ")]
}

/// What a thread sends in a round: one of the contents that others send too, and with luck at the same moment.
fn posts(random: &mut Random, round: usize, thread: usize) -> Vec<Post> {
    let first = CONTENTS_A_ROUND * (round % ROUNDS_A_DIRECTORY);
    let is_dated = round % 2 == 1;
    let post = |number: usize| Post {
        id: format!("{round}-{thread}-{number}"),
        content: first + if random.percent(50) { 1 } else { random.below(CONTENTS_A_ROUND) },
        created_at: is_dated.then(|| 1_000_000_000 + random.below(4) as i64),
        author: None,
        source: None,
    };
    (0..2).map(post).collect()
}

/// The stored verdicts of a round are those of judging it afresh. Returns how many duplicates there are.
fn check_round(round: usize, policy: Policy, posts: &BTreeMap<String, Post>, stored: &[Verdict]) -> usize {
    let first = CONTENTS_A_ROUND * (round % ROUNDS_A_DIRECTORY);
    let pool = contents(round).map(Content::text);
    let judge = Judge::new(&pool, &Settings { policy, ..Settings::default() }, SEEDS);
    let live = |(arrival, verdict): (u64, &Verdict)| {
        let Post { id, content, created_at, author, source } = posts[&verdict.id].clone();
        let judged_at = created_at.unwrap_or_else(|| seconds(&verdict.received_at));
        Live {
            id,
            content: content - first,
            place: (judged_at, arrival),
            author,
            source,
            version: 1,
            standing: None,
        }
    };
    let is_of_round = |verdict: &&Verdict| verdict.id.split('-').next() == Some(&round.to_string());
    let stored = || stored.iter().filter(is_of_round);
    let live: Vec<Live> = (0..).zip(stored()).map(live).collect();
    let expected = judge.judge(&live);
    for verdict in stored() {
        assert_eq!(Expected::given(verdict), expected[&verdict.id], "{}", verdict.id);
    }
    expected.values().filter(|expected| expected.original.is_some()).count()
}

/// The first answers of a round in which nothing is dated: exactly one original of those that are equal word for word.
fn check_answers(answers: &[(usize, Verdict)]) {
    let equal = answers.iter().filter(|(content, _)| content % CONTENTS_A_ROUND < 2);
    let (mut originals, mut copied) = (Vec::new(), Vec::new());
    for (_, verdict) in equal {
        match &verdict.original {
            None => originals.push(verdict.id.clone()),
            Some(original) => copied.push(original.clone()),
        }
    }
    assert!(originals.len() <= 1, "several originals: {originals:?}");
    // Without one of their own, all are copies of the same near copy.
    let of_one = copied.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(of_one && originals.iter().all(|id| copied.iter().all(|copied| copied == id)), "{copied:?}");
}

/// What a thread handed over and did not wait for is judged before what it adds next, whoever works at the desk.
#[test]
fn a_thread_is_judged_in_its_own_order() {
    let folder = support::folder();
    let engine = Engine::open(&folder.path().join("data"), support::options(Policy::Resemblance)).unwrap();
    for round in 0..500 {
        let text = support::words(round, 60).join(" ");
        let page = |name: &str| Page {
            id: format!("{name}{round}"),
            content: Content::text(text.clone()),
            ..Page::default()
        };
        let handed_over: Vec<_> = ["a", "b"].map(|name| engine.submit(engine.analyze(page(name)))).into();
        let added = engine.add(page("c")).unwrap();
        assert_eq!(added.original, Some(format!("a{round}")));
        for ticket in handed_over {
            ticket.wait().unwrap();
        }
    }
}

/// So many rounds on one directory; all threads start every round together.
fn rounds(first: usize, policy: Policy) {
    let folder = support::folder();
    let engine = support::open(&folder.path().join("data"), policy);
    let pool: Vec<Content> =
        (first..first + ROUNDS_A_DIRECTORY).flat_map(contents).map(Content::text).collect();
    let barrier = Barrier::new(THREADS);
    let sent = std::thread::scope(|scope| {
        let work = |thread: usize| {
            let (engine, barrier, pool) = (&engine, &barrier, &pool);
            move || adding(engine, barrier, pool, first, thread)
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(work(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for round in (first..first + ROUNDS_A_DIRECTORY).filter(|round| round % 2 == 0) {
        let of_round = sent.iter().filter(|(of, _, _)| *of == round);
        let answers: Vec<_> = of_round.map(|(_, post, verdict)| (post.content, verdict.clone())).collect();
        check_answers(&answers);
    }
    let posts: BTreeMap<String, Post> =
        sent.iter().map(|(_, post, _)| (post.id.clone(), post.clone())).collect();
    let stored = engine.reader().verdicts().unwrap();
    assert_eq!(stored.len(), posts.len(), "somebody is lost");
    let mut duplicates = 0;
    for round in first..first + ROUNDS_A_DIRECTORY {
        duplicates += check_round(round, policy, &posts, &stored);
    }
    assert!(duplicates > posts.len() / 3, "the rounds test little: {duplicates} duplicates");
    support::assert_clean(&engine);
}

/// What one thread adds, with the answers: two posts a round, both handed over before it waits.
fn adding(
    engine: &Engine,
    barrier: &Barrier,
    pool: &[Content],
    first: usize,
    thread: usize,
) -> Vec<(usize, Post, Verdict)> {
    let mut random = Random((first * THREADS + thread) as u64);
    let mut sent = Vec::new();
    for round in first..first + ROUNDS_A_DIRECTORY {
        let posts = posts(&mut random, round, thread);
        let drafts: Vec<_> = posts.iter().map(|post| engine.analyze(post.page(pool))).collect();
        barrier.wait();
        let tickets: Vec<_> = drafts.into_iter().map(|draft| engine.submit(draft)).collect();
        let verdicts = tickets.into_iter().map(|ticket| ticket.wait().unwrap());
        sent.extend(posts.into_iter().zip(verdicts).map(|(post, verdict)| (round, post, verdict)));
    }
    sent
}

#[test]
fn eight_threads_a_thousand_rounds() {
    for first in (0..ROUNDS).step_by(ROUNDS_A_DIRECTORY) {
        let policy = if first % (4 * ROUNDS_A_DIRECTORY) == 0 { Policy::Paper } else { Policy::Resemblance };
        rounds(first, policy);
    }
}
