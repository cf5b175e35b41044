//! How do many threads work on a list and still answer in its order?

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Items under way for each thread: enough that none waits long for the slowest of a round.
const ITEMS_A_THREAD: usize = 64;

/// Works on every item with so many threads, and hands the answers over in the order of the items.
pub(super) fn for_each_in_order<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return items.iter().map(work).try_for_each(sink);
    }
    for round in items.chunks(threads * ITEMS_A_THREAD) {
        answers(round, threads, &work).into_iter().try_for_each(&mut sink)?;
    }
    Ok(())
}

/// The answers to all of these items.
fn answers<T: Sync, R: Send>(items: &[T], threads: usize, work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        while let Some((index, item)) =
            Some(next.fetch_add(1, Relaxed)).and_then(|n| Some((n, items.get(n)?)))
        {
            done.push((index, work(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.min(items.len())).map(|_| scope.spawn(some)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_threads() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let mut squares = Vec::new();
            let done = for_each_in_order(
                &items,
                threads,
                |n| n * n,
                |square| {
                    squares.push(square);
                    if square == 810_000 { Err("enough") } else { Ok(()) }
                },
            );
            assert_eq!(done, Err("enough"));
            assert_eq!(squares, (0..=900).map(|n: u64| n * n).collect::<Vec<_>>(), "{threads}");
        }
    }
}
