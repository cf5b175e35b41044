"""Makes the corpus of the clustering: JSON Lines of {"id", "text"}, one in five a near copy of an earlier one.

A copy is an original with 1 to 5 words replaced. Which it is a copy of stands in a file beside the corpus that no peer reads,
`.truth.jsonl`: "id", "copy_of" (always an original, so that it names the group), "words" (how many were replaced) and
"resemblance" (the exact one, over shingles of 5 words). Where the text comes from is told in `planted.py`. The same bytes
for the same arguments; the first documents are the same ones for any number of them.
"""

import argparse
import hashlib
import itertools
import json
import pathlib
import random
import sys

import planted

SEED = 20_250_312
# Bytes of an original, drawn log-uniformly: 4.3 KB on average.
SHORTEST, LONGEST = 2_000, 7_250
SHINGLE_WORDS = 5


def main():
    options = parse_arguments()
    source, pieces = planted.pieces(options.data, SEED)
    draw = random.Random(SEED)
    summary = {"source": source, "pieces": len(pieces), "shingle_words": SHINGLE_WORDS}
    summary |= write(options.output, itertools.islice(documents(pieces, draw), options.documents))
    options.output.with_suffix(".summary.json").write_text(json.dumps(summary) + "\n")
    print(f"corpus: {summary['documents']} documents, {summary['bytes'] / 1e6:.1f} MB, {summary['copies']} copies of a "
          f"resemblance of {summary['least_resemblance']} and more; {source}", file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path,
                        help="the .jsonl file to write; a .truth.jsonl and a .summary.json go beside it")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of en.jsonl.gz")
    return parser.parse_args()


def documents(pieces, draw):
    """Endless records, each with what is true of it if it is a copy."""
    originals = []
    for number in itertools.count(1):
        record, truth = {"id": f"d{number}"}, None
        if originals and draw.random() < planted.COPY_SHARE:
            original, words = draw.choice(originals), draw.randint(1, planted.MOST_REPLACED_WORDS)
            record["text"] = with_words_replaced(original["text"], words, pieces, draw)
            truth = {"id": record["id"], "copy_of": original["id"], "words": words,
                     "resemblance": planted.resemblance(record["text"], original["text"], SHINGLE_WORDS)}
        else:
            record["text"] = planted.joined(planted.new_paragraphs(pieces, SHORTEST, LONGEST, draw))
            originals.append(record)
        yield record, truth


def with_words_replaced(text, count, pieces, draw):
    """So many words, wherever they are, become other words from elsewhere."""
    places = draw.sample([word.span() for word in planted.WORD.finditer(text)], count)
    for start, end in sorted(places, reverse=True):
        text = text[:start] + other_word(text[start:end], pieces, draw) + text[end:]
    return text


def other_word(word, pieces, draw):
    while True:
        found = draw.choice(planted.WORD.findall(draw.choice(pieces)) or [word])
        if found.lower() != word.lower():
            return found


def write(path, documents):
    """Writes the corpus and the truth beside it; returns what is known of them."""
    digest, count, copies = hashlib.sha256(), 0, []
    with planted.whole_file(path) as out, planted.whole_file(path.with_suffix(".truth.jsonl")) as truths:
        for count, (record, truth) in enumerate(documents, start=1):
            line = planted.line(record)
            digest.update(line)
            out.write(line)
            if truth:
                copies.append(truth["resemblance"])
                truths.write(planted.line(truth))
    return {"documents": count, "bytes": path.stat().st_size, "copies": len(copies),
            "least_resemblance": min(copies, default=None), "sha256": digest.hexdigest()}


if __name__ == "__main__":
    main()
