//! Plain text: one document a file, in bytes; the charset is left to be detected.

use firstcopy_text::Content;

use crate::compression::Stream;
use crate::record::{Layout, Setting};
use crate::whole::WholeFile;

pub(crate) fn reader(stream: Stream, setting: Setting) -> WholeFile {
    WholeFile::new(stream, setting, Layout::Text, |bytes| Content::Text { bytes, charset: None })
}
