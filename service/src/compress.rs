//! Which answers are made smaller, and how? Texts of a kilobyte or more, as gzip or zstd, as the client likes best. The lines
//! of a bulk request are not: a client may wait for each of them, and compressors like to keep a few.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Frame;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use zstd::stream::write::Encoder as ZstdEncoder;

/// Bytes from which on it is worth it.
const WORTH_IT: u64 = 1024;
/// Bytes that are compressed at a time.
const STEP: usize = 64 << 10;
/// Fast, and most of what there is to gain.
const ZSTD_LEVEL: i32 = 1;

/// How an answer is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Zstd,
    Gzip,
}

impl Coding {
    fn name(self) -> &'static str {
        match self {
            Coding::Zstd => "zstd",
            Coding::Gzip => "gzip",
        }
    }

    /// The one that a client likes best; zstd if it likes both the same, because it is faster.
    fn liked_by(headers: &HeaderMap) -> Option<Self> {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let choices: Vec<(&str, f32)> = values.flat_map(|value| value.split(',')).map(choice).collect();
        let weight = |name: &str| {
            let named = |wanted: &str| choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            named(name).or_else(|| named("*")).map_or(0.0, |(_, weight)| *weight)
        };
        let (zstd, gzip) = (weight("zstd"), weight("gzip").max(weight("x-gzip")));
        // Plain is as good as nothing else only if somebody says so.
        let plain = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case("identity"));
        let plain = plain.map_or(0.0, |(_, weight)| *weight);
        match zstd.max(gzip) {
            best if best <= 0.0 || best < plain => None,
            best if zstd >= best => Some(Coding::Zstd),
            _ => Some(Coding::Gzip),
        }
    }
}

/// A coding and how much it is liked.
fn choice(text: &str) -> (&str, f32) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    (
        name,
        weight.map_or(1.0, |weight| weight.parse().ok().filter(|w| (0.0..=1.0).contains(w)).unwrap_or(0.0)),
    )
}

/// Makes the answer to a request smaller if that is worth it.
pub(crate) async fn compress(mut request: Request, next: Next) -> Response {
    let coding = Coding::liked_by(request.headers());
    let is_head = request.method() == Method::HEAD;
    let known = plain_tags(request.headers_mut());
    let response = next.run(request).await;
    if response.status() == StatusCode::NOT_MODIFIED {
        return retagged(response, known);
    }
    if !is_worth_it(&response) {
        return response;
    }
    let mut response = response;
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    match coding.filter(|_| !is_head) {
        Some(coding) => encoded(response, coding),
        None => response,
    }
}

/// Tags name bytes, so that a compressed answer has a tag of its own. Takes that off what a client knows, for whoever made
/// the plain one; says which coding it had.
fn plain_tags(headers: &mut HeaderMap) -> Option<Coding> {
    let mut known = None;
    for name in [header::IF_NONE_MATCH, header::IF_MATCH] {
        let Some(tags) = headers.get(&name).and_then(|tags| tags.to_str().ok()) else { continue };
        let mut plain = tags.to_owned();
        for coding in [Coding::Zstd, Coding::Gzip] {
            let suffix = format!("-{}\"", coding.name());
            if plain.contains(&suffix) {
                plain = plain.replace(&suffix, "\"");
                known = known.or(Some(coding));
            }
        }
        if let Ok(plain) = HeaderValue::from_str(&plain) {
            headers.insert(name, plain);
        }
    }
    known
}

/// The same, with the tag of a coding.
fn retagged(mut response: Response, coding: Option<Coding>) -> Response {
    let tag = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
    if let Some((tag, coding)) = tag.and_then(|tag| tag.strip_suffix('"')).zip(coding)
        && let Ok(tag) = HeaderValue::from_str(&format!("{tag}-{}\"", coding.name()))
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn is_worth_it(response: &Response) -> bool {
    let headers = response.headers();
    let media = headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    let is_text = matches!(media, "application/json" | "application/problem+json" | "image/svg+xml")
        || media == "application/openmetrics-text"
        || media.starts_with("text/") && media != "text/event-stream";
    let is_large = response.body().size_hint().exact().is_none_or(|bytes| bytes >= WORTH_IT);
    is_text && is_large && !headers.contains_key(header::CONTENT_ENCODING)
}

fn encoded(response: Response, coding: Coding) -> Response {
    let (parts, plain) = response.into_parts();
    let encoder = match Encoder::new(coding, plain.size_hint().exact()) {
        Ok(encoder) => encoder,
        Err(_) => return Response::from_parts(parts, plain),
    };
    let body = Body::new(Encoded { plain, rest: Bytes::new(), encoder: Some(encoder) });
    let mut response = Response::from_parts(parts, body);
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::ACCEPT_RANGES);
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    retagged(response, Some(coding))
}

