"""Runs one plan over many trajectories: one statement for each thing that the plan asks for.

`execute` of each trajectory then finds its rows here instead of asking the database. What only a
few trajectories need (anchors, a status that no file had) is still asked for each by itself. See
docs/architecture.md, "Paths".
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tallysql.engine.execute import execute, execute_log
from tallysql.engine.ground import Log
from tallysql.engine.paths import path_of_many
from tallysql.lowering.partition import over_many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.engine.results import Result
    from tallysql.lowering.operations import Statement
    from tallysql.plan.nodes import Plan
    from tallysql.plan.profiles import Profile
    from tallysql.store import Row, Store


class Fleet:
    """The rows of statements over many trajectories, fetched once for all of them.

    Args:
        store: an open database; it is only read.
        trajectory_ids: which trajectories, None is all of the ledger.
    """

    def __init__(self, store: Store, trajectory_ids: Sequence[str] | None) -> None:
        self._store = store
        self._ids = trajectory_ids
        self._found: dict[str, dict[str, list[Row]]] = {}

    def rows(self, statement: Statement) -> list[Row]:
        """Return the rows of a statement for one trajectory, none if it has nothing to sum up."""
        named = statement.params["trajectory_id"]
        key = repr((statement.sql, {**statement.params, "trajectory_id": None}))
        if key not in self._found:
            self._found[key] = self._fetch(statement)
        return self._found[key].get(named, [])

    def _fetch(self, statement: Statement) -> dict[str, list[Row]]:
        many = over_many(statement, self._ids)
        rows = self._store.rows(many.statement.sql, many.statement.params)
        return {
            named: [row[1:] for row in found][many.rows]
            for named, found in groupby(rows, key=lambda row: row[0])
        }


def execute_many(
    store: Store,
    trajectory_ids: Sequence[str],
    plan: Plan,
    profile: Profile,
    *,
    every: bool = False,
) -> Iterator[tuple[str, tuple[Result, ...]]]:
    """Ground and run one plan over each of many trajectories.

    Args:
        store: an open database; it is only read.
        trajectory_ids: whose ledgers.
        plan: a checked plan.
        profile: the settings that the plan was checked against.
        every: these are all trajectories, so that none has to be looked for.

    Returns:
        (trajectory id, one result per sub-query) in the order given; the results are those of
        `execute`.
    """
    if path_of_many(store, len(trajectory_ids)) == "single":
        yield from ((named, execute(store, named, plan, profile)) for named in trajectory_ids)
        return
    fleet = Fleet(store, None if every else trajectory_ids)
    for named in trajectory_ids:
        yield named, execute_log(Log(store, named, profile, "batch", fleet.rows), plan)
