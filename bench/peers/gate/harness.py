"""What the peers of the store-time check share: the documents, the shingles, the clock, the report.

PEER run CORPUS ...     takes the documents one at a time: features, check, insert; writes what each check returned
PEER reopen CORPUS ...  in a new process: opens what `run` left behind and checks up to 1,000 near copies again

A peer is a class with these methods; `features` is timed apart from the other two, since firstcopy makes its own:

    open(folder)            opens or makes the index; everything it keeps is in that folder
    features(text)          shingles and minima
    check(features)         the ids of likely copies
    insert(id, features)    after this a check must find it
    load(records)           many at once, unmeasured; only for peers too slow to start from nothing
    size()                  {"bytes": ...}, and whatever else is known
    servers()               process ids whose CPU time counts as the peer's
    snapshot(path)          for those that keep nothing: writes all of the index, if the peer can
    close(), crash()        an orderly end, and one without any chance to save
"""

import argparse
import importlib.metadata
import itertools
import json
import os
import pathlib
import re
import sys
import time

import orjson

SHINGLE_WORDS = 10
PERMUTATIONS = 128
THRESHOLD = 0.8
# What datasketch chooses for that threshold and that many permutations; the others are told to do the same.
BANDS = (9, 13)
SEED = 42
NEAR = 0.85
REOPEN_CHECKS = 1_000
TICKS = os.sysconf("SC_CLK_TCK")
_WORDS = re.compile(r"\w+").findall


class Peer:
    """Does nothing and keeps nothing; what a peer leaves as it is."""

    survives_restart = True
    note = ""

    def __init__(self, bands, rows, variant):
        self.bands, self.rows, self.variant = bands, rows, variant

    def features(self, text):
        return text

    def load(self, records):
        for record in records:
            self.insert(record["id"], self.features(record["text"]))

    def servers(self):
        return []

    def snapshot(self, path):
        raise NotImplementedError

    def close(self):
        pass

    def crash(self):
        pass


def shingles(text):
    """Lower-cased word 10-grams joined by one space; the quickest way that plain Python has."""
    words = _WORDS(text.lower())
    return list(map(" ".join, zip(*(words[i:] for i in range(SHINGLE_WORDS)))))


def main(kind):
    options = parse_arguments()
    peer = kind(*options.bands, options.variant)
    print(json.dumps((run if options.mode == "run" else reopen)(peer, options)))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("run", "reopen"))
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where the index is kept")
    parser.add_argument("--documents", type=int, required=True, help="how many of the corpus")
    parser.add_argument("--base", type=int, default=0, help="how many of them are loaded at once, unmeasured")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no further document after these")
    parser.add_argument("--bands", type=banding, default=BANDS, help="bands x minima in each, as in 9x13")
    parser.add_argument("--variant", default="")
    parser.add_argument("--candidates", type=pathlib.Path, required=True, help="file for what the checks returned")
    return parser.parse_args()


def banding(text):
    bands, rows = map(int, text.split("x"))
    return bands, rows


def records(options):
    with open(options.corpus, "rb", buffering=256 * 1024) as lines:
        yield from map(orjson.loads, itertools.islice(lines, options.documents))


def run(peer, options):
    """The measured part; both clocks stand still while a document is read and a result is written."""
    resident = resident_bytes()
    peer.open(options.folder)
    waiting = records(options)
    started = time.perf_counter()
    if options.base:
        peer.load(itertools.islice(waiting, options.base))
    load_seconds = time.perf_counter() - started
    server_cpu = cpu_of(peer.servers())
    clock, times = Clock(), []
    deadline = time.monotonic() + options.seconds
    with options.candidates.open("w") as out:
        for record in waiting:
            clock.start()
            features = peer.features(record["text"])
            clock.lap()
            found = peer.check(features)
            clock.lap()
            peer.insert(record["id"], features)
            times.append(clock.stop())
            print(record["id"], *found, file=out)
            if time.monotonic() > deadline:
                break
    server_cpu = cpu_of(peer.servers()) - server_cpu
    report = summary(peer, options, times, server_cpu) | {"load_seconds": load_seconds} | peer.size()
    # Keeping nothing on disk, it is as large as what it added to the process.
    report.setdefault("bytes", resident_bytes() - resident)
    if not peer.survives_restart:
        report |= snapshot(peer, options)
    peer.crash()
    return report


