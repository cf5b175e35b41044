//! Clustering as a user meets it: what is printed and written, what happens when it is killed, and when inputs change.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use std::process::{Command, Stdio};
use support::Folder;

/// Posts of which every third is an earlier one with a word more.
fn posts(count: usize) -> String {
    let words = |seed: usize, length: usize| {
        let word =
            |place: usize| format!("w{:x}", (seed * 7919 + place + 1).wrapping_mul(0x9e37_79b9) & 0xf_ffff);
        (0..length).map(word).collect::<Vec<_>>().join(" ")
    };
    let post = |number: usize| {
        let is_copy = number % 3 == 2;
        let text = if is_copy { words(number - 2, 200) + " shared" } else { words(number, 200) };
        serde_json::json!({"id": format!("post-{number}"), "url": format!("https://x.example/{number}"), "text": text}).to_string()
    };
    (0..count).map(post).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn done(folder: &Folder, arguments: &str, code: i32) -> (String, String) {
    let run = folder.run(arguments, "");
    assert_eq!(run.code, Some(code), "firstcopy {arguments}: {}{}", run.stdout, run.stderr);
    (run.stdout, run.stderr)
}

fn lines(folder: &Folder, file: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_collection_is_clustered_reclustered_looked_up_and_added_to() {
    let folder = Folder::with(&[("posts.jsonl", posts(30)), ("more.jsonl", posts(60))]);
    let (printed, _) = done(&folder, "cluster posts.jsonl -o out", 0);
    assert!(
        printed.starts_with("30 documents: 10 clusters with 20 documents, 10 of them duplicates"),
        "{printed}"
    );
    let members = lines(&folder, "out/members.jsonl");
    assert_eq!((members.len(), &members[2]["original"]), (30, &"post-0".into()));
    assert_eq!(members[2]["is_duplicate"], true);
    assert!(members[2]["resemblance"].as_f64().unwrap() > 0.98);
    assert_eq!((&members[1]["cluster_size"], &members[1]["resemblance"]), (&1.into(), &1.0.into()));
    let clusters = lines(&folder, "out/clusters.jsonl");
    assert_eq!((clusters.len(), &clusters[0]["members"]), (10, &serde_json::json!(["post-0", "post-2"])));
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("out/report.json")).unwrap())
            .unwrap();
    assert_eq!(report["documents"], 30);
    assert_eq!(report["phases"][0]["phase"], "sketch");
    // The same command again has nothing left to do.
    done(&folder, "cluster posts.jsonl -o out", 0);
    let (found, _) = done(&folder, "clusters lookup --json out https://x.example/2", 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&found).unwrap()["original"], "post-0");
    done(&folder, "clusters lookup out nobody", 3);
    done(&folder, "clusters lookup nowhere nobody", 3);
    // Without --policy the folder's own is taken.
    let (printed, _) = done(&folder, "recluster out --threshold 1", 0);
    assert!(printed.starts_with("30 documents: 0 clusters"), "{printed}");
    done(&folder, "recluster out --min-likeness 1", 0);
    done(&folder, "recluster out --threshold 1.5", 2);
    done(&folder, "recluster out", 0);
    let (printed, _) = done(&folder, "cluster more.jsonl --add-to out", 0);
    // All of the first thirty come again.
    assert!(printed.starts_with("90 documents: 30 clusters"), "{printed}");
    done(&folder, "cluster posts.jsonl more.jsonl -o both", 0);
    assert_eq!(lines(&folder, "out/members.jsonl"), lines(&folder, "both/members.jsonl"));
}

#[test]
fn what_does_not_fit_is_refused_with_a_remedy() {
    let folder = Folder::with(&[("posts.jsonl", posts(6)), ("out/inside.jsonl", posts(3))]);
    let (_, error) = done(&folder, "cluster out -o out", 2);
    assert!(error.contains("lies in the output folder"), "{error}");
    done(&folder, "cluster posts.jsonl", 2);
    done(&folder, "cluster nothing.jsonl -o other", 3);
    done(&folder, "cluster posts.jsonl -o other", 0);
    let (_, error) = done(&folder, "cluster posts.jsonl -o other --shingle-words 5", 2);
    assert!(error.contains("policy likeness") && error.contains("another output folder"), "{error}");
    done(&folder, "cluster posts.jsonl -o shingles --policy resemblance", 0);
    let (_, error) = done(&folder, "cluster posts.jsonl -o shingles --shingle-words 5", 2);
    assert!(error.contains("shingle-words 10") && error.contains("another output folder"), "{error}");
    std::fs::write(folder.path().join("posts.jsonl"), posts(7)).unwrap();
    let (_, error) = done(&folder, "cluster posts.jsonl -o other", 2);
    assert!(error.contains("posts.jsonl has changed since"), "{error}");
    let (_, error) = done(&folder, "cluster posts.jsonl -o small --memory 1MB", 2);
    assert!(error.contains("--memory"), "{error}");
}

