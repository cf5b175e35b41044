//! Stdin, in a process of its own: the test binary calls itself, reads `-`, and says what it saw and what it held.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use firstcopy_input::{for_each_ordered, open};

use crate::support::{gzip, gzip_with_zeros, limited, say};

/// Not a test: the other side of the tests below.
#[test]
#[ignore = "run by the other tests of this file"]
fn child() {
    let pages = open(&["-".to_owned()], limited(1 << 20)).unwrap().pages();
    let stop = std::env::var_os("STOP_AFTER_FIRST").is_some();
    let _ = for_each_ordered(
        pages,
        2,
        |page| page,
        |item| {
            println!("ITEM {}", say(&item));
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    println!("PEAK {}", peak_kib());
}

/// The most memory this process has held.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

struct Seen {
    items: Vec<String>,
    peak_kib: u64,
}

fn read(stop: bool, write: impl FnOnce(&mut dyn Write)) -> Seen {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "stdin::child", "--ignored", "--nocapture"]);
    if stop {
        command.env("STOP_AFTER_FIRST", "1");
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    write(&mut stdin);
    if stop {
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(20), "a silent pipe holds up the end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    drop(stdin);
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let after = |mark: &str| -> Vec<String> {
        output.lines().filter_map(|line| Some(line.split_once(mark)?.1.to_owned())).collect()
    };
    Seen { items: after("ITEM "), peak_kib: after("PEAK ")[0].parse().unwrap() }
}

#[test]
fn lines_plain_and_compressed() {
    let lines = b"{\"id\":\"a\",\"text\":\"x\"}\n{\"text\":\"y\"}\n".as_slice();
    for bytes in [lines.to_vec(), gzip(lines)] {
        let seen = read(false, |stdin| stdin.write_all(&bytes).unwrap());
        assert_eq!(seen.items, ["a = text(utf-8) x", "-:2 = text(utf-8) y"]);
    }
}

#[test]
fn a_table_is_spooled() {
    let table = crate::parquets::numbered(3, parquet::basic::Compression::SNAPPY);
    let seen = read(false, |stdin| stdin.write_all(&table).unwrap());
    assert_eq!(seen.items.len(), 3);
    assert!(seen.items[2].starts_with("2 = text"), "{:?}", seen.items);
}

#[test]
fn a_line_without_end_is_not_held() {
    let block = vec![b'x'; 1 << 20];
    let seen = read(false, |stdin| {
        stdin.write_all(b"{\"text\":\"a\"}\n{\"text\":\"").unwrap();
        for _ in 0..512 {
            stdin.write_all(&block).unwrap();
        }
        stdin.write_all(b"\n{\"text\":\"b\"}\n{\"text\":\"").unwrap();
        for _ in 0..64 {
            stdin.write_all(&block).unwrap();
        }
    });
    let reason = "the line is larger than 1 MiB: raise --max-document-size to read it";
    assert_eq!(
        seen.items,
        [
            "-:1 = text(utf-8) a".to_owned(),
            format!("REJECT -: line 2: {reason}"),
            "-:3 = text(utf-8) b".to_owned(),
            format!("REJECT -: line 4: {reason}"),
        ]
    );
    assert!(seen.peak_kib < 64 << 10, "{} KiB", seen.peak_kib);
}

#[test]
fn a_bomb_is_not_held() {
    let bomb = gzip_with_zeros(b"{\"text\":\"a\"}\n", 1 << 30, b"\n{\"text\":\"b\"}");
    let seen = read(false, |stdin| stdin.write_all(&bomb).unwrap());
    assert_eq!(seen.items.len(), 3);
    assert_eq!(seen.items[2], "-:3 = text(utf-8) b");
    assert!(seen.peak_kib < 64 << 10, "{} KiB", seen.peak_kib);
}

#[test]
fn stopping_does_not_wait_for_a_silent_pipe() {
    let seen = read(true, |stdin| stdin.write_all(b"{\"id\":1,\"text\":\"x\"}\n").unwrap());
    assert_eq!(seen.items, ["1 = text(utf-8) x"]);
}
