"""The mechanical ledger: what a program can tell from the archive, without a model.

Everything is SQL over `steps`, in the order of STAGES; what the statements know of tools and their
texts is in the tables of the schema `vocabulary` (docs/architecture.md, "Ledger"). Commits have
statements of their own (commits.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.ledger.commits import add_commits, find_commits
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store

STAGES = (
    "clear",
    "calls",
    "arguments",
    "phrases",
    "commands",
    "acts",
    "openings",
    "exits",
    "outcomes",
    "deltas",
    "changes",
    "ledger",
    "file_events",
    "forget",
)
"""The statements in queries/ledger/, in order; each reads the temporary tables of those before."""


def build(store: Store) -> None:
    """Make the rows of `ledger` and `file_events` for the trajectories in the temp table `touched`.

    Rows that these trajectories had are replaced: one ledger row per row of `steps`. The caller
    holds the transaction.

    Raises:
        StoreError: there is no table `touched(trajectory_id)`, or the database is read-only.
    """
    find_commits(store)
    for stage in STAGES:
        store.run(query(f"ledger/{stage}").text)
    add_commits(store)
