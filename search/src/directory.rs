//! How does a commit survive a power cut, and cost little? tantivy syncs every file, and its list of files after every new
//! one, each time by itself; then it renames its `meta.json`, does not sync the folder, and deletes what the new one does not
//! name. Here all files are synced together before `meta.json`, and the folder right after it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

/// The file that names all others.
pub(crate) const META: &str = "meta.json";

/// A draft of the other small file, tantivy's list of files.
const DRAFT: &str = ".tmp-list";

/// Files that were written and not synced yet.
type Unsynced = Arc<Mutex<BTreeSet<PathBuf>>>;

/// Memory-mapped files in a folder whose commits are durable.
#[derive(Debug, Clone)]
pub(crate) struct DurableDirectory {
    folder: PathBuf,
    mapped: MmapDirectory,
    unsynced: Unsynced,
}

impl DurableDirectory {
    pub fn open(folder: &Path) -> tantivy::Result<Self> {
        let mapped = MmapDirectory::open(folder)?;
        Ok(DurableDirectory { folder: folder.to_owned(), mapped, unsynced: Unsynced::default() })
    }

    /// Replaces the list of files, at once for every process and durably with the next commit. tantivy writes one at a time.
    fn replace_list(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let (draft, whole) = (self.folder.join(DRAFT), self.folder.join(path));
        fs::write(&draft, data)?;
        fs::rename(&draft, &whole)?;
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner).insert(whole);
        Ok(())
    }

    /// Syncs every file that was finished, and the folder with their names: side by side, so that they share what the file
    /// system writes.
    fn sync_files(&self) -> io::Result<()> {
        let mut finished = std::mem::take(&mut *self.unsynced.lock().unwrap_or_else(PoisonError::into_inner));
        finished.insert(self.folder.clone());
        let synced = std::thread::scope(|scope| {
            let threads: Vec<_> = finished.iter().map(|path| scope.spawn(|| sync(path))).collect();
            let panicked = |_| io::Error::other("a thread that synced a file panicked");
            threads
                .into_iter()
                .map(|thread| thread.join().map_err(panicked).flatten())
                .collect::<io::Result<Vec<()>>>()
        });
        synced.map(drop)
    }
}

/// Syncs a file, unless a merge has made it superfluous.
fn sync(path: &Path) -> io::Result<()> {
    match File::open(path).and_then(|file| file.sync_data()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}

/// A file that is synced later.
struct Unfinished {
    file: File,
    path: PathBuf,
    unsynced: Unsynced,
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for Unfinished {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.file.flush()?;
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner).insert(self.path.clone());
        Ok(())
    }
}

impl Directory for DurableDirectory {
    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let whole = self.folder.join(path);
        let opened = OpenOptions::new().write(true).create_new(true).open(&whole);
        let file = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        let unsynced = Arc::clone(&self.unsynced);
        Ok(BufWriter::new(Box::new(Unfinished { file, path: whole, unsynced })))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if path != Path::new(META) {
            return self.replace_list(path, data);
        }
        self.sync_files()?;
        self.mapped.atomic_write(path, data)?;
        self.mapped.sync_directory()
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let bytes = self.mapped.atomic_read(path)?;
        // A power cut may empty the list of files, which nothing depends on: opening for writing clears away by itself.
        let is_list = bytes.trim_ascii().starts_with(b"[") && bytes.trim_ascii().ends_with(b"]");
        Ok(if path == Path::new(META) || is_list { bytes } else { b"[]".to_vec() })
    }

    /// Only `meta.json` makes files matter, and writing it syncs the folder.
    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.mapped.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}
