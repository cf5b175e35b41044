"""datasketch's MinHashLSH with the bands that it chooses, and FarmHash, the faster hash that its documentation advises."""

import itertools

from datasketch import MinHash, MinHashLSH
from farmhash import hash32

import clusters
import peer


def cluster(corpus):
    index, found = MinHashLSH(threshold=clusters.THRESHOLD, num_perm=peer.PERMUTATIONS), clusters.Clusters()
    shingles = ([shingle.encode() for shingle in batch] for batch in itertools.chain.from_iterable(peer.batches(corpus)))
    for minhash in MinHash.generator(shingles, num_perm=peer.PERMUTATIONS, seed=peer.SEED, hashfunc=hash32):
        (document,) = found.grow(1)
        for other in index.query(minhash):
            found.join(document, other)
        index.insert(document, minhash)
    return found


if __name__ == "__main__":
    clusters.run(cluster)
