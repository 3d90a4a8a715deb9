"""This repository's own history as a bundled trajectory.

`python -m benchmarks.bundle.history [REV]` writes tests/data/bundled/history.parquet. Long patches
are cut: line counts stay those of the whole patch.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tallysql
from benchmarks.bundle.files import BUNDLED
from tallysql.archive.export import export
from tallysql.archive.formats.commits import HistorySettings

REPOSITORY = Path(__file__).parents[2]
TRAJECTORY = "tallysql"
MAX_FILE_LINES = 60
TARGET = BUNDLED / "history.parquet"


def main(rev: str = "HEAD") -> None:
    """Write the history that ends at a revision."""
    settings = HistorySettings(rev, max_file_lines=MAX_FILE_LINES)
    with tallysql.open(":memory:") as memory:
        memory.load([REPOSITORY], trajectory_id=TRAJECTORY, history=settings)
        export(memory.store, "steps", str(TARGET))


if __name__ == "__main__":
    main(*sys.argv[1:])
