"""FastSketchLSH's FastSimilaritySketch, in batches on one thread."""

from FastSketchLSH import FastSimilaritySketch

import peer


def sketch(corpus):
    sketcher = FastSimilaritySketch(size=peer.PERMUTATIONS, seed=peer.SEED)
    return sum(len(sketcher.batch(batch, num_threads=1)) for batch in peer.batches(corpus))


if __name__ == "__main__":
    peer.run(sketch)
