//! Is the whole file one document? Reads it up to the limit; shared by HTML and plain text.

use std::io::Read;

use firstcopy_text::{Content, Page};

use crate::compression::Stream;
use crate::error::Reject;
use crate::place::{At, Place};
use crate::record::{Layout, Raw, Reader, Record, Setting, broken, too_large};

/// A reader that gives one record: its file.
pub(crate) struct WholeFile {
    stream: Option<Stream>,
    setting: Setting,
    layout: Layout,
    content: fn(Vec<u8>) -> Content,
}

impl WholeFile {
    pub(crate) fn new(
        stream: Stream,
        setting: Setting,
        layout: Layout,
        content: fn(Vec<u8>) -> Content,
    ) -> Self {
        WholeFile { stream: Some(stream), setting, layout, content }
    }

    fn read(&self, stream: Stream, place: &Place) -> Result<Page, String> {
        let limit = self.setting.options.max_document_size;
        let mut bytes = Vec::new();
        stream.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if bytes.len() as u64 > limit {
            return Err(too_large("file", limit));
        }
        Ok(Page { id: place.id(), content: (self.content)(bytes), ..Page::default() })
    }
}

impl Reader for WholeFile {
    fn next_record(&mut self) -> Option<Result<Record, Reject>> {
        let stream = self.stream.take()?;
        let place = Place::new(&self.setting.file, At::File);
        Some(match self.read(stream, &place) {
            Ok(page) => Ok(Record { place, raw: Raw::Page(Box::new(page)) }),
            Err(reason) => Err(Reject::at(&place, reason)),
        })
    }
    fn layout(&self) -> Layout {
        self.layout.clone()
    }
}
