"""Compares every pair of pages with every peer on one core and prints the table.

firstcopy and the Rust crates beside it are measured by `firstcopy-bench metrics --what speed` on the same pairs, the Python
peers here, round by round: every peer gets a pair before any gets it again. Times are CPU time of the process, from words as
strings to what is common; the best round counts, because a busy machine only ever adds to it. Reading the pages is not
counted, nor is splitting them into words, except where a peer takes texts.

Only firstcopy, rapidfuzz and those of the Rust crates that say so look for a longest common subsequence; "short" is by how
many words a peer's is shorter. web-monitoring-diff compares characters, so it has no such number.
"""

import argparse
import dataclasses
import difflib
import importlib.metadata
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
import typing

FIRSTCOPY = "firstcopy"
# CPU seconds of a peer on one pair after which it gets no further round; and after which it gets no larger pair of the kind.
ENOUGH, TOO_LONG = 2.0, 20.0


@dataclasses.dataclass
class Pair:
    """Two pages, as words and as texts."""

    language: str
    edit: str
    words: int
    before: str
    after: str
    before_words: list = dataclasses.field(default_factory=list)
    after_words: list = dataclasses.field(default_factory=list)


class Peer(typing.NamedTuple):
    """One row: how it compares a pair, telling how many words are common if it can, and how many words it is asked for."""

    name: str
    version: str
    compare: typing.Callable
    most_words: int


def main():
    options = parse_arguments()
    os.sched_setaffinity(0, {int(options.core)})
    rows, memory = firstcopy_rows(options)
    longest = {key(row): row["common_words"] for row in rows if row["contender"] == FIRSTCOPY}
    peers, left_out = wanted_peers(options)
    rows += python_rows(peers, read_pairs(options.pages), longest, options)
    compare_with_firstcopy(rows)
    print(table(rows, left_out, memory))
    report = {"rounds": options.rounds, "rows": rows, "memory": memory, "left_out": left_out}
    options.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=pathlib.Path, help="folder that `firstcopy-bench metrics --pairs` wrote")
    parser.add_argument("--firstcopy", type=pathlib.Path, required=True, help="the firstcopy-bench binary")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of real text")
    parser.add_argument("--peers", help="how the names of the wanted ones begin, separated by commas; all without it")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--most-words", help="only pages of at most so many words")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--core", default="0")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def is_wanted(name, options):
    return options.peers is None or name.startswith(tuple(options.peers.split(",")))


def firstcopy_rows(options):
    """What firstcopy's own benchmark says: the rows of all contenders, and the memory of the largest pairs."""
    if not is_wanted(FIRSTCOPY, options):
        return [], []
    command = [str(options.firstcopy), "metrics", "--what", "speed", "--json", "--data", str(options.data)]
    command += ["--quick"] if options.quick else []
    command += ["--most-words", options.most_words] if options.most_words else []
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    return [row for row in rows if "contender" in row], [row for row in rows if "contender" not in row]


def wanted_peers(options):
    """Those that are asked for and installed, and of the others why they have no row."""
    peers, left_out = [], {}
    for package, of_package in (("rapidfuzz", rapidfuzz), ("difflib", standard_library), ("web-monitoring-diff", web_monitoring)):
        if not is_wanted(package, options):
            continue
        try:
            peers.extend(of_package())
        except ImportError as error:
            left_out[package] = str(error)
    return peers, left_out


def rapidfuzz():
    from rapidfuzz.distance import LCSseq

    def similarity(pair):
        return LCSseq.similarity(pair.before_words, pair.after_words)

    def opcodes(pair):
        found = LCSseq.opcodes(pair.before_words, pair.after_words)
        return sum(code.src_end - code.src_start for code in found if code.tag == "equal")

    version = importlib.metadata.version("rapidfuzz")
    yield Peer("rapidfuzz, LCSseq.similarity: the length only", version, similarity, 100_000)
    yield Peer("rapidfuzz, LCSseq.opcodes", version, opcodes, 100_000)


def standard_library():
    def matching_blocks(pair):
        matcher = difflib.SequenceMatcher(None, pair.before_words, pair.after_words, autojunk=False)
        return sum(block.size for block in matcher.get_matching_blocks())

    version = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    # Its time grows with the square of the words, and for repeated words faster.
    yield Peer("difflib, SequenceMatcher", version, matching_blocks, 8_192)


