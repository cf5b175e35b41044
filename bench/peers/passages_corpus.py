"""Makes the corpus of the copied passages: JSON Lines of {"id", "text"}; one document in ten has a passage of another one.

A passage is 3 to 8 sentences of its source, word for word, between two sentences of its receiver. Its line breaks are moved:
in the receiver they stand at other sentence ends, and at its edges paragraphs are joined or split. No document is in two
such pairs. Where a passage stands is told in a file beside the corpus that no peer reads, `.truth.jsonl`: "id" (the
receiver), "source", "sentences", and in characters "start", "end", "source_start", "source_end".

Sentences are made of phrases of real ones, one by one: some 5 MB of real text has too few sentences for 44 MB in which none
comes again. That no run of 3 sentences is in two documents but for the passages is counted, and nothing is written if it
is not so. The same bytes for the same arguments.
"""

import argparse
import collections
import dataclasses
import hashlib
import itertools
import json
import pathlib
import random
import re
import sys

import corpus
import planted

SEED = 20_250_508
# Bytes of a document before a passage comes in, drawn log-uniformly: 4.4 KB on average once all are in.
SHORTEST, LONGEST = 2_000, 7_500
# Some documents would have fewer than the longest passage where a character is three bytes.
FEWEST_SENTENCES = 12
PASSAGE_SHARE = 0.1
SHORTEST_PASSAGE, LONGEST_PASSAGE = 3, 8
# No paragraph of a source is one sentence only, so that a passage has a place for a line break where its source has none.
SHORTEST_PARAGRAPH, LONGEST_PARAGRAPH = 2, 7
LINE_BREAKS = ("\n\n", "\n")
# After these marks the next sentence follows without a space.
WIDE_MARKS = ("。", "！", "？")
# What a line break inside a sentence stands for.
WRAPPED = collections.defaultdict(lambda: " ", ja="")
# A sentence whose one end everybody sees: no mark inside but in a word or number, no abbreviation, no ruled line.
SENTENCE = re.compile(r"(?!.*[^\w\s]{3})[^\Wa-z_](?:[^.!?。．！？…｡]|\.(?=\w))*(?:[a-z]{4}|[^\W\d_a-zA-Z])[.!?。！？]")
# Markup, brackets and quotes come in pairs, which phrases would tear apart; some peers read on to the second one.
PAIRED = re.compile(r"\]\(\S*\)|[][(){}<>\"“”‘`*|~「」『』（）]|(?<!\w)['’]|['’](?!\w)")
# Six words with what follows them, or a dozen characters where words are not told apart.
PHRASE = collections.defaultdict(lambda: re.compile(r"(?:[\w'’]+[^\w'’]*){1,6}"), ja=re.compile(r".{1,12}"))


@dataclasses.dataclass
class Document:
    """Sentences, and after which of them, by their number from 0, a paragraph ends with this document's line break."""

    id: str
    sentences: list
    paragraph_ends: set
    line_break: str

    def separators(self):
        """What follows each sentence but the last."""
        return [self.line_break if i in self.paragraph_ends else "" if sentence.endswith(WIDE_MARKS) else " "
                for i, sentence in enumerate(self.sentences[:-1])]

    def text(self):
        return "".join(itertools.chain.from_iterable(zip(self.sentences, [*self.separators(), ""])))

    def place(self, first, count):
        """Where so many sentences from the given one start and end, in characters."""
        lengths = [len(sentence) for sentence in self.sentences]
        gaps = [len(separator) for separator in self.separators()]
        start = sum(lengths[:first]) + sum(gaps[:first])
        return start, start + sum(lengths[first:first + count]) + sum(gaps[first:first + count - 1])


@dataclasses.dataclass
class Passage:
    """So many sentences of the source that stand in the receiver too, each from the given sentence on."""

    receiver: Document
    source: Document
    receiver_first: int
    source_first: int
    sentences: int

    def truth(self):
        start, end = self.receiver.place(self.receiver_first, self.sentences)
        source_start, source_end = self.source.place(self.source_first, self.sentences)
        return {"id": self.receiver.id, "source": self.source.id, "sentences": self.sentences, "start": start, "end": end,
                "source_start": source_start, "source_end": source_end}


class Phrases:
    """The phrases of real sentences, by where in one they stand, to make new sentences of."""

    def __init__(self, sentences, language):
        cut = (PHRASE[language].findall(sentence) for sentence in sentences)
        self.sentences = [phrases for phrases in cut if len(phrases) > 1]
        self.middles = [phrase for phrases in self.sentences for phrase in phrases[1:-1]]

    def new_sentence(self, draw):
        """As many phrases as a real sentence has, the first and the last of them from such places."""
        between = len(draw.choice(self.sentences)) - 2
        first, last = draw.choice(self.sentences)[0], draw.choice(self.sentences)[-1]
        return "".join([first, *draw.choices(self.middles, k=between), last])


