"""Lance's MINHASHLSH index over a table of all texts; then every text is looked up.

It has no call that finds all pairs. Its parameters go in an IndexConfig; as keyword arguments they are accepted and ignored.
"""

import lance
import pyarrow
from lance.indices import IndexConfig
from lance.query import MinHashQuery

import clusters
import peer

# `simple` splits at white space and punctuation; the rest of the tokenizer's defaults would stem words and drop some.
TOKENIZER = {"base_tokenizer": "simple", "lower_case": True, "stem": False, "remove_stop_words": False,
             "ascii_folding": False, "max_token_length": None}
PARAMETERS = {"num_hashes": peer.PERMUTATIONS, "num_bands": clusters.BANDS, "shingle_size": peer.SHINGLE_WORDS,
              "tokenizer": TOKENIZER}
SCHEMA = pyarrow.schema({"document": pyarrow.int64(), "text": pyarrow.string()})


def cluster(corpus):
    found = clusters.Clusters()
    table = lance.write_dataset(pyarrow.RecordBatchReader.from_batches(SCHEMA, rows(corpus, found)), "table.lance")
    table.create_scalar_index("text", IndexConfig(index_type="minhashlsh", parameters=PARAMETERS))
    for document, text in enumerate(peer.texts(corpus)):
        near = table.to_table(nearest=MinHashQuery(text, "text"), columns=["document", "_distance"])
        for other, distance in zip(near["document"].to_pylist(), near["_distance"].to_pylist()):
            if distance <= 1 - clusters.THRESHOLD:
                found.join(document, other)
    return found


def rows(corpus, found):
    for batch in peer.batched(peer.texts(corpus)):
        yield pyarrow.record_batch([list(found.grow(len(batch))), batch], schema=SCHEMA)


if __name__ == "__main__":
    clusters.run(cluster)
