"""What the Python peers share: documents, known by their number from 0, joined pair by pair, and the file of clusters.

PEER CORPUS CLUSTERS writes a line per document, in the order of the corpus: the number of the first one in its cluster.
It runs in an empty folder of its own and may leave anything there.
"""

import sys

THRESHOLD = 0.7
# What the peers that leave the bands to their user are given: where they bend is (1/16)^(1/8), some 0.7.
BANDS = 16


class Clusters:
    """Each document points to an earlier one of its cluster, the first one to itself."""

    def __init__(self):
        self.earlier = []

    def grow(self, count):
        """Adds documents that are alone, and returns their numbers."""
        added = range(len(self.earlier), len(self.earlier) + count)
        self.earlier.extend(added)
        return added

    def join(self, one, other):
        one, other = sorted((self.first(one), self.first(other)))
        self.earlier[other] = one

    def first(self, document):
        while self.earlier[document] != document:
            self.earlier[document] = self.earlier[self.earlier[document]]
            document = self.earlier[document]
        return document

    def write(self, path):
        with open(path, "w") as out:
            out.writelines(f"{self.first(document)}\n" for document in range(len(self.earlier)))


def run(cluster):
    """The whole of a peer; `cluster(corpus)` returns the Clusters."""
    if len(sys.argv) != 3:
        sys.exit("usage: PEER CORPUS.jsonl CLUSTERS")
    cluster(sys.argv[1]).write(sys.argv[2])
