//! How do many threads work on pages that stay in order? One thread cuts records, many decode and work on them,
//! the caller's thread takes the results in input order. What is under way is bounded in number and in bytes.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use firstcopy_text::Page;

use crate::error::Reject;
use crate::options::ReadOptions;
use crate::pages::{Pages, Records, decode, failure};
use crate::place::Place;
use crate::progress::Progress;
use crate::record::Record;

/// Records are handed over in batches of about this many bytes: a lock for each would cost more than small records do.
const BATCH_BYTES: usize = 512 * 1024;
/// … and of at most this many records, so that costly work on small records is spread too.
const BATCH_RECORDS: usize = 128;
/// Batches under way for each thread: one in work, one waiting, two done but held up by an earlier one.
const BATCHES_A_THREAD: usize = 4;
/// Bytes under way, in documents of the largest size.
const LARGEST_UNDER_WAY: u64 = 4;

/// Decodes and works on pages with `threads` threads and gives the results to `sink` in input order.
///
/// The results are the same whatever the number of threads. A panic in `work` becomes a [`Reject`] of
/// that page. When the sink breaks, the reading stops, what is under way is dropped, and the value it
/// broke with is returned. With one thread everything happens on the caller's.
pub fn for_each_ordered<T: Send, B>(
    pages: Pages,
    threads: usize,
    work: impl Fn(Page) -> T + Sync,
    sink: impl FnMut(Result<T, Reject>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for_each_part(pages, threads, |page| [Ok(work(page))], sink)
}

/// The same for pages that are made of parts, some of which may turn out bad: each is given to `sink`, or the reason why
/// not as a [`Reject`] that names the page's place.
pub fn for_each_part<T: Send, B, P: IntoIterator<Item = Result<T, String>>>(
    pages: Pages,
    threads: usize,
    work: impl Fn(Page) -> P + Sync,
    mut sink: impl FnMut(Result<T, Reject>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (options, progress) = (pages.records.options.clone(), pages.records.progress.clone());
    let worker = Worker { options: &options, progress: &progress, work: &work };
    if threads <= 1 {
        return pages.records.flat_map(|item| worker.run(item)).try_for_each(sink);
    }
    let queue = Arc::new(Queue::new(threads, options.max_document_size));
    let results = Results::new(threads);
    feed(queue.clone(), pages.records);
    std::thread::scope(|scope| {
        // Also when the sink panics: the workers must not wait for ever.
        let _stop = StopOnDrop(&queue);
        for _ in 0..threads {
            scope.spawn(|| {
                let _leave = LeaveOnDrop(&results);
                while let Some(batch) = queue.take() {
                    let done = batch.items.into_iter().flat_map(|item| worker.run(item)).collect();
                    results.put(batch.number, batch.bytes, done);
                }
            });
        }
        while let Some((bytes, done)) = results.take() {
            done.into_iter().try_for_each(&mut sink)?;
            queue.release(bytes);
        }
        ControlFlow::Continue(())
    })
}

/// A record, or the reject in its place.
type Item = Result<Record, Reject>;

/// What a thread does with one record.
struct Worker<'a, W> {
    options: &'a ReadOptions,
    progress: &'a Progress,
    work: &'a W,
}

impl<W> Worker<'_, W> {
    fn run<T, P>(&self, item: Item) -> Vec<Result<T, Reject>>
    where
        W: Fn(Page) -> P,
        P: IntoIterator<Item = Result<T, String>>,
    {
        let record = match item {
            Ok(record) => record,
            Err(reject) => return vec![Err(reject)],
        };
        let place = record.place.clone();
        match decode(record, self.options, self.progress) {
            None => Vec::new(),
            Some(Err(reject)) => vec![Err(reject)],
            Some(Ok(page)) => self.parts(page, &place),
        }
    }

    fn parts<T, P>(&self, page: Page, place: &Place) -> Vec<Result<T, Reject>>
    where
        W: Fn(Page) -> P,
        P: IntoIterator<Item = Result<T, String>>,
    {
        let parts = catch_unwind(AssertUnwindSafe(|| (self.work)(page).into_iter().collect::<Vec<_>>()))
            .unwrap_or_else(|panic| vec![Err(failure(&*panic))]);
        let bad = parts.iter().filter(|part| part.is_err()).count();
        self.progress.bad_parts(bad, parts.len());
        parts.into_iter().map(|part| part.map_err(|reason| Reject::at(place, reason))).collect()
    }
}

/// Cuts records into batches on a thread of its own. It is not waited for: a read from a silent pipe may never return.
fn feed(queue: Arc<Queue>, mut records: Records) {
    std::thread::spawn(move || {
        let _close = CloseOnDrop(&queue);
        while let Some(items) = next_items(&mut records) {
            if queue.put(items).is_break() {
                return;
            }
        }
    });
}

