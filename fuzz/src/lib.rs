//! What the targets that read inputs share: bytes become a file, the file becomes pages or rejects, and both are sound.

use firstcopy_input::{Format, Pages, ReadOptions, Reject, for_each_ordered, open};
use firstcopy_text::Page;
use std::cell::RefCell;
use std::ops::ControlFlow;
use tempfile::NamedTempFile;

/// Small enough that short inputs reach the limit, large enough that most documents stay below it.
const MAX_DOCUMENT_SIZE: u64 = 1024;

type Item = Result<Page, Reject>;

thread_local! {
    /// The one file of this process: every input is written over the last.
    static FILE: RefCell<NamedTempFile> =
        RefCell::new(NamedTempFile::new().expect("a fuzz run needs a place for its input"));
}

/// Reads the bytes as a file of that format and checks every item. Every eighth input, chosen by its length, is read
/// again by three threads: the items must be the same.
pub fn check_input(bytes: &[u8], format: Format) {
    FILE.with_borrow(|file| {
        std::fs::write(file.path(), bytes).expect("the input can be written");
        let path = file.path().display().to_string();
        let items: Vec<Item> = pages(&path, format).collect();
        items.iter().for_each(check_item);
        if bytes.len().is_multiple_of(8) {
            assert_eq!(items, read_by_threads(pages(&path, format), 1), "one thread");
            assert_eq!(items, read_by_threads(pages(&path, format), 3), "three threads");
        }
    });
}

fn pages(path: &str, format: Format) -> Pages {
    let options =
        ReadOptions { format: Some(format), max_document_size: MAX_DOCUMENT_SIZE, ..ReadOptions::default() };
    open(&[path.to_owned()], options).expect("the file exists").pages()
}

fn check_item(item: &Item) {
    match item {
        Ok(page) => assert!(!page.id.is_empty(), "a page without an id"),
        Err(reject) => {
            assert!(!reject.file.is_empty() && !reject.reason.is_empty(), "{reject:?}");
            assert!(!reject.reason.contains("internal error"), "{reject:?}");
            assert!(!reject.reason.contains('\n'), "a reason is one line: {reject:?}");
        }
    }
}

fn read_by_threads(pages: Pages, threads: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let end = for_each_ordered(
        pages,
        threads,
        |page| page,
        |item| {
            items.push(item);
            ControlFlow::<()>::Continue(())
        },
    );
    assert!(end.is_continue());
    items
}
