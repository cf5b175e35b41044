"""What the corpora with planted copies share: documents that nothing but the copies have in common.

The text is that of `corpus.py`, but its pieces are drawn one by one instead of in runs: some 5 MB of real text cannot give
40,000 runs that do not overlap. Five pieces make a paragraph. How a copy is made is each corpus's own.
"""

import contextlib
import itertools
import json
import random
import re

import corpus

COPY_SHARE = 0.2
MOST_REPLACED_WORDS = 5
PARAGRAPH_PIECES = 5
# Shorter ones are mostly headings and numbers, which many documents would have in common.
SHORTEST_PIECE = 40
GENERATED_TEXTS = 1_000
WORD = re.compile(r"\w+")


def pieces(data, seed):
    """Where they come from, in words, and the pieces: real text where `data` has it, else generated from the seed."""
    sample = data / "en.jsonl.gz"
    real = sample.is_file()
    source = "real text, its pieces recombined" if real else "generated, Zipf-distributed words (no real text found)"
    found = map(str.strip, real_pieces(sample) if real else generated_pieces(seed))
    return source, list(dict.fromkeys(filter(is_long_enough, found)))


def real_pieces(sample):
    return itertools.chain.from_iterable(corpus.texts(sample))


def generated_pieces(seed):
    texts = corpus.generated(random.Random(seed))
    return itertools.chain.from_iterable(map(corpus.pieces, itertools.islice(texts, GENERATED_TEXTS)))


def is_long_enough(piece):
    return len(piece) >= SHORTEST_PIECE


def new_paragraphs(pieces, shortest, longest, draw):
    """A document of so many bytes, drawn log-uniformly."""
    length = shortest * (longest / shortest) ** draw.random()
    taken, size = [], 0
    while size < length:
        taken.append(draw.choice(pieces))
        size += corpus.byte_length(taken[-1])
    return [" ".join(taken[i:i + PARAGRAPH_PIECES]) for i in range(0, len(taken), PARAGRAPH_PIECES)]


def joined(paragraphs):
    return "\n\n".join(paragraphs)


def resemblance(one, other, shingle_words):
    """The exact one, over the sets of shingles in lower case, to four digits."""
    one, other = shingles(one, shingle_words), shingles(other, shingle_words)
    return round(len(one & other) / max(len(one | other), 1), 4)


def shingles(text, shingle_words):
    words = WORD.findall(text.lower())
    return set(zip(*(words[i:] for i in range(shingle_words))))


def line(record):
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


@contextlib.contextmanager
def whole_file(path):
    """Opens a file for writing that appears only once it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as out:
        yield out
    partial.rename(path)
