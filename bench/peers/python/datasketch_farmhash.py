"""datasketch with FarmHash, the faster hash that its documentation advises."""

import farmhash

import datasketch_sha1
import peer

if __name__ == "__main__":
    peer.run(lambda corpus: datasketch_sha1.sketch(corpus, hashfunc=farmhash.hash32))
