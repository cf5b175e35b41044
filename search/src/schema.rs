//! What is indexed of a document, and in which fields?

use crate::tokenizer::{name_tokenizer, text_tokenizer};
use tantivy::Term;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, OwnedValue, STRING, Schema, TextFieldIndexing, TextOptions,
};

/// Bytes of a text that are indexed: several books. What is beyond is not found, and does not fill the memory.
pub const MAX_INDEXED_TEXT: usize = 8 << 20;
/// Bytes that count of a title, an author, a site or a language.
const MAX_FIELD: usize = 4096;

/// What is indexed of a document. Nothing of it is stored: whoever asks has the store.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entry<'a> {
    /// Its number: another entry of the same number is replaced.
    pub number: u32,
    /// Its title; hits in it weigh more.
    pub title: &'a str,
    /// Its core text, up to [`MAX_INDEXED_TEXT`] bytes.
    pub text: &'a str,
    /// Its author, for `author:`.
    pub author: &'a str,
    /// The host of its url, for `site:`.
    pub site: &'a str,
    /// The tag of its language, for `lang:`.
    pub language: &'a str,
    /// When it was created, in Unix seconds: for `before:` and `after:`, and to sort by.
    pub date: i64,
}

/// The fields of the index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub number: Field,
    pub date: Field,
    pub title: Field,
    /// The title, then the text: so that words of a query may stand in either.
    pub text: Field,
    pub author: Field,
    pub site: Field,
    pub language: Field,
}

/// The names of the columns.
pub(crate) const NUMBER: &str = "number";
pub(crate) const DATE: &str = "date";

/// The schema and its fields.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let fields = Fields {
        number: builder.add_u64_field(NUMBER, FAST | INDEXED),
        date: builder.add_i64_field(DATE, FAST),
        title: builder.add_text_field("title", indexed_by(&text_tokenizer())),
        text: builder.add_text_field("text", indexed_by(&text_tokenizer())),
        author: builder.add_text_field("author", indexed_by(&name_tokenizer()).clone()),
        site: builder.add_text_field("site", STRING),
        language: builder.add_text_field("language", STRING),
    };
    (builder.build(), fields)
}

fn indexed_by(tokenizer: &str) -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(tokenizer)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    TextOptions::default().set_indexing_options(indexing)
}

impl Fields {
    /// The term that finds a document by its number.
    pub fn number_term(&self, number: u32) -> Term {
        Term::from_field_u64(self.number, u64::from(number))
    }

    /// What tantivy gets of an entry.
    pub fn values(&self, entry: &Entry) -> Vec<(Field, OwnedValue)> {
        let (title, author) = (cut(entry.title, MAX_FIELD), cut(entry.author, MAX_FIELD));
        let string = |text: &str| OwnedValue::Str(text.to_owned());
        let mut values = vec![
            (self.number, OwnedValue::U64(u64::from(entry.number))),
            (self.date, OwnedValue::I64(entry.date)),
            (self.title, string(title)),
            (self.text, OwnedValue::Str(format!("{title}\n{}", cut(entry.text, MAX_INDEXED_TEXT)))),
            (self.author, string(author)),
        ];
        values.extend(domains(entry.site).map(|domain| (self.site, OwnedValue::Str(domain))));
        values.extend(tags(entry.language).map(|tag| (self.language, OwnedValue::Str(tag))));
        values
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A host and the domains above it: `blog.example.com`, `example.com`, `com`.
fn domains(site: &str) -> impl Iterator<Item = String> {
    parts_from(canonical_host(site), '.', |host, at| host[at + 1..].to_owned())
}

/// A language and what it is a variant of: `ko-kr`, `ko`.
fn tags(language: &str) -> impl Iterator<Item = String> {
    let language = cut(language, 64).trim().to_lowercase().replace('_', "-");
    parts_from(language, '-', |tag, at| tag[..at].to_owned())
}

/// A text, and what `part` makes of it at every separator.
fn parts_from(
    whole: String,
    separator: char,
    part: fn(&str, usize) -> String,
) -> impl Iterator<Item = String> {
    let parts: Vec<String> = whole.match_indices(separator).map(|(at, _)| part(&whole, at)).collect();
    std::iter::once(whole).chain(parts).filter(|part| !part.is_empty())
}

/// A host as it is compared: lower case, without the dot of the root.
pub(crate) fn canonical_host(host: &str) -> String {
    cut(host, 253).trim().trim_end_matches('.').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_found_by_its_parents() {
        let cases: [(&str, &[&str]); 4] = [
            ("Blog.Example.com.", &["blog.example.com", "example.com", "com"]),
            ("localhost", &["localhost"]),
            ("", &[]),
            ("a..b", &["a..b", ".b", "b"]),
        ];
        for (site, expected) in cases {
            assert_eq!(domains(site).collect::<Vec<_>>(), expected, "{site}");
        }
        assert_eq!(tags("ko_KR").collect::<Vec<_>>(), ["ko-kr", "ko"]);
    }
}
