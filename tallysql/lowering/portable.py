"""Turns sub-queries into rows, for engines that run a whole batch of them as a few joins.

The statements in queries/portable/ are the same for every plan: what a plan asks for reaches them
as two tables, `selections` and `terms`, and the ledger as two more, `events` and `texts`. They use
neither lists nor bit operations nor regular expressions. See docs/architecture.md, "Other engines".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tallysql.lowering.predicate import EXIT_CODE_WORDS, named_terms, names_malformed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.plan.nodes import Anchor, By, Field, Pick, Query, Term, Where
    from tallysql.plan.profiles import Profile

NO_BOUND = 1 << 62
"""Stands for an open bound and for no limit: plain comparisons need no NULL."""

FIELDS: dict[Field, tuple[str, ...]] = {
    "tool": ("tool", "act", "own"),
    "action": ("act", "raw"),
    "change": ("change", "object", "property", "value", "setting"),
}
"""The texts that a term of a field may match; a field that is not named has its own alone."""

VALUE_FIELDS: dict[By, tuple[str, int]] = {
    "act": ("shown_act", 0),
    "action": ("raw", 0),
    "first_target": ("target", 1),
    "second_target": ("target", 2),
}
"""Where the values of a `by` stand, and at which position; others under their own name.

`shown_act` is no text of its own: what an act is called depends on the others that are selected.
"""

LISTS = frozenset({"target", "path", "delta", "directory", "change", "object", "value"})
"""Fields with several texts an event; in the plural, they stand as one."""

PICKS: dict[Pick | None, int] = {None: 0, "first": 1, "last": -1}


class Selection(NamedTuple):
    """A sub-query (part `where`) or one of its anchors (`after`, `before`), as a row."""

    query_id: int
    part: str
    trajectory_id: str
    clauses: int
    exclusions: int
    malformed: int
    every: int
    lo: int
    hi: int
    after_events: int
    before_events: int
    op: str
    value_field: str
    value_position: int
    value_named: int
    pick: int
    most: int


class TermRow(NamedTuple):
    """One text that one term may match, as a row; `kind` is `where` or `not`."""

    query_id: int
    trajectory_id: str
    part: str
    kind: str
    clause: int
    term: int
    field: str
    match: str
    text: str
    names_elements: int


def portable(query: Query) -> str | None:
    """Return why a sub-query cannot be asked in the portable form, None if it can."""
    if query.op == "runs" and _of_named(query):
        return "runs of the changes or paths that a term names"
    return None


def selections(
    query_id: int, trajectory_id: str, query: Query, profile: Profile
) -> Iterator[Selection]:
    """Return the rows of a sub-query and of its anchors."""
    scope = query.scope
    field, position = _value_field(query)
    yield Selection(
        query_id,
        "where",
        trajectory_id,
        len(query.where),
        len(query.exclude),
        _malformed(query.where),
        int(not profile.events_only),
        -NO_BOUND if scope.lo is None else scope.lo,
        NO_BOUND if scope.hi is None else scope.hi,
        int(scope.after is not None),
        int(scope.before is not None),
        query.op,
        field,
        position,
        int(_of_named(query)),
        PICKS.get(query.pick, query.pick),  # type: ignore[arg-type]
        NO_BOUND if query.limit is None else query.limit,
    )
    for part, anchor in (("after", scope.after), ("before", scope.before)):
        if anchor is not None:
            yield _anchor(query_id, part, trajectory_id, anchor, profile)


def terms(query_id: int, trajectory_id: str, query: Query, profile: Profile) -> Iterator[TermRow]:
    """Return the rows of the terms of a sub-query and of its anchors."""
    parts = [("where", "where", query.where), ("where", "not", query.exclude)]
    for part, anchor in (("after", query.scope.after), ("before", query.scope.before)):
        if anchor is not None:
            parts.append((part, "where", anchor.where))
    for part, kind, where in parts:
        for clause, found in enumerate(where):
            for number, term in enumerate(found.terms):
                for field, match in _texts(found.field, term, profile):
                    yield TermRow(
                        query_id,
                        trajectory_id,
                        part,
                        kind,
                        clause,
                        number,
                        field,
                        match,
                        term.text,
                        int(found.field in {"change", "path"}),
                    )


def _texts(field: Field, term: Term, profile: Profile) -> Iterator[tuple[str, str]]:
    """Return the fields in which a term is looked for, and how."""
    if field == "exit_code":
        yield ("exit_state" if term.text in EXIT_CODE_WORDS else "exit_code"), "verbatim"
    elif field == "outcome":
        yield "outcome", "exact"
    else:
        match = term.match or profile.match
        for name in FIELDS.get(field, (field,)):
            yield name, match
        if field == "change" and match == "verbatim_prefix":
            yield "below", match


def _anchor(
    query_id: int, part: str, trajectory_id: str, anchor: Anchor, profile: Profile
) -> Selection:
    return Selection(
        query_id,
        part,
        trajectory_id,
        len(anchor.where),
        0,
        _malformed(anchor.where),
        int(not profile.events_only),
        -NO_BOUND,
        NO_BOUND,
        0,
        0,
        "anchor",
        "",
        0,
        0,
        PICKS.get(anchor.pick, anchor.pick),  # type: ignore[arg-type]
        NO_BOUND,
    )


def _malformed(where: Where) -> int:
    return int(any(names_malformed(named.field, named.term) for named in named_terms(where)))


def _of_named(query: Query) -> bool:
    """Whether only those elements of a list count that a term names: changes, or paths."""
    field = {"object": "change", "value": "change", "path": "path"}.get(query.by or "")
    return any(clause.field == field for clause in query.where)


def _value_field(query: Query) -> tuple[str, int]:
    """Return where the values that a sub-query asks for stand, and at which position."""
    if query.op == "timeline":
        return "change", 0
    if query.by is None:
        return "", 0
    field, position = VALUE_FIELDS.get(query.by, (query.by, 0))
    return (
        (f"{field}s", 0)
        if query.op == "runs" and field in LISTS and not position
        else (field, position)
    )
