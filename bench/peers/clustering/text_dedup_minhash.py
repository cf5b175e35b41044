"""text-dedup's own MinHash command, called from here instead of from a shell, with two processes.

Its last steps, in which it writes the documents that it keeps, belong to it. It chooses the bands for the threshold.
XXH3 and 32 bits are its quickest; they find as much as its defaults do.
"""

from text_dedup import minhash

import clusters
import peer

PROCESSES = 2


def cluster(corpus):
    minhash.main([
        "--path", "json", "--data_files", corpus, "--split", "train", "--column", "text", "--cache_dir", "cache",
        "--output", "kept", "--num_proc", str(PROCESSES), "--ngram", str(peer.SHINGLE_WORDS),
        "--num_perm", str(peer.PERMUTATIONS), "--threshold", str(clusters.THRESHOLD), "--hash_func", "xxh3",
        "--hash_bits", "32",
    ], standalone_mode=False)
    found = clusters.Clusters()
    for document in found.grow(sum(1 for _ in open(corpus, "rb"))):
        found.join(document, minhash.uf.find(document))
    return found


if __name__ == "__main__":
    clusters.run(cluster)
