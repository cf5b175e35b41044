//! Which reader does this source need? Opens it, takes its compression off, tells its format: one line a format.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::array::{self, JsonItems};
use crate::compression::{self, Packing, Stream, Unpacked};
use crate::detect::{self, Kind};
use crate::error::Reject;
use crate::jsonl::JsonLines;
use crate::options::{Format, ReadOptions};
use crate::place::{At, Place};
use crate::progress::{Counted, Progress, Skip};
use crate::record::{Reader, Setting, broken};
use crate::walk::Source;
use crate::warc::Archive;
use crate::{html, parquet, text};

/// A source that can be read.
pub(crate) struct Opened {
    pub reader: Box<dyn Reader>,
    pub packing: Packing,
}

/// The reader of a source; nothing when it holds no documents and was not named itself.
pub(crate) fn open(
    source: Source,
    options: &Arc<ReadOptions>,
    progress: &Arc<Progress>,
) -> Result<Option<Opened>, Reject> {
    let setting =
        Setting { file: source.name().into(), options: options.clone(), progress: progress.clone() };
    match source {
        Source::Unreadable(reject) => Err(reject),
        Source::Stdin => stream_reader(io::stdin(), setting, true),
        Source::File { path, named, .. } => file_reader(&path, setting, named),
    }
}

fn file_reader(path: &Path, setting: Setting, named: bool) -> Result<Option<Opened>, Reject> {
    if !named && setting.options.format.is_none() && detect::is_asset(&setting.file) {
        return Ok(skip(&setting, Skip::NotDocument));
    }
    let mut file = File::open(path).map_err(|error| {
        whole(&setting, format!("cannot be read ({error}): check the file and its permissions"))
    })?;
    match begins_with_parquet(&mut file) {
        Ok(true) if setting.options.format.is_none_or(|format| format == Format::Parquet) => {
            let reader = parquet::reader(file, setting)?;
            Ok(Some(Opened { reader, packing: Packing::Plain }))
        }
        _ => stream_reader(file, setting, named),
    }
}

/// Parquet is read by seeking, so a file of it must not be taken for a stream. Pipes cannot be looked into.
fn begins_with_parquet(file: &mut File) -> io::Result<bool> {
    use std::io::{Seek, SeekFrom};
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut mark = [0; 4];
    let found = file.read_exact(&mut mark).is_ok() && mark == *b"PAR1";
    file.seek(SeekFrom::Start(0))?;
    Ok(found)
}

fn stream_reader(
    raw: impl Read + Send + 'static,
    setting: Setting,
    named: bool,
) -> Result<Option<Opened>, Reject> {
    let counted = Counted::new(raw, setting.progress.clone());
    let damaged = |error: io::Error| whole(&setting, broken(&error));
    let Unpacked { head, mut stream, packing } = compression::open(counted).map_err(damaged)?;
    let kind = setting.options.format.map_or_else(|| detect::kind(&setting.file, &head), Kind::Documents);
    match kind {
        Kind::Documents(format) => {
            let reader = format_reader(format, &head, stream, setting)?;
            Ok(Some(Opened { reader, packing }))
        }
        Kind::Empty => stream.fill_buf().map(|_| skip(&setting, Skip::Empty)).map_err(damaged),
        Kind::Other(_) if !named => Ok(skip(&setting, Skip::NotDocument)),
        Kind::Other(what) => {
            let reason =
                format!("{what}, not html, text, jsonl, parquet or warc: convert it, or say --format");
            Err(whole(&setting, reason))
        }
    }
}

/// The registry: one line a format.
fn format_reader(
    format: Format,
    head: &[u8],
    stream: Stream,
    setting: Setting,
) -> Result<Box<dyn Reader>, Reject> {
    let spread = array::is_spread(head) && !detect::promises_lines(&setting.file);
    Ok(match format {
        Format::Html => Box::new(html::reader(stream, setting)),
        Format::Text => Box::new(text::reader(stream, setting)),
        Format::Jsonl if spread => Box::new(JsonItems::new(stream, array::is_array(head), setting)),
        Format::Jsonl => Box::new(JsonLines::new(stream, setting)),
        Format::Parquet => parquet::spooled_reader(head, stream, setting)?,
        Format::Warc => Box::new(Archive::new(stream, setting)),
    })
}

fn skip(setting: &Setting, skip: Skip) -> Option<Opened> {
    setting.progress.skip(skip);
    None
}

/// A reject of the file as a whole.
pub(crate) fn whole(setting: &Setting, reason: impl Into<String>) -> Reject {
    Reject::at(&Place::new(&setting.file, At::File), reason)
}