def main():
    options = parse_arguments()
    draw = random.Random(f"{SEED} {options.language}")
    source, found = sentences(options.data / f"{options.language}.jsonl.gz", WRAPPED[options.language])
    phrases = Phrases(found, options.language)
    documents = [new_document(f"d{number}", phrases, draw) for number in range(1, options.documents + 1)]
    passages = plant(documents, draw)
    shared = runs_shared_by_chance(documents, passages)
    if shared:
        sys.exit(f"{shared} runs of {SHORTEST_PASSAGE} sentences are in two documents by chance: nothing is written")
    summary = {"language": options.language, "source": source, "sentences": len(found), "runs_shared_by_chance": shared}
    summary |= write(options.output, documents, passages)
    options.output.with_suffix(".summary.json").write_text(json.dumps(summary) + "\n")
    print(f"corpus: {summary['documents']} documents, {summary['bytes'] / 1e6:.1f} MB of text, {summary['passages']} copied "
          f"passages, {shared} runs of {SHORTEST_PASSAGE} sentences shared by chance; {source}", file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path,
                        help="the .jsonl file to write; a .truth.jsonl and a .summary.json go beside it")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--language", default="en", help="en, ja or ko")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of {language}.jsonl.gz")
    return parser.parse_args()


def sentences(sample, wrapped):
    """Where they come from, in words, and the sentences: of real text where there is a sample, else generated."""
    real = sample.is_file()
    source = "phrases of real text, recombined" if real else "generated, Zipf-distributed words (no real text found)"
    found = planted.real_pieces(sample) if real else planted.generated_pieces(SEED)
    found = (re.sub(r"\s*\n\s*", wrapped, PAIRED.sub("", piece).strip()) for piece in found)
    return source, list(dict.fromkeys(filter(is_sentence, found)))


def is_sentence(piece):
    return planted.is_long_enough(piece) and SENTENCE.fullmatch(piece)


def new_document(name, phrases, draw):
    length = SHORTEST * (LONGEST / SHORTEST) ** draw.random()
    taken, size = [], 0
    while size < length or len(taken) < FEWEST_SENTENCES:
        taken.append(phrases.new_sentence(draw))
        size += corpus.byte_length(taken[-1])
    return Document(name, taken, new_paragraph_ends(len(taken), draw), draw.choice(LINE_BREAKS))


def new_paragraph_ends(count, draw):
    ends, end = set(), draw.randint(SHORTEST_PARAGRAPH, LONGEST_PARAGRAPH)
    while end < count:
        ends.add(end - 1)
        end += draw.randint(SHORTEST_PARAGRAPH, LONGEST_PARAGRAPH)
    return ends


def plant(documents, draw):
    """Copies a passage each between pairs of documents drawn at random, none of them twice."""
    count = int(len(documents) * PASSAGE_SHARE)
    drawn = draw.sample(documents, 2 * count)
    return [copy_passage(receiver, source, draw) for receiver, source in zip(drawn[:count], drawn[count:])]


def copy_passage(receiver, source, draw):
    count = draw.randint(SHORTEST_PASSAGE, LONGEST_PASSAGE)
    first = draw.randrange(len(source.sentences) - count + 1)
    at = draw.randrange(1, len(receiver.sentences))
    before = {end for end in receiver.paragraph_ends if end < at - 1}
    edges = {edge for edge in (at - 1, at + count - 1) if draw.random() < 0.5}
    inside = {at + end for end in moved_paragraph_ends(source, first, count, draw)}
    after = {end + count for end in receiver.paragraph_ends if end >= at}
    receiver.paragraph_ends = before | edges | inside | after
    receiver.sentences[at:at] = source.sentences[first:first + count]
    return Passage(receiver, source, at, first, count)


def moved_paragraph_ends(source, first, count, draw):
    """After which sentences of the passage a paragraph ends in the receiver: some of those where none ends in the source."""
    free = [end for end in range(count - 1) if first + end not in source.paragraph_ends]
    return draw.sample(free, draw.randint(1, max(1, len(free) // 2)))


def runs_shared_by_chance(documents, passages):
    """How often a run of as many sentences as the shortest passage has comes again without having been planted."""
    seen = collections.Counter(itertools.chain.from_iterable(map(runs, documents)))
    again = sum(seen.values()) - len(seen)
    return again - sum(passage.sentences - SHORTEST_PASSAGE + 1 for passage in passages)


def runs(document):
    return zip(*(document.sentences[i:] for i in range(SHORTEST_PASSAGE)))


def write(path, documents, passages):
    """Writes the corpus and the truth beside it; returns what is known of them."""
    digest, size = hashlib.sha256(), 0
    with planted.whole_file(path) as out, planted.whole_file(path.with_suffix(".truth.jsonl")) as truths:
        for document in documents:
            text = document.text()
            line = planted.line({"id": document.id, "text": text})
            digest.update(line)
            out.write(line)
            size += corpus.byte_length(text)
        truths.writelines(planted.line(passage.truth()) for passage in passages)
    return {"documents": len(documents), "bytes": size, "passages": len(passages), "sha256": digest.hexdigest()}


if __name__ == "__main__":
    main()
