//! What ends a rewriting: an output that must not or cannot be written. Whatever is wrong with the inputs is a reject.

use std::io;
use std::path::Path;

/// An output that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RewriteError {
    /// Two inputs would be written to one place.
    #[error("{first} and {second} would both be written to {file}: rename one, or write them to two folders")]
    SameOutput {
        /// One input.
        first: String,
        /// The other.
        second: String,
        /// The place that both would get.
        file: String,
    },
    /// Many inputs, and one file to write to.
    #[error("{file}: one file for {inputs} inputs: name a folder, or one input")]
    ManyInputs {
        /// The file to write to.
        file: String,
        /// How many inputs there are.
        inputs: usize,
    },
    /// The output is there already.
    #[error("{file}: exists already and is not overwritten: remove it, or choose another place")]
    Exists {
        /// The output.
        file: String,
    },
    /// The output is an input.
    #[error("{file}: is an input and is not overwritten: choose another place")]
    IsInput {
        /// The output.
        file: String,
    },
    /// The output cannot be written.
    #[error("{file}: cannot be written ({source}): {}", remedy(source))]
    Write {
        /// The output.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

impl RewriteError {
    /// True when there is no room left.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, RewriteError::Write { source, .. } if is_full(source))
    }

    pub(super) fn exists(path: &Path) -> Self {
        RewriteError::Exists { file: path.display().to_string() }
    }

    /// Says of an error which output it hit.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| RewriteError::Write { file: path.display().to_string(), source }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        _ if is_full(error) => "make room, or choose another place",
        io::ErrorKind::InvalidData => "write the input again with another tool, or leave it out",
        _ => "check the folder and its permissions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_trouble() {
        let check = |kind: io::ErrorKind, full: bool, remedy: &str| {
            let error = RewriteError::write(Path::new("out/a.jsonl"))(kind.into());
            assert_eq!(error.is_disk_full(), full, "{kind:?}");
            let message = error.to_string();
            assert!(message.starts_with("out/a.jsonl: ") && message.ends_with(remedy), "{message}");
        };
        check(io::ErrorKind::StorageFull, true, "make room, or choose another place");
        check(io::ErrorKind::QuotaExceeded, true, "make room, or choose another place");
        check(io::ErrorKind::PermissionDenied, false, "check the folder and its permissions");
        check(io::ErrorKind::InvalidData, false, "write the input again with another tool, or leave it out");
    }
}
