"""datasketch as it comes: `MinHash.generator`, its way for many sets, with its default SHA-1."""

import itertools

from datasketch import MinHash

import peer


def sketch(corpus, **hashing):
    documents = ([shingle.encode() for shingle in batch] for batch in itertools.chain.from_iterable(peer.batches(corpus)))
    minhashes = MinHash.generator(documents, num_perm=peer.PERMUTATIONS, seed=peer.SEED, **hashing)
    return sum(1 for _ in minhashes)


if __name__ == "__main__":
    peer.run(sketch)
