"""Checks duplicate verdicts on manual pages by the full text of both pages, read without firstcopy's extraction.

manuals.py records DATA OUT    writes the labelled manual pages of DATA as one JSON Lines file a set
manuals.py header              prints the names of the columns
manuals.py check PAGES VERDICTS LABEL    compares both pages of every duplicate verdict and prints a row
"""

import gzip
import html.parser
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path

HALF = 0.5
SKIPPED = {"script", "style", "noscript", "template", "head", "nav", "footer"}
# How generators of manuals name their menus: Sphinx by role, DocBook by class.
MENU = re.compile(r"navigation|banner|contentinfo|search|navheader|navfooter|sphinxsidebar|footer")
INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "samp", "small", "span", "strong", "sub", "sup", "tt", "var"}
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


class Lines(html.parser.HTMLParser):
    """Collects the lines of text of a page, without its menus."""

    def __init__(self):
        super().__init__()
        self.lines, self.line = [], []
        # The element that is being skipped, and how many of its name are open.
        self.skipped, self.depth = None, 0

    def handle_starttag(self, tag, attrs):
        if self.skipped:
            self.depth += tag == self.skipped
            return
        if tag in SKIPPED or any(name in ("role", "class") and MENU.search(value or "") for name, value in attrs):
            self.skipped, self.depth = tag, 1
        if tag not in INLINE:
            self.end_line()

    def handle_endtag(self, tag):
        if self.skipped:
            self.depth -= tag == self.skipped
            if self.depth == 0:
                self.skipped = None
            return
        if tag not in INLINE:
            self.end_line()

    def handle_data(self, data):
        if not self.skipped:
            self.line.append(data)

    def end_line(self):
        line = " ".join("".join(self.line).split())
        if line:
            self.lines.append(line)
        self.line = []


def lines_of_html(text):
    parser = Lines()
    parser.feed(text)
    parser.end_line()
    return parser.lines


def words(lines):
    text = unicodedata.normalize("NFKC", "\n".join(lines)).casefold()
    return WORD.findall(text)


def read_pages(source):
    """Reads a folder of HTML files or a JSON Lines file: id to lines."""
    pages = {}
    if source.is_dir():
        for path in sorted(source.rglob("*.html")):
            pages[path.relative_to(source.parent).as_posix()] = lines_of_html(path.read_text("utf-8", "replace"))
        return pages
    for line in source.open(encoding="utf-8"):
        record = json.loads(line)
        text = record.get("html")
        pages[record["id"]] = lines_of_html(text) if text is not None else record["text"].splitlines()
    return pages


def overlap(a, b):
    """Twice the common items by all items, and the share of `b` that `a` has, as multisets."""
    common = sum((Counter(a) & Counter(b)).values())
    return (2 * common / (len(a) + len(b)), common / len(b)) if a and b else (float(a == b),) * 2


def compare(a, b):
    pairs = [list(zip(text, text[1:])) or [(word,) for word in text] for text in (a, b)]
    (alike, held), (pairs_alike, pairs_held) = overlap(a, b), overlap(*pairs)
    return {"words": alike, "words_held": held, "pairs": pairs_alike, "pairs_held": pairs_held}


COLUMNS = ("pages", "duplicates", "same words", "edited", "excerpt", "below half, words", "below half, word pairs")


def is_below_half(verdict, found, kind):
    """Whether two pages are less than half alike; for an excerpt, whether less than half of it is in the longer page."""
    share = f"{kind}_held" if verdict["relation"] == "excerpt" else kind
    return found[share] < HALF


def check(source, verdicts, label):
    pages = {page_id: words(lines) for page_id, lines in read_pages(source).items()}
    counts, below = Counter(), []
    for line in verdicts.open(encoding="utf-8"):
        verdict = json.loads(line)
        counts["pages"] += 1
        if verdict.get("verdict") != "duplicate":
            continue
        counts["duplicates"] += 1
        counts["same words" if verdict["relation"] == "identical" else verdict["relation"].replace("_", " ")] += 1
        found = compare(pages[verdict["original"]], pages[verdict["id"]])
        for kind, column in (("words", "below half, words"), ("pairs", "below half, word pairs")):
            if is_below_half(verdict, found, kind):
                counts[column] += 1
                below.append((found[kind], kind, verdict, found))
    print("\t".join([label, *(str(counts[column]) for column in COLUMNS)]))
    for _, kind, verdict, found in sorted(below, key=lambda entry: entry[0]):
        shares = ", ".join(f"{name} {share:.2f}" for name, share in found.items())
        print(
            f"  below half by {kind}: {verdict['id']} = {verdict['original']} ({verdict['relation']}, likeness "
            f"{verdict['likeness']:.2f}, read {verdict['read_share']:.2f}): {shares}",
            file=sys.stderr,
        )


def records(data, out):
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(data.glob("2_neardup/html_installguide_*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines, (out / path.name[:-3]).open("w") as target:
            for cluster in map(json.loads, lines):
                for machine, page in cluster["pages"].items():
                    target.write(json.dumps({"id": f"{cluster['cluster']}/{machine}", "html": page}) + "\n")
    for path in sorted(data.glob("3_partial/*_ghdocs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines, (out / path.name[:-3]).open("w") as target:
            for number, page in enumerate(map(json.loads, lines)):
                target.write(json.dumps({"id": str(page.get("id", number)), "text": page["text"]}) + "\n")


def main(arguments):
    match arguments:
        case ["header"]:
            print("\t".join(["set", *COLUMNS]))
        case ["records", data, out]:
            records(Path(data), Path(out))
        case ["check", source, verdicts, label]:
            check(Path(source), Path(verdicts), label)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
