//! The service is killed under load, again and again: whatever it answered with 201 is there when it starts again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use support::Folder;
use support::served::{Client, Served};

const ROUNDS: u64 = 100;
const CLIENTS: u64 = 4;
/// The latest moment of a kill, after the first request.
const LATEST: u64 = 300;

const WORDS: [&[&str]; 3] = [
    &[
        "도서관",
        "골목",
        "가을",
        "기차역",
        "시장에서",
        "할머니의",
        "걸었다",
        "이야기를",
        "오래된",
        "창가에서",
        "귤을",
        "다시",
    ],
    &[
        "川沿いの道",
        "豆腐屋",
        "自転車で",
        "石段を",
        "雨上がりの",
        "図書館へ",
        "渡し船",
        "古い数字",
        "冬の朝に",
        "静かな港",
        "帰り道",
        "小さな駅",
    ],
    &[
        "signal",
        "river",
        "circus",
        "morning",
        "the",
        "bridge",
        "waited",
        "diary",
        "of",
        "elephants",
        "and",
        "station",
    ],
];

/// Numbers that look random and are the same every time (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    /// A text in one of three languages, about 500 characters.
    fn text(&mut self) -> String {
        let words = WORDS[self.below(3) as usize];
        let mut word = || format!("{}{}", words[self.below(words.len() as u64) as usize], self.below(100));
        (0..60).map(|_| word()).collect::<Vec<_>>().join(" ")
    }
}

/// A post that a client has sent, and what it may expect of it.
#[derive(Clone)]
struct Post {
    id: String,
    text: String,
}

/// Posts until the service is gone. Those that were answered, and the one that was not.
fn post_until_killed(
    mut client: Client,
    name: &str,
    mut dice: Dice,
    again: Option<Post>,
) -> (Vec<Post>, Option<Post>) {
    let mut answered: Vec<Post> = Vec::new();
    let mut retried = again;
    for number in 0.. {
        // The post that got no answer is sent once more, as a client does; every fourth one is a copy of the one before.
        let post = retried.take().unwrap_or_else(|| {
            let copied =
                answered.last().filter(|_| number % 4 == 3).map(|post| format!("{} {number}", post.text));
            Post { id: format!("{name}-{number}"), text: copied.unwrap_or_else(|| dice.text()) }
        });
        match client.send("POST", "/v1/documents", &json!({ "id": post.id, "text": post.text })) {
            // 200: it had been stored before the kill, only the answer was lost.
            Ok((201 | 200, verdict)) if verdict["id"] == *post.id => answered.push(post),
            Ok(other) => panic!("{other:?}"),
            Err(_) => return (answered, Some(post)),
        }
    }
    unreachable!("it posts for ever")
}

/// All of these are there, with their text.
#[track_caller]
fn look_up(served: &Served, posts: &[Post]) {
    let mut client = served.client();
    for Post { id, text } in posts {
        let (status, shown) = client.send("GET", &format!("/v1/documents/{id}"), &Value::Null).unwrap();
        assert_eq!(status, 200, "{id} was answered with 201 and is lost");
        assert_eq!(shown["id"], *id);
        assert_eq!(shown["core_text"], *text, "{id}");
    }
}

#[test]
fn no_201_is_lost_in_100_kills() {
    let folder = Folder::with::<&str>(&[]);
    let mut dice = Dice(8);
    let mut unanswered: Vec<Option<Post>> = vec![None; CLIENTS as usize];
    let (mut all, mut last): (Vec<Post>, Vec<Post>) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let served = Served::start(&folder);
        look_up(&served, &last);
        last.clear();
        let moment = Duration::from_millis(dice.below(LATEST));
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|client| {
                    let (connection, again) = (served.client(), unanswered[client as usize].take());
                    let (name, dice) = (format!("{round}-{client}"), Dice(round * CLIENTS + client));
                    scope.spawn(move || post_until_killed(connection, &name, dice, again))
                })
                .collect();
            std::thread::sleep(moment);
            served.kill();
            for (client, posts) in clients.into_iter().enumerate() {
                let (answered, lost) = posts.join().unwrap();
                last.extend(answered);
                unanswered[client] = lost;
            }
        });
        all.extend_from_slice(&last);
    }
    assert!(
        all.len() as u64 > ROUNDS * CLIENTS,
        "only {} posts were answered: too few to say anything",
        all.len()
    );
    let served = Served::start(&folder);
    look_up(&served, &last);
    served.end();
    everything_is_there(&folder, &all);
}

/// What was answered in any round is in an export, and store and indexes agree.
#[track_caller]
fn everything_is_there(folder: &Folder, all: &[Post]) {
    let exported = folder.run("export --data data", "").json();
    let texts: HashMap<&str, &str> = exported
        .iter()
        .map(|record| (record["id"].as_str().unwrap(), record["text"].as_str().unwrap()))
        .collect();
    for post in all {
        assert_eq!(texts.get(&*post.id), Some(&&*post.text), "{}", post.id);
    }
    let verified = folder.run("verify --data data", "");
    assert_eq!(verified.code, Some(0), "{verified:?}");
}
