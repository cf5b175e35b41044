"""datasketch's MinHashLSH: the first text is inserted, the second is the query; a band in common makes it a copy.

The score is the Jaccard similarity that the two MinHashes estimate.
"""

import functools

from datasketch import MinHash, MinHashLSH

import peer

THRESHOLD = 0.8


def judge_with(shingles):
    index = MinHashLSH(threshold=THRESHOLD, num_perm=peer.PERMUTATIONS)

    @peer.cache_per_text
    def sketch(text):
        minhash = MinHash(num_perm=peer.PERMUTATIONS, seed=peer.SEED)
        minhash.update_batch([shingle.encode() for shingle in shingles(text)])
        return minhash

    def judge(a, b):
        stored, query = sketch(a), sketch(b)
        index.insert("a", stored)
        is_copy = bool(index.query(query))
        index.remove("a")
        return peer.Judgement(is_copy, stored.jaccard(query))

    return judge


if __name__ == "__main__":
    peer.run("datasketch", {name: functools.partial(judge_with, shingles) for name, shingles in peer.SHINGLES.items()}, THRESHOLD)
