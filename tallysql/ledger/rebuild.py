"""The ledger of all trajectories anew, part by part, after a release has changed its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.ledger.merge import build
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.store import Store

PART_CHARACTERS = 64 << 20
"""Logged characters whose ledger is made at one time, so that memory is bounded."""


def parts(store: Store) -> Iterator[None]:
    """Put the trajectories of one part after another into the temp table `touched`."""
    store.run(query("rebuild/parts").text, {"characters": PART_CHARACTERS})
    for (part,) in store.rows(query("rebuild/part_numbers").text):
        store.run(query("rebuild/touch").text, {"part": part})
        yield
    store.run(query("rebuild/forget").text)


def rebuild(store: Store) -> None:
    """Make all rows of `ledger` and `file_events` anew; annotations are merged again.

    The caller holds the transaction.

    Raises:
        StoreError: the database is read-only.
    """
    for _ in parts(store):
        build(store)