def web_monitoring():
    from web_monitoring_diff.basic_diffs import compute_dmp_diff

    def text_diff(pair):
        compute_dmp_diff(pair.before, pair.after)

    version = importlib.metadata.version("web-monitoring-diff")
    yield Peer("web-monitoring-diff, compute_dmp_diff, at most 4 s", version, text_diff, 100_000)


def read_pairs(folder):
    """From the smallest to the largest, with words split as `firstcopy-bench` joined them."""
    pairs = []
    for path in folder.glob("*.before.txt"):
        language, edit, words = path.name.removesuffix(".before.txt").split("-")
        after = path.with_name(path.name.replace(".before.", ".after."))
        pairs.append(Pair(language, edit, int(words), path.read_text(), after.read_text()))
    for pair in pairs:
        pair.before_words, pair.after_words = pair.before.split(" "), pair.after.split(" ")
    return sorted(pairs, key=lambda pair: (pair.words, pair.language, pair.edit))


def python_rows(peers, pairs, longest, options):
    too_slow = set()
    for pair in pairs:
        say(f"{pair.language} {pair.edit} {pair.words}")
        asked = [peer for peer in peers
                 if pair.words <= peer.most_words and (peer.name, pair.language, pair.edit) not in too_slow]
        seconds, common = rounds(asked, pair, options.rounds)
        too_slow |= {(peer.name, pair.language, pair.edit) for peer in asked if min(seconds[peer.name]) > TOO_LONG}
        for peer in peers:
            yield row(peer, pair, seconds.get(peer.name), common.get(peer.name), longest)


def rounds(peers, pair, count):
    seconds, common = {peer.name: [] for peer in peers}, {}
    for _ in range(count):
        for peer in peers:
            if sum(seconds[peer.name]) < ENOUGH:
                start = time.process_time()
                common[peer.name] = peer.compare(pair)
                seconds[peer.name].append(time.process_time() - start)
    return seconds, common


def row(peer, pair, seconds, common, longest):
    """The fields that `firstcopy-bench metrics --what speed` has, too."""
    best = longest.get((pair.language, pair.edit, pair.words))
    short = None if common is None or best is None else best - common
    return {
        "language": pair.language, "edit": pair.edit, "words": pair.words, "contender": peer.name, "version": peer.version,
        "rounds": len(seconds) if seconds else "skipped", "best_ms": min(seconds) * 1e3 if seconds else None,
        "median_ms": statistics.median(seconds) * 1e3 if seconds else None, "common_words": common, "words_short": short,
        "longest": None if short is None else "yes" if short == 0 else "no",
    }


def key(row):
    return row["language"], row["edit"], row["words"]


def compare_with_firstcopy(rows):
    ours = {key(row): row["best_ms"] for row in rows if row["contender"] == FIRSTCOPY}
    for row in rows:
        own, best = ours.get(key(row)), row["best_ms"]
        row["times_firstcopy"] = best / own if own and best else None


def table(rows, left_out, memory):
    """A Markdown table, pair by pair."""
    head = ["language", "edit", "words", "contender", "best ms", "median ms", "times firstcopy", "words short", "longest"]
    lines = [cells(row) for row in sorted(rows, key=lambda row: (row["words"], row["edit"], row["language"]))]
    lines = [head, ["---"] * len(head), *lines]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    notes = [f"{name} is left out: {reason}" for name, reason in left_out.items()]
    notes += [f"firstcopy, all six metrics, {row['language']}, {row['words']} unrelated words: {row['seconds']:.2f} s, "
              f"{row['peak_MB_more_than_before'] or 0:.0f} MB" for row in memory]
    return "\n".join([*drawn, "", *notes])


def cells(row):
    if row["best_ms"] is None:
        return [row["language"], row["edit"], str(row["words"]), row["contender"], "skipped", "-", "-", "-", "-"]
    times, short = row["times_firstcopy"], row["words_short"]
    return [
        row["language"], row["edit"], str(row["words"]), row["contender"], f"{row['best_ms']:.2f}", f"{row['median_ms']:.2f}",
        f"{times:.2f}" if times else "-", "-" if short is None else str(short), row["longest"] or "-",
    ]


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
