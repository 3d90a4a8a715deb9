"""The trajectories that a database holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.errors import UnknownName
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store


def trajectory_ids(store: Store) -> list[str]:
    """Return all trajectory ids, sorted."""
    return [found for (found,) in store.rows(query("catalog/trajectory_ids").text)]


def require_trajectory(store: Store, trajectory_id: str) -> None:
    """Check that a trajectory exists.

    Raises:
        UnknownName: there is none of that id; the hint names near ids.
    """
    ids = trajectory_ids(store)
    if trajectory_id not in ids:
        raise UnknownName("trajectory", trajectory_id, ids)
