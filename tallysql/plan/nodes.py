"""The plan language as frozen dataclasses; it knows no SQL.

See docs/architecture.md, "Plan language". A compiler returns a Plan or a Declined.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Match = Literal["substring", "word", "exact", "prefix", "verbatim", "verbatim_prefix"]
"""How a term is looked for; the verbatim ones are `exact` and `prefix` with case."""
Field = Literal[
    "tool",
    "action",
    "target",
    "outcome",
    "change",
    "delta",
    "exit_code",
    "error",
    "observation",
    "path",
    "author",
]
Op = Literal[
    "count",
    "list",
    "first",
    "last",
    "group",
    "timeline",
    "distinct",
    "top",
    "runs",
    "values",
]
By = Literal[
    "tool",
    "target",
    "outcome",
    "act",
    "action",
    "first_target",
    "second_target",
    "exit_code",
    "error",
    "change",
    "path",
    "author",
    "directory",
    "object",
    "value",
    "commit",
]
Pick = Literal["first", "last"] | int

MAX_QUERIES = 4


@dataclass(frozen=True, slots=True)
class Term:
    """A literal to look for; `match` None means the profile's default."""

    text: str
    match: Match | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One field and the terms of which at least one must match."""

    field: Field
    terms: tuple[Term, ...]


Where = tuple[Clause, ...]
"""A conjunction of clauses; the empty tuple selects every event."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An event that bounds a scope, itself excluded: the first, last or n-th (from 1) match."""

    where: Where
    pick: Pick = "first"


@dataclass(frozen=True, slots=True)
class Scope:
    """Inclusive step bounds, open where None, and event bounds; all of them intersect."""

    lo: int | None = None
    hi: int | None = None
    after: Anchor | None = None
    before: Anchor | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """One quantity: the events `where` (and not `exclude`) selects in `scope`, under `op`.

    Attributes:
        exclude: the language's `not`: rows that satisfy all of it are left out.
        by: the value to group by, for group, distinct, top, runs and values; with count, values
            are counted instead of events.
        limit: at most so many values, for list, group, timeline, distinct, top, runs and values.
        pick: one of the values of `values`: first, last, n-th (from 1), or n-th from the end (-1 is
            the last).
    """

    op: Op
    where: Where = ()
    scope: Scope = field(default_factory=Scope)
    exclude: Where = ()
    by: By | None = None
    limit: int | None = None
    pick: Pick | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One to four sub-queries, one per quantity that a question asks for."""

    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Declined:
    """The question is not applicable; `reason` says why, naming the words."""

    reason: str
