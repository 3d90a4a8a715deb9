"""Checks what the log can support before a sub-query runs, and finds the events that bound it.

See docs/architecture.md, "Grounding".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tallysql.engine.results import Bound, Grounding
from tallysql.errors import nearest
from tallysql.lowering.grounding import (
    KNOWN_EXIT_CODES,
    KNOWN_OUTCOMES,
    lower_anchor,
    lower_grounding,
    lower_values,
)
from tallysql.lowering.operations import Place, Places, Statement
from tallysql.lowering.predicate import named_terms
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallysql.lowering.predicate import NamedTerm
    from tallysql.plan.nodes import Anchor, Field, Query, Where
    from tallysql.plan.profiles import Profile
    from tallysql.store import Store

STATUS = re.compile(
    r"(?:(?P<path>.*)\.)?(?:status → (?:added|modified|deleted|renamed)|content → binary)"
    r"(?:: (?P<directory>.+))?",
    re.IGNORECASE,
)
OUTCOMES = frozenset({"success", "failure", "no_effect", "unknown"})

VALUES: dict[Field, tuple[str, ...]] = {
    "tool": ("tool", "act"),
    "action": ("act",),
    "target": ("target",),
    "outcome": ("outcome",),
    "change": ("change",),
    "delta": ("delta",),
    "exit_code": ("exit_code",),
    "error": ("error",),
    "path": ("path",),
    "author": ("author",),
}
"""Where near values of a term are looked for: files in queries/operations/values/."""


@dataclass(frozen=True, slots=True)
class Log:
    """What a plan runs over: one trajectory's ledger under a profile."""

    store: Store
    trajectory_id: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class Check:
    """What grounding found.

    Attributes:
        grounding: one entry per term, anchors' terms first.
        bounds: the resolved anchors, in the order after, before.
        statement: the last check that ran, None if there was nothing to check.
    """

    grounding: tuple[Grounding, ...] = ()
    bounds: tuple[Bound, ...] = ()
    statement: Statement | None = None

    @property
    def missing(self) -> tuple[Grounding, ...]:
        """The terms that the log cannot support."""
        return tuple(term for term in self.grounding if not term.grounded)

    @property
    def unmatched(self) -> tuple[Bound, ...]:
        """The anchors without an event."""
        return tuple(bound for bound in self.bounds if bound.step is None)

    @property
    def places(self) -> Places:
        """The events that bound the scope, for lowering."""
        return {
            bound.end: Place(bound.step, bound.call)
            for bound in self.bounds
            if bound.step is not None and bound.call is not None
        }

    def __add__(self, later: Check) -> Check:
        return Check(
            self.grounding + later.grounding,
            self.bounds + later.bounds,
            later.statement or self.statement,
        )


def ground(log: Log, query: Query) -> Check:
    """Check the terms of a sub-query and of its anchors; an anchor that fails ends the check."""
    check = Check()
    for end, anchor in (("after", query.scope.after), ("before", query.scope.before)):
        if anchor is not None:
            check += _resolve(log, end, anchor)  # type: ignore[arg-type]
            if check.missing or check.unmatched:
                return check
    return check + _terms(log, query.where)


def _resolve(log: Log, end: Literal["after", "before"], anchor: Anchor) -> Check:
    terms = _terms(log, anchor.where)
    named = tuple(replace(term, field=f"{end}.{term.field}") for term in terms.grounding)
    if terms.missing:
        return Check(named, (), terms.statement)
    statement = lower_anchor(anchor, log.profile, log.trajectory_id)
    step, call = log.store.row(statement.sql, statement.params) or (None, None)
    return Check(named, (Bound(end, step, call),), statement)


def _terms(log: Log, where: Where) -> Check:
    """Count the rows of each term over the whole ledger, in one statement."""
    if not where:
        return Check()
    statement = lower_grounding(where, log.profile, log.trajectory_id)
    names = [*(named.name for named in named_terms(where)), KNOWN_OUTCOMES, KNOWN_EXIT_CODES]
    row = log.store.row(statement.sql, statement.params) or (0,) * len(names)
    counts = dict(zip(names, row, strict=True))
    grounding = (_grounded(log, named, counts) for named in named_terms(where))
    return Check(tuple(grounding), (), statement)


def _grounded(log: Log, named: NamedTerm, counts: Mapping[str, int]) -> Grounding:
    rows = counts[named.name]
    entry = Grounding(named.field, named.term.text, rows)
    if rows or _absence_is_a_fact(log, named, counts):
        return entry
    return replace(entry, grounded=False, nearest=_nearest(log, named))


def _absence_is_a_fact(log: Log, named: NamedTerm, counts: Mapping[str, int]) -> bool:
    """Whether a term that occurs nowhere is still one that the log can support.

    Outcomes and exit codes are closed vocabularies: in a log that states any, none of a kind is a
    zero that can be checked, not a word of another log. So are kinds of change to a known file.
    Profiles without verified zeros follow the paper, where every term must occur.
    """
    profile, text = log.profile, named.term.text
    if named.field == "change" and profile.verified_zero:
        return _status_is_recorded(log, text)
    if named.field == "exit_code":
        return text == "nonzero" or (profile.verified_zero and counts[KNOWN_EXIT_CODES] > 0)
    if named.field == "outcome" and profile.verified_zero:
        return text.lower() in OUTCOMES and counts[KNOWN_OUTCOMES] > 0
    return False


def _status_is_recorded(log: Log, text: str) -> bool:
    """Whether a term names a kind of change, and the log records kinds for the file or folder."""
    found = STATUS.fullmatch(text)
    if found is None:
        return False
    recorded = Clause("change", (Term(found["directory"] or "status → ", "verbatim_prefix"),))
    # a file that only ever came by a rename has no change of its own, but is one of the paths
    known = (Clause("path", (Term(found["path"], "verbatim"),)),) if found["path"] else ()
    statement = lower_grounding((recorded, *known), log.profile, log.trajectory_id)
    row = log.store.row(statement.sql, statement.params)
    return row is not None and all(row[: 1 + len(known)])


def _nearest(log: Log, named: NamedTerm) -> str | None:
    valid: list[str] = []
    for values in VALUES.get(named.field, ()):
        statement = lower_values(values, log.trajectory_id)
        valid += [value for (value,) in log.store.rows(statement.sql, statement.params)]
    return next(iter(nearest(named.term.text, valid, limit=1)), None)
