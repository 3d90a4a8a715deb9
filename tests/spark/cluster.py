"""A standalone Spark cluster on loopback: a master and two workers, each a process group."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTED_WITHIN = 90
WORKED = 8.0
"""Seconds between the launch of a worker's part and its death: its process is up by then."""


class Cluster:
    """A running cluster; `master` is its URL."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self._home = Path(pyspark.__file__).parent
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        port = _free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self._start("master", "Master", "--host", "127.0.0.1", "--port", str(port))
        self._await("master", "I have been elected leader")
        for name in ("worker-1", "worker-2"):
            self._start(
                name, "Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "600m",
                "--work-dir", str(folder / name), self.master,
            )  # fmt: skip
        for name in ("worker-1", "worker-2"):
            self._await(name, "Successfully registered with master")

    def executors(self, worker: int) -> int:
        """Return how many parts of applications a worker was asked to run so far."""
        return (self._folder / f"worker-{worker}.log").read_text().count("Asked to launch executor")

    def kill_at_work(self, worker: int, known: int) -> None:
        """Kill a worker a moment after it is asked to run one more part than is known."""
        while self.executors(worker) == known:
            time.sleep(0.1)
        time.sleep(WORKED)
        self.kill(worker)

    def kill(self, worker: int) -> None:
        """Kill a worker with everything that it started."""
        os.killpg(self._processes[worker].pid, signal.SIGKILL)

    def stop(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, kind: str, *arguments: str) -> None:
        log = (self._folder / f"{name}.log").open("wb")
        self._processes.append(
            subprocess.Popen(
                [
                    self._home / "bin" / "spark-class",
                    f"org.apache.spark.deploy.{kind.lower()}.{kind}",
                    "--webui-port", "0", *arguments,
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=os.environ
                | {
                    "SPARK_HOME": str(self._home),
                    "SPARK_LOCAL_IP": "127.0.0.1",
                    "SPARK_DAEMON_MEMORY": "256m",
                },
            )
        )  # fmt: skip

    def _await(self, name: str, words: str) -> None:
        log = self._folder / f"{name}.log"
        deadline = time.monotonic() + STARTED_WITHIN
        while words not in log.read_text():
            assert time.monotonic() < deadline, log.read_text()[-2000:]
            time.sleep(0.1)


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """Start a cluster and stop it after."""
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
