"""datasketch's MinHashLSH on Redis: a server of its own on a Unix socket in the index's folder, stopped at the end.

The variant is Redis's `appendfsync`: "always" writes to the disk before it answers, as firstcopy does; "everysec", its
default where it keeps a log, may lose a second. The server gets no chance to save at the end of `run`: it is killed.
One `insert` is 21 commands, each answered before the next. An insertion session makes fewer trips, but for one document
it took 3 to 10 times the CPU time here; it is used for loading only.
"""

import subprocess
import time

import redis
from datasketch import MinHashLSH

import harness
from datasketch_memory import DatasketchMemory

SOCKET = "redis.sock"
START_SECONDS = 120


class DatasketchRedis(DatasketchMemory):
    survives_restart = True
    note = "server killed, then started again on its log"

    def version(self):
        return f"{super().version()}, Redis {self.client.info('server')['redis_version']}"

    def open(self, folder):
        self.folder = folder
        self.server = subprocess.Popen([
            "redis-server", "--port", "0", "--unixsocket", SOCKET, "--dir", str(folder), "--save", "",
            "--appendonly", "yes", "--appendfsync", self.variant, "--daemonize", "no", "--logfile", "redis.log",
        ], cwd=folder, stdout=subprocess.DEVNULL)
        self.client = redis.Redis(unix_socket_path=str(folder / SOCKET))
        try:
            self.wait_for_server()
            storage = {"type": "redis", "basename": b"gate", "redis": {"unix_socket_path": str(folder / SOCKET)}}
            self.index = MinHashLSH(**self.settings(), storage_config=storage)
        except BaseException:
            self.crash()
            raise

    def wait_for_server(self):
        """Until it has read its log: before that it refuses connections, then answers that it is loading."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.client.ping()
                return
            except (redis.exceptions.ConnectionError, redis.exceptions.BusyLoadingError):
                if self.server.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def load(self, records):
        """Without waiting for the disk; all that is measured comes after."""
        self.client.config_set("appendfsync", "no")
        with self.index.insertion_session() as session:
            for record in records:
                session.insert(record["id"], self.features(record["text"]), check_duplication=False)
        self.client.config_set("appendfsync", self.variant)

    def servers(self):
        return [self.server.pid]

    def size(self):
        return {"bytes": harness.folder_bytes(self.folder), "server_rss_bytes": harness.resident_bytes(self.server.pid)}

    def close(self):
        self.crash()

    def crash(self):
        self.server.kill()
        self.server.wait()


if __name__ == "__main__":
    harness.main(DatasketchRedis)
