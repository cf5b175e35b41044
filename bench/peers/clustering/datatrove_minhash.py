"""datatrove's MinHash pipeline: signatures, buckets, clusters and filter, on its local executor with two workers.

It spreads files over its tasks, so the corpus is split in two first. The bands are its defaults: 14 of 8, 112 hashes.
"""

import pathlib
import struct

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import clusters
import peer

WORKERS = 2
CONFIG = MinhashConfig(n_grams=peer.SHINGLE_WORDS, seed=peer.SEED)


def cluster(corpus):
    found = clusters.Clusters()
    parts = [found.grow(count) for count in split(corpus)]
    run_stage("signatures", WORKERS, JsonlReader("parts"), MinhashDedupSignature("signatures", CONFIG))
    run_stage("buckets", CONFIG.num_buckets, MinhashDedupBuckets("signatures", "buckets", config=CONFIG))
    run_stage("clusters", 1, MinhashDedupCluster("buckets", "clusters", CONFIG, save_cluster_id=True))
    run_stage("filter", WORKERS, JsonlReader("parts"), MinhashDedupFilter("clusters"), JsonlWriter("kept", compression=None))
    join(found, parts)
    return found


def split(corpus):
    """Writes the corpus as one file per worker and returns how many documents each has."""
    lines = pathlib.Path(corpus).read_bytes().splitlines(keepends=True)
    half = -(-len(lines) // WORKERS)
    parts = [lines[start:start + half] for start in range(0, len(lines), half)]
    pathlib.Path("parts").mkdir()
    for number, part in enumerate(parts):
        pathlib.Path(f"parts/{number}.jsonl").write_bytes(b"".join(part))
    return map(len, parts)


def run_stage(name, tasks, *pipeline):
    LocalPipelineExecutor(list(pipeline), tasks, WORKERS, f"logs/{name}", start_method="fork").run()


def join(found, parts):
    """Reads what the third stage wrote: for every part, the document's place in it and its cluster."""
    first = {}
    for number, documents in enumerate(parts):
        path = pathlib.Path(f"clusters/{number:06d}.clusters")
        for place, label in struct.iter_unpack("<2I", path.read_bytes() if path.exists() else b""):
            document = documents[place]
            found.join(document, first.setdefault(label, document))


if __name__ == "__main__":
    clusters.run(cluster)
