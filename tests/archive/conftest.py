"""Stores, and sources in every shape that tallysql writes and reads itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tallysql.store import Store, open_store

Steps = Sequence[tuple[str | None, str | None]]
Lines = Callable[..., Path]


@pytest.fixture(scope="session")
def opened() -> Iterator[Store]:
    with open_store() as one:
        yield one


@pytest.fixture
def store(opened: Store) -> Store:
    """An empty store; opening one anew for each test would cost more than the test."""
    for table in ("trajectories", "steps", "sources", "ledger", "file_events"):
        opened.run(f"DELETE FROM {table}")
    return opened


@pytest.fixture
def ama(tmp_path: Path) -> Lines:
    """Write an AMA-Bench file of {id: [(action, observation), ...]}."""

    def write(name: str = "runs.jsonl", **runs: Steps) -> Path:
        records = [
            {
                "episode_id": run,
                "task": f"task of {run}",
                "domain": "test",
                "num_turns": len(steps),
                "qa_pairs": [{"question": "secret?", "answer": "yes"}],
                "trajectory": [
                    {"turn_idx": number, "action": action, "observation": observation}
                    for number, (action, observation) in enumerate(steps)
                ],
            }
            for run, steps in runs.items()
        ]
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        return path

    return write


@pytest.fixture
def jsonl(tmp_path: Path) -> Lines:
    """Write lines, each a value to dump or text to write as it is."""

    def write(*lines: Any, name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_bytes("\n".join(texts).encode("utf-8", "surrogatepass"))
        return path

    return write


@pytest.fixture
def archived(store: Store) -> Callable[..., list[tuple[Any, ...]]]:
    """Read back (trajectory_id, step, call, action, observation), or the columns named."""

    def read(columns: str = "trajectory_id, step, call, action, observation") -> list[Any]:
        rows = store.relation("SELECT * FROM steps ORDER BY trajectory_id, step, call")
        return rows.project(columns).fetchall()

    return read
