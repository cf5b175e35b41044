"""Shared by the peers: reading the pairs, making shingles, writing the verdicts.

PEER PAIRS.jsonl VERDICTS.json [--variant NAME]  judges every pair and writes a verdict and a score for each

The score is the number that the peer compares with its threshold. `measure.py` uses it to look for the best threshold.
"""

import argparse
import functools
import importlib.metadata
import json
import re
import typing

import orjson

SHINGLE_LENGTH = 5
PERMUTATIONS = 128
SEED = 42
WORDS, CHARACTERS = "words", "characters"
# Sets such as installguide pair every text with many others: keep what was computed for the last ones.
CACHED_TEXTS = 512

_WORDS = re.compile(r"\w+").findall


class Judgement(typing.NamedTuple):
    """A peer's answer about one pair."""

    is_copy: bool
    score: float


def word_shingles(text):
    """Lower-cased 5-grams of `\\w+`; a text of fewer words is one shingle."""
    words = _WORDS(text.lower())
    return [" ".join(words[i:i + SHINGLE_LENGTH]) for i in range(max(len(words) - SHINGLE_LENGTH + 1, 1))]


def character_shingles(text):
    """Lower-cased 5-grams of the characters of all words, without what is between the words."""
    characters = "".join(_WORDS(text.lower()))
    return [characters[i:i + SHINGLE_LENGTH] for i in range(max(len(characters) - SHINGLE_LENGTH + 1, 1))]


SHINGLES = {WORDS: word_shingles, CHARACTERS: character_shingles}


def cache_per_text(function):
    return functools.lru_cache(maxsize=CACHED_TEXTS)(function)


def run(package, variants, threshold, higher_is_copy=True, notes=dict):
    """Runs a peer.

    `variants` maps a name to a function that returns `judge(a, b)`, a Judgement. `notes()` is called at the end and
    returns what the reader of the table must know.
    """
    options = parse_arguments(variants)
    judge = variants[options.variant]()
    with open(options.pairs, "rb") as lines:
        judgements = [judge(pair["a"], pair["b"]) for pair in map(orjson.loads, lines)]
    report = {"version": importlib.metadata.version(package), "threshold": threshold, "higher_is_copy": higher_is_copy,
              "notes": notes(), "judgements": [[bool(is_copy), float(score)] for is_copy, score in judgements]}
    with open(options.verdicts, "w") as out:
        json.dump(report, out)


def parse_arguments(variants):
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs")
    parser.add_argument("verdicts")
    parser.add_argument("--variant", choices=list(variants), default=next(iter(variants)))
    return parser.parse_args()
