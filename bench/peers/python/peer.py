"""What the Python peers share: reading the corpus, making the shingles, holding the clock, printing the report.

PEER CORPUS          makes the minima of every document and prints the CPU seconds that took
PEER CORPUS --count  only counts the shingles, outside any measurement
"""

import itertools
import json
import re
import sys
import time

import orjson

SHINGLE_WORDS = 5
PERMUTATIONS = 128
SEED = 42
# Documents handed over at once to peers that take batches: beyond this they gain nothing.
BATCH = 500

_WORDS = re.compile(r"\w+").findall


def texts(corpus):
    with open(corpus, "rb", buffering=256 * 1024) as lines:
        for line in lines:
            yield orjson.loads(line)["text"]


def shingles(text):
    """Lower-cased word 5-grams joined by one space; the quickest way that plain Python has."""
    words = _WORDS(text.lower())
    return list(map(" ".join, zip(*(words[i:] for i in range(SHINGLE_WORDS)))))


def batches(corpus):
    """Lists of shingle lists."""
    return batched(map(shingles, texts(corpus)))


def batched(documents):
    """Whatever stands for documents, in lists of BATCH."""
    documents = iter(documents)
    while batch := list(itertools.islice(documents, BATCH)):
        yield batch


def run(sketch, count_shingles=lambda text: len(shingles(text))):
    """The whole of a peer; `sketch(corpus)` makes all minima and returns the number of documents."""
    arguments = sys.argv[1:]
    if len(arguments) == 1:
        start = time.process_time()
        documents = sketch(arguments[0])
        report = {"documents": documents, "cpu_seconds": time.process_time() - start}
    elif arguments[1:] == ["--count"]:
        counts = [(len(text.encode()), count_shingles(text)) for text in texts(arguments[0])]
        size, found = map(sum, zip(*counts))
        report = {"documents": len(counts), "bytes": size, "shingles": found}
    else:
        sys.exit("usage: PEER CORPUS.jsonl [--count]")
    print(json.dumps(report))
