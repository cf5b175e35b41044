"""rensa's RMinHashDeduplicator over all shingles, in batches; it checks its candidates against the threshold.

It keeps the first of each cluster; what it did not keep is looked up once more, to see of what it is a copy.
"""

from rensa import RMinHash, RMinHashDeduplicator

import clusters
import peer


def cluster(corpus):
    index, found = RMinHashDeduplicator(clusters.THRESHOLD, peer.PERMUTATIONS, True, seed=peer.SEED), clusters.Clusters()
    for batch in peer.batches(corpus):
        minhashes = RMinHash.from_token_sets(batch, peer.PERMUTATIONS, peer.SEED)
        documents = found.grow(len(batch))
        was_kept = index.add_pairs(list(zip(map(str, documents), minhashes)))
        copies = [pair for pair, kept in zip(zip(documents, minhashes), was_kept) if not kept]
        similar = index.get_duplicate_sets([minhash for _, minhash in copies])
        for (document, _), others in zip(copies, similar):
            for other in others:
                found.join(document, int(other))
    return found


if __name__ == "__main__":
    clusters.run(cluster)
