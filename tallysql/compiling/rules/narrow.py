"""Fits a sub-query to a profile: what the profile can say in its own words, or a refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.refusal import Refused
from tallysql.plan.nodes import Clause, Query, Term

if TYPE_CHECKING:
    from tallysql.plan.nodes import By, Op, Where
    from tallysql.plan.profiles import Profile

# the nearest operation and grouping of a profile without extensions
_OPS: dict[Op, Op] = {"distinct": "group", "top": "group"}
_BYS: dict[By, tuple[By, ...]] = {
    "first_target": ("target",),
    "path": ("target",),
}


def fit(query: Query, profile: Profile) -> Query:
    """Return the sub-query as the profile can express it.

    Raises:
        Refused: it cannot.
    """
    if profile.extensions:
        return query
    if query.exclude or query.scope.after or query.scope.before or query.limit:
        raise Refused(f"the {profile.name} profile has no exclusions, event bounds or limits")
    op = _OPS.get(query.op, query.op)
    if op not in profile.ops:
        raise Refused(f"the {profile.name} profile has no operation {query.op!r}")
    by = query.by if op == "group" else None
    if by is not None and by not in profile.bys:
        by = next((other for other in _BYS.get(by, ()) if other in profile.bys), None)
    if op == "group" and by is None:
        raise Refused(f"the {profile.name} profile cannot group by {query.by}")
    return replace(query, op=op, by=by, where=_plain(query.where, profile))


def _plain(where: Where, profile: Profile) -> Where:
    clauses: dict[str, Clause] = {}
    for clause in where:
        fitted = _clause(clause, profile)
        if fitted.field in clauses and clauses[fitted.field] != fitted:
            raise Refused(
                f"the {profile.name} profile cannot put two conditions on one {fitted.field}"
            )
        clauses[fitted.field] = fitted
    return tuple(clauses.values())


def _clause(clause: Clause, profile: Profile) -> Clause:
    terms = tuple(Term(term.text) for term in clause.terms)
    if clause.field in profile.fields:
        return Clause(clause.field, terms)
    if clause.field == "exit_code" and terms == (Term("nonzero"),) and "outcome" in profile.fields:
        return Clause("outcome", (Term("failure"),))
    if clause.field in {"path", "target"}:
        field = "target" if "target" in profile.fields else "action"
        return Clause(field, terms)  # type: ignore[arg-type]
    raise Refused(f"the {profile.name} profile cannot look at the {clause.field} of an event")
