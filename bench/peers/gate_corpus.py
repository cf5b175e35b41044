"""Makes the corpus of the store-time check: JSON Lines of {"id", "text"}, some of them near copies of earlier ones.

A copy also has "copy_of" (always an original, so that it names the group), "edits" (what was done to it) and
"resemblance": the exact one, over the sets of shingles of 10 words in lower case. Where the text comes from is told in
`planted.py`. The same bytes for the same arguments; the first documents are the same ones for any number of them.
"""

import argparse
import hashlib
import itertools
import json
import pathlib
import random
import sys

import corpus
import planted

SEED = 20_241_117
# Bytes of an original, drawn log-uniformly: 5 KB on average.
SHORTEST, LONGEST = 2_500, 9_000
SHINGLE_WORDS = 10
MOST_ADDED = 0.1


def main():
    options = parse_arguments()
    source, pieces = planted.pieces(options.data, SEED)
    draw = random.Random(SEED)
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


def documents(pieces, draw):
    """Endless records; one in five is a copy of an original before it."""
    originals = []
    for number in itertools.count(1):
        record = {"id": f"d{number}"}
        if originals and draw.random() < planted.COPY_SHARE:
            original = draw.choice(originals)
            paragraphs, edits = edited(original["paragraphs"], pieces, draw)
            record |= {"text": planted.joined(paragraphs), "copy_of": original["id"], "edits": edits}
            record["resemblance"] = planted.resemblance(record["text"], planted.joined(original["paragraphs"]), SHINGLE_WORDS)
        else:
            paragraphs = planted.new_paragraphs(pieces, SHORTEST, LONGEST, draw)
            originals.append(record | {"paragraphs": paragraphs})
            record["text"] = planted.joined(paragraphs)
        yield record


def edited(paragraphs, pieces, draw):
    """The paragraphs after one kind of edit, or after two in one case of five; and what was done."""
    kinds = draw.sample((replace_words, add_text, drop_paragraph), 2 if draw.random() < 0.2 else 1)
    for kind in kinds:
        paragraphs = kind(paragraphs, pieces, draw)
    return paragraphs, [kind.__name__ for kind in kinds]


def replace_words(paragraphs, pieces, draw):
    """One to five words, wherever they are, become words from elsewhere."""
    text = planted.joined(paragraphs)
    places = draw.sample([word.span() for word in planted.WORD.finditer(text)], draw.randint(1, planted.MOST_REPLACED_WORDS))
    for start, end in sorted(places, reverse=True):
        text = text[:start] + draw.choice(planted.WORD.findall(draw.choice(pieces)) or ["another"]) + text[end:]
    return text.split("\n\n")


def add_text(paragraphs, pieces, draw):
    """Up to a tenth of its length, in front or behind."""
    room = int(len(planted.joined(paragraphs)) * MOST_ADDED * draw.random())
    added = ""
    while len(added) < room:
        added = f"{added} {draw.choice(pieces)}"
    added = [added[:room].strip() or "Update"]
    return added + paragraphs if draw.random() < 0.5 else paragraphs + added


def drop_paragraph(paragraphs, _pieces, draw):
    dropped = draw.randrange(len(paragraphs))
    return paragraphs[:dropped] + paragraphs[dropped + 1:] or paragraphs


def write(path, records):
    """Writes the corpus and returns what is known of it."""
    digest, count, size, copies, near = hashlib.sha256(), 0, 0, 0, 0
    with planted.whole_file(path) as out:
        for count, record in enumerate(records, start=1):
            line = planted.line(record)
            digest.update(line)
            out.write(line)
            size += corpus.byte_length(record["text"])
            copies += "copy_of" in record
            near += record.get("resemblance", 0) >= 0.85
    return {"documents": count, "bytes": size, "copies": copies, "near_copies": near, "sha256": digest.hexdigest()}


if __name__ == "__main__":
    main()
