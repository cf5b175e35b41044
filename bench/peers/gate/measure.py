"""Runs every peer of the store-time check, one after the other on one core, scores what it found and prints the table.

Each peer is a process of its own, in a folder of its own, and `reopen` is a new process in the same folder.
Recall is the share of the copies of a resemblance of 0.85 and more for which the check returned another document of
their group; a false candidate is a returned document outside the group.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import orjson

HERE = pathlib.Path(__file__).resolve().parent
SINGLE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}
ENVIRONMENT = os.environ | SINGLE_THREAD | {"PYTHONHASHSEED": "0", "LANCE_LOG": "error"}
NEAR = 0.85
RESEMBLANCES = (0.85, 0.9, 0.95)
# How many times as fast firstcopy means to be as whatever survives a restart.
GOAL = 10
SMALL_BASE = 5_000


@dataclasses.dataclass
class Peer:
    """One row; those too slow to start from nothing have a base loaded at once and are measured on what follows it."""

    name: str
    script: str
    variant: str = ""
    measured: int | None = None
    base: int | None = None


SYNCED, SYNCED_EVERY_SECOND = "firstcopy", "firstcopy, synced every second"
OURS = {SYNCED: [], SYNCED_EVERY_SECOND: ["--sync-every", "1000"]}
PEERS = (
    Peer("datasketch in memory", "datasketch_memory"),
    Peer("rensa in memory", "rensa_memory"),
    Peer("datasketch on Redis, appendfsync everysec", "datasketch_redis", "everysec"),
    Peer("datasketch on Redis, appendfsync always", "datasketch_redis", "always", 2_000),
    Peer("Lance indexing in batches", "lance_index", "batched", 1_000),
    Peer("Lance indexing every insert", "lance_index", "each", 300),
    Peer("Lance indexing in batches, small base", "lance_index", "batched", 1_000, SMALL_BASE),
    Peer("Lance indexing every insert, small base", "lance_index", "each", 300, SMALL_BASE),
)


class PeerFailed(Exception):
    """A peer's process ended without a report."""


