//! All four duplicate indexes give the same verdicts on the same posts, edits, deletions and late older posts; also after
//! reopening, and after another index was chosen for the same directory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Engine, IndexKind, OpenOptions, Policy};
use firstcopy_text::Content;
use proptest::prelude::*;
use std::path::Path;
use support::{Post, assert_clean, options, pool, timeless};

/// A post of one of few contents under one of few ids, or the deletion of that id.
#[derive(Debug, Clone)]
struct Operation {
    id: usize,
    content: usize,
    is_deletion: bool,
    /// A day among few, or none.
    day: Option<i64>,
}

fn operation() -> impl Strategy<Value = Operation> {
    let contents = pool().len();
    (0..12usize, 0..contents, prop::bool::weighted(0.25), prop::option::of(0..6i64))
        .prop_map(|(id, content, is_deletion, day)| Operation { id, content, is_deletion, day })
}

/// Contents near each other in the pool, so that they are copies of each other.
fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let contents = pool().len();
    (prop::collection::vec(operation(), 10..40), 0..contents, 3..10usize).prop_map(
        move |(mut operations, start, range)| {
            operations.iter_mut().for_each(|it| it.content = (start + it.content % range) % contents);
            operations
        },
    )
}

fn open(path: &Path, policy: Policy, index: IndexKind) -> Engine {
    Engine::open(path, OpenOptions { index, ..options(policy) }).unwrap()
}

fn apply(engine: &Engine, pool: &[Content], operations: &[Operation]) {
    for Operation { id, content, is_deletion, day } in operations {
        let post = Post {
            id: id.to_string(),
            content: *content,
            created_at: day.map(|day| 1_000_000_000 + 86_400 * day),
            author: None,
            source: None,
        };
        match is_deletion {
            true => drop(engine.delete(&post.id).unwrap()),
            false => drop(engine.add(post.page(pool)).unwrap()),
        }
    }
}

fn check(policy: Policy, operations: &[Operation]) {
    let pool = pool();
    let (before, after) = operations.split_at(operations.len() * 2 / 3);
    let folders = IndexKind::ALL.map(|kind| (kind, support::folder()));
    let each = |shift: usize, work: &dyn Fn(&Engine)| {
        let kinds = IndexKind::ALL.iter().cycle().skip(shift);
        let verdicts = folders.iter().zip(kinds).map(|((made_as, folder), &kind)| {
            let engine = open(&folder.path().join("data"), policy, kind);
            work(&engine);
            assert_clean(&engine);
            (*made_as, kind, timeless(&engine))
        });
        let verdicts: Vec<_> = verdicts.collect();
        for (made_as, kind, found) in &verdicts[1..] {
            assert_eq!(found, &verdicts[0].2, "made as {made_as:?}, opened as {kind:?}");
        }
        verdicts[0].2.clone()
    };
    let stored = each(0, &|engine| apply(engine, &pool, before));
    assert_eq!(each(0, &|_| ()), stored, "reopened");
    // Every directory gets the next index, which is built from its store; then the first one again, which is behind.
    let more = each(1, &|engine| apply(engine, &pool, after));
    assert_eq!(each(0, &|_| ()), more, "the first index again");
    each(3, &|engine| apply(engine, &pool, before));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn by_resemblance(operations in operations()) {
        check(Policy::Likeness, &operations);
        check(Policy::Resemblance, &operations);
    }

    #[test]
    fn by_the_papers_rule(operations in operations()) {
        check(Policy::Paper, &operations);
    }
}
