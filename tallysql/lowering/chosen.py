"""A user's condition over trajectories, parsed and put into a statement of ours."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from tallysql.errors import InputError


def trajectories_where(condition: str) -> str:
    """Return the statement of the trajectories that satisfy a condition.

    Args:
        condition: SQL over the columns of `trajectories`, such as `domain = 'software'`.

    Raises:
        InputError: not one condition, or one that reads other tables.
    """
    try:
        parsed = sqlglot.parse_one(condition, into=exp.Condition, dialect="duckdb")
    except sqlglot.errors.SqlglotError as error:
        problem = str(error).split("\n", 1)[0]
        raise InputError(f"--where: not a condition over trajectories: {problem}") from None
    if parsed.find(exp.Query, exp.Command):
        raise InputError("--where: a condition may not hold a query of its own")
    chosen = exp.select("trajectory_id").from_("trajectories").where(parsed)
    return chosen.order_by("trajectory_id").sql(dialect="duckdb")
