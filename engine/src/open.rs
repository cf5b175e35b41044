//! How a data directory is made and opened: lock, seeds, settings, store, indexes, writer, in this order.

use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::following::{Bell, Following, FreshGists, Plan};
use crate::indexes::{Indexes, folder_of_generation};
use crate::ingest::{Registrar, ShingleMemory, WeightClasses, WordMemory};
use crate::matching::Matcher;
use crate::profiles::ProfileMemory;
use crate::reader::{Reader, Readers};
use crate::settings::{Policy, Settings, Wanted};
use crate::timings::Clocks;
use crate::writer::{Writer, WriterOptions};
use firstcopy_index::IndexKind;
use firstcopy_store::{Directory, Store, StoreError};
use firstcopy_text::likeness::Weights;
use firstcopy_text::{Analyzer, Seed};
use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How a data directory is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Whether a data directory is made when there is none.
    pub create: bool,
    /// What was asked for; it must agree with what is stored.
    pub wanted: Wanted,
    /// The duplicate index.
    pub index: IndexKind,
    /// How many seconds before an existing original a claimed date may lie; without limit if none.
    pub max_backdate: Option<i64>,
    /// Bytes of the disk that writing leaves free.
    pub disk_reserve: u64,
    /// How long an answer may be ahead of the disk. Zero: nothing that was answered is ever lost. Else what was
    /// answered outlives the process, and a power cut may take the answers of so long.
    pub sync_every: Duration,
    /// Judges as if everything were stored, and stores nothing.
    pub rehearsal: bool,
    /// Whether search and similarity follow while it is open. What is not followed now is caught up with later.
    pub followers: bool,
    /// With `reindex`: learns the weights of words from the collection, and judges all documents anew with them.
    pub learn_weights: bool,
    /// The seeds of a directory that is made; drawn at random if none. Known seeds can be attacked.
    pub seeds: Option<[u8; 32]>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions {
            create: true,
            wanted: Wanted::default(),
            index: IndexKind::default(),
            max_backdate: None,
            disk_reserve: 64 << 20,
            sync_every: Duration::ZERO,
            rehearsal: false,
            followers: true,
            learn_weights: false,
            seeds: None,
        }
    }
}

impl Engine {
    /// Opens a data directory, or makes one.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self> {
        let directory = match options.create {
            true => create(path, &options)?,
            false => Directory::open(path)?,
        };
        let settings = Settings::from_toml(&directory.settings()?, &directory.settings_file())?;
        let mut store = match options.create {
            true => Store::create(&directory.database(), &settings.to_toml())?,
            false => Store::open(&directory.database())?,
        };
        agree(&directory, &store, &settings)?;
        refuse_others(path, &settings, &options.wanted)?;
        let seed = seed_of(&directory, &mut store)?;
        if !options.sync_every.is_zero() {
            store.sync_later()?;
        }
        let reader = Reader::open(path)?;
        let generation = store.meta("generation")?.unwrap_or(1);
        let folder = folder_of_generation(&directory.indexes(), generation);
        let indexes = Indexes::open(options.index, &folder, settings.rule(), &store)?;
        let (analyzer, clocks) =
            (Arc::new(analyzer_of(&settings, &seed, &store)?), Arc::new(Clocks::default()));
        let followers = options.followers && !options.rehearsal;
        let fresh = Arc::new(FreshGists::default());
        let registrar = Registrar {
            counters: store.counters()?,
            store,
            indexes,
            analyzer: analyzer.clone(),
            matcher: Matcher::new(&settings),
            clocks: clocks.clone(),
            shingles: ShingleMemory::new(),
            words: WordMemory::new(),
            weights: WeightClasses::default(),
            profiles: ProfileMemory::new(),
            uncommitted: Vec::new(),
            gists: Vec::new(),
            fresh: followers.then(|| fresh.clone()),
            trimmed_to: 0,
            max_backdate: options.max_backdate,
        };
        let bell = Arc::new(Bell::default());
        bell.ring(registrar.counters.position);
        let writing = WriterOptions {
            folder: path.to_owned(),
            reserve: options.disk_reserve,
            sync_every: options.sync_every,
            rehearsal: options.rehearsal,
            bell: bell.clone(),
        };
        let writer = Writer::start(registrar, writing);
        let plan = Plan {
            path: path.to_owned(),
            generation,
            analyzer: analyzer.clone(),
            writer: writer.door().clone(),
            bell,
            fresh,
        };
        let following = followers.then(|| Following::start(plan));
        Ok(Engine {
            following,
            writer,
            strangers: AtomicU32::new(0),
            reader: Mutex::new(reader),
            readers: Readers::new(path),
            analyzer,
            clocks,
            settings,
            index: options.index,
            directory,
        })
    }
}

