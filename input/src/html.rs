//! HTML: one page a file, in bytes; the charset is left to what the page itself declares.

use firstcopy_text::Content;

use crate::compression::Stream;
use crate::record::{Layout, Setting};
use crate::whole::WholeFile;

pub(crate) fn reader(stream: Stream, setting: Setting) -> WholeFile {
    WholeFile::new(stream, setting, Layout::Html, |bytes| Content::Html { bytes, charset: None })
}
