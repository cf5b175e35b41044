//! Fixtures made on the spot, and short ways to say what was read.

use std::io::Write;
use std::path::PathBuf;

use firstcopy_input::{Format, Progress, ReadOptions, Reject, open};
use firstcopy_text::{Content, Page};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A temporary directory to write fixtures into.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn root(&self) -> String {
        self.0.path().display().to_string()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// What was read, without this directory's name.
    pub fn relative(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root()), "")
    }
}

pub type Item = Result<Page, Reject>;

pub fn read(paths: &[&str], options: ReadOptions) -> Vec<Item> {
    read_counting(paths, options).0
}

pub fn read_counting(paths: &[&str], options: ReadOptions) -> (Vec<Item>, std::sync::Arc<Progress>) {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let inputs = open(&paths, options).unwrap();
    let progress = inputs.progress();
    (inputs.pages().collect(), progress)
}

/// Reads one fixture.
pub fn read_bytes(name: &str, bytes: impl AsRef<[u8]>, options: ReadOptions) -> Vec<String> {
    let folder = Folder::new();
    let path = folder.file(name, bytes);
    read(&[&path], options).iter().map(|item| folder.relative(&say(item))).collect()
}

pub fn limited(max_document_size: u64) -> ReadOptions {
    ReadOptions { max_document_size, ..ReadOptions::default() }
}

pub fn as_format(format: Format) -> ReadOptions {
    ReadOptions { format: Some(format), ..ReadOptions::default() }
}

/// An item in a line: `id | content | warnings`, or the reject as users see it.
pub fn say(item: &Item) -> String {
    match item {
        Ok(page) => {
            let warnings: String = page.warnings.iter().map(|warning| format!(" ! {warning}")).collect();
            format!("{} = {}{warnings}", page.id, content(page))
        }
        Err(reject) => format!("REJECT {reject}"),
    }
}

pub fn content(page: &Page) -> String {
    match &page.content {
        Content::Html { bytes, charset } => format!("html{} {}", of(charset), shown(bytes)),
        Content::Text { bytes, charset } => format!("text{} {}", of(charset), shown(bytes)),
        Content::Unicode { text, is_html: true } => format!("html(utf-8) {}", shown(text.as_bytes())),
        Content::Unicode { text, is_html: false } => format!("text(utf-8) {}", shown(text.as_bytes())),
        Content::Features(features) => format!("features {}", serde_json::to_string(features).unwrap()),
    }
}

fn of(charset: &Option<String>) -> String {
    charset.as_ref().map(|charset| format!("({charset})")).unwrap_or_default()
}

fn shown(bytes: &[u8]) -> String {
    match bytes.len() {
        0..200 => bytes.escape_ascii().to_string(),
        length => format!("{length} bytes"),
    }
}

pub fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 1).unwrap()
}

/// `before`, then `zeros` zero bytes, then `after`, gzipped without ever being held.
pub fn gzip_with_zeros(before: &[u8], zeros: usize, after: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(before).unwrap();
    let block = vec![0; 1 << 20];
    for _ in 0..zeros >> 20 {
        encoder.write_all(&block).unwrap();
    }
    encoder.write_all(after).unwrap();
    encoder.finish().unwrap()
}