fn create(path: &Path, options: &OpenOptions) -> Result<Directory> {
    let mut settings = Settings::default().with(&options.wanted);
    if options.wanted.policy.is_none() && options.wanted.min_resemblance.is_some() {
        settings.policy = Policy::Resemblance;
    }
    // What is asked for must make sense before anything is written.
    Settings::from_toml(&settings.to_toml(), &path.join("firstcopy.toml"))?;
    let seeds = match options.seeds {
        Some(seeds) => seeds,
        None => random_seeds(path)?,
    };
    Ok(Directory::create(path, seeds, &settings.to_toml())?)
}

fn random_seeds(path: &Path) -> Result<[u8; 32]> {
    let mut seeds = [0; 32];
    getrandom::fill(&mut seeds)
        .map_err(|error| StoreError::unusable(path, format!("no random numbers for its seeds: {error}")))?;
    Ok(seeds)
}

/// The settings file must say what the stored features were made with.
fn agree(directory: &Directory, store: &Store, settings: &Settings) -> Result<()> {
    let path = directory.settings_file();
    let stored: String = store.meta("parameters")?.unwrap_or_default();
    let stored = Settings::from_toml(&stored, &directory.database())?;
    match stored.difference(settings) {
        None => Ok(()),
        Some((name, stored, file)) => Err(EngineError::EditedSettings {
            path,
            stored: format!("{name} {stored}"),
            file: format!("{name} {file}"),
        }),
    }
}

/// What is asked for must be what is stored.
fn refuse_others(path: &Path, settings: &Settings, wanted: &Wanted) -> Result<()> {
    match settings.difference(&settings.with(wanted)) {
        None => Ok(()),
        Some((name, stored, wanted)) => Err(EngineError::OtherParameters {
            path: path.to_owned(),
            stored: format!("{name} {stored}"),
            flag: format!("--{name} {wanted}"),
            wanted,
        }),
    }
}

/// The analyzer of a data directory: its parameters, its seed, and the weights that were learnt from it, if any were.
pub(crate) fn analyzer_of(settings: &Settings, seed: &Seed, store: &Store) -> Result<Analyzer> {
    let analyzer = Analyzer::new(settings.parameters(), seed);
    let Some(bytes) = store.meta::<Vec<u8>>(WEIGHTS)? else { return Ok(analyzer) };
    let damaged = || {
        EngineError::Stopped("the learnt weights are damaged: bring the store back from a backup".to_owned())
    };
    Ok(analyzer.with_weights(Weights::from_bytes(&bytes).ok_or_else(damaged)?))
}

/// The key of the learnt weights in the store.
pub(crate) const WEIGHTS: &str = "weights";

/// The directory's seed; the store keeps its fingerprint, so that another directory's seeds are noticed.
pub(crate) fn seed_of(directory: &Directory, store: &mut Store) -> Result<Seed> {
    let seeds = directory.seeds()?;
    let seed = Seed::new(seeds);
    let fingerprint = seed.fingerprint();
    match store.meta::<String>("seeds")? {
        None => {
            store.begin()?;
            store.set_meta("seeds", &fingerprint)?;
            store.commit()?;
        }
        Some(known) if known == fingerprint => {}
        Some(_) => {
            let reason = "the file `seeds` does not belong to this store: bring it back from a backup of this directory";
            return Err(StoreError::unusable(directory.path(), reason).into());
        }
    }
    Ok(seed)
}

/// The clock, in Unix seconds.
pub(crate) fn now() -> i64 {
    // Before 1970 the clock is wrong anyway.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}
