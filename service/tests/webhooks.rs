//! Webhooks as receivers meet them: signed, in order, again until they are taken, after a restart too, and nobody waits for
//! somebody else's endpoint.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "webhooks/receiver.rs"]
mod receiver;
#[path = "webhooks/stories.rs"]
mod stories;
#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_engine::{Engine, OpenOptions, Reader};
use firstcopy_service::webhooks::{Kind, NewWebhook, Pace, Register, Webhooks, ping, remove};
use firstcopy_service::{Keys, Role};
use firstcopy_text::{Content, Page};
use receiver::{Receiver, said, until};
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stories::story;
use support::Service;

/// A data directory with webhooks at work.
struct Collection {
    folder: PathBuf,
    engine: Option<Arc<Engine>>,
    webhooks: Option<Webhooks>,
    pace: Pace,
    _kept: tempfile::TempDir,
}

impl Collection {
    fn start() -> Self {
        Self::with(Pace::default())
    }

    /// As quick as a test needs.
    fn with(pace: Pace) -> Self {
        let kept = tempfile::tempdir().unwrap();
        let folder = kept.path().join("data");
        let pace = Pace { first_wait: Duration::from_millis(50), look: Duration::from_millis(20), ..pace };
        let mut collection = Collection { folder, engine: None, webhooks: None, pace, _kept: kept };
        collection.open();
        collection
    }

    fn open(&mut self) {
        let engine = Arc::new(Engine::open(&self.folder, OpenOptions::default()).unwrap());
        self.engine = Some(Arc::clone(&engine));
        self.webhooks = Some(Webhooks::start(engine, self.pace.clone()).unwrap());
    }

    fn close(&mut self) {
        self.webhooks = None;
        self.engine = None;
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().unwrap()
    }

    fn register(&self) -> Register {
        Register::create(&self.folder).unwrap()
    }

    /// Adds a webhook and returns its secret.
    fn subscribe(&self, name: &str, url: &str, events: &[Kind]) -> String {
        let position = Reader::open(&self.folder).unwrap().position().unwrap();
        self.register().add(&new(name, url, events), position).unwrap().1
    }

    fn add(&self, id: &str, text: &str) {
        add(self.engine(), id, text);
    }
}

impl Drop for Collection {
    fn drop(&mut self) {
        self.close();
    }
}

fn new(name: &str, url: &str, events: &[Kind]) -> NewWebhook {
    NewWebhook { name: name.to_owned(), url: url.to_owned(), events: events.to_vec() }
}

fn add(engine: &Engine, id: &str, text: &str) {
    let page = Page {
        id: id.to_owned(),
        url: Some(format!("https://blog.example/{id}")),
        content: Content::text(text),
        // In the order of their ids, and not only in that of their arrival, which a second may not tell apart.
        created_at: id.bytes().next().map(|letter| 1_700_000_000 + i64::from(letter)),
        ..Page::default()
    };
    engine.add(page).unwrap();
}

