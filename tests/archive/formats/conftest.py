"""The project's own samples, one or more in the exact shape of each format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.archive.load import load
from tallysql.archive.report import FileReport
from tallysql.ledger.mechanical import build

if TYPE_CHECKING:
    from tallysql.store import Store

SAMPLES = Path(__file__).parents[2] / "data" / "formats"

Rows = list[tuple[Any, ...]]
Sample = Callable[[str], FileReport]
Read = Callable[[str], Rows]


@pytest.fixture
def sample(store: Store) -> Sample:
    """Load one sample with its ledger; return its report."""

    def load_sample(name: str) -> FileReport:
        return load(store, [str(SAMPLES / name)], build=build).files[0]

    return load_sample


@pytest.fixture
def steps(store: Store) -> Read:
    """Read columns of all steps, in order."""

    def read(columns: str) -> Rows:
        rows = store.relation("SELECT * FROM steps ORDER BY trajectory_id, step, call")
        return rows.project(columns).fetchall()

    return read


@pytest.fixture
def ledger(store: Store) -> Read:
    """Read columns of all ledger rows, in order."""

    def read(columns: str) -> Rows:
        rows = store.relation("SELECT * FROM ledger ORDER BY trajectory_id, step, call")
        return rows.project(columns).fetchall()

    return read


@pytest.fixture
def files(store: Store) -> Callable[[], Rows]:
    """Read (step, path, command, kind, confirmed) of all file events, in order."""

    def read() -> Rows:
        rows = store.relation("SELECT * FROM file_events ORDER BY trajectory_id, step, call, path")
        return rows.project("step, path, command, kind, confirmed").fetchall()

    return read


@pytest.fixture
def runs(store: Store) -> Read:
    """Read columns of all trajectories, in order of their ids."""

    def read(columns: str) -> Rows:
        rows = store.relation("SELECT * FROM trajectories ORDER BY trajectory_id")
        return rows.project(columns).fetchall()

    return read
