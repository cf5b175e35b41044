//! How much memory do documents take while they wait to be indexed? tantivy's queue counts documents, whatever they weigh;
//! here a document holds a share of a budget until it is indexed.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tantivy::schema::{Document, Field, OwnedValue};

/// Bytes of text that may wait: a few long documents, or thousands of posts.
const BUDGET: usize = 16 << 20;
/// A wait that lasts longer means that nobody takes documents any more; tantivy then says why.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bytes that wait, and who wants to know when they are fewer.
#[derive(Debug, Default)]
pub(crate) struct Intake {
    waiting: Mutex<usize>,
    fewer: Condvar,
}

impl Intake {
    /// Takes a share of the budget, waiting until there is room; the largest document finds it when it is alone.
    pub fn admit(self: &Arc<Self>, bytes: usize) -> Share {
        let is_full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > BUDGET;
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.fewer.wait_timeout_while(waiting, PATIENCE, is_full);
        *room.unwrap_or_else(PoisonError::into_inner).0 += bytes;
        Share { intake: Arc::clone(self), bytes }
    }
}

/// A share of the budget, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    intake: Arc<Intake>,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        *self.intake.waiting.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.intake.fewer.notify_all();
    }
}

/// A document on its way into the index.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub values: Vec<(Field, OwnedValue)>,
    pub _share: Share,
}

impl Document for Waiting {
    type Value<'a> = &'a OwnedValue;
    type FieldsValuesIter<'a> = Box<dyn Iterator<Item = (Field, &'a OwnedValue)> + 'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        Box::new(self.values.iter().map(|(field, value)| (*field, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_document_waits_until_there_is_room() {
        let intake = Arc::new(Intake::default());
        let first = intake.admit(BUDGET * 3);
        let (sender, receiver) = mpsc::channel();
        let other = Arc::clone(&intake);
        let thread = std::thread::spawn(move || {
            let share = other.admit(1);
            sender.send(()).unwrap();
            share.bytes
        });
        assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
        drop(first);
        assert_eq!(thread.join().unwrap(), 1);
        assert_eq!(*intake.waiting.lock().unwrap(), 0);
    }
}
