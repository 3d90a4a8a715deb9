"""Runs a plan over one trajectory's ledger: one result per sub-query, in plan order.

See docs/architecture.md, "Execution".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tallysql.engine.ground import Check, Log, Selection, ground
from tallysql.engine.paths import path_of
from tallysql.engine.results import Group, Result, State
from tallysql.lowering.operations import Statement, lower
from tallysql.lowering.survey import NEIGHBOURLY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.engine.results import Grounding
    from tallysql.plan.nodes import Op, Plan, Query
    from tallysql.plan.profiles import Profile
    from tallysql.store import Row, Store

RELAXABLE = frozenset({"list", "timeline"})
RELAXED_FIELDS = frozenset({"target", "action"})


def execute(store: Store, trajectory_id: str, plan: Plan, profile: Profile) -> tuple[Result, ...]:
    """Ground and run the sub-queries of a plan.

    Args:
        store: an open database; it is only read.
        trajectory_id: whose ledger; an unknown one has no rows.
        plan: a checked plan.
        profile: the settings that the plan was checked against.

    Returns:
        One result per sub-query, in plan order; what was dropped says why.
    """
    return execute_log(Log(store, trajectory_id, profile, path_of(store, trajectory_id)), plan)


def execute_log(log: Log, plan: Plan) -> tuple[Result, ...]:
    """Ground and run the sub-queries of a plan over a log; see `execute`."""
    return tuple(execute_query(log, query) for query in plan.queries)


def aggregation_load(results: Sequence[Result]) -> int | None:
    """Return the sum of |S| over surviving sub-queries; None, undefined, if none survives."""
    matched = [result.matched for result in results if result.survives]
    return sum(matched) if matched else None


def execute_query(log: Log, query: Query) -> Result:
    """Ground and run one sub-query."""
    query = with_defaults(query)
    check = ground(log, query)
    if check.missing:
        reason = "; ".join(map(_ungrounded, check.missing))
        if any("." in term.field for term in check.missing):
            return _dropped(query, "ungrounded", reason, check)
        return _relaxed(log, query, check) or _dropped(query, "ungrounded", reason, check)
    if check.unmatched:
        ends = " and ".join(f"`{bound.end}`" for bound in check.unmatched)
        return _dropped(query, "empty", f"the event that {ends} names is not in the log", check)
    if check.selection.matched:
        return _run(log, query, check, "ok", None)
    if log.profile.verified_zero:
        return _run(log, query, check, "verified_zero", _verified(check))
    empty = "no event in scope satisfies all filters"
    return _relaxed(log, query, check) or _run(log, query, check, "empty", empty)


def with_defaults(query: Query) -> Query:
    """Return the sub-query with everything said that the language lets one leave out."""
    return replace(query, by="act") if query.op == "runs" and query.by is None else query


def relaxed(query: Query) -> Query | None:
    """Return the sub-query with only its target and action clauses; None where that is no retry."""
    kept = tuple(clause for clause in query.where if clause.field in RELAXED_FIELDS)
    if query.op not in RELAXABLE or not kept or (kept == query.where and not query.exclude):
        return None
    return replace(query, where=kept, exclude=())


def _relaxed(log: Log, query: Query, check: Check) -> Result | None:
    """Retry a list or timeline with only its target and action clauses, scope kept.

    None if it cannot be retried, would be the same, or selects nothing either.
    """
    looser = relaxed(query)
    if looser is None or any(term.field in RELAXED_FIELDS for term in check.missing):
        return None
    selection = Selection.of(log.survey(looser, check.places))
    if not selection.matched:
        return None
    kept = looser.where
    dropped: list[str] = [clause.field for clause in query.where if clause not in kept]
    dropped += ["not"] if query.exclude else []
    reason = f"nothing matched all filters; without {', '.join(dropped)}"
    found = _run(log, looser, replace(check, selection=selection), "relaxed", reason)
    return replace(found, query=query)


def _run(log: Log, query: Query, check: Check, state: State, reason: str | None) -> Result:
    statement = lower(query, log.profile, log.trajectory_id, check.places)
    selection = check.selection
    result = replace(
        _result(query, state, reason, check, statement),
        matched=selection.matched,
        steps=selection.steps,
        outcomes=selection.outcomes,
        errors=selection.errors,
    )
    if state == "empty":
        return result
    if query.by is None and query.op in OF_SELECTION:
        return replace(result, **OF_SELECTION[query.op](selection, query.limit))
    rows = log.values(query, check.places)
    groups = _groups(query, rows)
    return replace(
        result,
        value=_value(query, rows, groups),
        groups=groups,
        without_value=_without_value(log, query, check),
        left_out=_left_out(query, rows, selection),
    )


def _without_value(log: Log, query: Query, check: Check) -> int:
    if query.by not in NEIGHBOURLY:
        return check.selection.matched - check.selection.valued if query.by is not None else 0
    return log.without_value(query, check.places)


def _listed(selection: Selection, limit: int | None) -> dict[str, Any]:
    value = list(selection.steps[:limit])
    return {"value": value, "left_out": len(selection.steps) - len(value)}


OF_SELECTION: dict[Op, Callable[[Selection, int | None], dict[str, Any]]] = {
    "count": lambda selection, _: {"value": selection.matched},
    "first": lambda selection, _: {"value": next(iter(selection.steps), None)},
    "last": lambda selection, _: {"value": next(reversed(selection.steps), None)},
    "list": _listed,
}
"""Operations that say no more than the selection (|S|, min S, max S, S), which is known by then."""


def _dropped(query: Query, state: State, reason: str, check: Check) -> Result:
    return _result(query, state, reason, check, check.statement or Statement("", {}))


def _result(
    query: Query, state: State, reason: str | None, check: Check, statement: Statement
) -> Result:
    return Result(
        query=query,
        state=state,
        reason=reason,
        value=None,
        matched=0,
        steps=(),
        groups=(),
        grounding=check.grounding,
        bounds=check.bounds,
        sql=statement.sql,
        params=statement.params,
    )


def _groups(query: Query, rows: Sequence[Row]) -> tuple[Group, ...]:
    if query.by is None or query.op == "count":
        return ()
    return tuple(Group(key, count, tuple(steps), outs) for key, count, steps, outs, _ in rows)


def _value(query: Query, rows: Sequence[Row], groups: Sequence[Group]) -> Any:
    """Turn an operation's rows into its value; shapes in `Result`."""
    if query.op == "count":
        return rows[0][0] if rows else 0
    if query.op == "timeline":
        names = ("step", "tool", "outcome", "changes", "raw")
        return [dict(zip(names, row, strict=False)) for row in rows]
    if query.op == "distinct":
        return [group.key for group in groups]
    if query.op == "top":
        return {
            "keys": [group.key for group in groups],
            "count": groups[0].count if groups else 0,
        }
    return [{"key": g.key, "count": g.count, "steps": list(g.steps)} for g in groups]


def _left_out(query: Query, rows: Sequence[Row], selection: Selection) -> int:
    if query.limit is None or query.pick is not None:
        return 0
    if query.op == "timeline":
        return selection.matched - len(rows)
    return rows[0][-1] - len(rows) if query.by is not None and rows else 0


def _ungrounded(term: Grounding) -> str:
    near = f", nearest is {term.nearest!r}" if term.nearest is not None else ""
    return f"{term.field} {term.term!r} occurs nowhere in the log{near}"


def _verified(check: Check) -> str:
    if not check.grounding:
        return "no event in scope"
    found = ", ".join(f"{t.field} {t.term!r} in {t.rows} rows" for t in check.grounding)
    return f"no event in scope satisfies all filters, while the log has {found}"
