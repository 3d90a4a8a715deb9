"""Turns a statement over one trajectory into the same statement over many at once.

Nothing is written twice: each SELECT of the statement passes the trajectory on, and aggregates,
windows and joins keep apart what belongs to different ones. See docs/architecture.md, "Paths".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp

from tallysql.lowering.operations import Statement

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = "trajectory_id"
CHOSEN = "trajectory_ids"
"""Parameter with the list of trajectories, where not all are meant."""


@dataclass(frozen=True, slots=True)
class Partitioned:
    """A statement over many trajectories.

    Attributes:
        statement: its first column is the trajectory, the others those of the statement for one;
            rows come trajectory by trajectory, within one in the same order.
        rows: which rows of a trajectory count.
    """

    statement: Statement
    rows: slice


def over_many(one: Statement, trajectory_ids: Sequence[str] | None) -> Partitioned:
    """Return a statement for one trajectory as the statement for many.

    Args:
        one: made by `tallysql.lowering`; its parameter `trajectory_id` is dropped.
        trajectory_ids: which ones, None is all of the ledger.
    """
    text, names, one_row = _text(one.sql, trajectory_ids is not None)
    params: dict[str, Any] = {n: value for n, value in one.params.items() if n in names}
    if trajectory_ids is not None:
        params[CHOSEN] = list(trajectory_ids)
    return Partitioned(Statement(text, params), rows_of(one, one_row))


def rows_of(one: Statement, one_row: bool) -> slice:
    """Return which of a trajectory's rows a statement keeps."""
    skipped = one.params.get("skipped", 0)
    limit = 1 if one_row else one.params.get("limit")
    return slice(skipped, limit and skipped + limit)


@lru_cache(maxsize=256)
def _text(sql: str, some: bool) -> tuple[str, frozenset[str], bool]:
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    for select in list(tree.find_all(exp.Select)):
        keep_apart(select, KEY)
        pass_on(select, KEY)
    _choose(tree, some)
    assert isinstance(tree, exp.Select)
    # A limit holds for each trajectory, so who fetches applies it.
    one_row = one_row_limit(tree)
    _in_order(tree)
    names = frozenset(found.name for found in tree.find_all(exp.Placeholder))
    return tree.sql(dialect="duckdb"), names, one_row


def over_all(sql: str, trajectory_ids: Sequence[str] | None) -> Statement:
    """Return a statement for one trajectory as one that takes many for one.

    Args:
        sql: its only parameter is `trajectory_id`.
        trajectory_ids: which ones, None is all of the ledger.
    """
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    _choose(tree, trajectory_ids is not None)
    chosen = {} if trajectory_ids is None else {CHOSEN: list(trajectory_ids)}
    return Statement(tree.sql(dialect="duckdb", comments=False), chosen)


def _choose(tree: exp.Expr, some: bool) -> None:
    for condition in list(tree.find_all(exp.EQ)):
        if isinstance(condition.expression, exp.Placeholder) and condition.expression.name == KEY:
            condition.replace(_is_chosen(condition.this) if some else exp.true())


def pass_on(select: exp.Select, key: str) -> None:
    """Let a SELECT return the key first, and aggregate each of its values by itself."""
    column = exp.column(key)
    if not select.is_star:
        select.set("expressions", [column, *select.expressions])
    aggregates = any(isinstance(p.unalias(), (exp.AggFunc, exp.Filter)) for p in select.selects)
    if select.args.get("group") or aggregates:
        select.group_by(column, copy=False)


def keep_apart(select: exp.Select, key: str) -> None:
    """Keep windows and joins of a SELECT within one value of the key."""
    for window in select.find_all(exp.Window):
        if window.parent_select is select:
            window.set("partition_by", [exp.column(key), *window.args.get("partition_by", [])])
    for join in select.args.get("joins") or ():
        using = join.args.get("using")
        if using and not any(name.name == KEY for name in using):
            join.set("using", [exp.to_identifier(key), *using])


def one_row_limit(tree: exp.Select) -> bool:
    """Take the limit off a statement; return whether it was a single row."""
    limit = tree.args.get("limit")
    tree.set("limit", None)
    tree.set("offset", None)
    return limit is not None and isinstance(limit.expression, exp.Literal)


def _in_order(tree: exp.Select) -> None:
    order = tree.args.get("order")
    first = exp.Ordered(this=exp.column(KEY), nulls_first=False)
    tree.set("order", exp.Order(expressions=[first, *(order.expressions if order else ())]))


def _is_chosen(column: exp.Expr) -> exp.Expr:
    chosen = exp.select(exp.func("unnest", exp.Placeholder(this=CHOSEN)))
    return exp.In(this=column, query=chosen.subquery())
