"""Runs every peer of the copied passages on one corpus, on two cores, scores the passages it reports and prints the table.

Each peer is a process of its own, or two one after the other, in an empty folder of its own, under the clustering's
`stopwatch.py`: what it takes is that of the whole process and of all its children. The repetitions are interleaved and the
best of them counts: a busy machine only ever adds to CPU time. sim_text and jscpd find the documents as files in a folder,
which were written before the clock runs; firstcopy reads the corpus itself, and what `sources build` and `copies` take is
added up.

A passage is found if the places reported for its pair of documents cover at least half of it in the receiver. Which of
the two is the receiver no peer can know, so either order will do. A reported passage is false if its documents are no such
pair or if it has nothing of the passage in it. It is exact if all four offsets are those that were planted.
"""

import argparse
import collections
import dataclasses
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

HERE = pathlib.Path(__file__).resolve().parent
FIRSTCOPY = "firstcopy"
# In a peer's command, these words stand for the paths of what it reads and of what it writes.
CORPUS, DOCUMENTS, SOURCES, REPORT = "CORPUS", "DOCUMENTS", "SOURCES", "REPORT"
# The shortest run that counts, per language: shorter ones report phrases that many documents have in common, longer ones
# miss passages. In Japanese, what stands between two spaces or ASCII marks is one word to sim_text.
SIM_TEXT_WORDS = {"en": 20, "ko": 20, "ja": 6}
JSCPD_TOKENS = {"en": 22, "ko": 22, "ja": 15}
SIM_TEXT_RUN = re.compile(r"(\w+)\.txt: line (\d+)-(\d+)\s*\|\S*?(\w+)\.txt: line (\d+)-(\d+)\s*\[\d+\]")


class Place(typing.NamedTuple):
    """Part of a document, in characters."""

    document: str
    start: int
    end: int


@dataclasses.dataclass
class Step:
    """One command of a peer, and the exit codes that mean that it did its work."""

    name: str
    command: list
    exit_codes: tuple = (0,)


@dataclasses.dataclass
class Peer:
    """One row: its steps, how its report is read as pairs of places, and in what unit it says where they are."""

    name: str
    version: str
    steps: list
    read_report: typing.Callable
    offsets: str


class PeerFailed(Exception):
    """A peer's process ended without a report."""