#[test]
fn every_event_arrives_signed_in_every_language() {
    for (language, from) in [("ko", 0), ("ja", 1000), ("en", 2000)] {
        println!("{language}");
        let (collection, receiver) = (Collection::start(), Receiver::start());
        let secret = collection.subscribe("all", &receiver.url(), &Kind::ALL);
        let original = story(language, from..from + 40);
        collection.add("a", &original);
        collection.add("b", &original);
        let holds = |what: &str| ("holder.new".to_owned(), what.to_owned());
        let duplicate = ("duplicate.new".to_owned(), "b".to_owned());
        assert_eq!(receiver.wait_for(2), [duplicate, holds("b whole a")], "{language}");
        collection.add("c", &format!("{original} {}", story(language, from + 100..from + 180)));
        assert_eq!(receiver.wait_for(3)[2], holds("c contained a"), "{language}");
        // Six sentences of forty. Another has them, too, from there, and is not named.
        let own = |numbers| story(language, numbers);
        let quoting = format!(
            "{} {} {}",
            own(from + 200..from + 230),
            own(from + 4..from + 10),
            own(from + 230..from + 260)
        );
        collection.add("d", &quoting);
        assert_eq!(receiver.wait_for(4)[3], holds("d partial a"), "{language}");
        collection.engine().delete("a").unwrap();
        let got = receiver.wait(5);
        got.iter().for_each(|request| request.check(&secret));
        assert_eq!(said(&got[4].json()), ("original.promoted".to_owned(), "b".to_owned()), "{language}");

        let [duplicate, whole, contained, partial, promoted] =
            [0, 1, 2, 3, 4].map(|place: usize| got[place].json()["data"].clone());
        assert_eq!(
            (&duplicate["original"], &duplicate["original_url"], &duplicate["reason"], &duplicate["url"]),
            (
                &json!("a"),
                &json!("https://blog.example/a"),
                &json!("identical"),
                &json!("https://blog.example/b")
            )
        );
        assert_eq!(
            (&whole["containment"], &whole["holder_url"]),
            (&json!(1.0), &json!("https://blog.example/b"))
        );
        assert!(contained["containment"].as_f64().unwrap() > 0.9, "{contained}");
        assert!(partial["containment"].as_f64().unwrap() < 0.2, "{partial}");
        assert!(!partial["passages"].as_array().unwrap().is_empty(), "{partial}");
        assert_eq!((&promoted["verdict"], &promoted["was"]["original"]), (&json!("original"), &json!("a")));
        assert_eq!((&promoted["cause"], &promoted["cause_id"]), (&json!("deleted"), &json!("a")));
        let mut ids: Vec<&str> = got.iter().map(|request| request.header("webhook-id")).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 5);
    }
}

#[test]
fn everybody_hears_what_they_asked_for_from_then_on() {
    let collection = Collection::start();
    let [first, second] = [Receiver::start(), Receiver::start()];
    collection.subscribe("duplicates", &first.url(), &[Kind::DuplicateNew]);
    collection.add("a", &story("en", 0..20));
    collection.add("b", &story("en", 0..20));
    first.wait(1);
    // An edit that changes nothing of whom it holds is no new holder, and an edit that does is one.
    collection.subscribe("holders", &second.url(), &[Kind::HolderNew]);
    collection.add("b", &format!("{} one more word", story("en", 0..20)));
    collection.add("c", &story("en", 100..120));
    collection.add("c", &format!("{} {}", story("en", 100..120), story("en", 0..20)));
    assert_eq!(second.wait_for(1), [("holder.new".to_owned(), "c contained a".to_owned())]);
    assert_eq!(first.wait_for(2)[1], ("duplicate.new".to_owned(), "b".to_owned()), "b is judged anew");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!((first.got().len(), second.got().len()), (2, 1));
}

#[test]
fn what_fails_is_tried_again_later_and_later() {
    let collection = Collection::start();
    let receiver =
        Receiver::answering(|number| Some(if number < 4 { "500 Oh no" } else { "204 Done" }.to_owned()));
    let secret = collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
    for id in ["a", "b", "c"] {
        collection.add(id, &story("ko", 0..20));
    }
    let got = receiver.wait(6);
    got.iter().for_each(|request| request.check(&secret));
    let ids: Vec<&str> = got.iter().map(|request| request.header("webhook-id")).collect();
    assert!(ids[..5].iter().all(|id| *id == ids[0]), "the first comes again, with the same id: {ids:?}");
    let about: Vec<_> = got.iter().map(|request| said(&request.json()).1).collect();
    assert_eq!(about, ["b", "b", "b", "b", "b", "c"], "the second waits for the first");
    let waits: Vec<Duration> = got.windows(2).take(4).map(|pair| pair[1].at - pair[0].at).collect();
    for (wait, least) in waits.iter().zip([40, 80, 160, 320]) {
        assert!(*wait >= Duration::from_millis(least), "{waits:?}");
    }
    until(|| collection.register().totals().unwrap().pending == 0, || "pending".to_owned());
    let totals = collection.register().totals().unwrap();
    assert_eq!((totals.delivered, totals.retried, totals.failed), (2, 4, 0));
}

