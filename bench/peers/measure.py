"""Runs every peer on one corpus, one after the other on one core, and prints the table.

Each peer is a process of its own. It reports the CPU seconds of its work, from opening the corpus to the last
minimum; what the whole process took, with interpreter and imports, is read from wait4 and printed beside it.
The repetitions are interleaved and the best of them counts: a busy machine only ever adds to CPU time.
"""

import argparse
import dataclasses
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SINGLE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}
# String hashes differ from run to run otherwise, and with them the layout of Python's tables.
ENVIRONMENT = os.environ | SINGLE_THREAD | {"PYTHONHASHSEED": "0"}
FIRSTCOPY = "firstcopy"


@dataclasses.dataclass
class Peer:
    """One row of the table: how it is started, and how many times as fast firstcopy means to be."""

    name: str
    version: str
    command: list
    goal: int | None = None
    shingles: int | None = None
    documents: int | None = None
    cpu_seconds: list = dataclasses.field(default_factory=list)
    process_seconds: list = dataclasses.field(default_factory=list)


def main():
    options = parse_arguments()
    summary = json.loads(options.corpus.with_suffix(".summary.json").read_text())
    peers = [peer for peer in all_peers(options) if warmed_up(peer, options)]
    for repetition in range(options.repetitions):
        for peer in peers:
            say(f"repetition {repetition + 1} of {options.repetitions}: {peer.name}")
            report, process_seconds = start(peer.command, options)
            peer.documents = report["documents"]
            peer.cpu_seconds.append(report["cpu_seconds"])
            peer.process_seconds.append(process_seconds)
    rows = results(peers, summary)
    print(table(rows, summary, options))
    options.json.write_text(json.dumps({"corpus": summary, "repetitions": options.repetitions, "rows": rows}, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--rust", type=pathlib.Path, required=True, help="folder of the Rust peers, portable build")
    parser.add_argument("--rust-native", type=pathlib.Path, required=True, help="the same, built for this CPU")
    parser.add_argument("--firstcopy", type=pathlib.Path, help="the firstcopy-bench binary, once it has `minima`")
    parser.add_argument("--peers", help="how the names of the wanted ones begin, separated by commas; all without it")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--core", default="0")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def all_peers(options):
    wanted = tuple(options.peers.split(",")) if options.peers else ("",)
    peers = [*rust_peers(options), *python_peers(options)]
    return [*firstcopy(options), *(peer for peer in peers if peer.name.startswith(wanted))]


def firstcopy(options):
    if options.firstcopy is None:
        return []
    minima = [str(options.firstcopy), "minima", str(options.corpus)]
    return [
        Peer(FIRSTCOPY, "this tree", [*minima, "--shingle-words", "5", "--permutations", "128"]),
        Peer("firstcopy, its own 10 words, 84 minima, sketch, digest", "this tree", [*minima, "--ours"]),
    ]


def rust_peers(options):
    locked = tomllib.loads((HERE / "rust/Cargo.lock").read_text())["package"]
    versions = {package["name"]: package["version"] for package in locked}
    for name, goal in (("txtfp", 3), ("gaoya", 8)):
        for label, folder in ((name, options.rust), (f"{name}, built for this CPU", options.rust_native)):
            yield Peer(label, versions[name], [str(folder / name), str(options.corpus)], goal)


def python_peers(options):
    for label, package, script, goal in (
        ("gaoya, Python", "gaoya", "gaoya_index", 8),
        ("rensa", "rensa", "rensa_rminhash", 8),
        ("FastSketchLSH", "FastSketchLSH", "fastsketchlsh", 8),
        ("datasketch, FarmHash", "datasketch", "datasketch_farmhash", 20),
        ("datasketch", "datasketch", "datasketch_sha1", 20),
    ):
        command = [sys.executable, str(HERE / f"python/{script}.py"), str(options.corpus)]
        yield Peer(label, installed_version(package), command, goal)


def installed_version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def warmed_up(peer, options):
    """Runs a peer once, unmeasured, to count its shingles; one that cannot even do that loses its row."""
    # firstcopy counts its shingles as it goes.
    count = [] if peer.name.startswith(FIRSTCOPY) else ["--count"]
    say(f"warming up: {peer.name}")
    try:
        peer.shingles = start([*peer.command, *count], options)[0].get("shingles")
    except PeerFailed as error:
        say(f"{peer.name} ({peer.version}) does not run, its row is left out: {error}")
        return False
    return True


class PeerFailed(Exception):
    """A peer's process ended without a report."""


def start(command, options):
    """Runs one process on the chosen core; returns its report and the CPU seconds of all of it."""
    process = subprocess.Popen(["taskset", "-c", options.core, *command], stdout=subprocess.PIPE, env=ENVIRONMENT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise PeerFailed(f"exit code {process.returncode}")
    return json.loads(output.splitlines()[-1]), usage.ru_utime + usage.ru_stime


def results(peers, summary):
    """The rows as plain values, with the speeds that follow from the best repetitions."""
    rows = [
        {
            "peer": peer.name, "version": peer.version, "documents": peer.documents, "shingles": peer.shingles,
            "megabytes": summary["bytes"] / 1e6, "cpu_seconds": min(peer.cpu_seconds), "goal": peer.goal,
            "all_cpu_seconds": peer.cpu_seconds, "process_cpu_seconds": min(peer.process_seconds),
        }
        for peer in peers
    ]
    ours = next((row for row in rows if row["peer"] == FIRSTCOPY), None)
    for row in rows:
        row["megabytes_per_second"] = row["megabytes"] / row["cpu_seconds"]
        row["firstcopy_is_faster_by"] = row["cpu_seconds"] / ours["cpu_seconds"] if ours else None
    return rows


def table(rows, summary, options):
    """A Markdown table; `goal` is what firstcopy means to reach, and in MB/s what that comes to here."""
    head = ["peer", "version", "documents", "shingles", "MB", "CPU-s", "spread", "process CPU-s", "MB/s",
            "firstcopy is faster", "goal", "goal in MB/s"]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    title = (f"\n{summary['language']}: {summary['source']}; {summary['ascii_share']:.0%} of the documents pure ASCII; "
             f"best of {options.repetitions} interleaved repetitions\n")
    return "\n".join([title, *drawn])


def cells(row):
    faster, goal = row["firstcopy_is_faster_by"], row["goal"]
    spread = max(row["all_cpu_seconds"]) / row["cpu_seconds"] - 1
    return [
        row["peer"], row["version"], str(row["documents"]), str(row["shingles"] or "-"), f"{row['megabytes']:.1f}",
        f"{row['cpu_seconds']:.2f}", f"+{spread:.0%}", f"{row['process_cpu_seconds']:.2f}",
        f"{row['megabytes_per_second']:.1f}", f"{faster:.2f}x" if faster and goal else "-",
        f"{goal}x" if goal else "-", f"{goal * row['megabytes_per_second']:.0f}" if goal else "-",
    ]


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
