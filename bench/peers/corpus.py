"""Makes the corpus that every peer reads: JSON Lines of {"id", "text"}, the same bytes for the same arguments.

Real text (5_scale_sample of the shared data) is cut into pieces at the ends of paragraphs and sentences; a document
is a run of consecutive pieces from a place drawn at random, going on in another text where one ends. Without real
text, words are drawn from a Zipf distribution. "en-ascii" is English with its typographic marks written in ASCII:
some peers have a quick path for pure ASCII, which one curved quotation mark in a page closes to them.
"""

import argparse
import gzip
import hashlib
import itertools
import json
import pathlib
import random
import re
import sys
import unicodedata

SEED = 20_240_229
# Bytes of a document, drawn log-uniformly: what a news story or a manual page has after extraction.
SHORTEST, LONGEST = 2_000, 6_000
# A piece without any boundary (a table, a listing) is cut after this many characters.
LONGEST_PIECE = 1_000
# A paragraph, or a sentence; the mark and the white space after it stay, so that pieces in order are the text.
PIECE = re.compile(r".+?(?:\n\s*\n|[.!?]\s+|[。！？]+|\Z)", re.DOTALL)
GENERATED_WORDS = 50_000
ASCII_SUFFIX = "-ascii"
ASCII_MARKS = str.maketrans({"–": "-", "—": "--", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "§": "Sec."})


def main():
    options = parse_arguments()
    language = options.language.removesuffix(ASCII_SUFFIX)
    sample = options.data / f"{language}.jsonl.gz"
    draw = random.Random(f"{SEED} {language}")
    if sample.is_file():
        source, documents = "real text, cut and recombined", recombined(sample, draw)
    else:
        source, documents = "generated, Zipf-distributed words (no real text found)", generated(draw)
    if options.language.endswith(ASCII_SUFFIX):
        documents = map(in_ascii, documents)
    summary = {"language": options.language, "source": source}
    summary |= write(options.output, itertools.islice(documents, options.documents))
    options.output.with_suffix(".summary.json").write_text(json.dumps(summary) + "\n")
    print(f"corpus: {summary['documents']} documents, {summary['bytes'] / 1e6:.1f} MB of text, "
          f"{summary['ascii_share']:.0%} of them pure ASCII; {source}", file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="the .jsonl file to write; a .summary.json goes beside it")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--language", default="en", help="en, ja, ko or en-ascii")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of {language}.jsonl.gz")
    return parser.parse_args()


def recombined(sample, draw):
    """Endless documents; the text each starts in is chosen by its length."""
    found = texts(sample)
    reach = list(itertools.accumulate(sum(map(byte_length, text)) for text in found))
    while True:
        yield run(found, reach, target_length(draw), draw)


def texts(sample):
    """The sample's texts as lists of pieces, without empty ones."""
    with gzip.open(sample, "rt", encoding="utf-8") as lines:
        found = [pieces(json.loads(line)["text"]) for line in lines]
    return [text for text in found if text]


def pieces(text):
    """The text in order, as pieces of at most LONGEST_PIECE characters."""
    found = PIECE.findall(text)
    return [piece[i:i + LONGEST_PIECE] for piece in found for i in range(0, len(piece), LONGEST_PIECE)]


def run(texts, reach, length, draw):
    """Consecutive pieces of one text, going on in another where it ends, until `length` bytes are there."""
    taken, size = [], 0
    while size < length:
        text = draw.choices(texts, cum_weights=reach)[0]
        for piece in text[draw.randrange(len(text)):]:
            taken.append(piece)
            size += byte_length(piece)
            if size >= length:
                break
        else:
            taken.append("\n\n")
    return "".join(taken)


def generated(draw):
    """Endless documents of words whose frequencies follow Zipf's law."""
    vocabulary = ["".join(draw.choices("etaoinshrdlucmfwypvbgkjqxz", k=draw.randint(2, 10))) for _ in range(GENERATED_WORDS)]
    reach = list(itertools.accumulate(1 / rank for rank in range(1, GENERATED_WORDS + 1)))
    while True:
        # Words of this alphabet have some seven bytes with their space.
        words = draw.choices(vocabulary, cum_weights=reach, k=target_length(draw) // 7)
        yield ". ".join(" ".join(words[i:i + 12]).capitalize() for i in range(0, len(words), 12)) + "."


def in_ascii(text):
    """The text with marks spelled out, accents dropped and whatever else is not ASCII left out."""
    return unicodedata.normalize("NFKD", text.translate(ASCII_MARKS)).encode("ascii", "ignore").decode()


def target_length(draw):
    return int(SHORTEST * (LONGEST / SHORTEST) ** draw.random())


def byte_length(text):
    return len(text.encode())


def write(path, documents):
    """Writes the corpus and returns what is known of it; the file appears only once it is whole."""
    digest, count, size, ascii_only = hashlib.sha256(), 0, 0, 0
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as out:
        for count, text in enumerate(documents, start=1):
            line = json.dumps({"id": f"d{count}", "text": text}, ensure_ascii=False).encode() + b"\n"
            digest.update(line)
            out.write(line)
            size += byte_length(text)
            ascii_only += text.isascii()
    partial.rename(path)
    return {"documents": count, "bytes": size, "ascii_share": ascii_only / max(count, 1), "sha256": digest.hexdigest()}


if __name__ == "__main__":
    main()
