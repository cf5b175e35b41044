//! Many threads give what one gives, in the same order, and stop when they are told to.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use firstcopy_input::{ReadOptions, Reject, for_each_ordered, for_each_part, open};
use firstcopy_text::Page;
use proptest::prelude::*;

use crate::support::{Folder, limited};

fn run<T: Send>(
    path: &str,
    options: ReadOptions,
    threads: usize,
    work: impl Fn(Page) -> T + Sync,
) -> Vec<Result<T, Reject>> {
    let mut results = Vec::new();
    let pages = open(&[path.to_owned()], options).unwrap().pages();
    let flow = for_each_ordered(pages, threads, work, |result| {
        results.push(result);
        ControlFlow::<()>::Continue(())
    });
    assert!(flow.is_continue());
    results
}

/// Lines of any length, some bad, some beyond the limit.
fn lines(lengths: &[usize]) -> String {
    let line = |(n, length): (usize, &usize)| match length % 7 {
        6 => format!("bad {n}\n"),
        _ => format!("{{\"id\":{n},\"text\":\"{}\"}}\n", "x".repeat(*length)),
    };
    lengths.iter().enumerate().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_does_not_depend_on_threads(
        lengths in prop::collection::vec(prop_oneof![0_usize..200, 0_usize..60_000], 0..300),
        threads in 1_usize..=8,
    ) {
        let folder = Folder::new();
        let path = folder.file("a.jsonl", lines(&lengths));
        let sequential: Vec<_> = open(std::slice::from_ref(&path), limited(50_000)).unwrap().pages().collect();
        prop_assert_eq!(sequential.len(), lengths.len());
        prop_assert_eq!(run(&path, limited(50_000), threads, |page| page), sequential);
    }
}

#[test]
fn slow_records_keep_their_place() {
    let folder = Folder::new();
    let path = folder.file("a.jsonl", lines(&[5000; 500]));
    let slow = |page: Page| {
        let number: u64 = page.id.parse().unwrap();
        std::thread::sleep(std::time::Duration::from_micros((number * 7919) % 300));
        number
    };
    let numbers: Vec<u64> =
        run(&path, ReadOptions::default(), 4, slow).into_iter().map(Result::unwrap).collect();
    assert_eq!(numbers, (0..500).collect::<Vec<_>>());
}

#[test]
fn a_panic_is_a_reject_of_that_record() {
    let folder = Folder::new();
    let path = folder.file("a.jsonl", lines(&[1; 100]));
    for threads in [1, 4] {
        let results = run(&path, ReadOptions::default(), threads, |page| {
            assert!(page.id != "41", "no {}", page.id);
            page.id
        });
        assert_eq!(results.len(), 100);
        let rejects: Vec<&Reject> = results.iter().filter_map(|result| result.as_ref().err()).collect();
        assert_eq!(
            (rejects[0].record.as_str(), rejects[0].reason.as_str()),
            ("line 42", "an internal error (no 41): please report it with this record")
        );
        assert_eq!(rejects.len(), 1);
    }
}

#[test]
fn stopping_early() {
    let folder = Folder::new();
    let path = folder.file("a.jsonl", lines(&[5000; 20_000]));
    for threads in [1, 4] {
        let worked = AtomicUsize::new(0);
        let mut seen = 0;
        let pages = open(std::slice::from_ref(&path), ReadOptions::default()).unwrap().pages();
        let count = |_| worked.fetch_add(1, Ordering::Relaxed);
        let flow = for_each_ordered(pages, threads, count, |_| {
            seen += 1;
            if seen == 10 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
        });
        assert_eq!(flow, ControlFlow::Break("enough"));
        assert_eq!(seen, 10);
        assert!(worked.load(Ordering::Relaxed) < 5000, "what is under way is bounded");
    }
}

#[test]
fn parts_may_be_bad() {
    let folder = Folder::new();
    let path = folder.file("a.jsonl", "{\"text\":\"a b\"}\n{\"text\":\"- c\"}\n{\"text\":\"-\"}\n");
    for threads in [1, 2] {
        let inputs = open(std::slice::from_ref(&path), ReadOptions::default()).unwrap();
        let (progress, mut results) = (inputs.progress(), Vec::new());
        let words = |page: Page| {
            let firstcopy_text::Content::Unicode { text, .. } = page.content else { panic!() };
            let word = |word: &str| if word == "-" { Err("bad".to_owned()) } else { Ok(word.to_owned()) };
            text.split(' ').map(word).collect::<Vec<_>>()
        };
        let _ = for_each_part(inputs.pages(), threads, words, |result| {
            results.push(result.map_err(|reject| (reject.record, reject.reason)));
            ControlFlow::<()>::Continue(())
        });
        let bad = |line: &str| Err((line.to_owned(), "bad".to_owned()));
        let good = |word: &str| Ok(word.to_owned());
        assert_eq!(results, [good("a"), good("b"), bad("line 2"), good("c"), bad("line 3")]);
        assert_eq!((progress.pages(), progress.rejects()), (2, 2));
    }
}
