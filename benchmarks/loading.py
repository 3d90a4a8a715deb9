"""How fast sources load: a directory of sessions, against reading it and parsing each line.

Makes its own Claude Code directory in a temporary folder, reads and parses it with the standard
json module, loads it into a new database with the ledger, and reads it again, all in one run.

    python -m benchmarks.loading --megabytes 1000
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.sessions import write_sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

POLL_SECONDS = 0.05
KILOBYTE, MEGABYTE = 1 << 10, 1_000_000


def parse_lines(files: Iterable[Path]) -> int:
    """Read the files and parse each line with the standard json module; returns the lines."""
    n_lines = 0
    for path in files:
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)
                n_lines += 1
    return n_lines


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return (wall seconds, CPU seconds) of a piece of work in this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def load_in_child(folder: Path, database: Path) -> dict[str, float]:
    """Load a directory with the command line; returns wall and CPU seconds and the peak RSS.

    The peak is that of the command and of all processes that it starts, taken together.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    command = [sys.executable, "-m", "tallysql", "load", str(folder), "--db", str(database)]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        while child.poll() is None:
            peak = max(peak, resident(child.pid))
            time.sleep(POLL_SECONDS)
        talk = child.stderr.read().decode() if child.stderr else ""
    wall = time.perf_counter() - started
    if child.returncode:
        raise click.ClickException(f"load ended with {child.returncode}: {talk[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "peak": max(peak, after.ru_maxrss * KILOBYTE)}


def resident(pid: int) -> int:
    """Return the resident bytes of a process and its descendants (Linux; 0 elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/statm").read_text()
        children = [
            child
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:  # it has ended, or there is no such folder
        return 0
    own = int(status.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return own + sum(resident(int(child)) for child in children)


def measure(megabytes: int, seed: int, repeats: int) -> dict[str, Any]:
    """Make a directory, and time parsing and loading it in turn; medians of the repeats."""
    with tempfile.TemporaryDirectory(prefix="tallysql-loading-") as name:
        folder = Path(name) / "projects"
        files = write_sessions(folder, megabytes * MEGABYTE, seed)
        size = sum(path.stat().st_size for path in files)
        parses, loads = [], []
        for repeat in range(repeats):
            database = Path(name) / f"{repeat}.duckdb"
            parses.append(timed(lambda: parse_lines(files)))
            loads.append(load_in_child(folder, database))
            parses.append(timed(lambda: parse_lines(files)))
            stored = database.stat().st_size
            database.unlink()
        parse_wall, parse_cpu = (statistics.median(pair[k] for pair in parses) for k in (0, 1))
        load_wall, load_cpu = (statistics.median(run[k] for run in loads) for k in ("wall", "cpu"))
        return {
            "files": len(files),
            "megabytes": round(size / MEGABYTE, 1),
            "parse_seconds": round(parse_wall, 2),
            "parse_cpu_seconds": round(parse_cpu, 2),
            "load_seconds": round(load_wall, 2),
            "load_cpu_seconds": round(load_cpu, 2),
            "load_megabytes_a_second": round(size / MEGABYTE / load_wall, 1),
            "speed_against_parsing": round(parse_wall / load_wall, 3),
            "peak_rss_megabytes": round(max(run["peak"] for run in loads) / MEGABYTE),
            "database_megabytes": round(stored / MEGABYTE, 1),
        }


@click.command()
@click.option("--megabytes", default=200, show_default=True, help="Size of the directory.")
@click.option("--seed", default=1, show_default=True)
@click.option("--repeats", default=1, show_default=True)
def main(megabytes: int, seed: int, repeats: int) -> None:
    """Print the figures as a table on stderr and as JSON on stdout."""
    figures = measure(megabytes, seed, repeats)
    table = Table("figure", "value")
    for name, value in figures.items():
        table.add_row(name.replace("_", " "), str(value))
    Console(stderr=True).print(table)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
