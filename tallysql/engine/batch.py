"""Runs many plans over many trajectories: one statement for all sub-queries of one shape.

What `execute` would ask the database is asked for all of them before, and found here. Shapes that
few sub-queries have, and what depends on the event of an anchor, are left to it. See
docs/architecture.md, "Paths".
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tallysql.engine.execute import OF_SELECTION, execute, execute_log, with_defaults
from tallysql.engine.ground import Log
from tallysql.engine.paths import path_of_many
from tallysql.lowering.operations import Statement, lower, lower_without_value
from tallysql.lowering.partition import rows_of
from tallysql.lowering.survey import NEIGHBOURLY, lower_survey
from tallysql.lowering.units import UNIT, UNITS, column_of, over_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tallysql.engine.results import Result
    from tallysql.plan.nodes import Plan, Query
    from tallysql.plan.profiles import Profile
    from tallysql.store import Row, Store

Asked = tuple[str, "Plan"]
"""A trajectory and a checked plan over it."""


def execute_batch(
    store: Store, asked: Sequence[Asked], profile: Profile
) -> Iterator[tuple[Result, ...]]:
    """Ground and run many plans; the results are those of `execute`, in the order given.

    Args:
        store: an open database; it is only read.
        asked: trajectories and plans.
        profile: the settings that the plans were checked against.
    """
    if path_of_many(store, len(asked)) == "single":
        yield from (execute(store, named, plan, profile) for named, plan in asked)
        return
    shared = Shared(store, _statements(asked, profile))
    for named, plan in asked:
        yield execute_log(Log(store, named, profile, "batch", shared.rows), plan)


def _statements(asked: Iterable[Asked], profile: Profile) -> Iterator[Statement]:
    """Yield what `execute` will ask of the database, as far as it is known before."""
    for named, plan in asked:
        for query in map(with_defaults, plan.queries):
            if query.scope.after is None and query.scope.before is None:
                yield from _statements_of(named, query, profile)


def _statements_of(named: str, query: Query, profile: Profile) -> Iterator[Statement]:
    yield lower_survey(query, profile, named, {})
    if query.by is not None or query.op not in OF_SELECTION:
        yield lower(query, profile, named, {})
    if query.by in NEIGHBOURLY:
        yield lower_without_value(query, profile, named, {})


class Shared:
    """The rows of many statements, each shape of them fetched at once."""

    def __init__(self, store: Store, statements: Iterable[Statement]) -> None:
        self._store = store
        self._found: dict[Any, list[Row]] = {}
        shapes: defaultdict[str, dict[Any, Statement]] = defaultdict(dict)
        for statement in statements:
            shapes[statement.sql][_key(statement)] = statement
        for sql, units in shapes.items():
            text = over_units(sql)
            if text is not None and path_of_many(store, len(units)) == "batch":
                self._fetch(text, units)

    def rows(self, statement: Statement) -> list[Row]:
        """Return the rows of a statement; those of a sum are none where there is nothing."""
        found = self._found.get(_key(statement))
        if found is None:
            return self._store.quick_rows(statement.sql, statement.params)
        return found

    def _fetch(self, text: str, units: dict[Any, Statement]) -> None:
        keys, statements = list(units), list(units.values())
        names = list(statements[0].params)
        columns = {
            column_of(name): pa.array([statement.params[name] for statement in statements])
            for name in names
        }
        table = pa.table({UNIT: pa.array(range(len(keys)), pa.int64()), **columns})
        with self._store.view_of(UNITS, table):
            rows = self._store.rows(text)
        self._found |= {key: [] for key in keys}  # a unit without rows has been asked, too
        for unit, found in groupby(rows, key=lambda row: row[0]):
            kept = rows_of(statements[unit], one_row=False)
            self._found[keys[unit]] = [row[1:] for row in found][kept]


def _key(statement: Statement) -> Any:
    return statement.sql, tuple(statement.params.values())
