"""rensa's RMinHash over all shingles, as a digest matrix: its quickest way that leaves no shingle out.

Its "rho" variant samples shingles instead of looking at all of them, which is another result.
"""

from rensa import RMinHash

import peer


def sketch(corpus):
    documents = 0
    for batch in peer.batches(corpus):
        documents += RMinHash.digest_matrix_from_token_sets(batch, peer.PERMUTATIONS, peer.SEED).len()
    return documents


if __name__ == "__main__":
    peer.run(sketch)
