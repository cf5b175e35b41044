//! Where does the copy of each input go? Names only: collisions are found before anything is opened or written.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::error::RewriteError;
use crate::compression::Packing;
use crate::record::Layout;
use crate::walk::Source;

/// Where the copies go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Into this folder: a file found in a directory under its path in that directory, any other under its own name,
    /// stdin as `stdin.jsonl` (or what else it holds).
    Folder(PathBuf),
    /// The one input exactly here.
    File(PathBuf),
}

/// The extensions that stdin may get, of formats and of compressions.
const EXTENSIONS: [&str; 6] = ["html", "txt", "jsonl", "json", "parquet", "warc"];
const PACKED: [&str; 3] = ["", ".gz", ".zst"];

impl Target {
    /// Where the copy of a source goes, as far as it can be told before the source is opened.
    pub(super) fn path(&self, source: &Source) -> Option<PathBuf> {
        match (self, source) {
            (_, Source::Unreadable(_)) => None,
            (Target::File(path), _) => Some(path.clone()),
            (Target::Folder(folder), Source::File { relative, .. }) => Some(folder.join(relative)),
            (Target::Folder(_), Source::Stdin) => None,
        }
    }

    /// Where the copy of stdin goes, once it is known what it holds.
    pub(super) fn stdin_path(&self, layout: &Layout, packing: Packing) -> PathBuf {
        match self {
            Target::File(path) => path.clone(),
            Target::Folder(folder) => folder.join(stdin_name(extension(layout), packed(packing))),
        }
    }

    /// Refuses what would overwrite anything.
    pub(super) fn check(&self, sources: &VecDeque<Source>) -> Result<(), RewriteError> {
        if let (Target::File(path), inputs @ 2..) = (self, sources.len()) {
            return Err(RewriteError::ManyInputs { file: path.display().to_string(), inputs });
        }
        let inputs: HashSet<PathBuf> = sources.iter().filter_map(resolved).collect();
        let mut taken: HashMap<PathBuf, String> = HashMap::new();
        for source in sources {
            for path in self.claimed(source) {
                let file = path.display().to_string();
                if let Some(first) = taken.insert(path, source.name()) {
                    return Err(RewriteError::SameOutput { first, second: source.name(), file });
                }
            }
            self.path(source).map_or(Ok(()), |path| check_vacant(&path, &inputs))?;
        }
        Ok(())
    }

    /// Every place that the copy of a source may get.
    fn claimed(&self, source: &Source) -> Vec<PathBuf> {
        match (self, source) {
            (Target::Folder(folder), Source::Stdin) => {
                let names =
                    EXTENSIONS.iter().flat_map(|end| PACKED.iter().map(|packed| stdin_name(end, packed)));
                names.map(|name| folder.join(name)).collect()
            }
            _ => self.path(source).into_iter().collect(),
        }
    }
}

/// The file that a source really is, behind links.
fn resolved(source: &Source) -> Option<PathBuf> {
    match source {
        Source::File { path, .. } => path.canonicalize().ok(),
        Source::Stdin | Source::Unreadable(_) => None,
    }
}

fn check_vacant(path: &Path, inputs: &HashSet<PathBuf>) -> Result<(), RewriteError> {
    if path.canonicalize().is_ok_and(|resolved| inputs.contains(&resolved)) {
        return Err(RewriteError::IsInput { file: path.display().to_string() });
    }
    match path.symlink_metadata() {
        Ok(_) => Err(RewriteError::exists(path)),
        Err(_) => Ok(()),
    }
}

fn stdin_name(extension: &str, packed: &str) -> String {
    format!("stdin.{extension}{packed}")
}

fn extension(layout: &Layout) -> &'static str {
    match layout {
        Layout::Html => "html",
        Layout::Text => "txt",
        Layout::Lines => "jsonl",
        Layout::Array | Layout::Objects => "json",
        Layout::Table(_) => "parquet",
        Layout::Archive => "warc",
    }
}

fn packed(packing: Packing) -> &'static str {
    match packing {
        Packing::Plain => "",
        Packing::Gzip => ".gz",
        Packing::Zstd => ".zst",
    }
}
