//! The data directory as a folder: who holds it, where its files lie, its secret seeds, its settings file.

use crate::error::StoreError;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const LOCK: &str = "lock";
const SEEDS: &str = "seeds";
const SETTINGS: &str = "firstcopy.toml";
const DATABASE: &str = "store.sqlite";
const INDEXES: &str = "index";

/// A data directory. While a writer's is alive, no other process can write to it.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// The operating system gives the lock back when the process ends, however it ends.
    _lock: Option<File>,
}

impl Directory {
    /// Whether a data directory, finished or only begun, is there.
    pub fn exists(path: &Path) -> bool {
        path.join(DATABASE).exists() || path.join(SEEDS).exists()
    }

    /// Makes a data directory with these seeds and settings, or finishes one whose making was cut off, and locks it.
    pub fn create(path: &Path, seeds: [u8; 32], settings: &str) -> Result<Self, StoreError> {
        let is_foreign = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if is_foreign && !Self::exists(path) && !only_a_lock(path) {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        make_folders(path)?;
        let directory = Self::locked(path)?;
        if !path.join(SEEDS).exists() {
            directory.replace(SEEDS, &seeds, 0o600)?;
        }
        if !path.join(SETTINGS).exists() {
            directory.write_settings(settings)?;
        }
        Ok(directory)
    }

    /// Opens a data directory to write to it, and locks it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.join(DATABASE).exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        Self::locked(path)
    }

    /// Opens a data directory only to read from its store, beside whoever writes to it.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        if !path.join(DATABASE).exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        Ok(Directory { path: path.to_owned(), _lock: None })
    }

    fn locked(path: &Path) -> Result<Self, StoreError> {
        let place = path.join(LOCK);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&place);
        let mut file = opened.map_err(|source| StoreError::io(&place, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(in_use(path, &mut file)),
            Err(fs::TryLockError::Error(source)) => return Err(StoreError::io(&place, source)),
        }
        // For people who wonder who holds it; nothing depends on it.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Directory { path: path.to_owned(), _lock: Some(file) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The store's database.
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// The folder of everything that can be rebuilt from the store.
    pub fn indexes(&self) -> PathBuf {
        self.path.join(INDEXES)
    }

    /// The settings file.
    pub fn settings_file(&self) -> PathBuf {
        self.path.join(SETTINGS)
    }

    /// What the settings file says.
    pub fn settings(&self) -> Result<String, StoreError> {
        let path = self.settings_file();
        fs::read_to_string(&path).map_err(|source| StoreError::io(&path, source))
    }

    /// Replaces the settings file.
    pub fn write_settings(&self, settings: &str) -> Result<(), StoreError> {
        self.replace(SETTINGS, settings.as_bytes(), 0o644)
    }

    /// The secret that features are drawn from.
    pub fn seeds(&self) -> Result<[u8; 32], StoreError> {
        let path = self.path.join(SEEDS);
        let bytes = fs::read(&path).map_err(|source| StoreError::io(&path, source))?;
        bytes.try_into().map_err(|_| {
            StoreError::unusable(
                &path,
                "must hold 32 bytes: bring the file back from a backup of this directory",
            )
        })
    }

    /// Writes a copy of the seeds and the settings to another folder.
    pub fn copy_small_files(&self, target: &Path) -> Result<(), StoreError> {
        let copy = Directory { path: target.to_owned(), _lock: None };
        copy.replace(SEEDS, &self.seeds()?, 0o600)?;
        copy.write_settings(&self.settings()?)
    }

    /// Replaces a small file so that a crash leaves the old one or the new one.
    fn replace(&self, name: &str, bytes: &[u8], mode: u32) -> Result<(), StoreError> {
        let (target, draft) = (self.path.join(name), self.path.join(format!("{name}.new")));
        let write = || -> std::io::Result<()> {
            let mut file =
                OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&draft)?;
            file.set_permissions(fs::Permissions::from_mode(mode))?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&draft, &target)?;
            File::open(&self.path)?.sync_all()
        };
        write().map_err(|source| StoreError::io(&target, source))
    }
}

/// A making that was cut off right at its start.
fn only_a_lock(path: &Path) -> bool {
    let known = |name: &std::ffi::OsStr| name == LOCK || name == "seeds.new";
    fs::read_dir(path).is_ok_and(|entries| entries.flatten().all(|entry| known(&entry.file_name())))
}

/// Makes a folder and those above it. A new folder survives a power cut only when its parent is synced too.
fn make_folders(path: &Path) -> Result<(), StoreError> {
    let absolute = std::path::absolute(path).map_err(|source| StoreError::io(path, source))?;
    let missing: Vec<&Path> = absolute.ancestors().take_while(|folder| !folder.exists()).collect();
    fs::create_dir_all(&absolute).map_err(|source| StoreError::io(path, source))?;
    for parent in missing.iter().filter_map(|folder| folder.parent()) {
        match File::open(parent).and_then(|folder| folder.sync_all()) {
            // A parent that may not be read cannot be synced by us either.
            Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                return Err(StoreError::io(parent, error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn in_use(path: &Path, lock: &mut File) -> StoreError {
    let mut holder = String::new();
    let _ = lock.take(20).read_to_string(&mut holder);
    let holder = if holder.is_empty() { holder } else { format!(" (process {holder})") };
    StoreError::InUse { path: path.to_owned(), holder }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_secret_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/data");
        let directory = Directory::create(&path, [1; 32], "a = 1\n").unwrap();
        let mode = fs::metadata(path.join(SEEDS)).unwrap().permissions().mode();
        assert_eq!((mode & 0o777, directory.seeds().unwrap()), (0o600, [1; 32]));
        drop(directory);
        let again = Directory::create(&path, [2; 32], "a = 2\n").unwrap();
        assert_eq!((again.seeds().unwrap(), again.settings().unwrap()), ([1; 32], "a = 1\n".to_owned()));
    }

    #[test]
    fn a_second_writer_is_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let _held = Directory::create(&path, [1; 32], "").unwrap();
        let error = Directory::create(&path, [1; 32], "").unwrap_err().to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    }

    #[test]
    fn a_strangers_folder_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("holiday.jpg"), "x").unwrap();
        assert!(matches!(Directory::create(folder.path(), [1; 32], ""), Err(StoreError::Foreign(_))));
        assert!(matches!(Directory::open(folder.path()), Err(StoreError::Missing(_))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn lost_seeds_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::create(&folder.path().join("data"), [1; 32], "").unwrap();
        fs::write(directory.path().join(SEEDS), "short").unwrap();
        assert!(directory.seeds().unwrap_err().to_string().contains("backup"));
    }
}
