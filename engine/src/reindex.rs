//! Everything that can be computed, computed again from the stored contents: indexes always, and features and verdicts
//! when their parameters change. One transaction: a crash leaves the old generation or the new one.

use crate::content::{Core, compared_words, core_of, read_page, sizes};
use crate::engine::Engine;
use crate::error::Result;
use crate::following::Team;
use crate::indexes::{Indexes, folder_of_generation, remove_folder};
use crate::ingest::{Registrar, ShingleMemory, WeightClasses, WordMemory};
use crate::judge::state;
use crate::matching::Matcher;
use crate::open::{OpenOptions, WEIGHTS, analyzer_of, seed_of};
use crate::profiles::ProfileMemory;
use crate::settings::Settings;
use crate::timings::Clocks;
use firstcopy_store::{Directory, Document, State, Store};
use firstcopy_text::Analyzer;
use firstcopy_text::likeness::{WeightLearner, Weights};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reindexed {
    /// Documents in the data directory.
    pub documents: u64,
    /// Whether features and verdicts were computed anew, because their parameters changed.
    pub recomputed: bool,
    /// Verdicts that changed.
    pub changed_verdicts: u64,
    /// The generation of the features now.
    pub generation: u32,
}

/// Documents read, or judged between two commits of the index, at a time.
const PIECE: u32 = 1000;

impl Engine {
    /// Rebuilds the indexes of a data directory. With other parameters, asked for or written into the settings file,
    /// features and verdicts are computed anew first. `progress` is told how many documents are done.
    pub fn reindex(path: &Path, options: &OpenOptions, mut progress: impl FnMut(u64)) -> Result<Reindexed> {
        let directory = Directory::open(path)?;
        let mut store = Store::open(&directory.database())?;
        store.count_groups()?;
        let seed = seed_of(&directory, &mut store)?;
        let stored: String = store.meta("parameters")?.unwrap_or_default();
        let stored = Settings::from_toml(&stored, &directory.database())?;
        let settings =
            Settings::from_toml(&directory.settings()?, &directory.settings_file())?.with(&options.wanted);
        Settings::from_toml(&settings.to_toml(), &directory.settings_file())?;
        let generation: u32 = store.meta("generation")?.unwrap_or(1);
        let documents = store.counts()?.documents;
        let recomputed = stored.difference(&settings).is_some() || options.learn_weights;
        if !recomputed {
            remove_folder(&directory.indexes())?;
            let folder = folder_of_generation(&directory.indexes(), generation);
            Indexes::open(options.index, &folder, settings.rule(), &store)?.flush()?;
            let analyzer = Arc::new(analyzer_of(&settings, &seed, &store)?);
            follow(path, generation, analyzer)?;
            return Ok(Reindexed { documents, recomputed, changed_verdicts: 0, generation });
        }
        // Before the commit: cut off in between, the file says what was wanted, and `reindex` finishes it.
        directory.write_settings(&settings.to_toml_beside(&directory.settings()?))?;
        let generation = generation + 1;
        let folder = folder_of_generation(&directory.indexes(), generation);
        remove_folder(&folder)?;
        store.begin()?;
        if options.learn_weights {
            let weights = learn_weights(&store, &Analyzer::new(settings.parameters(), &seed))?;
            store.set_meta(WEIGHTS, &weights.to_bytes())?;
        }
        let analyzer = Arc::new(analyzer_of(&settings, &seed, &store)?);
        recompute(&mut store, &analyzer)?;
        let mut registrar = Registrar {
            indexes: Indexes::empty(options.index, &folder, settings.rule())?,
            counters: store.counters()?,
            store,
            analyzer: analyzer.clone(),
            matcher: Matcher::new(&settings),
            clocks: Arc::new(Clocks::default()),
            shingles: ShingleMemory::new(),
            words: WordMemory::new(),
            weights: WeightClasses::default(),
            profiles: ProfileMemory::new(),
            uncommitted: Vec::new(),
            gists: Vec::new(),
            fresh: None,
            trimmed_to: 0,
            max_backdate: None,
        };
        let changed_verdicts = registrar.judge_all(&mut progress)?;
        registrar.store.set_meta("parameters", &settings.to_toml())?;
        registrar.store.set_meta("generation", &generation)?;
        // Before the store: the outbox tells the followers what changed, which does not make a whole index.
        registrar.indexes.commit(registrar.counters.position)?;
        registrar.indexes.flush()?;
        registrar.commit()?;
        registrar.close()?;
        remove_folder(&folder_of_generation(&directory.indexes(), generation - 1))?;
        follow(path, generation, analyzer)?;
        Ok(Reindexed { documents, recomputed, changed_verdicts, generation })
    }
}

