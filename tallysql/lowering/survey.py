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
    asked_elements,
    clauses_hold,
    event_rule,
    ledger_rows,
    marking_condition,
    named_terms,
    scope_conditions,
    shape,
    term_parameters,
    where_condition,
)

if TYPE_CHECKING:
    from tallysql.lowering.operations import Places
    from tallysql.plan.nodes import Query
    from tallysql.plan.profiles import Profile

SUMMARY = ("known_outcomes", "known_exit_codes", "matched", "steps", "outcomes", "errors")
"""The columns of a survey after those of the terms; `queries/grounding/survey.sql` tells them."""

VALUED = "valued"
"""The last column, where the sub-query has values: selected rows that have one."""

NEIGHBOURLY = frozenset({"act"})
"""Values that depend on the other selected rows, so that no single pass can tell who has one."""


def lower_survey(query: Query, profile: Profile, trajectory_id: str, places: Places) -> Statement:
    """Return the statement of a sub-query's survey over one trajectory.

    Its columns are `survey_columns`; the terms' are the ledger rows in which each occurs.
    """
    params: dict[str, Any] = {"trajectory_id": trajectory_id}
    params |= scope_parameters(query, places)
    params |= term_parameters(query.where)
    params |= term_parameters(query.exclude, prefix="not_")
    return Statement(_survey_text(shape(query), profile), params)


def survey_columns(query: Query) -> list[str]:
    """Return the names of a survey's columns, in order."""
    names = [*(named.name for named in named_terms(query.where)), *SUMMARY]
    return [*names, VALUED] if query.by is not None and query.by not in NEIGHBOURLY else names


@lru_cache(maxsize=1024)
def _survey_text(masked: Query, profile: Profile) -> str:
    return survey(masked, profile).sql(dialect="duckdb", comments=False)


def survey(query: Query, profile: Profile) -> exp.Select:
    """Return the survey's tree: `surveyed` are the marked rows, under it one scan of the ledger."""
    statement = parsed("grounding/survey")
    assert isinstance(statement, exp.Select)
    terms = [
        exp.alias_(_count_where(exp.column(named.name)), named.name)
        for named in named_terms(query.where)
    ]
    statement.set("expressions", [*terms, *statement.expressions])
    marks = {"chosen": _chosen(query, profile)}
    if (keys := _keys(query)) is not None:
        marks["has_value"] = any_element(keys, _is_value)
        valued = exp.and_(exp.column("chosen"), exp.column("has_value"))
        statement.select(exp.alias_(_count_where(valued), VALUED), copy=False)
    return statement.with_("surveyed", as_=_surveyed(query, profile, statement, marks), copy=False)


def _surveyed(
    query: Query, profile: Profile, statement: exp.Select, marks: dict[str, exp.Expr]
) -> exp.Select:
    """Return the marked rows: the marks of terms below, those that combine them above.

    Each column is named, because binding all of them takes longer than reading them.
    """
    own = {exp.column(n.name): marking_condition(n, profile) for n in named_terms(query.where)}
    above = {column.name for column in statement.find_all(exp.Column)} - set(marks)
    below = above | {c.name for mark in marks.values() for c in mark.find_all(exp.Column)}
    terms = {column.name for column in own}
    rows = exp.select(
        *(_column(name, query, profile) for name in sorted(below - terms)),
        *(exp.alias_(condition, column.name) for column, condition in own.items()),
    )
    rows = ledger_rows(rows, query.where + query.exclude)
    return exp.select(
        *map(exp.column, sorted(above)), *(exp.alias_(mark, name) for name, mark in marks.items())
    ).from_(rows.subquery("ledger"))


def _column(name: str, query: Query, profile: Profile) -> exp.Expr:
    if name == "is_excluded":
        excluded = where_condition(query.exclude, profile, prefix="not_")
        return exp.alias_(excluded or exp.false(), name)
    if (asked := asked_elements(query, profile).get(name)) is not None:
        return exp.alias_(asked, name)
    return exp.column(name, table="ledger")


def _chosen(query: Query, profile: Profile) -> exp.Expr:
    conditions = [
        *scope_conditions(query.scope),
        *event_rule(query.where, profile),
        *clauses_hold(query.where),
    ]
    if query.exclude:
        # A NULL field does not satisfy a clause, so the row stays.
        excluded = exp.func("coalesce", exp.column("is_excluded"), exp.false())
        conditions.append(exp.not_(excluded))
    return exp.and_(*conditions, copy=False) if conditions else exp.true()


def _keys(query: Query) -> Any:
    """Return the list of a row's values, from the file that says what they are."""
    if query.by is None or query.by in NEIGHBOURLY:
        return None
    values = parsed(f"operations/values/{query.by}")
    return next(found.this for found in values.selects if found.alias == "keys")


def _is_value(key: exp.Expr) -> exp.Expr:
    return exp.NEQ(this=key, expression=exp.Literal.string(""))


def _count_where(condition: exp.Expr) -> exp.Expr:
    count = exp.Count(this=exp.Star(), big_int=True)
    return exp.Filter(this=count, expression=exp.Where(this=condition))
