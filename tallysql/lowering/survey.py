"""Lowers grounding and selection of a sub-query to one statement with one row.

A survey marks each row of the ledger with the terms that occur in it, counts the marks over the
whole ledger (grounding), and sums up the rows that satisfy everything (selection). One scan serves
both, and operations without values need nothing more. Over many trajectories it is the same
statement, grouped. See docs/architecture.md, "Paths".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tallysql.lowering.operations import Statement, parsed, scope_parameters
from tallysql.lowering.predicate import (
    any_element,
    clauses_hold,
    columns_of,
    event_rule,
    ledger_rows,
    named_terms,
    scope_conditions,
    shape,
    term_condition,
    term_parameters,
    where_condition,
)

if TYPE_CHECKING:
    from tallysql.lowering.operations import Places
    from tallysql.plan.nodes import Query
    from tallysql.plan.profiles import Profile

SUMMARY = ("known_outcomes", "known_exit_codes", "matched", "steps", "outcomes", "errors", "valued")
"""The columns of a survey after those of the terms; `queries/grounding/survey.sql` tells them."""

NEIGHBOURLY = frozenset({"act"})
"""Values that depend on the other selected rows, so that no single pass can tell who has one."""


def lower_survey(
    query: Query, profile: Profile, trajectory_id: str, places: Places
) -> Statement:
    """Return the statement of a sub-query's survey over one trajectory.

    Its columns are the terms of `where` by name (`tool_1`), the ledger rows in which each occurs,
    then `SUMMARY`. `valued` counts the selected rows that have a value to group by; NULL where the
    sub-query has no `by`, or one of `NEIGHBOURLY`.
    """
    params: dict[str, Any] = {"trajectory_id": trajectory_id}
    params |= scope_parameters(query, places)
    params |= term_parameters(query.where)
    params |= term_parameters(query.exclude, prefix="not_")
    return Statement(_survey_text(shape(query), profile), params)


@lru_cache(maxsize=1024)
def _survey_text(masked: Query, profile: Profile) -> str:
    return survey(masked, profile, marked(masked, profile, ledger_rows)).sql(dialect="duckdb")


def survey(query: Query, profile: Profile, rows: exp.Select) -> exp.Select:
    """Return the aggregation over marked rows."""
    terms = [
        exp.alias_(_count_where(exp.column(named.name)), named.name)
        for named in named_terms(query.where)
    ]
    statement = parsed("grounding/survey")
    assert isinstance(statement, exp.Select)
    statement.set("expressions", [*terms, *statement.expressions])
    # Chosen once, and not again in each aggregate that needs it.
    chosen = exp.select(
        "*", exp.alias_(_chosen(query, profile), "chosen"), exp.alias_(_has_value(query), "has_value")
    ).from_(rows.subquery("ledger"))
    return statement.with_("surveyed", as_=chosen, copy=False)


def marked(query: Query, profile: Profile, rows_of: Any) -> exp.Select:
    """Return the ledger's rows, each with one Boolean per term of `where`, and `is_excluded`."""
    marks = [exp.alias_(term_condition(n, profile), n.name) for n in named_terms(query.where)]
    excluded = where_condition(query.exclude, profile, prefix="not_") or exp.false()
    rows = exp.select(columns_of(query, profile), *marks, exp.alias_(excluded, "is_excluded"))
    found: exp.Select = rows_of(rows, query.where + query.exclude)
    return found


def _chosen(query: Query, profile: Profile) -> exp.Expr:
    conditions = [
        *scope_conditions(query.scope),
        *event_rule(query.where, profile),
        *clauses_hold(query.where),
        exp.not_(exp.func("coalesce", exp.column("is_excluded"), exp.false())),
    ]
    return exp.and_(*conditions, copy=False)


def _has_value(query: Query) -> exp.Expr:
    """Return whether a row has a value to group by, from the file that says what its values are."""
    if query.by is None or query.by in NEIGHBOURLY:
        return exp.null()
    values = parsed(f"operations/values/{query.by}")
    (keys,) = (found.this for found in values.selects if found.alias == "keys")
    return any_element(keys, lambda key: exp.NEQ(this=key, expression=exp.Literal.string("")))


def _count_where(condition: exp.Expr) -> exp.Expr:
    count = exp.Count(this=exp.Star(), big_int=True)
    return exp.Filter(this=count, expression=exp.Where(this=condition))
