"""Attaches a sub-query's predicate to the operation that works on the selected rows.

The operations are files in queries/operations/ over the relation `selected`. Those with a value
work on relations that build on each other: `valued` (one row per selected row, `keys` a list),
`keyed` (one row per key), `counted` (one row per distinct key).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp

from tallysql.lowering.predicate import selected, shape, term_parameters
from tallysql.sqlfiles import query as sql_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.plan.nodes import Pick, Query
    from tallysql.plan.profiles import Profile

RELATIONS: dict[str, tuple[str, ...]] = {
    "group": ("valued", "keyed", "counted"),
    "distinct": ("valued", "keyed", "counted"),
    "top": ("valued", "keyed", "counted"),
    "runs": ("valued",),
    "values": ("valued", "keyed"),
    "count_values": ("valued", "keyed"),
    "without_value": ("valued",),
}
"""The relations that an operation needs between `selected` and itself."""


PICKS: dict[Pick | None, int] = {"first": 1, "last": -1}


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL text and its named parameters; pasting both into DuckDB gives the same rows."""

    sql: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """The step and call of an event that bounds a scope."""

    step: int
    call: int


Places = dict[str, Place]
"""Scope end ("after", "before") → the event found there."""


def lower(query: Query, profile: Profile, trajectory_id: str, places: Places) -> Statement:
    """Return the statement of a sub-query's operation.

    Args:
        query: a checked sub-query.
        profile: decides the default match and which rows are events.
        trajectory_id: whose ledger.
        places: the events that the scope's anchors resolved to.
    """
    name = _operation(query, profile)
    return _statement(name, query, profile, trajectory_id, places)


def lower_without_value(
    query: Query, profile: Profile, trajectory_id: str, places: Places
) -> Statement:
    """Return the statement that counts the selected rows without a value to group by."""
    return _statement("operations/without_value", query, profile, trajectory_id, places)


def attach(name: str, relations: Iterable[tuple[str, exp.Query]]) -> str:
    """Return the text of a statement file with named relations put before its own."""
    statement = parsed(name)
    own = statement.ctes
    statement.set("with_", None)
    for alias, relation in relations:
        statement = statement.with_(alias, as_=relation, copy=False)
    for cte in own:
        statement = statement.with_(cte.alias, as_=cte.this, copy=False)
    return statement.sql(dialect="duckdb", pretty=True, comments=False)


def _statement(
    name: str, query: Query, profile: Profile, trajectory_id: str, places: Places
) -> Statement:
    params: dict[str, Any] = {"trajectory_id": trajectory_id}
    params.update(scope_parameters(query, places))
    params.update(term_parameters(query.where))
    params.update(term_parameters(query.exclude, prefix="not_"))
    if "limit" in sql_file(name).params:
        params["limit"] = query.limit
    if "pick" in sql_file(name).params:
        params["pick"] = PICKS.get(query.pick, query.pick)
    return Statement(_text(name, shape(query), profile), params)


@lru_cache(maxsize=1024)
def _text(name: str, masked: Query, profile: Profile) -> str:
    relations: list[tuple[str, exp.Query]] = [("selected", selected(masked, profile))]
    for relation in RELATIONS.get(name.removeprefix("operations/"), ()):
        file = _values(masked) if relation == "valued" else f"operations/{relation}"
        relations.append((relation, parsed(file)))
    return attach(name, relations)


def _operation(query: Query, profile: Profile) -> str:
    # The paper's timeline shows no raw action.
    if query.op == "timeline" and not profile.extensions:
        return "operations/timeline_plain"
    if query.op == "count" and query.by is not None:
        return "operations/count_values"
    return f"operations/{query.op}"


def _values(query: Query) -> str:
    return f"operations/values/{query.by or 'act'}"


def scope_parameters(query: Query, places: Places) -> dict[str, int]:
    """Return the parameters that the conditions of a scope refer to."""
    bounds = {"lo": query.scope.lo, "hi": query.scope.hi}
    params = {name: bound for name, bound in bounds.items() if bound is not None}
    for end, place in places.items():
        params |= {f"{end}_step": place.step, f"{end}_call": place.call}
    return params


def parsed(name: str) -> exp.Query:
    """Return the tree of a statement file, to change at will."""
    return _parse(name).copy()


@lru_cache(maxsize=64)
def _parse(name: str) -> exp.Query:
    statement = sqlglot.parse_one(sql_file(name).text, dialect="duckdb")
    assert isinstance(statement, exp.Query)
    return statement
