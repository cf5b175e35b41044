"""Lance's MINHASHLSH index over a text column: the one peer with an index of its own on disk.

It takes texts, not minima: words, shingles and signature are made inside both the check and the insert, and cannot be
told apart from them. Its parameters go in an IndexConfig; as keyword arguments they are accepted and ignored.
It hands its files to the operating system and never asks it to write them out (no fsync in a trace of its calls).
A new row is found at once, but by comparing it with the query, until `optimize_indices` has put it in the index. Hence two
variants: "each" does that after every insert, as its defaults have it, and rewrites the whole index each time; "batched" is
the quickest we found: after every 8 inserts, into a second, small index beside that of the base.
"""

import datetime

import lance
import pyarrow
from lance.indices import IndexConfig
from lance.query import MinHashQuery

import harness

COLUMNS = ("id", "text")
# `simple` splits at white space and punctuation; the rest of the tokenizer's defaults would stem words and drop some.
TOKENIZER = {"base_tokenizer": "simple", "lower_case": True, "stem": False, "remove_stop_words": False,
             "ascii_folding": False, "max_token_length": None}
# Rows that wait for the index: of 1, 4, 8 and 16, this took the least CPU time over 1,000 inserts after 48,000.
BATCH = 8
INDEX = "text_idx"


class LanceIndex(harness.Peer):
    note = "features inside check and insert; base loaded at once"

    def version(self):
        return harness.version_of("pylance")

    def open(self, folder):
        self.path = folder / "gate.lance"
        self.inserted = 0
        self.table = lance.dataset(self.path) if self.path.exists() else None

    def load(self, records):
        self.table = lance.write_dataset(rows(records), self.path)
        parameters = {"num_hashes": self.bands * self.rows, "num_bands": self.bands,
                      "shingle_size": harness.SHINGLE_WORDS, "tokenizer": TOKENIZER}
        self.table.create_scalar_index("text", IndexConfig(index_type="minhashlsh", parameters=parameters), name=INDEX)
        made = self.table.stats.index_stats(INDEX)["indices"][0]
        assert all(made[name] == value for name, value in parameters.items() if name != "tokenizer"), made

    def check(self, text):
        """At most 10, its default, whatever their estimated distance: the other peers' candidates are not filtered either."""
        return self.table.to_table(nearest=MinHashQuery(text, "text"), columns=["id", "_distance"])["id"].to_pylist()

    def insert(self, key, text):
        self.table.insert(rows([{"id": key, "text": text}]))
        self.inserted += 1
        if self.variant == "each":
            self.table.optimize.optimize_indices()
        elif self.inserted % BATCH == 0:
            # The first time a second index is made; from then on the newest one, which is that, takes the new rows in.
            self.table.optimize.optimize_indices(num_indices_to_merge=int(self.inserted > BATCH))

    def size(self):
        """Old versions are dropped first; what they took is reported too. The texts are part of the table."""
        before = harness.folder_bytes(self.path)
        self.table.cleanup_old_versions(older_than=datetime.timedelta(0), delete_unverified=True)
        segments = self.table.stats.index_stats(INDEX)["num_segments"]
        return {
            "bytes": harness.folder_bytes(self.path), "index_bytes": harness.folder_bytes(self.path / "_indices"),
            "bytes_with_old_versions": before, "segments": segments,
        }


def rows(records):
    records = list(records)
    return pyarrow.table({name: [record[name] for record in records] for name in COLUMNS})


if __name__ == "__main__":
    harness.main(LanceIndex)
