//! The same post in another frame is the same core text, to the byte.
//!
//! Frames and posts are files: a new frame is one more file in `frames/`, a new post two in `frames/posts/`.

#![allow(clippy::expect_used, reason = "test data that cannot be read is a failed test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use firstcopy_text::extract;

mod pages;

struct Post {
    name: String,
    title: String,
    body: String,
    expected: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frames")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn frames() -> BTreeMap<String, String> {
    let files = fs::read_dir(folder()).expect("the frames are part of the repository");
    let paths = files.map(|file| file.expect("a readable folder").path());
    let html = paths.filter(|path| path.extension().is_some_and(|e| e == "html"));
    html.map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), read(&path))).collect()
}

fn posts() -> Vec<Post> {
    let folder = folder().join("posts");
    let titles = read(&folder.join("titles.txt"));
    let post = |(name, title): (&str, &str)| Post {
        name: name.to_owned(),
        title: title.to_owned(),
        body: read(&folder.join(format!("{name}.html"))),
        expected: read(&folder.join(format!("{name}.txt"))).trim_end().to_owned(),
    };
    titles.lines().filter_map(|line| line.split_once('\t')).map(post).collect()
}

#[test]
fn every_post_in_every_frame() {
    let mut wrong = Vec::new();
    for post in posts() {
        for (name, frame) in frames() {
            let html = frame.replace("{{title}}", &post.title).replace("{{body}}", &post.body);
            let found = extract(&html);
            if found.core.text != post.expected {
                wrong.push(format!("{} in {name}:\n{}\n", post.name, found.core.text));
            }
            let title = found.title.unwrap_or_default();
            assert_eq!(title, post.title, "{} in {name}", post.name);
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn frames_say_when() {
    for (name, frame) in frames() {
        if frame.contains("2026-05-01") {
            let day = extract(&frame).created_at.map(|seconds| (seconds + 9 * 3600) / 86_400);
            assert_eq!(day, Some(20_574), "{name}");
        }
    }
}

/// The least share of real posts that come out the same in every real frame.
const SAME: f64 = 0.95;

#[test]
fn real_posts_in_real_frames() {
    for language in ["ja", "ko"] {
        let Some(pages) = pages::labelled(language) else { return };
        let cut: Vec<(&str, &str, &str)> = pages.iter().filter_map(|p| pages::cut(p)).collect();
        let frames: Vec<_> = cut.iter().step_by(cut.len() / 7 + 1).collect();
        let (mut same, mut all) = (0, 0);
        for (at, (_, post, _)) in cut.iter().enumerate() {
            let texts: Vec<String> = frames
                .iter()
                .map(|(head, _, tail)| extract(&format!("{head}{post}{tail}")).core.text)
                .collect();
            let is_same = texts.windows(2).all(|w| w[0] == w[1]);
            if !is_same {
                println!(
                    "{language} {at} differs: lengths {:?}",
                    texts.iter().map(String::len).collect::<Vec<_>>()
                );
            }
            same += usize::from(is_same);
            all += 1;
        }
        println!("{language}: {same} of {all} posts are the same in {} frames", frames.len());
        assert!(same as f64 >= SAME * all as f64);
    }
}
