"""Makes the corpus of the store-time check: JSON Lines of {"id", "text"}, some of them near copies of earlier ones.

A copy also has "copy_of" (always an original, so that it names the group), "edits" (what was done to it) and
"resemblance": the exact one, over the sets of shingles of 10 words in lower case. The text is that of `corpus.py`,
but its pieces are drawn one by one instead of in runs: some 5 MB of real text cannot give 40,000 runs that do not
overlap, and here nothing but the copies may be alike. Five pieces make a paragraph. The same bytes for the same
arguments; the first documents are the same ones for any number of them.
"""

import argparse
import hashlib
import itertools
import json
import pathlib
import random
import re
import sys

import corpus

SEED = 20_241_117
# Bytes of an original, drawn log-uniformly: 5 KB on average.
SHORTEST, LONGEST = 2_500, 9_000
COPY_SHARE = 0.2
SHINGLE_WORDS = 10
PARAGRAPH_PIECES = 5
# Shorter ones are mostly headings and numbers, which many documents would have in common.
SHORTEST_PIECE = 40
MOST_REPLACED_WORDS = 5
MOST_ADDED = 0.1
GENERATED_TEXTS = 1_000
_WORD = re.compile(r"\w+")


def main():
    options = parse_arguments()
    sample = options.data / "en.jsonl.gz"
    draw = random.Random(SEED)
    real = sample.is_file()
    source = "real text, its pieces recombined" if real else "generated, Zipf-distributed words (no real text found)"
    pieces = list(dict.fromkeys(filter(is_long_enough, map(str.strip, real_pieces(sample) if real else generated_pieces()))))
    summary = {"source": source, "pieces": len(pieces), "shingle_words": SHINGLE_WORDS}
    summary |= write(options.output, itertools.islice(documents(pieces, draw), options.documents))
    options.output.with_suffix(".summary.json").write_text(json.dumps(summary) + "\n")
    print(f"corpus: {summary['documents']} documents, {summary['bytes'] / 1e6:.1f} MB of text, {summary['copies']} copies, "
          f"{summary['near_copies']} of them of a resemblance of 0.85 and more; {source}", file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="the .jsonl file to write; a .summary.json goes beside it")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of en.jsonl.gz")
    return parser.parse_args()


def real_pieces(sample):
    return itertools.chain.from_iterable(corpus.texts(sample))


def generated_pieces():
    texts = corpus.generated(random.Random(SEED))
    return itertools.chain.from_iterable(map(corpus.pieces, itertools.islice(texts, GENERATED_TEXTS)))


def is_long_enough(piece):
    return len(piece) >= SHORTEST_PIECE


def documents(pieces, draw):
    """Endless records; one in five is a copy of an original before it."""
    originals = []
    for number in itertools.count(1):
        record = {"id": f"d{number}"}
        if originals and draw.random() < COPY_SHARE:
            original = draw.choice(originals)
            paragraphs, edits = edited(original["paragraphs"], pieces, draw)
            record |= {"text": joined(paragraphs), "copy_of": original["id"], "edits": edits}
            record["resemblance"] = round(resemblance(record["text"], joined(original["paragraphs"])), 4)
        else:
            paragraphs = new_paragraphs(pieces, draw)
            originals.append(record | {"paragraphs": paragraphs})
            record["text"] = joined(paragraphs)
        yield record


def new_paragraphs(pieces, draw):
    length = SHORTEST * (LONGEST / SHORTEST) ** draw.random()
    taken, size = [], 0
    while size < length:
        taken.append(draw.choice(pieces))
        size += corpus.byte_length(taken[-1])
    return [" ".join(taken[i:i + PARAGRAPH_PIECES]) for i in range(0, len(taken), PARAGRAPH_PIECES)]


def joined(paragraphs):
    return "\n\n".join(paragraphs)


def edited(paragraphs, pieces, draw):
    """The paragraphs after one kind of edit, or after two in one case of five; and what was done."""
    kinds = draw.sample((replace_words, add_text, drop_paragraph), 2 if draw.random() < 0.2 else 1)
    for kind in kinds:
        paragraphs = kind(paragraphs, pieces, draw)
    return paragraphs, [kind.__name__ for kind in kinds]


def replace_words(paragraphs, pieces, draw):
    """One to five words, wherever they are, become words from elsewhere."""
    text = joined(paragraphs)
    places = draw.sample([word.span() for word in _WORD.finditer(text)], draw.randint(1, MOST_REPLACED_WORDS))
    for start, end in sorted(places, reverse=True):
        text = text[:start] + draw.choice(_WORD.findall(draw.choice(pieces)) or ["another"]) + text[end:]
    return text.split("\n\n")


def add_text(paragraphs, pieces, draw):
    """Up to a tenth of its length, in front or behind."""
    room = int(len(joined(paragraphs)) * MOST_ADDED * draw.random())
    added = ""
    while len(added) < room:
        added = f"{added} {draw.choice(pieces)}"
    added = [added[:room].strip() or "Update"]
    return added + paragraphs if draw.random() < 0.5 else paragraphs + added


def drop_paragraph(paragraphs, _pieces, draw):
    dropped = draw.randrange(len(paragraphs))
    return paragraphs[:dropped] + paragraphs[dropped + 1:] or paragraphs


def resemblance(one, other):
    one, other = shingles(one), shingles(other)
    return len(one & other) / max(len(one | other), 1)


def shingles(text):
    words = _WORD.findall(text.lower())
    return set(zip(*(words[i:] for i in range(SHINGLE_WORDS))))


def write(path, records):
    """Writes the corpus and returns what is known of it; the file appears only once it is whole."""
    digest, count, size, copies, near = hashlib.sha256(), 0, 0, 0, 0
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as out:
        for count, record in enumerate(records, start=1):
            line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
            digest.update(line)
            out.write(line)
            size += corpus.byte_length(record["text"])
            copies += "copy_of" in record
            near += record.get("resemblance", 0) >= 0.85
    partial.rename(path)
    return {"documents": count, "bytes": size, "copies": copies, "near_copies": near, "sha256": digest.hexdigest()}


if __name__ == "__main__":
    main()
