"""text-dedup's MinHash with its default options, through the functions that its command `text_dedup.minhash` calls.

Two texts are copies if they agree in one of the bands that it chooses for its threshold. The score is the share of its
permutations in which they agree. It has no character shingles: as its users do for Japanese, that variant puts a space
between characters.
"""

import functools
import re

import numpy
from text_dedup import minhash
from text_dedup.utils import MinHashArgs, optimal_param, sha1_hash

import peer

DEFAULTS = MinHashArgs()
# What its command uses for `--hash_bits 64`, its default: 32-bit hashes in 64-bit integers, modulo a Mersenne prime.
MAX_HASH, MODULO_PRIME = numpy.uint32((1 << 32) - 1), numpy.uint64((1 << 61) - 1)


def hash_shingle(shingle):
    return sha1_hash(shingle, d=32)


def make_permutations():
    random = numpy.random.RandomState(DEFAULTS.seed)
    size = (DEFAULTS.num_perm,)
    return (random.randint(1, MODULO_PRIME, size=size, dtype=numpy.uint64),
            random.randint(0, MODULO_PRIME, size=size, dtype=numpy.uint64))


def judge_with(prepare):
    bands, rows = optimal_param(DEFAULTS.threshold, DEFAULTS.num_perm, false_positive_weight=0.5, false_negative_weight=0.5)
    # One call returns the bands, which decide, and then every permutation by itself, for the score.
    ranges = [(i * rows, (i + 1) * rows) for i in range(bands)] + [(i, i + 1) for i in range(DEFAULTS.num_perm)]
    permutations = make_permutations()

    @peer.cache_per_text
    def sketch(text):
        text = prepare(text)
        if len(minhash.NON_ALPHA.split(text.lower())) < DEFAULTS.min_length:
            return None
        embedded = minhash.embed_func(
            text, 0, num_perm=DEFAULTS.num_perm, ngram_size=DEFAULTS.ngram, min_length=DEFAULTS.min_length, hashranges=ranges,
            permutations=permutations, hash_func=hash_shingle, dtype=numpy.uint64, max_hash=MAX_HASH,
            modulo_prime=MODULO_PRIME)
        return embedded[minhash.SIGNATURE_COLUMN]

    def judge(a, b):
        signatures = sketch(a), sketch(b)
        if None in signatures:
            # Its command drops texts shorter than `--min_length`.
            return peer.Judgement(False, 0.0)
        agree = [one == other for one, other in zip(*signatures)]
        return peer.Judgement(any(agree[:bands]), sum(agree[bands:]) / DEFAULTS.num_perm)

    return judge


def space_out(text):
    return " ".join("".join(re.findall(r"\w+", text)))


if __name__ == "__main__":
    variants = {peer.WORDS: functools.partial(judge_with, str), peer.CHARACTERS: functools.partial(judge_with, space_out)}
    peer.run("text-dedup", variants, DEFAULTS.threshold)
