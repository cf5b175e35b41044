"""What a load showed, as a table, as JSON, and as goals that were met or missed."""

import argparse
import json
import sys
from pathlib import Path

PARTS = ["held", "overload", "recovered"]
KINDS = ["posts", "checks", "searches", "health"]
# Goals of 99 % of the posts, in milliseconds, and of memory in minute 5 against minute 2.
MOST_LATENCY, MOST_GROWTH = 100, 1.1


def read(folder, part, kind):
    """What load.lua counted, and rates of it."""
    counted = json.loads((folder / f"{part}-{kind}.json").read_text())
    statuses = {int(status): times for status, times in counted["statuses"].items()}
    accepted = sum(times for status, times in statuses.items() if status < 400)
    shed = statuses.get(503, 0) + statuses.get(429, 0)
    other = sum(statuses.values()) - accepted - shed
    seconds = counted["seconds"]
    return counted | {"accepted": accepted, "shed": shed, "other": other, "per_second": accepted / seconds}


def memory(folder, start, end):
    """Means of the memory between two moments, in seconds after the beginning: anonymous, of files; MB."""
    lines = [[float(value) for value in line.split()] for line in (folder / "memory.txt").read_text().splitlines()]
    begin = lines[0][0]
    chosen = [line for line in lines if start <= line[0] - begin < end]
    return tuple(sum(line[column] for line in chosen) / len(chosen) / 1000 for column in (1, 2)) if chosen else None


def minutes(folder, seconds):
    """The memory of every minute, and of what is left."""
    return [memory(folder, start, start + 60) for start in range(0, int(seconds), 60)]


def goals(results, memories, arguments):
    held, over, recovered = (results[part]["posts"] for part in PARTS)
    yield f"{held['per_second']:.0f} posts/s accepted, {arguments.rate} sent", held["per_second"] >= 0.99 * arguments.rate
    yield f"posts: p99 {held['p99']:.0f} ms, at most {MOST_LATENCY}", 0 < held["p99"] <= MOST_LATENCY
    if len(memories) >= 5:
        growth = memories[4][0] / memories[1][0]
        yield f"memory of minute 5 is {growth:.2f} of minute 2, at most {MOST_GROWTH}", growth <= MOST_GROWTH
    yield f"overload: {over['shed']} posts shed, {over['with_retry_after']} of them told when to come again", (
        over["shed"] > 0 and over["shed"] == over["with_retry_after"]
    )
    yield f"overload: {over['per_second']:.0f} posts/s accepted, at least half of what was held", over["per_second"] >= held["per_second"] / 2
    health = results["overload"]["health"]
    yield f"overload: health answered, p99 {health['p99']:.0f} ms, at most 1000", 0 < health["p99"] <= 1000
    yield f"recovered: p99 {recovered['p99']:.0f} ms, {recovered['shed']} shed", 0 < recovered["p99"] <= MOST_LATENCY and recovered["shed"] == 0
    strange = {f"{part} {kind}": one["other"] + one["cut_off"] + one["timeouts"] for part in PARTS for kind, one in results[part].items()}
    strange = {name: times for name, times in strange.items() if times}
    yield f"nothing else refused, cut off or timed out: {strange or 'none'}", not strange
    yield f"ended with {arguments.ended}, verify with {arguments.verified}", arguments.ended == arguments.verified == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rate", type=int)
    parser.add_argument("--ended", type=int)
    parser.add_argument("--verified", type=int)
    arguments = parser.parse_args()
    folder = arguments.folder
    results = {part: {kind: read(folder, part, kind) for kind in KINDS} for part in PARTS}
    print(f"{'':<20}{'sent':>9}{'accepted':>10}{'shed':>9}{'per s':>8}{'p50':>9}{'p90':>9}{'p99':>9}{'p99.9':>9}{'longest':>9}  ms")
    for part, kinds in results.items():
        for kind, one in kinds.items():
            figures = "".join(f"{one[name]:>9.1f}" for name in ("p50", "p90", "p99", "p999", "longest"))
            print(f"{part + ' ' + kind:<20}{one['sent']:>9}{one['accepted']:>10}{one['shed']:>9}{one['per_second']:>8.0f}{figures}")
    memories = minutes(folder, results["held"]["posts"]["seconds"])
    for minute, (anonymous, files) in enumerate(memories, 1):
        print(f"memory, minute {minute}: {anonymous:.0f} MB, and {files:.0f} MB of files")
    stats = json.loads((folder / "stats-held.json").read_text())
    print(f"then stored: {stats['documents']} documents, {stats['duplicates']} of them duplicates; {stats['outbox']} changes not taken by the indexes yet")
    reached = list(goals(results, memories, arguments))
    for name, met in reached:
        print(f"{'met   ' if met else 'MISSED'}  {name}")
    written = {"rate": arguments.rate, "parts": results, "memory_mb": memories, "stats": stats, "goals": dict(reached)}
    (folder / "results.json").write_text(json.dumps(written, indent=1))
    sys.exit(0 if all(met for _, met in reached) else 1)


if __name__ == "__main__":
    main()
