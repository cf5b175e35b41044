"""Runs every peer of the clustering on one corpus, one after the other on two cores, scores its clusters and prints the table.

Each peer is a process of its own, in an empty folder of its own, under `stopwatch.py`: what it takes is that of the whole
process and of all its children, interpreter and imports included. The slow ones read the beginning of the corpus only.
Recall is the share of the copies that are in one cluster with their original; a false pair is two documents in one
cluster that are not of one group, an original with its copies.
"""

import argparse
import collections
import dataclasses
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
# String hashes differ from run to run otherwise. Nothing may be looked up on the network while the clock runs.
ENVIRONMENT = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(HERE.parent / "python"), "LANCE_LOG": "error",
                            "HF_HUB_OFFLINE": "1"}
FIRSTCOPY = "firstcopy"
# In a peer's command, these words stand for the paths of what it reads and of what it writes.
CORPUS, CLUSTERS = "CORPUS", "CLUSTERS"
# firstcopy's CPU time is to be at most one part in so many of the peer's.
GOALS = {"txtfp": 3, "gaoya": 5, "rensa": 5, "duplodocus": 10, "text-dedup": 30, "datatrove": 30}
UNMEASURED = {"duplodocus": "not on the registries"}


@dataclasses.dataclass
class Peer:
    """One row; one that takes too long for the whole corpus reads only so many documents."""

    name: str
    package: str
    version: str
    command: list
    most_documents: float = math.inf


class PeerFailed(Exception):
    """A peer's process ended without clusters."""


