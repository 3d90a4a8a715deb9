"""Turns a statement about one log into the same statement about many (log, parameters) pairs.

The pairs are rows of the relation `units`: a number, the trajectory, and a column for each
parameter. Where the statement reads the ledger, it reads it once a unit; the rest keeps units
apart. See docs/architecture.md, "Paths".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from tallysql.lowering.partition import keep_apart, one_row_limit, pass_on

if TYPE_CHECKING:
    from collections.abc import Iterator

UNITS = "units"
UNIT = "unit"


def column_of(parameter: str) -> str:
    """Return the column of `units` that holds a parameter; marks are named like their terms."""
    return parameter if parameter == "trajectory_id" else f"given_{parameter}"


@lru_cache(maxsize=256)
def over_units(sql: str) -> str | None:
    """Return the text of a statement over `units`; its first column is the unit.

    Rows come unit by unit, and within one in the order of the statement; what limits them is left
    to who fetches. None where a parameter stands beside aggregates, where it cannot be a column.
    """
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    assert isinstance(tree, exp.Select)
    one_row_limit(tree)
    for select in list(tree.find_all(exp.Select)):
        _look_first(select)
        own = list(_placeholders(select))
        if own and select.args.get("group"):
            return None
        keep_apart(select, UNIT)
        if _reads_ledger(select):
            _join(select, "trajectory_id", own)
            column = exp.column(UNIT, table=UNITS)
            select.set("expressions", [column, *select.expressions])
        else:
            if own:
                _join(select, UNIT, own)
            pass_on(select, UNIT)
    order = tree.args.get("order")
    first = exp.Ordered(this=exp.column(UNIT), nulls_first=False)
    tree.set("order", exp.Order(expressions=[first, *(order.expressions if order else ())]))
    return tree.sql(dialect="duckdb", comments=False)


def _placeholders(select: exp.Select) -> Iterator[exp.Placeholder]:
    return (p for p in select.find_all(exp.Placeholder) if p.parent_select is select)


def _reads_ledger(select: exp.Select) -> bool:
    source = select.args["from_"].this
    return isinstance(source, exp.Table) and source.name == "ledger"


def _join(select: exp.Select, key: str, own: list[exp.Placeholder]) -> None:
    select.join(UNITS, using=[key], copy=False)
    for placeholder in own:
        placeholder.replace(exp.column(column_of(placeholder.name), table=UNITS))


def _look_first(select: exp.Select) -> None:
    """Look for a word's text before its edges: a pattern of a column is compiled row by row."""
    for found in list(select.find_all(exp.RegexpLike)):
        escaped = [f for f in found.find_all(exp.Anonymous) if f.name.lower() == "regexp_escape"]
        if found.parent_select is select and escaped:
            needle = escaped[0].expressions[0]
            has_text = exp.Anonymous(
                this="contains", expressions=[found.this.copy(), needle.copy()]
            )
            found.replace(exp.paren(exp.and_(has_text, found.copy(), copy=False), copy=False))
