"""Lowers the checks that run before a sub-query: does each term occur, which event is the anchor.

See docs/architecture.md, "Grounding".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tallysql.lowering.operations import Statement, attach, parsed
from tallysql.lowering.predicate import (
    ledger_rows,
    named_terms,
    selected,
    shape,
    term_condition,
    term_parameters,
)
from tallysql.plan.nodes import Query

if TYPE_CHECKING:
    from tallysql.plan.nodes import Anchor, Where
    from tallysql.plan.profiles import Profile

KNOWN_OUTCOMES = "known_outcomes"
KNOWN_EXIT_CODES = "known_exit_codes"


def lower_grounding(where: Where, profile: Profile, trajectory_id: str) -> Statement:
    """Return the statement that counts, in one row, the ledger rows in which each term occurs.

    Its columns are the terms' names (`tool_1`), then `known_outcomes` and `known_exit_codes`: the
    rows that state one.
    """
    params = {"trajectory_id": trajectory_id} | term_parameters(where)
    return Statement(_grounding_text(shape(Query("count", where)), profile), params)


def lower_anchor(anchor: Anchor, profile: Profile, trajectory_id: str) -> Statement:
    """Return the statement that finds the anchor's event: one row (step, call), or none."""
    params: dict[str, Any] = {"trajectory_id": trajectory_id, **term_parameters(anchor.where)}
    masked = shape(Query("count", anchor.where))
    if anchor.pick == "last":
        return Statement(_anchor_text("grounding/last_event", masked, profile), params)
    skipped = 0 if anchor.pick == "first" else anchor.pick - 1
    text = _anchor_text("grounding/nth_event", masked, profile)
    return Statement(text, params | {"skipped": skipped})


def lower_values(values: str, trajectory_id: str) -> Statement:
    """Return the statement that lists the distinct values of a field in a trajectory's ledger.

    Args:
        values: a name in queries/operations/values/.
        trajectory_id: whose ledger.
    """
    return Statement(_values_text(values), {"trajectory_id": trajectory_id})


@lru_cache(maxsize=1024)
def _grounding_text(masked: Query, profile: Profile) -> str:
    counts = [
        _count_where(term_condition(named, profile), named.name)
        for named in named_terms(masked.where)
    ]
    outcome, exit_code = (exp.column(n, table="ledger") for n in ("outcome", "exit_code"))
    known = exp.NEQ(this=outcome, expression=exp.Literal.string("unknown"))
    counts.append(_count_where(known, KNOWN_OUTCOMES))
    counts.append(exp.alias_(exp.Count(this=exit_code), KNOWN_EXIT_CODES))
    return ledger_rows(exp.select(*counts), masked.where).sql(dialect="duckdb", pretty=True)


@lru_cache(maxsize=1024)
def _anchor_text(name: str, masked: Query, profile: Profile) -> str:
    return attach(name, [("selected", selected(masked, profile))])


@lru_cache(maxsize=16)
def _values_text(values: str) -> str:
    everything = ledger_rows(exp.select("*"), ())
    return attach(
        "grounding/values",
        [("selected", everything), ("valued", parsed(f"operations/values/{values}"))],
    )


def _count_where(condition: exp.Expr, name: str) -> exp.Expr:
    count = exp.Count(this=exp.Star(), big_int=True)
    return exp.alias_(exp.Filter(this=count, expression=exp.Where(this=condition)), name)
