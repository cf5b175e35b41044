"""datasketch's MinHashLSH in the memory of the process, its default."""

import pickle

from datasketch import MinHash, MinHashLSH

import harness

try:
    from farmhash import hash32
    HASHING = {"hashfunc": hash32}
except ImportError:
    HASHING = {}


class DatasketchMemory(harness.Peer):
    survives_restart = False
    note = "keeps nothing; can be pickled as a whole"

    def version(self):
        return harness.version_of("datasketch")

    def open(self, folder):
        saved = folder / "snapshot"
        self.index = pickle.loads(saved.read_bytes()) if saved.exists() else MinHashLSH(**self.settings())

    def settings(self):
        return {"threshold": harness.THRESHOLD, "num_perm": harness.PERMUTATIONS, "params": (self.bands, self.rows)}

    def features(self, text):
        minhash = MinHash(num_perm=harness.PERMUTATIONS, seed=harness.SEED, **HASHING)
        minhash.update_batch([shingle.encode() for shingle in harness.shingles(text)])
        return minhash

    def check(self, minhash):
        return self.index.query(minhash)

    def insert(self, key, minhash):
        self.index.insert(key, minhash)

    def size(self):
        return {}

    def snapshot(self, path):
        path.write_bytes(pickle.dumps(self.index, protocol=pickle.HIGHEST_PROTOCOL))


if __name__ == "__main__":
    harness.main(DatasketchMemory)