def main():
    options = parse_arguments()
    summary = json.loads(options.corpus.with_suffix(".summary.json").read_text())
    truth = read_truth(options.corpus)
    rows, left_out = [], dict(UNMEASURED)
    log(options).unlink(missing_ok=True)
    for peer in wanted(options):
        say(f"measuring {peer.name}")
        try:
            rows.append(measure(peer, summary["documents"], truth, options))
        except PeerFailed as error:
            say(f"{peer.name} does not run, its row is left out: {error}")
            left_out[peer.name] = str(error)
    compare(rows)
    print(table(rows, left_out, summary))
    report = {"corpus": summary, "goals": GOALS, "cores": options.cores, "rows": rows, "left_out": left_out}
    options.json.write_text(json.dumps(report, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--rust", type=pathlib.Path, required=True, help="folder of the Rust peers, portable build")
    parser.add_argument("--rust-native", type=pathlib.Path, required=True, help="the same, built for this CPU")
    parser.add_argument("--venvs", type=pathlib.Path, required=True, help="folder of venv-text-dedup and venv-datatrove")
    parser.add_argument("--firstcopy", type=pathlib.Path, help="the firstcopy binary, once it has `cluster`")
    parser.add_argument("--peers", help="how the names of the wanted ones begin, separated by commas; all without it")
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def read_truth(corpus):
    """Of every copy, by its number from 0: the number of its original and how many of its words were replaced."""
    with corpus.with_suffix(".truth.jsonl").open() as lines:
        return {number(copy["id"]): (number(copy["copy_of"]), copy["words"]) for copy in map(json.loads, lines)}


def number(name):
    """d1, the first document, is number 0."""
    return int(name.removeprefix("d")) - 1


def wanted(options):
    beginnings = tuple(options.peers.split(",")) if options.peers else ("",)
    peers = [*firstcopy(options), *rust_peers(options), *python_peers(options)]
    return [peer for peer in peers if peer.name.startswith(beginnings)]


def firstcopy(options):
    if options.firstcopy:
        task = ["--shingle-words", "5", "--threshold", "0.7", "--quiet"]
        yield Peer(FIRSTCOPY, FIRSTCOPY, "this tree", [options.firstcopy, "cluster", CORPUS, "-o", CLUSTERS, *task])


def rust_peers(options):
    locked = tomllib.loads((HERE.parent / "rust/Cargo.lock").read_text())["package"]
    versions = {package["name"]: package["version"] for package in locked}
    for name in ("txtfp", "gaoya"):
        for label, folder in ((name, options.rust), (f"{name}, built for this CPU", options.rust_native)):
            yield Peer(label, name, versions[name], [folder / f"cluster-{name}", CORPUS, CLUSTERS])


def python_peers(options):
    apart = {name: options.venvs / f"venv-{name}/bin/python" for name in ("text-dedup", "datatrove")}
    for name, package, script, most_documents in (
        ("rensa", "rensa", "rensa_deduplicator", math.inf),
        ("datasketch", "datasketch", "datasketch_lsh", math.inf),
        ("Lance", "pylance", "lance_index", math.inf),
        ("text-dedup", "text-dedup", "text_dedup_minhash", math.inf),
        ("datatrove", "datatrove", "datatrove_minhash", 5_000),
    ):
        python = apart.get(package, sys.executable)
        command = [python, HERE / f"{script}.py", CORPUS, CLUSTERS]
        yield Peer(name, package, installed_version(python, package), command, most_documents)


def installed_version(python, package):
    ask = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    try:
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.strip() or None


def measure(peer, documents, truth, options):
    if peer.version is None:
        raise PeerFailed("not installed")
    documents = min(documents, peer.most_documents)
    with tempfile.TemporaryDirectory(prefix="clustering-") as folder:
        paths = {CORPUS: pathlib.Path(folder) / "corpus.jsonl", CLUSTERS: pathlib.Path(folder) / "clusters"}
        copy_beginning(options.corpus, documents, paths[CORPUS])
        took = start([paths.get(word, word) for word in peer.command], pathlib.Path(folder) / "work", options)
        clusters = read_clusters(paths[CLUSTERS])
    if len(clusters) != documents:
        raise PeerFailed(f"{len(clusters)} of {documents} documents in its clusters")
    return {"peer": peer.name, "version": peer.version, "documents": documents, "goal": GOALS.get(peer.package)} | took | {
        "documents_per_cpu_second": documents / took["cpu_seconds"]} | score(clusters, truth)


def copy_beginning(corpus, documents, path):
    """Writes the first documents of the corpus to a file of their own, which also brings them into the page cache."""
    with corpus.open("rb") as lines, path.open("wb") as out:
        out.writelines(itertools.islice(lines, documents))


def start(command, folder, options):
    """Runs a command on the chosen cores in an empty folder; what it says goes to a log beside the results."""
    folder.mkdir()
    pinned = ["taskset", "-c", options.cores, sys.executable, HERE / "stopwatch.py", *command]
    with log(options).open("a") as said:
        done = subprocess.run(pinned, stdout=subprocess.PIPE, stderr=said, cwd=folder,
                              env=ENVIRONMENT | {"HF_HOME": str(folder / "hf")})
    took = json.loads(done.stdout) if done.returncode == 0 else {"exit_code": "none"}
    if took.pop("exit_code") != 0:
        raise PeerFailed(f"see {log(options)}")
    return took


def log(options):
    return options.json.with_suffix(".log")


def read_clusters(path):
    """A label per document, in order: a line of a peer's file, or of the members in firstcopy's folder."""
    members = path / "members.jsonl"
    if members.exists():
        with members.open() as lines:
            return [member["cluster"] for member in map(json.loads, lines)]
    if not path.is_file():
        raise PeerFailed("it wrote no clusters")
    return path.read_text().split()


def score(clusters, truth):
    """Recall, in all and by the number of replaced words, and what is in one cluster without belonging there."""
    copies = {copy: found for copy, found in truth.items() if copy < len(clusters)}
    hits = collections.defaultdict(list)
    for copy, (original, words) in copies.items():
        hits[words].append(clusters[copy] == clusters[original])
    groups = [truth.get(document, (document,))[0] for document in range(len(clusters))]
    together, of_one_group = collections.Counter(clusters), collections.Counter(zip(clusters, groups))
    return {
        "copies": len(copies), "recall": share([hit for part in hits.values() for hit in part]),
        "recall_by_words": {words: share(part) for words, part in sorted(hits.items())},
        "false_pairs": pairs(together) - pairs(of_one_group),
    }


def share(hits):
    return sum(hits) / len(hits) if hits else None


def pairs(counts):
    return sum(math.comb(count, 2) for count in counts.values())


def compare(rows):
    """How many times firstcopy's CPU time per document each row takes."""
    ours = next((row for row in rows if row["peer"] == FIRSTCOPY), None)
    for row in rows:
        speed = row["documents_per_cpu_second"]
        row["times_firstcopys_cpu"] = ours["documents_per_cpu_second"] / speed if ours and row is not ours else None


COLUMNS = {
    "peer": lambda row: row["peer"],
    "version": lambda row: row["version"],
    "documents": lambda row: f"{row['documents']:,}",
    "CPU-s": lambda row: f"{row['cpu_seconds']:.2f}",
    "wall-s": lambda row: f"{row['wall_seconds']:.2f}",
    "documents per CPU-s": lambda row: f"{row['documents_per_cpu_second']:,.0f}",
    "peak MB": lambda row: f"{row['peak_bytes'] / 1e6:,.0f}",
    "recall": lambda row: "-" if row["recall"] is None else f"{row['recall']:.4f}",
    "false pairs": lambda row: f"{row['false_pairs']:,}",
    "firstcopy's CPU": lambda row: one_in(row["times_firstcopys_cpu"]),
    "goal": lambda row: one_in(row["goal"]),
}


def one_in(times):
    return "-" if times is None else f"1/{times:.3g}"


def table(rows, left_out, summary):
    lines = [list(COLUMNS), ["---"] + ["---:"] * (len(COLUMNS) - 1)]
    lines += [[cell(row) for cell in COLUMNS.values()] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    title = (f"\n{summary['documents']:,} documents, {summary['bytes'] / 1e6:.1f} MB; {summary['copies']:,} copies of a "
             f"resemblance of {summary['least_resemblance']} and more; {summary['source']}\n")
    return "\n".join([title, *drawn, "", *(without_row(name, reason) for name, reason in left_out.items())])


def without_row(name, reason):
    return f"left out: {name} ({reason})" + (f"; its goal is {one_in(GOALS[name])}" if name in GOALS else "")


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