/// The next records: as many as fit, fewer when the following one would have to be waited for.
fn next_items(records: &mut Records) -> Option<Vec<Item>> {
    let mut items = vec![records.next()?];
    let mut bytes = weight(&items[0]);
    while bytes < BATCH_BYTES && items.len() < BATCH_RECORDS && !records.is_drained() {
        let Some(item) = records.next() else { break };
        bytes += weight(&item);
        items.push(item);
    }
    Some(items)
}

fn weight(item: &Item) -> usize {
    item.as_ref().map_or(0, Record::weight)
}

/// Records that travel together.
struct Batch {
    number: u64,
    bytes: usize,
    items: Vec<Item>,
}

/// Batches that wait for a worker; counts what is under way until the sink has had it.
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
    most_batches: usize,
    most_bytes: usize,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Batch>,
    next_number: u64,
    batches_under_way: usize,
    bytes_under_way: usize,
    closed: bool,
    stopped: bool,
}

impl Queue {
    fn new(threads: usize, max_document_size: u64) -> Self {
        let most_bytes = max_document_size.saturating_mul(LARGEST_UNDER_WAY);
        Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
            most_batches: threads * BATCHES_A_THREAD,
            most_bytes: usize::try_from(most_bytes).unwrap_or(usize::MAX),
        }
    }

    /// Waits for room and puts a batch in; breaks when nobody wants more.
    fn put(&self, items: Vec<Item>) -> ControlFlow<()> {
        let bytes = items.iter().map(weight).sum();
        let full = |state: &mut QueueState| !state.stopped && self.is_full(state, bytes);
        let mut state = wait_while(&self.changed, lock(&self.state), full);
        if state.stopped {
            return ControlFlow::Break(());
        }
        let number = state.next_number;
        state.next_number += 1;
        state.batches_under_way += 1;
        state.bytes_under_way += bytes;
        state.waiting.push_back(Batch { number, bytes, items });
        self.changed.notify_all();
        ControlFlow::Continue(())
    }

    /// A batch always fits when it is alone, however large.
    fn is_full(&self, state: &QueueState, bytes: usize) -> bool {
        let under_way = state.batches_under_way;
        under_way >= self.most_batches
            || (under_way > 0 && state.bytes_under_way.saturating_add(bytes) > self.most_bytes)
    }

    /// The next batch to work on; nothing when all are taken and no more will come.
    fn take(&self) -> Option<Batch> {
        let idle = |state: &mut QueueState| state.waiting.is_empty() && !state.closed && !state.stopped;
        let mut state = wait_while(&self.changed, lock(&self.state), idle);
        if state.stopped { None } else { state.waiting.pop_front() }
    }

    /// A batch has been delivered.
    fn release(&self, bytes: usize) {
        let mut state = lock(&self.state);
        state.batches_under_way -= 1;
        state.bytes_under_way -= bytes;
        self.changed.notify_all();
    }
}

/// Finished batches that wait for their turn.
struct Results<T> {
    state: Mutex<ResultsState<T>>,
    changed: Condvar,
}

struct ResultsState<T> {
    done: BTreeMap<u64, Finished<T>>,
    next_number: u64,
    workers: usize,
}

/// The bytes that a batch held, and what became of its records.
type Finished<T> = (usize, Vec<Result<T, Reject>>);

impl<T> Results<T> {
    fn new(workers: usize) -> Self {
        let state = ResultsState { done: BTreeMap::new(), next_number: 0, workers };
        Results { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn put(&self, number: u64, bytes: usize, done: Vec<Result<T, Reject>>) {
        lock(&self.state).done.insert(number, (bytes, done));
        self.changed.notify_all();
    }

    /// The next batch in order; nothing when the workers have left.
    fn take(&self) -> Option<Finished<T>> {
        let not_yet =
            |state: &mut ResultsState<T>| state.workers > 0 && !state.done.contains_key(&state.next_number);
        let mut state = wait_while(&self.changed, lock(&self.state), not_yet);
        let number = state.next_number;
        state.next_number += 1;
        state.done.remove(&number)
    }
}

/// Ends the queue for its readers, also when the reader thread panics.
struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).closed = true;
        self.0.changed.notify_all();
    }
}

/// Ends the queue for both sides.
struct StopOnDrop<'a>(&'a Queue);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).stopped = true;
        self.0.changed.notify_all();
    }
}

/// Tells the sink that a worker has no more for it.
struct LeaveOnDrop<'a, T>(&'a Results<T>);

impl<T> Drop for LeaveOnDrop<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.state).workers -= 1;
        self.0.changed.notify_all();
    }
}

/// No lock is held while foreign code runs, so a poisoned one still guards a sound state.
fn lock<S>(mutex: &Mutex<S>) -> MutexGuard<'_, S> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait_while<'a, S>(
    changed: &Condvar,
    guard: MutexGuard<'a, S>,
    condition: impl FnMut(&mut S) -> bool,
) -> MutexGuard<'a, S> {
    changed.wait_while(guard, condition).unwrap_or_else(PoisonError::into_inner)
}
