"""simhash: a copy if at most 3 of 64 bits differ, the `k` of the example in its documentation (the code's default is 2).

Its own features are 4 characters of the text without what is between words; the variant gives it 5. They are passed as a
list in which features repeat, which has the same value as its own counting: with NumPy 2, the counts of simhash 2.1.2
overflow at 256 and it fails.
"""

import functools

from simhash import Simhash

import peer

MAX_DISTANCE = 3
DEFAULT_FEATURES = "default features"


def default_features(text):
    return Simhash("")._tokenize(text)


def judge_with(features):
    @peer.cache_per_text
    def sketch(text):
        return Simhash(features(text))

    def judge(a, b):
        distance = sketch(a).distance(sketch(b))
        return peer.Judgement(distance <= MAX_DISTANCE, distance)

    return judge


if __name__ == "__main__":
    variants = {DEFAULT_FEATURES: functools.partial(judge_with, default_features),
                peer.CHARACTERS: functools.partial(judge_with, peer.character_shingles)}
    peer.run("simhash", variants, MAX_DISTANCE, higher_is_copy=False)
