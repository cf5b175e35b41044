"""rapidfuzz on the whole texts: a copy if the similarity reaches 80 of 100. Compares every pair, without an index.

`ratio` is the Indel similarity (Levenshtein distance without substitutions), by character. `token_set_ratio` compares the
sets of words between spaces. Its time grows with the product of both lengths, so longer texts are cut.
"""

import functools

from rapidfuzz import fuzz

import peer

THRESHOLD = 80
MAX_CHARACTERS = 200_000


class Ratio:
    """Compares two texts with one of rapidfuzz's functions, and counts the texts that it cut."""

    texts_cut = 0

    def judge_with(self, similarity):
        def judge(a, b):
            score = similarity(self.cut(a), self.cut(b))
            return peer.Judgement(score >= THRESHOLD, score)

        return judge

    def cut(self, text):
        self.texts_cut += len(text) > MAX_CHARACTERS
        return text[:MAX_CHARACTERS]

    def notes(self):
        return {"max_characters": MAX_CHARACTERS, "texts_cut": self.texts_cut}


if __name__ == "__main__":
    ratio = Ratio()
    variants = {name: functools.partial(ratio.judge_with, getattr(fuzz, name)) for name in ("ratio", "token_set_ratio")}
    peer.run("rapidfuzz", variants, THRESHOLD, notes=ratio.notes)