enum Encoder {
    Zstd(Box<ZstdEncoder<'static, Vec<u8>>>),
    Gzip(Box<GzEncoder<Vec<u8>>>),
}

impl Encoder {
    fn new(coding: Coding, bytes: Option<u64>) -> io::Result<Self> {
        Ok(match coding {
            Coding::Gzip => Encoder::Gzip(Box::new(GzEncoder::new(Vec::new(), Compression::fast()))),
            Coding::Zstd => {
                let mut encoder = ZstdEncoder::new(Vec::new(), ZSTD_LEVEL)?;
                // Known to be small, it needs little memory.
                encoder.set_pledged_src_size(bytes)?;
                Encoder::Zstd(Box::new(encoder))
            }
        })
    }

    /// Takes plain bytes; what they became, as far as that is settled.
    fn take(&mut self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Zstd(encoder) => {
                encoder.write_all(plain)?;
                Ok(std::mem::take(encoder.get_mut()))
            }
            Encoder::Gzip(encoder) => {
                encoder.write_all(plain)?;
                Ok(std::mem::take(encoder.get_mut()))
            }
        }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Gzip(encoder) => encoder.finish(),
        }
    }
}

/// A body that is compressed as it is sent.
struct Encoded {
    plain: Body,
    /// What was taken from it and not compressed yet.
    rest: Bytes,
    /// None when all is done.
    encoder: Option<Encoder>,
}

impl HttpBody for Encoded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        loop {
            let Some(encoder) = &mut this.encoder else { return Poll::Ready(None) };
            if !this.rest.is_empty() {
                let piece = this.rest.split_to(this.rest.len().min(STEP));
                match encoder.take(&piece) {
                    Ok(bytes) if bytes.is_empty() => continue,
                    made => return Poll::Ready(Some(frame(made))),
                }
            }
            match ready!(Pin::new(&mut this.plain).poll_frame(context)) {
                Some(Ok(frame)) => this.rest = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(this.encoder.take().map(|encoder| frame(encoder.finish()))),
            }
        }
    }
}

fn frame(bytes: io::Result<Vec<u8>>) -> Result<Frame<Bytes>, axum::Error> {
    bytes.map(|bytes| Frame::data(bytes.into())).map_err(axum::Error::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    fn liked(accepted: &str) -> Option<Coding> {
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepted.parse().unwrap())]);
        Coding::liked_by(&headers)
    }

    #[test]
    fn clients_choose() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", Some(Coding::Zstd)),
            ("gzip", Some(Coding::Gzip)),
            ("GZIP;q=0.5", Some(Coding::Gzip)),
            ("zstd;q=0.3, gzip;q=0.9", Some(Coding::Gzip)),
            ("zstd;q=0, gzip", Some(Coding::Gzip)),
            ("gzip;q=0", None),
            ("*", Some(Coding::Zstd)),
            ("*;q=0", None),
            ("gzip;q=0, *", Some(Coding::Zstd)),
            ("identity, gzip;q=0.5", None),
            ("gzip;q=2", None),
            ("br", None),
            ("", None),
        ] {
            assert_eq!(liked(accepted), expected, "{accepted}");
        }
        assert_eq!(Coding::liked_by(&HeaderMap::new()), None);
    }

    #[tokio::test]
    async fn what_is_unpacked_is_what_was_sent() {
        let plain: Vec<u8> = (0..300_000u32).flat_map(|number| (number % 5000).to_le_bytes()).collect();
        for coding in [Coding::Zstd, Coding::Gzip] {
            let body = Body::from(plain.clone());
            let encoder = Encoder::new(coding, body.size_hint().exact()).unwrap();
            let body = Body::new(Encoded { plain: body, rest: Bytes::new(), encoder: Some(encoder) });
            let packed = body.collect().await.unwrap().to_bytes();
            let unpacked = match coding {
                Coding::Zstd => zstd::decode_all(&packed[..]).unwrap(),
                Coding::Gzip => {
                    let mut decoder = flate2::write::GzDecoder::new(Vec::new());
                    decoder.write_all(&packed).unwrap();
                    decoder.finish().unwrap()
                }
            };
            assert!(unpacked == plain && packed.len() < plain.len() / 2, "{coding:?} {}", packed.len());
        }
    }

    #[test]
    fn tags_of_compressed_answers_are_their_own() {
        let mut headers =
            HeaderMap::from_iter([(header::IF_NONE_MATCH, "\"v1-gzip\", W/\"v2\"".parse().unwrap())]);
        assert_eq!(plain_tags(&mut headers), Some(Coding::Gzip));
        assert_eq!(headers[header::IF_NONE_MATCH], "\"v1\", W/\"v2\"");
        let response = Response::builder().header(header::ETAG, "\"v1\"").body(Body::empty()).unwrap();
        assert_eq!(retagged(response, Some(Coding::Zstd)).headers()[header::ETAG], "\"v1-zstd\"");
    }
}
