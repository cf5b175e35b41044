"""rensa's RMinHash: a copy if the estimated Jaccard similarity reaches the threshold. No LSH, so no candidate is missed."""

import functools

from rensa import RMinHash

import peer

THRESHOLD = 0.8


def judge_with(shingles):
    @peer.cache_per_text
    def sketch(text):
        minhash = RMinHash(num_perm=peer.PERMUTATIONS, seed=peer.SEED)
        minhash.update(shingles(text))
        return minhash

    def judge(a, b):
        similarity = sketch(a).jaccard(sketch(b))
        return peer.Judgement(similarity >= THRESHOLD, similarity)

    return judge


if __name__ == "__main__":
    peer.run("rensa", {name: functools.partial(judge_with, shingles) for name, shingles in peer.SHINGLES.items()}, THRESHOLD)
