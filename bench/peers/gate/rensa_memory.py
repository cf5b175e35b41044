"""rensa's RMinHashLSH, in the memory of the process; its keys are numbers.

It takes only as many permutations as its bands divide without rest: 9 bands of 13 are 117 of the 128.
"""

import pickle

from rensa import RMinHash, RMinHashLSH

import harness


class RensaMemory(harness.Peer):
    survives_restart = False
    note = "keeps nothing; can be pickled as a whole"

    def version(self):
        return harness.version_of("rensa")

    def open(self, folder):
        saved = folder / "snapshot"
        self.index = pickle.loads(saved.read_bytes()) if saved.exists() else self.empty()

    def empty(self):
        return RMinHashLSH(threshold=harness.THRESHOLD, num_perm=self.bands * self.rows, num_bands=self.bands)

    def features(self, text):
        minhash = RMinHash(self.bands * self.rows, harness.SEED)
        minhash.update(harness.shingles(text))
        return minhash

    def check(self, minhash):
        return [f"d{key}" for key in self.index.query(minhash)]

    def insert(self, key, minhash):
        self.index.insert(int(key[1:]), minhash)

    def size(self):
        return {}

    def snapshot(self, path):
        path.write_bytes(pickle.dumps(self.index, protocol=pickle.HIGHEST_PROTOCOL))


if __name__ == "__main__":
    harness.main(RensaMemory)
