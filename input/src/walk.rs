//! Which files are meant? Paths, directories, globs and `-` to a list of sources in a deterministic order.
//! A path that exists wins over the glob it could be. Hidden entries of a directory are left out, as are loops.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::error::{InputError, Reject};
use crate::progress::Skip;

/// What the paths name, before anything is opened.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub sources: Vec<Source>,
    pub skipped: Vec<Skip>,
    /// The bytes of all files; unknown with stdin.
    pub total_bytes: Option<u64>,
}

/// One thing to read.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file, and whether it was named itself rather than found in a directory or by a glob.
    File {
        path: PathBuf,
        named: bool,
        /// What it is called in the directory it was found in; otherwise its own name.
        relative: PathBuf,
    },
    Stdin,
    /// Something in a directory that cannot be read.
    Unreadable(Reject),
}

impl Source {
    /// As messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::File { path, .. } => path.display().to_string(),
            Source::Stdin => "-".to_owned(),
            Source::Unreadable(reject) => reject.file.clone(),
        }
    }
}

/// Resolves what the user named.
pub(crate) fn find(paths: &[String]) -> Result<Found, InputError> {
    if paths.is_empty() {
        return Err(InputError::NoInput);
    }
    if paths.iter().filter(|path| *path == "-").count() > 1 {
        return Err(InputError::StdinTwice);
    }
    let mut found = Found { total_bytes: Some(0), ..Found::default() };
    for path in paths {
        found.add(path)?;
    }
    Ok(found)
}

impl Found {
    fn add(&mut self, path: &str) -> Result<(), InputError> {
        if path == "-" {
            self.sources.push(Source::Stdin);
            self.total_bytes = None;
            return Ok(());
        }
        match std::fs::metadata(path) {
            Ok(metadata) => {
                self.add_existing(Path::new(path), &metadata, true);
                Ok(())
            }
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(InputError::Unreadable { path: path.to_owned(), reason: error.to_string() })
            }
            Err(_) if path.contains(['*', '?', '[']) => self.add_glob(path),
            Err(_) => Err(InputError::Missing { path: path.to_owned() }),
        }
    }

    fn add_glob(&mut self, pattern: &str) -> Result<(), InputError> {
        let bad = |error: glob::PatternError| InputError::BadGlob {
            pattern: pattern.to_owned(),
            reason: error.msg.to_owned(),
        };
        // As shells do it: `*` leaves hidden entries out.
        let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
        // `**` alone matches directories only, and nobody means that.
        let whole = if pattern.ends_with("**") { format!("{pattern}/*") } else { pattern.to_owned() };
        let matches = glob::glob_with(&whole, options).map_err(bad)?;
        let mut paths: Vec<PathBuf> = matches.filter_map(Result::ok).collect();
        paths.sort();
        if paths.is_empty() {
            return Err(InputError::NoMatch { pattern: pattern.to_owned() });
        }
        self.add_matches(&paths);
        Ok(())
    }

    /// `**` matches directories and what is in them: the directory stands for both.
    fn add_matches(&mut self, sorted: &[PathBuf]) {
        let mut directory: Option<&Path> = None;
        for path in sorted {
            if directory.is_some_and(|directory| path.starts_with(directory)) {
                continue;
            }
            match std::fs::metadata(path) {
                Ok(metadata) => {
                    directory = metadata.is_dir().then_some(path);
                    self.add_existing(path, &metadata, false);
                }
                Err(error) => self.add_unreadable(path, &error.to_string()),
            }
        }
    }

    fn add_existing(&mut self, path: &Path, metadata: &Metadata, named: bool) {
        match metadata.is_dir() {
            true => self.add_directory(path),
            false => self.add_file(path, path.file_name().unwrap_or_default().as_ref(), metadata, named),
        }
    }

    /// A named pipe or device counts as a file when the user names it: its size is unknown.
    fn add_file(&mut self, path: &Path, relative: &Path, metadata: &Metadata, named: bool) {
        if !metadata.is_file() && !named {
            return self.skipped.push(Skip::Special);
        }
        let size = metadata.is_file().then_some(metadata.len());
        self.total_bytes = self.total_bytes.zip(size).map(|(total, size)| total + size);
        self.sources.push(Source::File { path: path.to_owned(), named, relative: relative.to_owned() });
    }

    fn add_directory(&mut self, directory: &Path) {
        let mut entries = WalkDir::new(directory).follow_links(true).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if is_hidden(&entry) => {
                    self.skipped.push(Skip::Hidden);
                    if entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => match entry.metadata() {
                    Ok(metadata) => {
                        let relative = entry.path().strip_prefix(directory).unwrap_or(entry.path());
                        self.add_file(entry.path(), relative, &metadata, false);
                    }
                    Err(error) => self.add_unreadable(entry.path(), &error.to_string()),
                },
                Err(error) if error.loop_ancestor().is_some() => self.skipped.push(Skip::Loop),
                Err(error) => {
                    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.add_unreadable(error.path().unwrap_or(directory), &reason);
                }
            }
        }
    }

    fn add_unreadable(&mut self, path: &Path, reason: &str) {
        let reason = format!("cannot be read ({reason}): check the link and the permissions");
        let file = path.display().to_string();
        self.sources.push(Source::Unreadable(Reject { file, record: String::new(), reason }));
    }
}

/// Hidden inside a directory: the directory itself was named and may begin with a dot.
fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}
