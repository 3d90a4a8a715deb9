"""The whole ledger: what the log says, completed by annotations of the same texts.

See docs/architecture.md, "Annotation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.ledger import mechanical
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store


def build(store: Store) -> None:
    """Make the ledger of the trajectories in the temp table `touched` anew.

    Annotations of steps whose texts changed are forgotten, the others are merged again. The caller
    holds the transaction.

    Raises:
        StoreError: there is no table `touched(trajectory_id)`, or the database is read-only.
    """
    mechanical.build(store)
    store.run(query("annotation/forget_stale").text)
    merge(store)


def merge(store: Store) -> None:
    """Complete the ledger rows of the touched trajectories from `annotations`.

    A field is taken from an annotation only where the log itself says nothing; `provenance` names
    the fields taken.
    """
    store.run(query("annotation/merge").text)
