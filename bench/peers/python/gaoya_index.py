"""gaoya's Python package: words, shingles and minima all in its Rust code.

It hands out no signatures, so each document is looked up in an index that stays empty: the signature is made, and
the look-up of its bands finds nothing.
"""

import re

from gaoya.minhash import MinHashStringIndex

import peer

BAND_SIZE = 8
# gaoya's own rule: words end at ASCII punctuation and ASCII white space.
_WORDS = re.compile(r"[^\t\n\f\r !-/:-@\[-`{-~]+").findall


def sketch(corpus):
    index = MinHashStringIndex(
        hash_size=32, num_bands=peer.PERMUTATIONS // BAND_SIZE, band_size=BAND_SIZE, analyzer="word",
        lowercase=True, ngram_range=(peer.SHINGLE_WORDS, peer.SHINGLE_WORDS), id_container="vec",
    )
    return sum(1 for _ in map(index.query, peer.texts(corpus)))


def count_shingles(text):
    return max(len(_WORDS(text)) + 1 - peer.SHINGLE_WORDS, 0)


if __name__ == "__main__":
    peer.run(sketch, count_shingles)
