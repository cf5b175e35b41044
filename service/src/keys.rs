//! Who may do what: keys with a role. Only their hashes are kept, in a file of the data directory; a key is shown once.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The file in the data directory.
const FILE: &str = "keys.json";
/// What every key begins with, so that one in the wrong place is recognised.
const PREFIX: &str = "fck_";
/// Random bytes of a key.
const BYTES: usize = 32;

/// What a key allows; each role may all that those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Asking, and checking without storing.
    Read,
    /// Storing and deleting.
    Write,
    /// Everything.
    Admin,
}

impl Role {
    /// Its name, as it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Write => "write",
            Role::Admin => "admin",
        }
    }
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// What it is called.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// BLAKE3 of the key, in hexadecimal digits.
    hash: String,
}

/// What tells that the file has changed: its time, and its length, because clocks are coarse.
type State = (SystemTime, u64);

/// The keys of a data directory, as they are now: a key that is added or removed counts at once.
#[derive(Debug)]
pub struct Keys {
    path: PathBuf,
    read: Mutex<(Option<State>, Vec<Key>)>,
}

impl Keys {
    /// Reads the keys of a data directory; none if it has no file of them.
    pub fn open(data: &Path) -> io::Result<Self> {
        let path = data.join(FILE);
        let read = Mutex::new((state(&path), read(&path)?));
        Ok(Keys { path, read })
    }

    /// All of them.
    pub fn all(&self) -> Vec<Key> {
        let mut read_before = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = state(&self.path);
        if changed != read_before.0
            && let Ok(keys) = read(&self.path)
        {
            *read_before = (changed, keys);
        }
        read_before.1.clone()
    }

    /// The key that a client shows, if there is such a one. Hashes are compared, so that time tells nothing of a key.
    pub fn find(&self, shown: &str) -> Option<Key> {
        let hash = hash(shown);
        self.all().into_iter().find(|key| key.hash == hash)
    }

    /// Makes a key and returns it: it is shown this once. A name may be taken only once.
    pub fn add(&self, name: &str, role: Role) -> io::Result<String> {
        let mut keys = read(&self.path)?;
        if keys.iter().any(|key| key.name == name) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!("there is a key named {name} already"),
            ));
        }
        let mut random = [0; BYTES];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let key = format!("{PREFIX}{digits}");
        keys.push(Key { name: name.to_owned(), role, hash: hash(&key) });
        write(&self.path, &keys)?;
        Ok(key)
    }

    /// Removes a key by its name; false if there is none.
    pub fn remove(&self, name: &str) -> io::Result<bool> {
        let mut keys = read(&self.path)?;
        let before = keys.len();
        keys.retain(|key| key.name != name);
        let is_removed = keys.len() < before;
        if is_removed {
            write(&self.path, &keys)?;
        }
        Ok(is_removed)
    }
}

fn hash(key: &str) -> String {
    blake3::hash(key.as_bytes()).to_hex().to_string()
}

fn state(path: &Path) -> Option<State> {
    let file = fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.len()))
}

fn read(path: &Path) -> io::Result<Vec<Key>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    serde_json::from_str(&text)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display())))
}

/// A file is there whole, or as it was before.
fn write(path: &Path, keys: &[Key]) -> io::Result<()> {
    let aside = path.with_extension("json.new");
    let file = fs::File::create(&aside)?;
    serde_json::to_writer_pretty(&file, keys)?;
    file.sync_all()?;
    fs::rename(&aside, path)?;
    match path.parent() {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_by_itself_and_kept_as_a_hash() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::open(folder.path()).unwrap();
        assert_eq!(keys.all(), []);
        let key = keys.add("crawler", Role::Write).unwrap();
        assert!(keys.add("crawler", Role::Read).is_err());
        let again = Keys::open(folder.path()).unwrap();
        assert_eq!(again.find(&key).map(|key| key.role), Some(Role::Write));
        assert_eq!(again.find(&key[1..]), None);
        assert!(!fs::read_to_string(folder.path().join(FILE)).unwrap().contains(&key[PREFIX.len()..]));
        assert!(again.remove("crawler").unwrap() && !again.remove("crawler").unwrap());
        assert_eq!(again.all(), []);
    }
}
