//! Who is logged in to the pages? A random name in a cookie stands for a key that was shown once. Kept in memory only, as a
//! hash: a restart ends all sessions, and so does removing the key.

use crate::keys::Key;
use axum::http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The name of the cookie.
const COOKIE: &str = "firstcopy_session";
/// How long a session lasts.
const LASTS: Duration = Duration::from_secs(12 * 3600);
/// Sessions at once; the oldest ends when there is one too many.
const MOST: usize = 10_000;

/// All that are open.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<blake3::Hash, Session>>);

#[derive(Debug)]
struct Session {
    key: Key,
    begun: Instant,
}

impl Sessions {
    /// Begins one for a key; the name that the cookie has to carry.
    pub fn begin(&self, key: Key, now: Instant) -> io::Result<String> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let name = blake3::Hash::from_bytes(random).to_hex().to_string();
        let mut open = self.open();
        if open.len() >= MOST {
            open.retain(|_, session| session.is_open(now));
        }
        if open.len() >= MOST
            && let Some(oldest) = open.iter().min_by_key(|(_, session)| session.begun).map(|(name, _)| *name)
        {
            open.remove(&oldest);
        }
        open.insert(blake3::hash(name.as_bytes()), Session { key, begun: now });
        Ok(name)
    }

    /// The key of the session that a request belongs to. Whether that key still counts is for others to say.
    pub fn key(&self, headers: &HeaderMap, now: Instant) -> Option<Key> {
        let name = blake3::hash(cookie(headers)?.as_bytes());
        self.open().get(&name).filter(|session| session.is_open(now)).map(|session| session.key.clone())
    }

    /// Ends the session that a request belongs to.
    pub fn end(&self, headers: &HeaderMap) {
        if let Some(name) = cookie(headers) {
            self.open().remove(&blake3::hash(name.as_bytes()));
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<blake3::Hash, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    fn is_open(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.begun) < LASTS
    }
}

/// The header that makes a browser keep a name; an empty one makes it forget.
pub(crate) fn set_cookie(name: &str, is_secure: bool) -> HeaderValue {
    let age = if name.is_empty() { 0 } else { LASTS.as_secs() };
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={name}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    // Hexadecimal digits always make a header.
    HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static(""))
}

/// The name in the cookie of a request.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|value| value.split(';')).find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE && !value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{Keys, Role};

    fn key() -> Key {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::open(folder.path()).unwrap();
        keys.add("editor", Role::Write).unwrap();
        keys.all().remove(0)
    }

    fn with(name: &str) -> HeaderMap {
        let cookies = format!("theme=dark; {COOKIE}={name}; other=1");
        HeaderMap::from_iter([(header::COOKIE, cookies.parse().unwrap())])
    }

    #[test]
    fn a_session_lasts_until_it_is_old_or_ended() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let name = sessions.begin(key(), now).unwrap();
        assert_eq!(name.len(), 64);
        assert!(!format!("{sessions:?}").contains(&name));
        assert_eq!(sessions.key(&with(&name), now).map(|key| key.name), Some("editor".to_owned()));
        assert_eq!(sessions.key(&with(&name[1..]), now), None);
        assert_eq!(sessions.key(&HeaderMap::new(), now), None);
        assert_eq!(sessions.key(&with(&name), now + LASTS), None);
        sessions.end(&with(&name));
        assert_eq!(sessions.key(&with(&name), now), None);
    }

    #[test]
    fn the_oldest_makes_room() {
        let (sessions, start, key) = (Sessions::default(), Instant::now(), key());
        let names: Vec<String> = (0..MOST as u64 + 1)
            .map(|number| sessions.begin(key.clone(), start + Duration::from_millis(number)).unwrap())
            .collect();
        assert_eq!(sessions.open().len(), MOST);
        assert_eq!(sessions.key(&with(&names[0]), start), None);
        assert!(sessions.key(&with(&names[1]), start).is_some());
    }

    #[test]
    fn a_cookie_is_for_this_site_and_no_script() {
        let cookie = set_cookie("ab", true);
        let cookie = cookie.to_str().unwrap();
        for part in
            ["firstcopy_session=ab;", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200", "Secure"]
        {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!set_cookie("ab", false).to_str().unwrap().contains("Secure"));
        assert!(set_cookie("", false).to_str().unwrap().contains("Max-Age=0"));
    }
}
