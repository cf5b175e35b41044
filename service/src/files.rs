//! How many connections can be open at once? Each is an open file to the system, and the store and the indexes need some, too.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that everything else may need.
const OTHERS: u64 = 1024;

/// Asks the system for so many connections, and says how many there can be.
pub(crate) fn keep_open(connections: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = connections as u64 + OTHERS;
    let allowed = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if limit.current.is_some_and(|current| current < allowed) {
        // Whether it worked, the next look says.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit });
    }
    let Some(current) = getrlimit(Resource::Nofile).current else { return connections };
    let possible = possible(connections, current);
    if possible < connections {
        tracing::warn!(
            connections = possible,
            wanted = connections,
            open_files = current,
            "the system allows fewer open files than connections were asked for: raise `ulimit -n`"
        );
    }
    possible
}

/// How many connections there can be with so many open files: all that others leave, and half where that is little.
fn possible(connections: usize, files: u64) -> usize {
    let left = files.saturating_sub(OTHERS).max(files / 2).max(1);
    connections.min(usize::try_from(left).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_others_keep_theirs() {
        assert_eq!([possible(8192, 100_000), possible(8192, 9216), possible(8192, 9000)], [8192, 8192, 7976]);
        assert_eq!([possible(8192, 1024), possible(8192, 100), possible(10, 100)], [512, 50, 10]);
    }
}
