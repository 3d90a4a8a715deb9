"""Which trajectories a question is asked about: all, those like a pattern, those SQL chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.errors import InputError
from tallysql.lowering.chosen import trajectories_where
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store


def chosen_trajectories(
    store: Store, *, like: str | None = None, where: str | None = None
) -> list[str]:
    """Return the ids of the chosen trajectories, sorted; of all if nothing chooses.

    Args:
        store: an open database.
        like: a glob pattern over ids, such as `run-*`.
        where: a SQL condition over the columns of `trajectories`.

    Raises:
        InputError: none is chosen, or `where` is not a condition over those columns.
    """
    found = set(_ids(store, query("catalog/trajectory_ids").text))
    if like is not None:
        found &= set(_ids(store, query("catalog/trajectories_like").text, {"pattern": like}))
    if where is not None:
        store.lock_down()  # the condition is the user's text
        found &= set(_ids(store, trajectories_where(where)))
    if not found:
        raise InputError(
            f"{store.path}: no trajectory is chosen", "tallysql info lists what it holds"
        )
    return sorted(found)


def _ids(store: Store, sql: str, params: dict[str, str] | None = None) -> list[str]:
    return [found for (found,) in store.rows(sql, params)]
