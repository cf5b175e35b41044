"""Asks every peer about the same labelled pairs, compares its verdicts with the labels and prints two tables of F1.

The pairs of a set are a file of JSON Lines, `<set>.jsonl`, with `a`, `b`, `is_copy` and firstcopy's own verdict,
`firstcopy`. Each peer is a process of its own. The first table has the verdicts at the peers' usual thresholds, the second
the best F1 that any threshold gives, chosen with the labels at hand.

A set without copies has no F1: its cells are the number of false copies.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIRSTCOPY = "firstcopy"
EVERY_PAIR = "(every pair a copy)"
SETS = ["en_trec", "ja_aozora", "ko_precedent", "installguide_en", "installguide_ja", "installguide_ko", "templates_en",
        "templates_ja", "templates_ko", "reposts", "changes_en", "changes_ja", "changes_ko"]
# Differences in F1 below this are level: in a set of 100 copies, half a pair.
LEVEL = 0.005
# Japanese kana; a set is Japanese if most of its pairs have some.
KANA = re.compile("[\u3041-\u30ff]")


@dataclasses.dataclass
class Peer:
    """One row: the file that calls the peer, and which of its variants."""

    name: str
    script: str
    variant: str
    venv: str = None
    only_japanese: bool = False


PEERS = [
    Peer("datasketch", "datasketch_lsh.py", "words"),
    Peer("datasketch, 5 characters", "datasketch_lsh.py", "characters", only_japanese=True),
    Peer("text-dedup", "text_dedup_minhash.py", "words", venv="venv-text-dedup"),
    Peer("text-dedup, 5 characters", "text_dedup_minhash.py", "characters", venv="venv-text-dedup", only_japanese=True),
    Peer("rensa", "rensa_rminhash.py", "words"),
    Peer("rensa, 5 characters", "rensa_rminhash.py", "characters", only_japanese=True),
    Peer("simhash", "simhash_distance.py", "default features"),
    Peer("simhash, 5 characters", "simhash_distance.py", "characters", only_japanese=True),
    Peer("rapidfuzz ratio", "rapidfuzz_ratio.py", "ratio"),
    Peer("rapidfuzz token_set_ratio", "rapidfuzz_ratio.py", "token_set_ratio"),
]


class PeerFailed(Exception):
    """A peer's process ended without verdicts."""


