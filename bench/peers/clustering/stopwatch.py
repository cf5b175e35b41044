"""Runs one command to its end and prints, as one line of JSON, what it and all of its children took.

A process of its own, because it must be small: Linux counts the memory of whoever starts a program towards that program's
peak. It adopts children that outlive the command, so that their CPU time is counted too.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time

# prctl(2): whatever loses its parent among our descendants becomes our child.
PR_SET_CHILD_SUBREAPER = 36


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.perf_counter()
    exit_code = subprocess.call(sys.argv[1:], stdout=sys.stderr)
    wall_seconds = time.perf_counter() - started
    wait_for_the_adopted()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"exit_code": exit_code, "cpu_seconds": used.ru_utime + used.ru_stime, "wall_seconds": wall_seconds,
                      "peak_bytes": used.ru_maxrss * 1024}))


def wait_for_the_adopted():
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
