"""Folders with sources and a database, and commands that run in them."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
FILES, RUNS, STEPS = 8, 3, 40
DATABASE = "tally.duckdb"


def write_sources(folder: Path, steps: int = STEPS, version: str = "") -> Path:
    """Write FILES files of RUNS trajectories each; more steps continue fewer ones."""
    folder.mkdir(exist_ok=True)
    for file in range(FILES):
        lines = [
            json.dumps(
                {
                    "trajectory_id": f"{file}-{run}",
                    "step": step,
                    "action": f"open box {step % 7}",
                    "observation": f"You open the box {step % 7}. {version}" + f" {step}" * 400,
                }
            )
            for run in range(RUNS)
            for step in range(steps)
        ]
        (folder / f"{file}.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


class Folder:
    """A place of its own for commands to run in."""

    def __init__(self, path: Path, **environment: str) -> None:
        self.path = path
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}

    def start(self, *args: str, limits: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tallysql", *args],
            cwd=self.path,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=limits,  # noqa: PLW1509 - the limits are what this is about
        )

    def run(
        self, *args: str, limits: Callable[[], None] | None = None, timeout: float = 300
    ) -> tuple[int, str, str]:
        process = self.start(*args, limits=limits)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return -9, "", f"no end after {timeout} seconds"
        return process.returncode, out, err

    def run_killed(self, seconds: float, *args: str) -> bool:
        """Kill a command after so long; False if it had ended before."""
        process = self.start(*args)
        time.sleep(seconds)
        alive = process.poll() is None
        process.kill()
        process.communicate()
        return alive


def copied(source: Path, target: Path) -> Path:
    """Make a folder anew as a copy of another."""
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))


def problems(database: Path) -> str | None:
    """Return what `check` finds first, None if the database is sound or not there."""
    if not database.exists():
        return None
    with tallysql.open(database, read_only=True) as memory:
        first = next(memory.check(), None)
    return f"{first.check}: {first.trajectory_id}: {first.problem}" if first else None


def steps_by_file(database: Path) -> dict[str, set[Any]]:
    """Return file → the different numbers of steps, and first texts, of its trajectories."""
    if not database.exists():
        return {}
    counted = """
        SELECT split_part(trajectory_id, '-', 1), count(*), count(DISTINCT trajectory_id),
            min(split_part(observation, ' 0', 1)) FILTER (step = 0)
        FROM steps GROUP BY trajectory_id
    """
    found: dict[str, set[Any]] = {}
    with tallysql.open(database, read_only=True) as memory:
        for file, steps, _, first in memory.sql(counted).fetchall():
            found.setdefault(file, set()).add((steps, first))
        whole = memory.sql(
            "SELECT split_part(trajectory_id, '-', 1), count(*) FROM trajectories GROUP BY 1"
        ).fetchall()
    for file, runs in whole:
        if runs != RUNS:
            found[file].add(f"{runs} of {RUNS} trajectories")
    return found


def torn(database: Path) -> str | None:
    """Return the file of which only a part is archived, None if there is none."""
    for file, states in steps_by_file(database).items():
        if len(states) != 1:
            return f"file {file} is there in part: {states}"
    return None


def limited(kind: int, size: int) -> Callable[[], None]:
    """Return what sets a resource limit in a new process."""
    return lambda: resource.setrlimit(kind, (size, size))
