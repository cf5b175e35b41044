//! A follower as simple as one can be that keeps the contract: what it knows and how far it got lie in one file, which
//! is replaced as a whole.

use firstcopy_engine::{Change, Follower, State};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Knows the originals: their ids by their numbers.
pub struct FileFollower {
    file: PathBuf,
    position: u64,
    pub originals: BTreeMap<u32, String>,
}

impl FileFollower {
    /// Takes up where the file left off.
    pub fn open(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|_| "0\n".to_owned());
        let mut lines = text.lines();
        let position = lines.next().unwrap().parse().unwrap();
        let entry = |line: &str| {
            let (number, id) = line.split_once(' ').unwrap();
            (number.parse().unwrap(), id.to_owned())
        };
        FileFollower { file: file.to_owned(), position, originals: lines.map(entry).collect() }
    }

    fn save(&self) -> std::io::Result<()> {
        let mut text = format!("{}\n", self.position);
        self.originals.iter().for_each(|(number, id)| text += &format!("{number} {id}\n"));
        let draft = self.file.with_extension("new");
        let mut file = File::create(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &self.file)?;
        File::open(self.file.parent().unwrap())?.sync_all()
    }
}

impl Follower for FileFollower {
    fn name(&self) -> &str {
        "file"
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        for change in changes {
            match change.now {
                State::Original => self.originals.insert(change.number, change.id.clone()),
                State::Absent | State::Duplicate => self.originals.remove(&change.number),
            };
        }
        self.position = position;
        self.save().map_err(|error| error.to_string())
    }

    fn restart(&mut self) -> Result<(), String> {
        self.originals.clear();
        self.position = 0;
        self.save().map_err(|error| error.to_string())
    }
}