def main():
    options = parse_arguments()
    sets = {name: read_pairs(name, options) for name in chosen_sets(options)}
    options.log.unlink(missing_ok=True)
    results, left_out = measure(sets, options)
    comparison = {table: compare(results, table) for table in ("default", "best")}
    print(render(sets, results, left_out, comparison))
    options.json.write_text(json.dumps({
        "sets": {name: {"pairs": len(pairs), "copies": count_copies(pairs)} for name, pairs in sets.items()},
        "rows": results, "left_out": left_out, "firstcopy_against_best_peer": comparison}, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=pathlib.Path, help="folder of <set>.jsonl")
    parser.add_argument("--sets", help="names, separated by commas; all without it")
    parser.add_argument("--peers", help="how the names of the wanted rows begin, separated by commas; all without it")
    parser.add_argument("--limit", type=int, help="at most so many pairs of each set, evenly spaced")
    parser.add_argument("--venvs", type=pathlib.Path, required=True, help="folder of the venvs that single peers need")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    options = parser.parse_args()
    # Peers run in a folder of their own.
    options.venvs = options.venvs.absolute()
    options.log = options.json.with_suffix(".log")
    return options


def chosen_sets(options):
    found = {path.stem for path in options.pairs.glob("*.jsonl")}
    wanted = options.sets.split(",") if options.sets else sorted(found, key=lambda name: (set_order(name), name))
    missing = [name for name in wanted if name not in found]
    if missing or not wanted:
        sys.exit(f"no pairs of {', '.join(missing) or 'any set'} in {options.pairs}; found: {', '.join(sorted(found)) or 'none'}")
    return wanted


def set_order(name):
    return SETS.index(name) if name in SETS else len(SETS)


def read_pairs(name, options):
    with (options.pairs / f"{name}.jsonl").open() as lines:
        pairs = [json.loads(line) for line in lines]
    if options.limit and len(pairs) > options.limit:
        pairs = [pairs[i * len(pairs) // options.limit] for i in range(options.limit)]
    return pairs


def count_copies(pairs):
    return sum(pair["is_copy"] for pair in pairs)


def measure(sets, options):
    """Returns, by row and set, how the verdicts compare with the labels; and why rows are left out."""
    results, left_out = {}, {}
    for peer in wanted_peers(options):
        for name, pairs in sets.items():
            if peer.name in left_out or peer.only_japanese and not is_japanese(name, pairs):
                continue
            say(f"{peer.name}: {name}")
            try:
                results.setdefault(peer.name, {})[name] = measure_peer(peer, pairs, options)
            except PeerFailed as error:
                say(f"{peer.name} does not run, its row is left out: {error}")
                left_out[peer.name] = str(error)
                results.pop(peer.name, None)
    if FIRSTCOPY.startswith(beginnings(options)):
        results[FIRSTCOPY] = {name: measure_firstcopy(pairs) for name, pairs in sets.items()}
    results[EVERY_PAIR] = {name: measure_every_pair(pairs) for name, pairs in sets.items()}
    return results, left_out


def beginnings(options):
    return tuple(options.peers.split(",")) if options.peers else ("",)


def wanted_peers(options):
    return [peer for peer in PEERS if peer.name.startswith(beginnings(options))]


def is_japanese(name, pairs):
    if {"ja", "en", "ko"} & set(name.split("_")):
        return "ja" in name.split("_")
    return 2 * sum(bool(KANA.search(pair["b"])) for pair in pairs) > len(pairs)


def measure_peer(peer, pairs, options):
    labels = [pair["is_copy"] for pair in pairs]
    report = judge(peer, pairs, options)
    verdicts = [is_copy for is_copy, _ in report["judgements"]]
    scores = [score for _, score in report["judgements"]]
    default = score_verdicts(verdicts, labels) | {"threshold": report["threshold"]}
    return {"version": report["version"], "default": default, "notes": report["notes"],
            "best": best_threshold(scores, labels, report["higher_is_copy"], default)}


def judge(peer, pairs, options):
    """Runs a peer on the pairs without their labels; what it prints goes to a log beside the results."""
    python = options.venvs / peer.venv / "bin/python" if peer.venv else pathlib.Path(sys.executable)
    if not python.exists():
        raise PeerFailed("not installed")
    with tempfile.TemporaryDirectory(prefix="accuracy-") as folder:
        unlabelled, verdicts = pathlib.Path(folder) / "pairs.jsonl", pathlib.Path(folder) / "verdicts.json"
        unlabelled.write_text("".join(json.dumps({"a": pair["a"], "b": pair["b"]}) + "\n" for pair in pairs))
        command = [python, HERE / peer.script, unlabelled, verdicts, "--variant", peer.variant]
        with options.log.open("a") as log:
            done = subprocess.run(command, stdout=log, stderr=log, cwd=folder)
        if done.returncode or not verdicts.exists():
            raise PeerFailed(f"see {options.log}")
        return json.loads(verdicts.read_text())


def measure_firstcopy(pairs):
    """firstcopy's verdicts come with the pairs. It has no threshold to choose, so both tables have the same figure."""
    scored = score_verdicts([pair["firstcopy"] for pair in pairs], [pair["is_copy"] for pair in pairs])
    return {"version": "this tree", "default": scored, "best": scored}


def measure_every_pair(pairs):
    """The F1 that needs no look at the texts: what a peer must exceed."""
    scored = score_verdicts([True] * len(pairs), [pair["is_copy"] for pair in pairs])
    return {"default": scored, "best": scored}


def score_verdicts(verdicts, labels):
    found = sum(verdict and label for verdict, label in zip(verdicts, labels))
    return score_counts(found, sum(verdicts) - found, sum(labels))


def score_counts(found, false, copies):
    """Precision, recall and F1; those that would divide by zero are null."""
    return {"found": found, "false": false, "copies": copies, "precision": divide(found, found + false),
            "recall": divide(found, copies), "f1": divide(2 * found, found + false + copies) if copies else None}


def divide(numerator, denominator):
    return numerator / denominator if denominator else None


def best_threshold(scores, labels, higher_is_copy, default):
    """Tries every score as the threshold. The default stays if none is better: LSH may happen to decide better."""
    best, copies, found, false = default, sum(labels), 0, 0
    ranked = sorted(zip(scores, labels), reverse=higher_is_copy)
    for i, (score, label) in enumerate(ranked):
        found, false = found + label, false + (not label)
        is_last_of_score = i + 1 == len(ranked) or ranked[i + 1][0] != score
        if is_last_of_score:
            candidate = score_counts(found, false, copies) | {"threshold": score}
            best = max(best, candidate, key=quality)
    return best


def quality(scored):
    """Ranks results of one set: by F1, or where there are no copies, by few false ones."""
    return -scored["false"] if scored["f1"] is None else scored["f1"]


def compare(results, table):
    """For each set: is firstcopy ahead of the best row of any peer, level with it or behind it?"""
    peers = [name for name in results if name not in (FIRSTCOPY, EVERY_PAIR)]
    comparison = {}
    for name, ours in results.get(FIRSTCOPY, {}).items():
        rivals = [(quality(results[peer][name][table]), peer) for peer in peers if name in results[peer]]
        if rivals:
            best, peer = max(rivals, key=lambda rival: rival[0])
            comparison[name] = {"is": position(quality(ours[table]) - best), "best_peer": peer}
    return comparison


def position(difference):
    if abs(difference) < LEVEL:
        return "level"
    return "ahead" if difference > 0 else "behind"


def render(sets, results, left_out, comparison):
    parts = ["", "F1 at the usual thresholds", "", *draw(sets, results, lambda row: cell(row["default"])), "",
             "F1 at the best threshold of each set, chosen with the labels (threshold in brackets)", "",
             *draw(sets, results, lambda row: cell_with_threshold(row["best"])), "",
             *cut_notes(results), *(f"left out: {name} ({reason})" for name, reason in left_out.items())]
    if FIRSTCOPY in results:
        parts += [render_comparison("peers at their best thresholds", comparison["best"]),
                  render_comparison("peers at their usual thresholds", comparison["default"])]
    return "\n".join(parts)


def draw(sets, results, show):
    header = ["row", "version"] + [f"{name} ({count_copies(pairs)} of {len(pairs)})" for name, pairs in sets.items()]
    lines = [header, ["---", "---"] + ["---:"] * len(sets)]
    for row, by_set in results.items():
        version = next((result["version"] for result in by_set.values() if "version" in result), "")
        lines.append([row, version] + [show(by_set[name]) if name in by_set else "-" for name in sets])
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return ["| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |" for line in lines]


def cell(scored):
    return f"{scored['false']} false" if scored["f1"] is None else f"{scored['f1']:.3f}"


def cell_with_threshold(scored):
    return cell(scored) + (f" ({scored['threshold']:.3g})" if "threshold" in scored else "")


def cut_notes(results):
    for row, by_set in results.items():
        for name, result in by_set.items():
            notes = result.get("notes", {})
            if notes.get("texts_cut"):
                yield f"{row}, {name}: texts cut to {notes['max_characters']:,} characters: {notes['texts_cut']}"


def render_comparison(title, comparison):
    by_set = "; ".join(f"{name} {against['is']} ({against['best_peer']})" for name, against in comparison.items())
    return f"firstcopy against the best of the {title}: {by_set or 'no peer ran'}"


def say(message):
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
