"""Checks what the log can support before a sub-query runs, and finds the events that bound it.

See docs/architecture.md, "Grounding".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from tallysql.engine.results import Bound, Grounding
from tallysql.errors import nearest
from tallysql.lowering.grounding import (
    KNOWN_EXIT_CODES,
    KNOWN_OUTCOMES,
    lower_anchor,
    lower_grounding,
    lower_values,
)
from tallysql.lowering.operations import Place, Statement, lower, lower_without_value
from tallysql.lowering.predicate import named_terms
from tallysql.lowering.survey import VALUED, lower_survey, survey_columns
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tallysql.engine.paths import Path
    from tallysql.lowering.operations import Places
    from tallysql.lowering.predicate import NamedTerm
    from tallysql.plan.nodes import Anchor, Field, Query, Where
    from tallysql.plan.profiles import Profile
    from tallysql.store import Row, Store

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
    """What a plan runs over: one trajectory's ledger under a profile, and how its facts are got.

    Other engines give the same facts in another way; what follows from them is decided once.

    Attributes:
        path: how its statements run (`tallysql.engine.paths`).
        shared: where the rows of statements come from that run for many trajectories at once.
    """

    store: Store
    trajectory_id: str
    profile: Profile
    path: Path = "single"
    shared: Callable[[Statement], list[Row]] | None = None

    def rows(self, statement: Statement, *, bounded: bool = False) -> list[Row]:
        """Run a statement the way that suits the size of the log.

        Args:
            statement: over this trajectory.
            bounded: it has parameters of this trajectory alone: the events that bound its scope.
        """
        if self.shared is not None and not bounded:
            return self.shared(statement)
        run = self.store.rows if self.path == "large" else self.store.quick_rows
        return run(statement.sql, statement.params)

    def sums(
        self, statement: Statement, columns: Sequence[str], *, bounded: bool = False
    ) -> dict[str, Any]:
        """Run a statement that sums up; column → value, 0 where there was nothing to sum up."""
        found = self.rows(statement, bounded=bounded)
        return dict(zip(columns, found[0] if found else (0,) * len(columns), strict=True))

    def survey(self, query: Query, places: Places) -> dict[str, Any]:
        """Run the survey of a sub-query; column → value."""
        statement = lower_survey(query, self.profile, self.trajectory_id, places)
        return self.sums(statement, survey_columns(query), bounded=bool(places))

    def counts(self, where: Where) -> dict[str, Any]:
        """Return the rows of the whole ledger in which each term occurs, and the known ones."""
        statement = lower_grounding(where, self.profile, self.trajectory_id)
        names = [named.name for named in named_terms(where)]
        return self.sums(statement, [*names, KNOWN_OUTCOMES, KNOWN_EXIT_CODES])

    def event(self, anchor: Anchor) -> tuple[int, int] | None:
        """Return step and call of the event that an anchor names."""
        found = self.rows(lower_anchor(anchor, self.profile, self.trajectory_id))
        return (found[0][0], found[0][1]) if found else None

    def values(self, query: Query, places: Places) -> Sequence[Row]:
        """Return the rows of the operation's statement."""
        statement = lower(query, self.profile, self.trajectory_id, places)
        return self.rows(statement, bounded=bool(places))

    def without_value(self, query: Query, places: Places) -> int:
        """Return how many selected rows lack a value that no single pass can tell."""
        statement = lower_without_value(query, self.profile, self.trajectory_id, places)
        found = self.sums(statement, ("without_value",), bounded=bool(places))
        return int(found["without_value"])


@dataclass(frozen=True, slots=True)
class Selection:
    """What a sub-query's predicate selects: |S|, its steps, and counts over it.

    Attributes:
        valued: rows with a value to group by; 0 where the survey cannot tell (`NEIGHBOURLY`).
    """

    matched: int = 0
    steps: tuple[int, ...] = ()
    outcomes: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    valued: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Selection:
        """Read the columns of a survey; its lists are NULL where nothing is selected."""
        return cls(
            matched=row["matched"],
            steps=tuple(sorted(set(row["steps"] or ()))),
            outcomes=Counter(row["outcomes"] or ()),
            errors=Counter(row["errors"] or ()),
            valued=row.get(VALUED, 0),
        )


NOTHING = Selection()


@dataclass(frozen=True, slots=True)
class Check:
    """What grounding found.

    Attributes:
        grounding: one entry per term, anchors' terms first.
        bounds: the resolved anchors, in the order after, before.
        statement: the check that failed, None if none did.
        selection: what the sub-query selects, nothing where a check failed.
    """

    grounding: tuple[Grounding, ...] = ()
    bounds: tuple[Bound, ...] = ()
    statement: Statement | None = None
    selection: Selection = field(default_factory=lambda: NOTHING)

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
            later.selection,
        )


def ground(log: Log, query: Query) -> Check:
    """Check the terms of a sub-query and of its anchors, and select.

    An anchor that fails ends the check. Where it does not, one statement counts the terms over
    the whole ledger and sums up what the sub-query selects.
    """
    check = Check()
    for end, anchor in (("after", query.scope.after), ("before", query.scope.before)):
        if anchor is not None:
            check += _resolve(log, end, anchor)  # type: ignore[arg-type]
            if check.missing or check.unmatched:
                return check
    return check + checked(log, query, log.survey(query, check.places))


def checked(log: Log, query: Query, surveyed: Mapping[str, Any]) -> Check:
    """Return what the survey of a sub-query came to."""
    grounding = tuple(_grounded(log, named, surveyed) for named in named_terms(query.where))
    if all(term.grounded for term in grounding):
        return Check(grounding, selection=Selection.of(surveyed))
    statement = lower_grounding(query.where, log.profile, log.trajectory_id)
    return Check(grounding, statement=statement)


def _resolve(log: Log, end: Literal["after", "before"], anchor: Anchor) -> Check:
    terms = _terms(log, anchor.where)
    named = tuple(replace(term, field=f"{end}.{term.field}") for term in terms.grounding)
    if terms.missing:
        return Check(named, (), terms.statement)
    statement = lower_anchor(anchor, log.profile, log.trajectory_id)
    step, call = log.event(anchor) or (None, None)
    return Check(named, (Bound(end, step, call),), statement)


def _terms(log: Log, where: Where) -> Check:
    """Count the rows of each term over the whole ledger, in one statement."""
    if not where:
        return Check()
    statement = lower_grounding(where, log.profile, log.trajectory_id)
    counts = log.counts(where)
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


def status_where(term: str) -> Where | None:
    """Return what a log must hold for a kind of change to be known to be absent from it.

    None if the term names no kind of change to a file or folder.
    """
    found = STATUS.fullmatch(term)
    if found is None:
        return None
    recorded = Clause("change", (Term(found["directory"] or "status → ", "verbatim_prefix"),))
    # a file that only ever came by a rename has no change of its own, but is one of the paths
    known = (Clause("path", (Term(found["path"], "verbatim"),)),) if found["path"] else ()
    return (recorded, *known)


def _status_is_recorded(log: Log, text: str) -> bool:
    """Whether a term names a kind of change, and the log records kinds for the file or folder."""
    where = status_where(text)
    if where is None:
        return False
    counts = log.counts(where)
    return all(counts[named.name] for named in named_terms(where))


def _nearest(log: Log, named: NamedTerm) -> str | None:
    valid: list[str] = []
    for values in VALUES.get(named.field, ()):
        statement = lower_values(values, log.trajectory_id)
        valid += [value for (value,) in log.rows(statement)]
    return next(iter(nearest(named.term.text, valid, limit=1)), None)