class Clock:
    """Wall and CPU time, of all threads of the process, at the laps of one document."""

    def start(self):
        self.laps = [now()]

    def lap(self):
        self.laps.append(now())

    def stop(self):
        self.lap()
        return self.laps


def now():
    return time.perf_counter_ns(), time.process_time_ns()


def summary(peer, options, times, server_cpu):
    """Microseconds of CPU and milliseconds of wall time per document, in the terms that all peers report."""
    count = max(len(times), 1)
    cpu = [[b[1] - a[1] for a, b in itertools.pairwise(laps)] for laps in times]
    features, check, insert = (sum(column) / count / 1e3 for column in zip(*cpu))
    server = server_cpu / count * 1e6
    whole = sorted((laps[-1][0] - laps[0][0]) / 1e6 for laps in times)
    inside = sorted((laps[-1][0] - laps[1][0]) / 1e6 for laps in times)
    tenth = max(count // 10, 1)
    return {
        "version": peer.version(), "documents": options.base + len(times), "base": options.base, "measured": len(times),
        "bands": peer.bands, "rows": peer.rows, "note": peer.note,
        "check_insert_cpu_us": check + insert + server, "total_cpu_us": features + check + insert + server,
        "features_cpu_us": features, "check_cpu_us": check, "insert_cpu_us": insert, "server_cpu_us": server,
        "p50_ms": percentile(whole, 0.5), "p99_ms": percentile(whole, 0.99), "max_ms": whole[-1],
        "check_insert_p50_ms": percentile(inside, 0.5), "check_insert_p99_ms": percentile(inside, 0.99),
        "first_tenth_ms": mean_wall(times[:tenth]), "last_tenth_ms": mean_wall(times[-tenth:]),
        "survives_restart": peer.survives_restart,
    }


def percentile(ordered, share):
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def mean_wall(times):
    return sum(laps[-1][0] - laps[0][0] for laps in times) / len(times) / 1e6


def snapshot(peer, options):
    """What it takes to write all of an index that lives in memory, where the peer can."""
    path, started = options.folder / "snapshot", time.perf_counter()
    try:
        peer.snapshot(path)
    except NotImplementedError:
        return {}
    return {"snapshot_seconds": time.perf_counter() - started, "snapshot_bytes": path.stat().st_size}


def reopen(peer, options):
    started = time.perf_counter()
    peer.open(options.folder)
    opened = time.perf_counter() - started
    near = [record for record in records(options) if record.get("resemblance", 0) >= NEAR]
    step = max(len(near) / REOPEN_CHECKS, 1)
    times = []
    with options.candidates.open("w") as out:
        for record in itertools.islice((near[int(i * step)] for i in range(int(len(near) / step))), REOPEN_CHECKS):
            features = peer.features(record["text"])
            begin = time.perf_counter_ns()
            found = peer.check(features)
            times.append((time.perf_counter_ns() - begin) / 1e6)
            print(record["id"], *found, file=out)
    peer.close()
    return {"reopen_seconds": opened, "reopen_checks": len(times), "reopen_check_p99_ms": percentile(sorted(times), 0.99)}


def cpu_of(processes):
    """CPU seconds of other processes and of the children they waited for."""
    total = 0
    for process in processes:
        # The name in brackets may have spaces; behind it, fields 14 to 17 of proc(5) are the times.
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / TICKS


def resident_bytes(process="self"):
    return int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def folder_bytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def version_of(package):
    return importlib.metadata.version(package)


def say(message):
    print(message, file=sys.stderr, flush=True)
