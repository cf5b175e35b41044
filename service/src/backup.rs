//! Which files of a data directory are the service's own, and how are they copied while it runs? The engine copies its own.

use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// Replaced whole when they change, so that reading one reads one state of it.
const FILES: [&str; 1] = ["keys.json"];
/// Databases of SQLite, which others may be writing to.
const DATABASES: [&str; 1] = ["webhooks.sqlite"];
/// How long a writer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Copies what the service keeps in a data directory to another one. All of it is for the owner's eyes only.
pub fn copy_own_files(data: &Path, target: &Path) -> io::Result<()> {
    for name in FILES {
        match std::fs::read(data.join(name)) {
            Ok(bytes) => {
                let mut copy = made(&target.join(name))?;
                copy.write_all(&bytes)?;
                copy.sync_all()?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    for name in DATABASES {
        let (from, to) = (data.join(name), target.join(name));
        if from.exists() {
            copy_database(&from, &to).map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            File::open(&to)?.sync_all()?;
        }
    }
    Ok(())
}

/// One state of a database.
fn copy_database(from: &Path, to: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let database = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database.busy_timeout(PATIENCE)?;
    // SQLite fills an empty file, and leaves it as secret as it was made.
    made(to)?;
    let to = to.to_str().ok_or("the path of a copy of a database must be UTF-8")?;
    database.execute("VACUUM INTO ?1", [to])?;
    Ok(())
}

fn made(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn keys_and_databases_are_copied_and_secret() {
        let (data, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        copy_own_files(data.path(), target.path()).unwrap();
        assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 0);
        std::fs::write(data.path().join("keys.json"), "[]").unwrap();
        // Somebody has it open, and what is in its log is part of it.
        let open = Connection::open(data.path().join("webhooks.sqlite")).unwrap();
        open.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE a (b); INSERT INTO a VALUES (7)")
            .unwrap();
        copy_own_files(data.path(), target.path()).unwrap();
        assert_eq!(std::fs::read_to_string(target.path().join("keys.json")).unwrap(), "[]");
        let copy = Connection::open(target.path().join("webhooks.sqlite")).unwrap();
        assert_eq!(copy.query_row("SELECT b FROM a", [], |row| row.get::<_, i64>(0)).unwrap(), 7);
        for name in ["keys.json", "webhooks.sqlite"] {
            let mode = std::fs::metadata(target.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        assert!(copy_own_files(data.path(), target.path()).is_err(), "nothing is overwritten");
    }
}