def main():
    options = parse_arguments()
    summary = json.loads(options.corpus.with_suffix(".summary.json").read_text())
    texts, truth = read_texts(options.corpus), read_truth(options.corpus)
    log(options).unlink(missing_ok=True)
    peers = wanted(summary["language"], options)
    runs, left_out = measure(peers, texts, options)
    rows = [row(peer, runs[peer.name], truth) for peer in peers if peer.name not in left_out]
    compare(rows)
    print(table(rows, left_out, summary, options))
    report = {"corpus": summary, "cores": options.cores, "repetitions": options.repetitions, "rows": rows,
              "left_out": left_out}
    options.json.write_text(json.dumps(report, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--npm", type=pathlib.Path, required=True, help="folder of node_modules")
    parser.add_argument("--firstcopy", type=pathlib.Path, help="the firstcopy binary, once it has `copies`")
    parser.add_argument("--peers", help="how the names of the wanted ones begin, separated by commas; all without it")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def read_texts(corpus):
    with corpus.open() as lines:
        return {record["id"]: record["text"] for record in map(json.loads, lines)}


def read_truth(corpus):
    """Of every planted passage, by its receiver and its source: where it stands in them."""
    with corpus.with_suffix(".truth.jsonl").open() as lines:
        passages = [json.loads(line) for line in lines]
    return {(passage["id"], passage["source"]): own_and_source(passage["id"], passage) for passage in passages}


def own_and_source(document, passage):
    """A passage in the words of `copies`: its place in the document and that in its source."""
    return (Place(document, passage["start"], passage["end"]),
            Place(passage["source"], passage["source_start"], passage["source_end"]))


def wanted(language, options):
    beginnings = tuple(options.peers.split(",")) if options.peers else ("",)
    peers = [*firstcopy(options), sim_text(language), jscpd(language, options)]
    return [peer for peer in peers if peer.name.startswith(beginnings)]


def firstcopy(options):
    """Every document is asked about, and every one is a source; none is its own."""
    if options.firstcopy:
        build = [options.firstcopy, "sources", "build", CORPUS, "-o", SOURCES]
        copies = [options.firstcopy, "copies", CORPUS, "--sources", SOURCES, "--json"]
        # It ends with 1 to say that there are copies.
        steps = [Step("sources build", build), Step("copies", into_report(copies), (0, 1))]
        yield Peer(FIRSTCOPY, "this tree", steps, read_firstcopy, "characters")


def into_report(command):
    """The stopwatch takes what a command prints for itself; the shell that is put before it becomes the command."""
    return ["sh", "-c", 'exec "$@" >"$0"', REPORT, *command]


def read_firstcopy(report, _texts):
    with report.open() as lines:
        for document in map(json.loads, lines):
            for passage in document["passages"]:
                yield own_and_source(document["id"], passage)


def sim_text(language):
    """No document is compared with itself (-s), and runs are told by their lines, without their text (-n, -T)."""
    command = ["sim_text", "-R", "-s", "-n", "-T", "-r", str(SIM_TEXT_WORDS[language]), "-o", REPORT, DOCUMENTS]
    return Peer("sim_text", debian_version("similarity-tester"), [Step("sim_text", command)], read_sim_text, "lines")


def debian_version(package):
    try:
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return asked.stdout or None


def read_sim_text(report, texts):
    """It knows lines only, so a place is all of them."""
    for one, first, last, other, other_first, other_last in SIM_TEXT_RUN.findall(report.read_text()):
        yield lines_place(one, first, last, texts), lines_place(other, other_first, other_last, texts)


def lines_place(document, first, last, texts):
    ends = list(itertools.accumulate(len(line) + 1 for line in texts[document].split("\n")))
    return Place(document, [0, *ends][int(first) - 1], ends[int(last) - 1] - 1)


def jscpd(language, options):
    """The program that its npm package starts with Node.js; a run may be within one line (-l 0)."""
    program = next(options.npm.resolve().glob("node_modules/jscpd-*/bin/jscpd"), None)
    tokens = str(JSCPD_TOKENS[language])
    command = [program, DOCUMENTS, "-f", "txt", "-k", tokens, "-l", "0", "-r", "json", "-o", REPORT, "-s", "--no-gitignore"]
    return Peer("jscpd", program and npm_version(program), [Step("jscpd", command)], read_jscpd, "bytes")


def npm_version(program):
    return json.loads((program.parent.parent / "package.json").read_text())["version"]


def read_jscpd(report, texts):
    for clone in json.loads((report / "jscpd-report.json").read_text())["duplicates"]:
        yield bytes_place(clone["firstFile"], texts), bytes_place(clone["secondFile"], texts)


def bytes_place(file, texts):
    document = pathlib.PurePath(file["name"]).stem
    text = texts[document].encode()
    start, end = (len(text[:file[edge]["position"]].decode(errors="ignore")) for edge in ("startLoc", "endLoc"))
    return Place(document, start, end)


def measure(peers, texts, options):
    """All runs of every peer, by its name, and why those are left out that failed."""
    runs, left_out = {}, {}
    with tempfile.TemporaryDirectory(prefix="passages-") as folder:
        documents = pathlib.Path(folder)
        for name, text in texts.items():
            (documents / f"{name}.txt").write_text(text + "\n")
        for repetition, peer in itertools.product(range(options.repetitions), peers):
            if peer.name in left_out:
                continue
            say(f"repetition {repetition + 1} of {options.repetitions}: {peer.name}")
            try:
                runs.setdefault(peer.name, []).append(run(peer, documents, texts, options))
            except PeerFailed as error:
                say(f"{peer.name} does not run, its row is left out: {error}")
                left_out[peer.name] = str(error)
    return runs, left_out


def run(peer, documents, texts, options):
    """What its steps took, one by one, and the pairs of places that it reported."""
    if peer.version is None:
        raise PeerFailed("not installed")
    with tempfile.TemporaryDirectory(prefix="passages-") as folder:
        folder = pathlib.Path(folder)
        paths = {CORPUS: options.corpus.resolve(), DOCUMENTS: documents, SOURCES: folder / "sources",
                 REPORT: folder / "report"}
        took = {step.name: start(step, paths, folder, options) for step in peer.steps}
        if not paths[REPORT].exists():
            raise PeerFailed("it wrote no report")
        return {"steps": took, "reported": list(peer.read_report(paths[REPORT], texts))}


def start(step, paths, folder, options):
    """Runs a step on the chosen cores; what it says goes to a log beside the results."""
    command = [paths.get(word, word) for word in step.command]
    stopwatch = HERE.parent / "clustering/stopwatch.py"
    with log(options).open("a") as said:
        done = subprocess.run(["taskset", "-c", options.cores, sys.executable, stopwatch, *command],
                              stdout=subprocess.PIPE, stderr=said, cwd=folder)
    took = json.loads(done.stdout) if done.returncode == 0 else {"exit_code": "none"}
    if took.pop("exit_code") not in step.exit_codes:
        raise PeerFailed(f"see {log(options)}")
    return took


def log(options):
    return options.json.with_suffix(".log")


def row(peer, runs, truth):
    best = min(runs, key=cpu_seconds)
    steps = best["steps"].values()
    return {
        "peer": peer.name, "version": peer.version, "offsets": peer.offsets, "cpu_seconds": cpu_seconds(best),
        "all_cpu_seconds": list(map(cpu_seconds, runs)), "wall_seconds": sum(step["wall_seconds"] for step in steps),
        "peak_bytes": max(step["peak_bytes"] for step in steps), "steps": best["steps"],
    } | score(best["reported"], truth)


def cpu_seconds(run):
    return sum(step["cpu_seconds"] for step in run["steps"].values())


def score(reported, truth):
    """How many of the planted passages were found, and how many with their exact places; and what else was reported."""
    covered, exact, false = collections.defaultdict(set), set(), 0
    for places in reported:
        places = receiver_first(places, truth)
        pair = places[0].document, places[1].document
        common = overlap(places[0], truth[pair][0]) if pair in truth else ()
        false += not common
        covered[pair].update(common)
        if places == truth.get(pair):
            exact.add(pair)
    found = sum(2 * len(covered[pair]) >= own.end - own.start for pair, (own, _) in truth.items())
    return {"passages": len(truth), "reported": len(reported), "found": found, "false": false, "exact": len(exact)}


def receiver_first(places, truth):
    return places if (places[0].document, places[1].document) in truth else places[::-1]


def overlap(one, other):
    return range(max(one.start, other.start), min(one.end, other.end))


def compare(rows):
    """How many times firstcopy's CPU time each row takes."""
    ours = next((row for row in rows if row["peer"] == FIRSTCOPY), None)
    for row in rows:
        row["times_firstcopys_cpu"] = row["cpu_seconds"] / ours["cpu_seconds"] if ours and row is not ours else None


COLUMNS = {
    "peer": lambda row: row["peer"],
    "version": lambda row: row["version"],
    "CPU-s": lambda row: f"{row['cpu_seconds']:.2f}",
    "spread": lambda row: f"+{max(row['all_cpu_seconds']) / row['cpu_seconds'] - 1:.0%}",
    "wall-s": lambda row: f"{row['wall_seconds']:.2f}",
    "peak MB": lambda row: f"{row['peak_bytes'] / 1e6:,.0f}",
    "found": lambda row: f"{row['found']:,} of {row['passages']:,}",
    "false": lambda row: f"{row['false']:,}",
    "source named": lambda row: "yes",
    "offsets": lambda row: row["offsets"],
    "exact": lambda row: f"{row['exact']:,}",
    "times firstcopy's CPU": lambda row: times(row["times_firstcopys_cpu"]),
}


def times(factor):
    return "-" if factor is None else f"{factor:.2f}"


def table(rows, left_out, summary, options):
    lines = [list(COLUMNS), ["---"] + ["---:"] * (len(COLUMNS) - 1)]
    lines += [[cell(row) for cell in COLUMNS.values()] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    title = (f"\n{summary['language']}: {summary['documents']:,} documents, {summary['bytes'] / 1e6:.1f} MB of text; "
             f"{summary['passages']:,} copied passages; {summary['source']}; best of {options.repetitions} interleaved "
             f"repetitions\n")
    steps = [steps_of(row) for row in rows if len(row["steps"]) > 1]
    return "\n".join([title, *drawn, "", *steps, *(f"left out: {name} ({reason})" for name, reason in left_out.items())])


def steps_of(row):
    took = (f"{name} {step['cpu_seconds']:.2f} CPU-s, {step['wall_seconds']:.2f} wall-s, {step['peak_bytes'] / 1e6:,.0f} MB"
            for name, step in row["steps"].items())
    return f"{row['peer']}: " + "; ".join(took)


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
