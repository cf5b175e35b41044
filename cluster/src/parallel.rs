//! Work on all threads: numbered tasks, each thread with scratch buffers of its own.

use crate::error::{ClusterError, Result};
use crate::watch::Watch;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Calls `work` with every number below `count` on so many threads, and returns the results in order. Ends with the first
/// error, or when the watch says so.
pub(crate) fn for_each<S, T: Send>(
    threads: usize,
    watch: &dyn Watch,
    count: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.clamp(1, count.max(1)))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut scratch = scratch();
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= count {
                            return Ok(());
                        }
                        if watch.is_stopped() {
                            return Err(ClusterError::Stopped);
                        }
                        let result =
                            work(&mut scratch, number).inspect_err(|_| next.store(count, Relaxed))?;
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                    }
                })
            })
            .collect();
        // A panic of a thread is the caller's.
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
