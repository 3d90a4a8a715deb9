"""Ledgers of hand-written steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from tallysql.ledger.mechanical import build
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

STEPS = pa.schema(
    [
        ("trajectory_id", pa.string()),
        ("step", pa.int64()),
        ("call", pa.int32()),
        ("action", pa.string()),
        ("observation", pa.string()),
        ("tool", pa.string()),
        ("args", pa.string()),
        ("args_json", pa.string()),
        ("exit_code", pa.int64()),
        ("is_error", pa.bool_()),
        ("is_copied", pa.bool_()),
    ]
)


def archive(store: Store, steps: Iterable[dict[str, Any]]) -> None:
    """Insert steps; by default in trajectory t, numbered by position, call 0, not copied."""
    rows = [
        {"trajectory_id": "t", "step": position, "call": 0, "is_copied": False} | step
        for position, step in enumerate(steps)
    ]
    with store.view_of("incoming", pa.Table.from_pylist(rows, schema=STEPS)):
        store.run("INSERT INTO steps BY NAME SELECT * FROM incoming")
        store.run(
            "CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT trajectory_id FROM incoming"
        )


def records(store: Store, sql: str) -> list[dict[str, Any]]:
    """Return rows as mappings."""
    relation = store.relation(sql)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def ledger_in(store: Store, steps: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Archive steps, build their ledger, and return all its rows in order."""
    archive(store, steps)
    build(store)
    return records(store, "FROM ledger ORDER BY trajectory_id, step, call")


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store() as opened:
        yield opened


@pytest.fixture
def ledger_of(store: Store) -> Callable[..., list[dict[str, Any]]]:
    """Return a function from steps to the rows of the ledger in `store`."""
    return lambda *steps: ledger_in(store, steps)


@pytest.fixture(scope="session")
def ledger_apart() -> Callable[..., list[dict[str, Any]]]:
    """Return a function from steps to the rows of a ledger of their own."""

    def ledger(*steps: dict[str, Any]) -> list[dict[str, Any]]:
        with open_store() as store:
            return ledger_in(store, steps)

    return ledger
