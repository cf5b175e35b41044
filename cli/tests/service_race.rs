//! Many clients with the same text at the same moment: one of them wrote it first, and all are told the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::sync::Barrier;
use support::Folder;
use support::served::Served;

const CLIENTS: usize = 64;
const ROUNDS: usize = 4;

const TEXTS: [(&str, &str); 3] = [
    (
        "ko",
        "비가 그친 뒤에 동네 도서관까지 걸어갔다. 골목마다 물웅덩이가 남아 있어서 하늘이 여러 조각으로 나뉘어 땅에 떨어져 있는 것처럼 보였다. \
         도서관 이 층에는 오래된 잡지를 모아 둔 방이 있고, 창가 자리에서는 은행나무 꼭대기가 보인다. 돌아오는 길에는 시장에 들러 귤을 샀다.",
    ),
    (
        "ja",
        "雨上がりの朝、川沿いの道を自転車で走った。堤防の草はまだ濡れていて、タイヤが通るたびに小さなしぶきが上がった。\
         橋のたもとで豆腐屋のおじさんが店を開けるところだった。湯気の向こうから声をかけてくれて、おからを紙に包んで持たせてくれた。",
    ),
    (
        "en",
        "After the rain stopped we walked up to the old signal house, where the railway used to cross the valley on a wooden bridge. \
         The planks are gone, but the stone piers still stand in the river like a row of patient teeth.",
    ),
];

/// The text with digits of the round between its letters, so that no round repeats words of another.
fn of_round(text: &str, round: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = letters.chunks(4).map(|piece| piece.iter().collect()).collect();
    pieces.join(&format!("{round}{round}"))
}

/// Every client sends its post when all of them are ready; what each is answered.
fn at_once(served: &Served, post: impl Fn(usize) -> Value + Sync) -> Vec<(u16, Value)> {
    let ready = Barrier::new(CLIENTS);
    std::thread::scope(|scope| {
        let send = |client: usize| {
            let (post, ready, mut connection) = (&post, &ready, served.client());
            scope.spawn(move || {
                ready.wait();
                connection.send("POST", "/v1/documents", &post(client)).unwrap()
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(send).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

#[test]
fn one_of_64_wrote_it_first_and_all_agree() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(&folder);
    for (language, text) in TEXTS {
        for round in 0..ROUNDS {
            let text = of_round(text, round);
            let id = |client: usize| format!("{language}-{round}-{client}");
            let answers = at_once(&served, |client| json!({ "id": id(client), "text": text }));
            assert!(answers.iter().all(|(status, _)| *status == 201), "{answers:?}");
            let originals: Vec<&Value> = answers
                .iter()
                .filter(|(_, verdict)| verdict["verdict"] == "original")
                .map(|a| &a.1)
                .collect();
            assert_eq!(originals.len(), 1, "{originals:?}");
            let first = originals[0]["id"].as_str().unwrap();
            for (_, verdict) in answers.iter().filter(|(_, verdict)| verdict["verdict"] != "original") {
                assert_eq!(
                    (verdict["verdict"].as_str(), verdict["original"].as_str()),
                    (Some("duplicate"), Some(first))
                );
            }
            let (_, copies) =
                served.client().send("GET", &format!("/v1/documents/{first}/copies"), &Value::Null).unwrap();
            assert_eq!(copies["total"], CLIENTS - 1, "{first}");
        }
    }
    let (_, stats) = served.client().send("GET", "/v1/stats", &Value::Null).unwrap();
    assert_eq!(stats["originals"], TEXTS.len() * ROUNDS);
    served.end();
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
}

#[test]
fn the_same_document_64_times_is_stored_once() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(&folder);
    for (language, text) in TEXTS {
        let answers = at_once(&served, |_| json!({ "id": language, "text": text }));
        let stored = answers.iter().filter(|(status, _)| *status == 201).count();
        let unchanged = answers.iter().filter(|(status, _)| *status == 200).count();
        assert_eq!((stored, unchanged), (1, CLIENTS - 1), "{answers:?}");
        assert!(answers.iter().all(|(_, verdict)| verdict["version"] == 1), "{answers:?}");
    }
    served.end();
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
}
