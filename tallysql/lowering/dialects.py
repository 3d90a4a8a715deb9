"""The portable statements in the words of other engines.

See docs/architecture.md, "Other engines".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tallysql.errors import InputError
from tallysql.lowering.operations import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallysql.plan.nodes import Query

RELATIONS = ("matched", "satisfying", "bounds", "selected", "keyed")
"""The relations of queries/portable/, each built on those before it."""

BY_TESTS = "run by the tests and held against the reference matcher"
BY_SPARK = "run on a cluster by `make test-spark` and held against the reference matcher"
NOT_RUN = "not verified: written in its words and parsed again, never run there"
DIALECTS = {
    "duckdb": BY_TESTS,
    "sqlite": BY_TESTS,
    "spark": BY_SPARK,
    "postgres": NOT_RUN,
    "trino": NOT_RUN,
    "bigquery": NOT_RUN,
    "snowflake": NOT_RUN,
    "clickhouse": NOT_RUN,
}
"""Dialect → how its SQL was verified."""

REFUSED = {
    ("clickhouse", "values"): "its lag() gives an empty text where there is no previous row",
    ("clickhouse", "first"): "its min() over no rows is 0",
    ("clickhouse", "last"): "its max() over no rows is 0",
}
"""(dialect, operation) → why its answer would be wrong without a word."""


@lru_cache(maxsize=256)
def portable_sql(name: str, dialect: str, relations: tuple[str, ...] = ()) -> str:
    """Return a statement of queries/portable/ in a dialect.

    Args:
        name: the statement, such as `grouped`.
        dialect: as sqlglot names it.
        relations: those to define in front of it, in order; others are tables or views.
    """
    return _text(_with(parsed(f"portable/{name}"), relations), dialect)


def plan_sql(
    query: Query,
    dialect: str,
    selections: Sequence[Mapping[str, Any]],
    terms: Sequence[Mapping[str, Any]],
) -> str:
    """Return one statement for a sub-query, over the tables `events` and `texts`.

    Its values are literals in the dialect's own spelling, for it is made to be taken elsewhere.

    Args:
        query: with its defaults filled in.
        dialect: one of DIALECTS.
        selections: the rows of the sub-query and its anchors (`tallysql.lowering.portable`).
        terms: the rows of its terms, folded forms included.

    Raises:
        InputError: the dialect would answer it wrongly.
    """
    if any("\0" in str(value) for row in terms for value in row.values()):
        raise InputError("a term with a NUL has no portable form")
    if reason := REFUSED.get((dialect, query.op)):
        raise InputError(f"{dialect} cannot be asked for `{query.op}`: {reason}")
    result = _result(query)
    statement = parsed(f"portable/results/{result}")
    if query.limit is not None and query.by is None:
        statement = statement.limit(query.limit)
    between = {"count_values": ("grouped",), "grouped": ("grouped",)}.get(result, ())
    between = (result,) if result in {"runs", "turns"} else between
    statement = _with(statement, (*RELATIONS, *between))
    for name, rows in (("terms", terms), ("selections", selections)):
        table = exp.CTE(this=_rows(rows), alias=exp.TableAlias(this=exp.to_identifier(name)))
        statement.args["with_"].set("expressions", [table, *statement.ctes])
    return _text(statement, dialect, pretty=True)


def _result(query: Query) -> str:
    if query.op == "count" and query.by is not None:
        return "count_values"
    return {"group": "grouped", "distinct": "grouped", "top": "grouped", "values": "turns"}.get(
        query.op, query.op
    )


def _with(statement: exp.Query, relations: Iterable[str]) -> exp.Query:
    """Define relations in front of a statement; their own common tables come before them."""
    own = statement.ctes
    statement.set("with_", None)
    for relation in relations:
        body = parsed(f"portable/{relation}")
        for cte in body.ctes:
            statement = statement.with_(cte.alias, as_=cte.this, copy=False)
        body.set("with_", None)
        statement = statement.with_(relation, as_=body, copy=False)
    for cte in own:
        statement = statement.with_(cte.alias, as_=cte.this, copy=False)
    return statement


def _rows(rows: Sequence[Mapping[str, Any]]) -> exp.Query:
    """Return literal rows as a chain of SELECTs; without rows, as one that gives none."""
    selects = [
        exp.select(*(exp.alias_(exp.convert(value), name) for name, value in row.items()))
        for row in rows
    ]
    return exp.union(*selects, distinct=False) if len(selects) > 1 else selects[0]


def _text(statement: exp.Query, dialect: str, *, pretty: bool = False) -> str:
    return statement.sql(dialect=dialect, identify=True, comments=False, pretty=pretty)