/// A port at which nobody listens, for now.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn who_comes_back_is_told_all_of_it_in_order() {
    let mut collection =
        Collection::with(Pace { longest_wait: Duration::from_millis(200), ..Pace::default() });
    let address = free_address();
    let secret = collection.subscribe("a", &format!("http://{address}/"), &[Kind::DuplicateNew]);
    let count = 40;
    for number in 0..=count {
        collection.add(&format!("d{number:02}"), &story("ja", 0..20));
    }
    until(|| collection.register().all().unwrap()[0].failures >= 2, || "nothing failed".to_owned());
    let webhook = collection.register().named("a").unwrap();
    assert_eq!(webhook.state, "failing", "{webhook:?}");
    until(|| collection.register().totals().unwrap().pending == count, || format!("{webhook:?}"));
    // The service ends and starts again in between: what was pending is delivered.
    collection.close();
    let receiver = Receiver::at(address, |_, _| Some("200 OK".to_owned()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(receiver.got().len(), 0);
    collection.open();
    let got = receiver.wait(count as usize);
    got.iter().for_each(|request| request.check(&secret));
    let about: Vec<String> = got.iter().map(|request| said(&request.json()).1).collect();
    let expected: Vec<String> = (1..=count).map(|number| format!("d{number:02}")).collect();
    assert_eq!(about, expected);
    until(|| collection.register().totals().unwrap().delivered == count, || "delivered".to_owned());
    assert_eq!(collection.register().named("a").unwrap().state, "active");
}

/// What was stored while no service ran is told when one does.
#[test]
fn nothing_is_lost_while_nobody_serves() {
    let mut collection = Collection::start();
    let receiver = Receiver::start();
    collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
    collection.add("a", &story("en", 0..20));
    collection.add("b", &story("en", 0..20));
    receiver.wait(1);
    collection.close();
    let engine = Engine::open(&collection.folder, OpenOptions::default()).unwrap();
    add(&engine, "c", &story("en", 0..20));
    engine.delete("b").unwrap();
    engine.delete("a").unwrap();
    engine.catch_up().unwrap();
    drop(engine);
    collection.open();
    // It is an original by now: what was said of it is told, and that it is no longer so.
    let told = receiver.wait(2)[1].json();
    assert_eq!(said(&told), ("duplicate.new".to_owned(), "c".to_owned()));
    assert_eq!(
        (&told["data"]["original"], &told["data"]["superseded"]),
        (&json!("a"), &json!(true)),
        "{told}"
    );
}

#[test]
fn a_dead_endpoint_keeps_nobody_waiting() {
    let collection = Collection::with(Pace { request: Duration::from_secs(2), ..Pace::default() });
    let [dead, alive] = [Receiver::answering(|_| None), Receiver::start()];
    collection.subscribe("dead", &dead.url(), &[Kind::DuplicateNew]);
    collection.subscribe("alive", &alive.url(), &[Kind::DuplicateNew]);
    collection.add("a", &story("en", 0..20));
    let start = Instant::now();
    for id in ["b", "c", "d"] {
        collection.add(id, &story("en", 0..20));
    }
    alive.wait(3);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    until(|| collection.register().named("dead").unwrap().failures > 0, || "no failure".to_owned());
    // Its removal waits for nobody either.
    remove(&collection.folder, "dead").unwrap();
    let start = Instant::now();
    collection.add("e", &story("en", 0..20));
    alive.wait(4);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// One delivery that an endpoint never takes does not keep it from all others.
#[test]
fn a_delivery_that_alone_fails_steps_aside() {
    let collection = Collection::with(Pace {
        longest_pause: Duration::from_millis(100),
        longest_wait: Duration::from_secs(3600),
        ..Pace::default()
    });
    let receiver = Receiver::at("127.0.0.1:0".parse().unwrap(), |_, request| {
        let is_bad = said(&request.json()).1 == "b";
        Some(if is_bad { "500 No" } else { "200 OK" }.to_owned())
    });
    collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
    for id in ["a", "b", "c", "d"] {
        collection.add(id, &story("en", 0..20));
    }
    until(
        || ["c", "d"].iter().all(|id| receiver.got().iter().any(|request| said(&request.json()).1 == *id)),
        || format!("{:?}", receiver.got()),
    );
    until(|| collection.register().totals().unwrap().delivered == 2, || "delivered".to_owned());
    assert_eq!(collection.register().totals().unwrap().pending, 1);
}

#[test]
fn who_wants_no_more_gets_no_more() {
    let collection = Collection::start();
    let receiver = Receiver::answering(|_| Some("410 Gone".to_owned()));
    collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
    for id in ["a", "b", "c"] {
        collection.add(id, &story("en", 0..20));
    }
    until(|| collection.register().named("a").unwrap().state == "disabled", || "not disabled".to_owned());
    collection.add("d", &story("en", 0..20));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(receiver.got().len(), 1);
    assert_eq!(collection.register().named("a").unwrap().pending, 0);
}

#[test]
fn redirects_are_not_followed() {
    let elsewhere = Receiver::start();
    let to = elsewhere.url();
    let receiver = Receiver::answering(move |_| Some(format!("302 Found\r\nLocation: {to}")));
    let collection = Collection::start();
    collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
    collection.add("a", &story("en", 0..20));
    collection.add("b", &story("en", 0..20));
    receiver.wait(2);
    assert_eq!(elsewhere.got().len(), 0);
    let answer = ping(&collection.register(), "a", &Pace::default()).unwrap();
    assert_eq!((answer.status, answer.error.is_some()), (Some(302), true), "{answer:?}");
}

/// A follower that cannot go on from where it was begins at the present: nobody is told of everything that ever happened.
#[test]
fn a_new_beginning_tells_nothing_old() {
    let mut collection = Collection::start();
    let receiver = Receiver::start();
    for id in ["a", "b", "c", "d"] {
        collection.add(id, &story("en", 0..20));
    }
    collection.engine().catch_up().unwrap();
    collection.close();
    assert_eq!(Reader::open(&collection.folder).unwrap().statistics().unwrap().outbox, 0, "nothing is kept");
    // Somebody who would have to be told of everything, if anybody still knew it.
    collection.register().add(&new("a", &receiver.url(), &Kind::ALL), 0).unwrap();
    collection.open();
    std::thread::sleep(Duration::from_millis(500));
    collection.add("e", &story("en", 0..20));
    let told = receiver.wait_for(2);
    assert_eq!(told[0], ("duplicate.new".to_owned(), "e".to_owned()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(receiver.got().len(), 2, "{told:?}");
}

/// The store keeps changes for webhooks as long as there are any, and no longer.
#[test]
fn the_outbox_is_kept_for_nobody_who_is_gone() {
    let kept =
        |collection: &Collection| Reader::open(&collection.folder).unwrap().statistics().unwrap().outbox;
    for removed_while_serving in [true, false] {
        let mut collection = Collection::start();
        let receiver = Receiver::start();
        collection.subscribe("a", &receiver.url(), &[Kind::DuplicateNew]);
        collection.add("a", &story("en", 0..20));
        collection.add("b", &story("en", 0..20));
        receiver.wait(1);
        if removed_while_serving {
            remove(&collection.folder, "a").unwrap();
            std::thread::sleep(Duration::from_millis(500));
            collection.close();
        } else {
            collection.close();
            assert!(kept(&collection) > 0, "what came since is kept for it");
            remove(&collection.folder, "a").unwrap();
        }
        let engine = Engine::open(&collection.folder, OpenOptions::default()).unwrap();
        add(&engine, "c", &story("en", 30..50));
        engine.catch_up().unwrap();
        drop(engine);
        assert_eq!(kept(&collection), 0, "{removed_while_serving}");
    }
}

#[test]
fn a_ping_says_what_came_back() {
    let collection = Collection::start();
    let receiver = Receiver::start();
    let secret = collection.subscribe("가", &receiver.url(), &Kind::ALL);
    let answer = ping(&collection.register(), "가", &Pace::default()).unwrap();
    assert_eq!((answer.status, &answer.error), (Some(200), &None));
    let got = receiver.wait(1);
    got[0].check(&secret);
    assert_eq!(got[0].json()["type"], "ping");
    collection.subscribe("nobody", &format!("http://{}/", free_address()), &Kind::ALL);
    let answer = ping(&collection.register(), "nobody", &Pace::default()).unwrap();
    assert!(answer.status.is_none() && answer.error.is_some(), "{answer:?}");
    assert!(ping(&collection.register(), "unknown", &Pace::default()).is_err());
}

#[test]
fn only_administrators_have_webhooks() {
    let service = Service::start();
    let keys = Keys::open(&service.collection()).unwrap();
    let [read, write, admin] = [("r", Role::Read), ("w", Role::Write), ("a", Role::Admin)]
        .map(|(name, role)| keys.add(name, role).unwrap());
    let body = json!({"url": "http://127.0.0.1:1/", "name": "a"}).to_string();
    let send = |key: &str, method: &str, path: &str, body: &str| {
        service.send(method, path, &[("Authorization", &format!("Bearer {key}"))], body.as_bytes())
    };
    for (key, status) in [("nonsense", 401), (read.as_str(), 403), (write.as_str(), 403)] {
        for (method, path, body) in [
            ("GET", "/v1/webhooks", ""),
            ("POST", "/v1/webhooks", body.as_str()),
            ("DELETE", "/v1/webhooks/a", ""),
            ("GET", "/v1/webhooks/a/deliveries", ""),
        ] {
            assert_eq!(send(key, method, path, body).status, status, "{method} {path}");
        }
    }
    assert_eq!(send(&admin, "GET", "/v1/webhooks", "").json(), json!({"webhooks": []}));
    let added = send(&admin, "POST", "/v1/webhooks", &body);
    assert_eq!(added.status, 201, "{added:?}");
    assert!(added.json()["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(send(&admin, "POST", "/v1/webhooks", &body).status, 409);
    let listed = send(&admin, "GET", "/v1/webhooks", "");
    assert!(!listed.text().contains("whsec_"));
    assert_eq!(
        listed.json()["webhooks"][0]["events"],
        json!(["duplicate.new", "original.promoted", "holder.new"])
    );
    assert_eq!(
        send(&admin, "GET", "/v1/webhooks/a/deliveries", "").json(),
        json!({"deliveries": [], "total": 0, "next": null})
    );
    for (method, path, body, status, field) in [
        ("POST", "/v1/webhooks", "{\"url\": \"ftp://a\"}", 400, Some("url")),
        ("POST", "/v1/webhooks", "{\"url\": \"http://a.example\", \"name\": \"\"}", 400, Some("name")),
        ("POST", "/v1/webhooks", "{\"url\": \"http://a.example\", \"events\": []}", 400, Some("events")),
        ("POST", "/v1/webhooks", "{\"url\": \"http://a.example\", \"events\": [\"all\"]}", 400, None),
        ("DELETE", "/v1/webhooks/b", "", 404, Some("name")),
        ("GET", "/v1/webhooks/b/deliveries", "", 404, Some("name")),
        ("GET", "/v1/webhooks/a/deliveries?limit=0", "", 400, Some("limit")),
        ("GET", "/v1/webhooks/a/deliveries?cursor=x", "", 400, Some("cursor")),
    ] {
        let answer = send(&admin, method, path, body);
        assert_eq!(
            (answer.status, answer.json()["field"].as_str()),
            (status, field),
            "{method} {path}: {answer:?}"
        );
    }
    let told = send(&read, "GET", "/metrics", "").text();
    for line in ["firstcopy_webhook_deliveries_total{outcome=\"delivered\"} 0", "firstcopy_webhook_queue 0"] {
        assert!(told.lines().any(|found| found == line), "{line}: {told}");
    }
    assert_eq!(send(&admin, "DELETE", "/v1/webhooks/a", "").status, 204);
    assert_eq!(send(&admin, "DELETE", "/v1/webhooks/a", "").status, 404);
}

/// A data directory without webhooks has no file of them.
#[test]
fn no_webhooks_leave_no_trace() {
    let mut collection = Collection::start();
    collection.add("a", &story("en", 0..20));
    collection.engine().catch_up().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    collection.close();
    assert!(!Path::new(&collection.folder.join("webhooks.sqlite")).exists());
}