fn report_of(folder: &Folder, out: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.path().join(out).join("report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn policy_follows_from_the_arguments() {
    let folder = Folder::with(&[("posts.jsonl", posts(9))]);
    for (arguments, policy, threshold) in [
        ("", "likeness", 0.8),
        ("--min-likeness 0.9", "likeness", 0.9),
        ("--policy likeness --threshold 0.7", "likeness", 0.7),
        ("--threshold 0.7", "resemblance", 0.7),
        ("--method features", "resemblance", 0.5),
        ("--shingle-words 5", "resemblance", 0.5),
        ("--policy resemblance", "resemblance", 0.5),
        ("--policy containment --threshold 0.9", "containment", 0.9),
    ] {
        let out = format!("out{}", arguments.replace(' ', "_"));
        done(&folder, &format!("cluster --quiet posts.jsonl -o {out} {arguments}"), 0);
        let joining = &report_of(&folder, &out)["settings"]["joining"];
        assert_eq!(
            (&joining["policy"], &joining["threshold"]),
            (&policy.into(), &threshold.into()),
            "{arguments}"
        );
        let member = &lines(&folder, &format!("{out}/members.jsonl"))[2];
        let is_by_likeness = policy == "likeness";
        assert_eq!(member.get("likeness").is_some(), is_by_likeness, "{arguments}");
        assert_eq!(member.get("relation").is_some(), is_by_likeness, "{arguments}");
        let cluster = &lines(&folder, &format!("{out}/clusters.jsonl"))[0];
        assert_eq!(cluster.get("min_likeness").is_some(), is_by_likeness, "{arguments}");
        assert!(cluster["min_resemblance"].as_f64().unwrap() > 0.9, "{cluster}");
    }
    for arguments in [
        "--min-likeness 0.9 --threshold 0.9",
        "--policy resemblance --min-likeness 0.9",
        "--policy likeness --method sketch",
    ] {
        done(&folder, &format!("cluster --quiet posts.jsonl -o refused {arguments}"), 2);
    }
    let (_, error) = done(&folder, "recluster out --min-likeness 0.5", 2);
    assert!(error.contains("min-likeness (0.8; now 0.5"), "{error}");
    let (_, error) = done(&folder, "recluster out --policy resemblance", 2);
    assert!(error.contains("cluster the inputs anew"), "{error}");
}

/// Pages of shops: the same 90 words around a few of their own.
fn shops(count: usize) -> String {
    let word = |seed: usize| {
        let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        (0..5).map(|step| char::from(b'a' + (mixed >> (6 * step) & 31) as u8 % 26)).collect::<String>()
    };
    let words = |range: std::ops::Range<usize>| range.map(word).collect::<Vec<_>>().join(" ");
    let shop = |number: usize| {
        let own = words(1000 * number + 1000..1000 * number + 1010);
        let text = format!("{} {own} {}", words(0..60), words(60..90));
        serde_json::json!({"id": format!("shop-{number}"), "text": text}).to_string()
    };
    (0..count).map(shop).collect::<Vec<_>>().join("\n")
}

#[test]
fn learnt_weights_tell_pages_of_a_template_apart() {
    let folder = Folder::with(&[("shops.jsonl", shops(120)), ("more.jsonl", shops(3))]);
    let (printed, _) = done(&folder, "cluster shops.jsonl -o joined", 0);
    assert!(printed.starts_with("120 documents: 1 cluster with 120 documents"), "{printed}");
    let (printed, _) = done(&folder, "cluster shops.jsonl -o apart --learn-weights", 0);
    assert!(printed.starts_with("120 documents: 0 clusters"), "{printed}");
    assert!(printed.contains("90 words weigh less"), "{printed}");
    // Nothing is read again, so stdin can be learnt from.
    let run = folder.run("cluster - --format jsonl -o stdin --learn-weights", &shops(120));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert!(read("stdin/members.jsonl") == read("apart/members.jsonl"));
    let report = report_of(&folder, "apart");
    assert_eq!((&report["words_learnt"], &report["settings"]["learn_weights"]), (&90.into(), &true.into()));
    assert!(report["phases"].as_array().unwrap().iter().any(|phase| phase["phase"] == "weights"));
    assert!(report_of(&folder, "joined").get("words_learnt").is_none());
    let (_, error) = done(&folder, "cluster shops.jsonl -o joined --learn-weights", 2);
    assert!(error.contains("built-in weights") && error.contains("another output folder"), "{error}");
    let (_, error) = done(&folder, "cluster more.jsonl --add-to joined --learn-weights", 2);
    assert!(error.contains("anew with --learn-weights"), "{error}");
    let (_, error) = done(&folder, "cluster shops.jsonl -o other --policy resemblance --learn-weights", 2);
    assert!(error.contains("--learn-weights is for --policy likeness"), "{error}");
    let (printed, _) = done(&folder, "cluster more.jsonl --add-to apart", 0);
    assert!(printed.starts_with("123 documents: 3 clusters with 6 documents"), "{printed}");
    let (printed, _) = done(&folder, "recluster apart --linkage original", 0);
    assert!(printed.starts_with("123 documents: 3 clusters"), "{printed}");
    let removed = |arguments: &str| {
        done(&folder, &format!("dedup shops.jsonl -o {arguments}"), 0).0.contains("119 removed")
    };
    assert!(removed("kept") && !removed("clean --learn-weights"));
    assert_eq!(lines(&folder, "clean/removed.jsonl").len(), 0);
    done(&folder, "dedup more.jsonl -o new --against shops.jsonl --learn-weights", 0);
    assert_eq!(lines(&folder, "new/removed.jsonl").len(), 3);
}

#[test]
fn killed_while_learning_it_goes_on_and_ends_the_same() {
    let folder = Folder::with(&[("shops.jsonl", shops(200))]);
    done(&folder, "cluster --quiet shops.jsonl -o whole --learn-weights", 0);
    assert_eq!(report_of(&folder, "whole")["words_learnt"], 90);
    let command = "cluster --quiet shops.jsonl -o out --memory 20MB --learn-weights";
    let kills = folder.kill_until_done(command, || false);
    assert!(kills > 2, "it was too quick to be killed");
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert!(read("whole/members.jsonl") == read("out/members.jsonl"));
    assert!(read("whole/work/weights") == read("out/work/weights"));
}

#[test]
fn bad_records_are_left_out_and_named() {
    let folder = Folder::with(&[("posts.jsonl", format!("{}\nnot json\n", posts(9)))]);
    let (printed, error) = done(&folder, "cluster posts.jsonl -o out", 0);
    assert!(printed.starts_with("9 documents") && error.contains("line 10"), "{printed}{error}");
    done(&folder, "cluster posts.jsonl -o strict --strict", 3);
}

#[test]
fn killed_at_any_moment_it_goes_on_and_ends_the_same() {
    let folder = Folder::with(&[("posts.jsonl", posts(6000))]);
    done(&folder, "cluster --quiet posts.jsonl -o whole", 0);
    let kills = folder.kill_until_done("cluster --quiet posts.jsonl -o out --memory 20MB", || false);
    assert!(kills > 2, "it was too quick to be killed");
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert!(read("whole/members.jsonl") == read("out/members.jsonl"));
    assert!(read("whole/clusters.jsonl") == read("out/clusters.jsonl"));
}

/// On a disk of its own that is too small, and then is not: a tmpfs in a mount namespace, where the machine allows one.
#[test]
fn a_full_disk_is_said_and_gone_on_from() {
    let folder = Folder::with(&[("posts.jsonl", posts(3000))]);
    done(&folder, "cluster --quiet posts.jsonl -o whole", 0);
    std::fs::create_dir(folder.path().join("disk")).unwrap();
    let script = r#"
        mount -t tmpfs -o size=1m none disk || exit 77
        "$0" cluster posts.jsonl -o disk/out 2>message; echo $? >code
        mount -o remount,size=64m disk
        "$0" cluster --quiet posts.jsonl -o disk/out >/dev/null && cp disk/out/members.jsonl members.jsonl
    "#;
    let ended = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_firstcopy")])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .status();
    let Some(0) = ended.ok().and_then(|status| status.code()) else {
        return println!("skipped: this machine mounts no disk for a test");
    };
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert_eq!(read("code"), "3\n");
    assert!(read("message").contains("the disk is full: make room"), "{}", read("message"));
    assert!(read("members.jsonl") == read("whole/members.jsonl"));
}