/// Brings search and postings up to the store.
fn follow(path: &Path, generation: u32, analyzer: Arc<Analyzer>) -> Result<()> {
    let mut team = Team::open(path, generation, analyzer, Arc::default(), None)?;
    team.bring_up()?;
    team.close()
}

/// Learns the weights of words from all documents.
fn learn_weights(store: &Store, analyzer: &Analyzer) -> Result<Weights> {
    let mut learner = WeightLearner::default();
    let mut last = 0;
    loop {
        let documents = store.documents_after(last, PIECE)?;
        let Some(end) = documents.last() else { return Ok(learner.finish()) };
        last = end.number;
        for document in &documents {
            learner.add(&compared_words(store, analyzer, document)?);
        }
    }
}

/// Computes the features of every document from its content.
fn recompute(store: &mut Store, analyzer: &Analyzer) -> Result<()> {
    let mut last = 0;
    loop {
        let documents = store.documents_after(last, PIECE)?;
        let Some(end) = documents.last() else { return Ok(()) };
        last = end.number;
        for document in documents {
            for content in store.contents_of(document.number)? {
                let sketch = core_of(store, content, &document.id)?.sketch(analyzer);
                store.resize_sketch(content, &sizes(&sketch))?;
            }
            let measured = measured(store, analyzer, document)?;
            store.replace(&measured)?;
        }
    }
}

fn measured(store: &Store, analyzer: &Analyzer, document: Document) -> Result<Document> {
    let computed = match core_of(store, document.content, &document.id)? {
        Core::Text(core) => {
            // Formats before 5 do not keep the share of the page that its core text holds.
            let read = read_page(store, analyzer, &document)?;
            firstcopy_text::Document {
                core,
                kept_share: read.kept_share,
                full: read.full,
                ..Default::default()
            }
        }
        Core::Features(features) => analyzer.of_features(&features),
    };
    let computed = analyzer.measured(computed);
    let kept_share = f64::from(computed.kept_share);
    let lexical = if document.tokens == 0 { document.lexical } else { computed.whole.lexical };
    Ok(Document {
        tokens: computed.tokens.len() as u32,
        shingles: computed.shingles.len() as u32,
        lexical,
        features: computed.features.0,
        keys: computed.candidate_keys.0,
        kept_share,
        weight: u32::try_from(computed.words.total_weight()).unwrap_or(u32::MAX),
        ..document
    })
}

impl Registrar {
    /// Judges all documents in the order of their places, into empty indexes. Returns how many verdicts changed.
    fn judge_all(&mut self, progress: &mut impl FnMut(u64)) -> Result<u64> {
        let mut changed = 0;
        for (done, number) in (1..).zip(self.store.numbers_in_order()?) {
            let Some(mut document) = self.store.by_number(number)? else { continue };
            let (was, before) = (state(&document), document.judgement.clone());
            document.judgement = self.judge(&document)?;
            let now = state(&document);
            if document.judgement != before {
                self.store.judge(number, &document.judgement)?;
                changed += 1;
            }
            self.announce_from(&document, was, now)?;
            if done % u64::from(PIECE) == 0 {
                self.indexes.commit(self.counters.position)?;
                progress(done);
            }
        }
        Ok(changed)
    }

    /// The followers learn what changed; the new indexes, which were empty, learn everything.
    fn announce_from(&mut self, document: &Document, was: State, now: State) -> Result<()> {
        if was != now {
            self.announce_to_followers(document, was, now)?;
        }
        self.indexes.apply(&self.change(document, State::Absent, now))
    }
}