def main():
    options = parse_arguments()
    summary = json.loads(options.corpus.with_suffix(".summary.json").read_text())
    truth = read_truth(options.corpus)
    rows = [firstcopy(name, options) for name in OURS] if options.firstcopy else []
    for peer in wanted(options, len(truth)):
        say(f"measuring {peer.name}")
        try:
            rows.append(measure(peer, truth, options))
        except PeerFailed as error:
            say(f"{peer.name} does not run, its row is left out: {error}")
    compare(rows)
    print(table(rows, summary))
    options.json.write_text(json.dumps({"corpus": summary, "goal": GOAL, "rows": rows}, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--firstcopy", type=pathlib.Path, help="the firstcopy-bench binary, once it has `gate`")
    parser.add_argument("--peers", help="how the names of the wanted ones begin, separated by commas; all without it")
    parser.add_argument("--bands", default="9x13")
    parser.add_argument("--seconds", default="600")
    parser.add_argument("--core", default="0")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def read_truth(corpus):
    """Of every document, in order: the id of its group and its resemblance to that original."""
    with corpus.open("rb") as lines:
        records = map(orjson.loads, lines)
        return {record["id"]: (record.get("copy_of", record["id"]), record.get("resemblance")) for record in records}


def wanted(options, documents):
    """The small base has a row of its own only where the corpus is at least twice as large."""
    beginnings = tuple(options.peers.split(",")) if options.peers else ("",)
    return [peer for peer in PEERS if peer.name.startswith(beginnings) and 2 * (peer.base or 0) <= documents]


def firstcopy(name, options):
    say(f"measuring {name}")
    report = options.json.with_suffix(".firstcopy.json")
    command = [str(options.firstcopy), "gate", "--corpus", str(options.corpus), "-o", str(report), *OURS[name]]
    start(command, options)
    return {"version": "this tree"} | json.loads(report.read_text()) | {"peer": name}


def measure(peer, truth, options):
    measured = min(peer.measured, len(truth) // 4) if peer.measured else len(truth)
    documents = peer.base + measured if peer.base else len(truth)
    base = documents - measured
    with tempfile.TemporaryDirectory(prefix="gate-") as folder:
        run = call(peer, "run", documents, base, folder, options)
        found = run.pop("found")
        row = {"peer": peer.name} | run | score(found, truth)
        again = call(peer, "reopen", run["documents"], 0, folder, options) if kept(run) else {"found": []}
    recall = score(again.pop("found"), truth)["recall"]
    if not row["survives_restart"]:
        return row | {f"snapshot_{name}": value for name, value in again.items()} | {
            "reopen_seconds": None, "recall_after_restart": 0.0, "snapshot_recall": recall}
    return row | again | {"recall_after_restart": recall}


def kept(run):
    return run["survives_restart"] or "snapshot_bytes" in run


def call(peer, mode, documents, base, folder, options):
    """One process of a peer: its report, and under `found` what its checks returned."""
    folder = pathlib.Path(folder)
    index, candidates = folder / "index", folder / f"{mode}.candidates"
    index.mkdir(exist_ok=True)
    output = start([
        sys.executable, str(HERE / f"{peer.script}.py"), mode, str(options.corpus), "--folder", str(index),
        "--documents", str(documents), "--base", str(base), "--seconds", options.seconds, "--bands", options.bands,
        "--variant", peer.variant, "--candidates", str(candidates),
    ], options)
    found = [line.split() for line in candidates.read_text().splitlines()]
    return json.loads(output.splitlines()[-1]) | {"found": found}


def start(command, options):
    done = subprocess.run(["taskset", "-c", options.core, *command], stdout=subprocess.PIPE, env=ENVIRONMENT, text=True)
    if done.returncode != 0:
        raise PeerFailed(f"exit code {done.returncode}")
    return done.stdout


def score(found, truth):
    """Recall, in all and by resemblance, and the returned documents that are no copies."""
    hits = {low: [] for low in RESEMBLANCES}
    false = 0
    for key, *candidates in found:
        group, resemblance = truth[key]
        others = [candidate for candidate in candidates if candidate != key]
        related = sum(truth[candidate][0] == group for candidate in others)
        false += len(others) - related
        if resemblance is not None and resemblance >= NEAR:
            hits[max(low for low in RESEMBLANCES if low <= resemblance)].append(related > 0)
    together = [hit for part in hits.values() for hit in part]
    return {"recall": share(together), "near_copies": len(together), "false_candidates": false,
            "recall_by_resemblance": {str(low): share(part) for low, part in hits.items()}}


def share(hits):
    return sum(hits) / len(hits) if hits else None


def compare(rows):
    """How many times as much each row takes as firstcopy's with the same promise."""
    ours = {row["peer"]: row for row in rows if row["peer"] in OURS}
    for row in rows:
        is_relaxed = row["peer"].endswith("everysec")
        same = None if row["peer"] in OURS else ours.get(SYNCED_EVERY_SECOND if is_relaxed else SYNCED)
        for name in ("check_insert_cpu_us", "total_cpu_us", "p99_ms"):
            row[f"firstcopy_is_faster_by_{name}"] = row[name] / same[name] if same else None


COLUMNS = {
    "peer": lambda row: row["peer"],
    "version": lambda row: row["version"],
    "documents": lambda row: f"{row['documents']:,}",
    "measured": lambda row: f"{row.get('measured', row['documents']):,}",
    "survives a restart": lambda row: "yes" if row["survives_restart"] else "no",
    "CPU µs, check + insert": lambda row: f"{row['check_insert_cpu_us']:,.0f}",
    "CPU µs, in all": lambda row: f"{row['total_cpu_us']:,.0f}",
    "p50 ms": lambda row: f"{row['p50_ms']:.2f}",
    "p99 ms": lambda row: f"{row['p99_ms']:.2f}",
    "recall": lambda row: number(row["recall"], "{:.3f}"),
    "false": lambda row: f"{row['false_candidates']:,}",
    "MB": lambda row: f"{row['bytes'] / 1e6:,.1f}",
    "reopen s": lambda row: number(row["reopen_seconds"], "{:.3f}"),
    "recall after": lambda row: number(row["recall_after_restart"], "{:.3f}"),
    "firstcopy is faster: check + insert": lambda row: times(row, "check_insert_cpu_us"),
    "CPU in all": lambda row: times(row, "total_cpu_us"),
    "p99": lambda row: times(row, "p99_ms"),
    "goal": lambda row: f"{GOAL}x" if row["survives_restart"] and row["peer"] not in OURS else "-",
}


def number(value, form):
    return "-" if value is None else form.format(value)


def times(row, name):
    return number(row[f"firstcopy_is_faster_by_{name}"], "{:.1f}x")


def table(rows, summary):
    lines = [list(COLUMNS), ["---"] + ["---:"] * (len(COLUMNS) - 1)]
    lines += [[cell(row) for cell in COLUMNS.values()] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    title = (f"\n{summary['documents']:,} documents, {summary['bytes'] / 1e6:.1f} MB; {summary['near_copies']:,} copies of a "
             f"resemblance of {NEAR} and more; {summary['source']}\n")
    return "\n".join([title, *drawn])


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
