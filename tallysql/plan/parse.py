"""Reads and writes the JSON form of plans; says everything that is wrong with one at once.

See docs/architecture.md, "Plan language". Compilers build nodes directly and call `check_plan`.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from tallysql.errors import PlanError
from tallysql.plan.nodes import (
    MAX_QUERIES,
    Anchor,
    Clause,
    Declined,
    Plan,
    Query,
    Scope,
    Term,
    Where,
)
from tallysql.plan.schema import BY_REQUIRED, EXIT_CODE, LIMIT_ALLOWED, MAX_TERMS, by_allowed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tallysql.plan.profiles import Profile

Violation = tuple[str, str]
"""A JSON path, and what is wrong there."""


def parse_plan(data: object, profile: Profile) -> Plan | Declined:
    """Return the plan that a JSON document states.

    Args:
        data: the document, as `json.loads` gives it.
        profile: what a plan may say.

    Raises:
        PlanError: the document breaks the schema or the profile; all violations are named.
    """
    from tallysql.plan.violations import schema_violations

    violations = schema_violations(data, profile)
    if violations:
        raise PlanError(violations)
    assert isinstance(data, dict)
    if not data["applicable"]:
        return Declined(data["reason"])
    plan = Plan(tuple(_query(query) for query in data["queries"]))
    if violations := check_plan(plan, profile):
        raise PlanError(violations)
    return plan


def plan_to_json(plan: Plan | Declined) -> dict[str, Any]:
    """Return the JSON form of a plan; `parse_plan` gives the same plan back."""
    if isinstance(plan, Declined):
        return {"applicable": False, "reason": plan.reason}
    return {"applicable": True, "queries": [_query_json(query) for query in plan.queries]}


def check_plan(plan: Plan, profile: Profile) -> list[Violation]:
    """Return what makes a plan unfit for a profile; empty if nothing does.

    The same rules as the schema's, over nodes and without its cost.
    """
    violations: list[Violation] = []
    if not 1 <= len(plan.queries) <= MAX_QUERIES:
        count = len(plan.queries)
        violations.append(("$.queries", f"{count} sub-queries, must be 1 to {MAX_QUERIES}"))
    terms = sum(len(clause.terms) for query in plan.queries for clause in _all_clauses(query))
    if terms > MAX_TERMS:
        violations.append(("$.queries", f"{terms} terms, a plan may hold {MAX_TERMS}"))
    for number, query in enumerate(plan.queries):
        violations += _query_violations(f"$.queries[{number}]", query, profile)
    return violations


def _query_violations(path: str, query: Query, profile: Profile) -> Iterator[Violation]:
    if query.op not in profile.ops:
        yield f"{path}.op", f"{query.op!r} is refused in profile {profile.name}"
    if query.by is None and query.op in BY_REQUIRED:
        yield path, f"{query.op} needs `by`"
    if query.by is not None and query.op not in by_allowed(profile):
        yield f"{path}.by", f"means nothing for {query.op}"
    if query.by is not None and query.by not in profile.bys:
        yield f"{path}.by", f"{query.by!r} is refused in profile {profile.name}"
    if query.limit is not None and query.op not in LIMIT_ALLOWED:
        yield f"{path}.limit", f"means nothing for {query.op}"
    if query.limit is not None and query.limit < 1:
        yield f"{path}.limit", f"{query.limit} is less than 1"
    if query.pick is not None and query.op != "values":
        yield f"{path}.pick", f"means nothing for {query.op}"
    if query.pick == 0:
        yield f"{path}.pick", "0 is no position: they count from 1, or from -1 at the end"
    yield from _extension_violations(path, query, profile)
    for place, where in _wheres(query):
        yield from _where_violations(f"{path}.{place}", where, profile)


def _extension_violations(path: str, query: Query, profile: Profile) -> Iterator[Violation]:
    used = {
        "not": query.exclude,
        "limit": query.limit,
        "pick": query.pick,
        "scope.after": query.scope.after,
        "scope.before": query.scope.before,
    }
    for name, value in used.items():
        if value and not profile.extensions:
            yield f"{path}.{name}", f"is an extension, refused in profile {profile.name}"
    for end, anchor in (("after", query.scope.after), ("before", query.scope.before)):
        if anchor is not None and not anchor.where:
            yield f"{path}.scope.{end}.where", "names no event"
        if anchor is not None and isinstance(anchor.pick, int) and anchor.pick < 1:
            yield f"{path}.scope.{end}.pick", f"{anchor.pick} is less than 1"


def _where_violations(path: str, where: Where, profile: Profile) -> Iterator[Violation]:
    seen: set[str] = set()
    for clause in where:
        place = f"{path}.{clause.field}"
        if clause.field not in profile.fields:
            yield place, f"is refused in profile {profile.name}"
        if clause.field in seen:
            yield place, "appears twice; the terms of one field are alternatives"
        seen.add(clause.field)
        if not clause.terms:
            yield place, "has no term"
        for number, term in enumerate(clause.terms):
            for problem in _term_problems(clause, term, profile):
                yield f"{place}[{number}]", problem


def _term_problems(clause: Clause, term: Term, profile: Profile) -> Iterator[str]:
    if not term.text.strip():
        yield "an empty term would match everything"
    elif clause.field == "exit_code" and not re.search(EXIT_CODE, term.text):
        yield f"{term.text!r} is no exit code: a number, nonzero or none"
    if term.match is not None and clause.field == "exit_code":
        yield "an exit code takes no match"
    if term.match is not None and not profile.extensions:
        yield f"`match` is an extension, refused in profile {profile.name}"


def _wheres(query: Query) -> Iterator[tuple[str, Where]]:
    yield "where", query.where
    yield "not", query.exclude
    for end, anchor in (("after", query.scope.after), ("before", query.scope.before)):
        if anchor is not None:
            yield f"scope.{end}.where", anchor.where


def _all_clauses(query: Query) -> Iterator[Clause]:
    return chain.from_iterable(where for _, where in _wheres(query))


def _query(data: Mapping[str, Any]) -> Query:
    return Query(
        op=data["op"],
        where=_where(data.get("where", {})),
        scope=_scope(data.get("scope", {})),
        exclude=_where(data.get("not", {})),
        by=data.get("by"),
        limit=data.get("limit"),
        pick=data.get("pick"),
        label=data.get("label"),
    )


def _scope(data: Mapping[str, Any]) -> Scope:
    after, before = (
        Anchor(_where(data[end]["where"]), data[end].get("pick", "first")) if end in data else None
        for end in ("after", "before")
    )
    return Scope(data.get("lo"), data.get("hi"), after, before)


def _where(data: Mapping[str, Any]) -> Where:
    return tuple(
        Clause(name, tuple(_term(term) for term in terms))  # type: ignore[arg-type]
        for name, terms in data.items()
    )


def _term(data: str | Mapping[str, Any]) -> Term:
    return Term(data) if isinstance(data, str) else Term(data["term"], data.get("match"))


def _query_json(query: Query) -> dict[str, Any]:
    data: dict[str, Any] = {
        "scope": _scope_json(query.scope),
        "where": _where_json(query.where),
        "op": query.op,
    }
    if query.label is not None:
        data = {"label": query.label} | data
    if query.exclude:
        data["not"] = _where_json(query.exclude)
    optional = {"by": query.by, "limit": query.limit, "pick": query.pick}
    return data | {name: value for name, value in optional.items() if value is not None}


def _scope_json(scope: Scope) -> dict[str, Any]:
    data: dict[str, Any] = {"lo": scope.lo, "hi": scope.hi}
    for end, anchor in (("after", scope.after), ("before", scope.before)):
        if anchor is not None:
            data[end] = {"where": _where_json(anchor.where), "pick": anchor.pick}
    return data


def _where_json(where: Where) -> dict[str, Any]:
    return {clause.field: [_term_json(term) for term in clause.terms] for clause in where}


def _term_json(term: Term) -> str | dict[str, str]:
    return term.text if term.match is None else {"term": term.text, "match": term.match}
